// RUN: relay-opt %s --eliminate-common-subexpr | FileCheck %s

// CHECK-LABEL: func.func @same
// CHECK-NEXT: %[[A:.*]] = relay.abs %arg0
// CHECK-NEXT: %[[S:.*]] = relay.add %[[A]], %[[A]]
// CHECK-NEXT: relay.if
// CHECK-NEXT: relay.yield %[[A]]
func.func @same(%x: tensor<4xf32>, %c: tensor<i1>) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = relay.abs %x : (tensor<4xf32>) -> tensor<4xf32>
  %1 = relay.abs %x : (tensor<4xf32>) -> tensor<4xf32>
  %2 = relay.add %0, %1 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %3 = relay.if %c : (tensor<i1>) -> tensor<4xf32> {
    %4 = relay.abs %x : (tensor<4xf32>) -> tensor<4xf32>
    relay.yield %4 : tensor<4xf32>
  } else {
    relay.yield %x : tensor<4xf32>
  }
  return %2, %3 : tensor<4xf32>, tensor<4xf32>
}

// Other operands, other attributes, other regions: nothing to share.
// CHECK-LABEL: func.func @different
// CHECK: relay.abs %arg0
// CHECK: relay.abs %arg1
// CHECK: relay.constant dense<1.0
// CHECK: relay.constant dense<2.0
func.func @different(%x: tensor<4xf32>, %y: tensor<4xf32>)
    -> (tensor<4xf32>, tensor<4xf32>, tensor<f32>, tensor<f32>) {
  %0 = relay.abs %x : (tensor<4xf32>) -> tensor<4xf32>
  %1 = relay.abs %y : (tensor<4xf32>) -> tensor<4xf32>
  %2 = relay.constant dense<1.0> : tensor<f32>
  %3 = relay.constant dense<2.0> : tensor<f32>
  return %0, %1, %2, %3 : tensor<4xf32>, tensor<4xf32>, tensor<f32>, tensor<f32>
}
