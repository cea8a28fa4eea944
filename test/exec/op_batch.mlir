// Differences and products of one tensor as batches, with what follows them, against numpy.
// RUN: %python %S/Inputs/op_batch.py inputs %t.in.npz
// RUN: relay-opt %s --combine-parallel-op-batch='op-name=subtract batch-op-name=subtract min-num-branches=2' --combine-parallel-op-batch='op-name=nn.matmul min-num-branches=2' > %t.mlir
// RUN: FileCheck %s < %t.mlir
// RUN: relayc run %t.mlir --inputs %t.in.npz --outputs %t.out.npz
// RUN: %python %S/Inputs/op_batch.py check %t.in.npz %t.out.npz
// CHECK: relay.subtract {{.*}} -> tensor<2x3x4xf32>
// CHECK-NOT: relay.subtract
// CHECK: relay.nn.batch_matmul {{.*}} -> tensor<2x4x5xf32>
// CHECK-NOT: relay.nn.matmul

func.func @main(%x: tensor<3x4xf32> {relay.name = "x"}, %a: tensor<3x4xf32> {relay.name = "a"}, %b: tensor<3x4xf32> {relay.name = "b"},
                %c: tensor<3x5xf32> {relay.name = "c"}, %d: tensor<3x5xf32> {relay.name = "d"}, %p: tensor<4xf32> {relay.name = "p"}, %q: tensor<4xf32> {relay.name = "q"})
    -> (tensor<3x4xf32> {relay.name = "less_a"}, tensor<3x4xf32> {relay.name = "less_b"}, tensor<4x5xf32> {relay.name = "by_c"}, tensor<4x5xf32> {relay.name = "by_d"}) {
  %0 = relay.subtract %x, %a : (tensor<3x4xf32>, tensor<3x4xf32>) -> tensor<3x4xf32>
  %1 = relay.multiply %0, %p : (tensor<3x4xf32>, tensor<4xf32>) -> tensor<3x4xf32>
  %2 = relay.subtract %x, %b : (tensor<3x4xf32>, tensor<3x4xf32>) -> tensor<3x4xf32>
  %3 = relay.multiply %2, %q : (tensor<3x4xf32>, tensor<4xf32>) -> tensor<3x4xf32>
  %4 = relay.nn.matmul %x, %c {transpose_a = true} : (tensor<3x4xf32>, tensor<3x5xf32>) -> tensor<4x5xf32>
  %5 = relay.nn.matmul %x, %d {transpose_a = true} : (tensor<3x4xf32>, tensor<3x5xf32>) -> tensor<4x5xf32>
  return %1, %3, %4, %5 : tensor<3x4xf32>, tensor<3x4xf32>, tensor<4x5xf32>, tensor<4x5xf32>
}
