// RUN: relay-opt %s --fuse-ops | FileCheck %s

// Reshapes at a group's edges stand on their own; one whose result is returned does not.
// CHECK-LABEL: func.func @edges
// CHECK: call @fused_reshape
// CHECK: call @fused_add_relu_reshape
// CHECK-LABEL: func.func private @fused_reshape
// CHECK-SAME: tir.kernel = #tir.kernel<view>
func.func @edges(%x: tensor<6xf32>, %y: tensor<2x3xf32>) -> tensor<3x2xf32> {
  %0 = relay.reshape %x {newshape = array<i64: 2, 3>} : (tensor<6xf32>) -> tensor<2x3xf32>
  %1 = relay.add %0, %y : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %2 = relay.nn.relu %1 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %3 = relay.reshape %2 {newshape = array<i64: 3, 2>} : (tensor<2x3xf32>) -> tensor<3x2xf32>
  return %3 : tensor<3x2xf32>
}
