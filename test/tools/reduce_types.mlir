// Where no operand has the type of a result, the reducer makes it an input of the function, unless that is called.
// RUN: relay-reduce %s --reduction-tree='test=%S/Inputs/has_sqrt_in_part.sh' | FileCheck %s

// CHECK: func.func @main
// CHECK-NOT: relay.
// CHECK: call @part(%{{.*}}, %{{.*}})
// CHECK: func.func private @part(%[[X:.*]]: tensor<3x2xf32>, %{{.*}}: tensor<3x2xf32>) -> tensor<3x2xf32> {
// CHECK-NEXT: relay.sqrt %[[X]]
// CHECK-NEXT: return
func.func @main(%x: tensor<2x3xf32>, %w: tensor<5x3xf32>, %v: tensor<7x5xf32>) -> (tensor<2x7xf32>, tensor<3x2xf32>) {
  %0 = relay.nn.dense %x, %w : (tensor<2x3xf32>, tensor<5x3xf32>) -> tensor<2x5xf32>
  %1 = relay.sqrt %0 : (tensor<2x5xf32>) -> tensor<2x5xf32>
  %2 = relay.nn.dense %1, %v : (tensor<2x5xf32>, tensor<7x5xf32>) -> tensor<2x7xf32>
  %3 = relay.transpose %x {axes = array<i64: 1, 0>} : (tensor<2x3xf32>) -> tensor<3x2xf32>
  %4 = call @part(%3, %3) : (tensor<3x2xf32>, tensor<3x2xf32>) -> tensor<3x2xf32>
  return %2, %4 : tensor<2x7xf32>, tensor<3x2xf32>
}
func.func private @part(%x: tensor<3x2xf32>, %y: tensor<3x2xf32>) -> tensor<3x2xf32> {
  %0 = relay.abs %x : (tensor<3x2xf32>) -> tensor<3x2xf32>
  %1 = relay.sqrt %0 : (tensor<3x2xf32>) -> tensor<3x2xf32>
  %2 = relay.exp %1 : (tensor<3x2xf32>) -> tensor<3x2xf32>
  return %2 : tensor<3x2xf32>
}
