// RUN: relay-opt %s --canonicalize-ops | FileCheck %s

// CHECK-LABEL: func.func @channels
// CHECK-NEXT: %[[B:.*]] = relay.expand_dims %arg1 {axis = 1 : i64, num_newaxis = 2 : i64} : (tensor<8xf32>) -> tensor<8x1x1xf32>
// CHECK-NEXT: %[[S:.*]] = relay.add %arg0, %[[B]]
// CHECK-NEXT: return %[[S]]
func.func @channels(%x: tensor<1x8x4x4xf32>, %b: tensor<8xf32>) -> tensor<1x8x4x4xf32> {
  %0 = relay.nn.bias_add %x, %b {axis = 1 : i64} : (tensor<1x8x4x4xf32>, tensor<8xf32>) -> tensor<1x8x4x4xf32>
  return %0 : tensor<1x8x4x4xf32>
}

// Along the last axis, numpy's broadcasting needs no new axes.
// CHECK-LABEL: func.func @last_axis
// CHECK-NEXT: relay.add %arg0, %arg1
func.func @last_axis(%x: tensor<4x8xf32>, %b: tensor<8xf32>) -> tensor<4x8xf32> {
  %0 = relay.nn.bias_add %x, %b {axis = -1 : i64} : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// CHECK-LABEL: func.func @untouched
// CHECK-NEXT: relay.add %arg0, %arg1
// CHECK-NEXT: return
func.func @untouched(%x: tensor<4x8xf32>, %b: tensor<8xf32>) -> tensor<4x8xf32> {
  %0 = relay.add %x, %b : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}
