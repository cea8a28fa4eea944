// Products and convolutions of one tensor, and what follows them, as they are and combined, against numpy in double
// precision; and the same numbers from one product of all units and from a batch.
// RUN: %python %S/Inputs/combine_parallel.py inputs %t.in.npz
// RUN: relay-opt %s --combine-parallel-conv2d=min-num-branches=2 --combine-parallel-batch-matmul=min-num-branches=2 --combine-parallel-dense='min-num-branches=2 to-batch=false' > %t.flat.mlir
// RUN: FileCheck %s --check-prefix=FLAT < %t.flat.mlir
// RUN: relayc run %t.flat.mlir --inputs %t.in.npz --outputs %t.flat.npz
// RUN: relay-opt %s --combine-parallel-dense=min-num-branches=2 > %t.batch.mlir
// RUN: FileCheck %s --check-prefix=BATCH < %t.batch.mlir
// RUN: relayc run %t.batch.mlir --inputs %t.in.npz --outputs %t.batch.npz
// RUN: relayc run %s --inputs %t.in.npz --outputs %t.plain.npz
// RUN: %python %S/Inputs/combine_parallel.py check %t.in.npz %t.plain.npz %t.flat.npz %t.batch.npz
// FLAT-COUNT-1: relay.nn.conv2d
// FLAT-COUNT-1: relay.nn.dense
// FLAT-COUNT-1: relay.nn.batch_matmul
// FLAT-NOT: {{relay.nn.conv2d|relay.nn.dense|relay.nn.batch_matmul}}
// BATCH: relay.nn.batch_matmul {{.*}} -> tensor<2x3x5xf32>

func.func @main(%x: tensor<1x4x9x9xf32> {relay.name = "x"}, %v: tensor<5x4x3x3xf32> {relay.name = "v"}, %w: tensor<8x4x3x3xf32> {relay.name = "w"},
                %s: tensor<5x1x1xf32> {relay.name = "s"}, %t: tensor<8x1x1xf32> {relay.name = "t"},
                %d: tensor<3x20xf32> {relay.name = "d"}, %a: tensor<5x20xf32> {relay.name = "a"}, %b: tensor<5x20xf32> {relay.name = "b"},
                %c: tensor<7x20xf32> {relay.name = "c"}, %p: tensor<5xf32> {relay.name = "p"}, %q: tensor<f32> {relay.name = "q"}, %r: tensor<7xf32> {relay.name = "r"},
                %m: tensor<2x3x4xf32> {relay.name = "m"}, %k: tensor<2x4x6xf32> {relay.name = "k"}, %l: tensor<2x4x5xf32> {relay.name = "l"})
    -> (tensor<1x5x5x5xf32> {relay.name = "conv_v"}, tensor<1x8x5x5xf32> {relay.name = "conv_w"},
        tensor<3x5xf32> {relay.name = "dense_a"}, tensor<3x5xf32> {relay.name = "dense_b"}, tensor<3x7xf32> {relay.name = "dense_c"},
        tensor<2x3x6xf32> {relay.name = "batch_k"}, tensor<2x3x5xf32> {relay.name = "batch_l"}) {
  %0 = relay.nn.conv2d %x, %v {strides = array<i64: 2, 2>, padding = array<i64: 1, 1, 1, 1>} : (tensor<1x4x9x9xf32>, tensor<5x4x3x3xf32>) -> tensor<1x5x5x5xf32>
  %1 = relay.nn.conv2d %x, %w {strides = array<i64: 2, 2>, padding = array<i64: 1, 1, 1, 1>} : (tensor<1x4x9x9xf32>, tensor<8x4x3x3xf32>) -> tensor<1x8x5x5xf32>
  %2 = relay.multiply %0, %s : (tensor<1x5x5x5xf32>, tensor<5x1x1xf32>) -> tensor<1x5x5x5xf32>
  %3 = relay.multiply %1, %t : (tensor<1x8x5x5xf32>, tensor<8x1x1xf32>) -> tensor<1x8x5x5xf32>
  %4 = relay.nn.dense %d, %a : (tensor<3x20xf32>, tensor<5x20xf32>) -> tensor<3x5xf32>
  %5 = relay.nn.dense %d, %b : (tensor<3x20xf32>, tensor<5x20xf32>) -> tensor<3x5xf32>
  %6 = relay.nn.dense %d, %c : (tensor<3x20xf32>, tensor<7x20xf32>) -> tensor<3x7xf32>
  %7 = relay.add %4, %p : (tensor<3x5xf32>, tensor<5xf32>) -> tensor<3x5xf32>
  %8 = relay.add %5, %q : (tensor<3x5xf32>, tensor<f32>) -> tensor<3x5xf32>
  %9 = relay.add %6, %r : (tensor<3x7xf32>, tensor<7xf32>) -> tensor<3x7xf32>
  %10 = relay.nn.batch_matmul %m, %k : (tensor<2x3x4xf32>, tensor<2x4x6xf32>) -> tensor<2x3x6xf32>
  %11 = relay.nn.batch_matmul %m, %l : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32>
  %12 = relay.tanh %10 : (tensor<2x3x6xf32>) -> tensor<2x3x6xf32>
  %13 = relay.tanh %11 : (tensor<2x3x5xf32>) -> tensor<2x3x5xf32>
  return %2, %3, %7, %8, %9, %12, %13
    : tensor<1x5x5x5xf32>, tensor<1x8x5x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x7xf32>, tensor<2x3x6xf32>, tensor<2x3x5xf32>
}
