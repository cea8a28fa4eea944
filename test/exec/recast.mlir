// A product and a concatenation of f32 on other numbers, against numpy: in f64, and of numbers rounded to bf16.
// RUN: %python %S/Inputs/recast.py inputs %t.in.npz
// RUN: relay-opt %s --recast='dtype=f64 ops=nn.dense,concatenate' > %t.wide.mlir
// RUN: FileCheck %s --check-prefix=WIDE < %t.wide.mlir
// RUN: relayc run %t.wide.mlir --inputs %t.in.npz --outputs %t.wide.npz
// RUN: relay-opt %s --recast='dtype=bf16 ops=nn.dense' > %t.narrow.mlir
// RUN: relayc run %t.narrow.mlir --inputs %t.in.npz --outputs %t.narrow.npz
// RUN: %python %S/Inputs/recast.py check %t.in.npz %t.wide.npz %t.narrow.npz
// WIDE: relay.nn.dense {{.*}} -> tensor<7x5xf64>
// WIDE: relay.concatenate {{.*}} -> tensor<7x45xf64>

func.func @main(%x: tensor<7x40xf32> {relay.name = "x"}, %w: tensor<5x40xf32> {relay.name = "w"}) -> (tensor<7x45xf32> {relay.name = "y"}) {
  %0 = relay.nn.dense %x, %w : (tensor<7x40xf32>, tensor<5x40xf32>) -> tensor<7x5xf32>
  %1 = relay.concatenate %0, %x {axis = 1 : i64} : (tensor<7x5xf32>, tensor<7x40xf32>) -> tensor<7x45xf32>
  return %1 : tensor<7x45xf32>
}
