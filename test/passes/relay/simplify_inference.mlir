// RUN: relay-opt %s --simplify-inference | FileCheck %s

// CHECK-LABEL: func.func @batch_norm
// CHECK: %[[E:.*]] = relay.constant dense<9.99999974E-6> : tensor<f32>
// CHECK: %[[V:.*]] = relay.add %arg4, %[[E]]
// CHECK: %[[R:.*]] = relay.rsqrt %[[V]]
// CHECK: %[[S:.*]] = relay.multiply %[[R]], %arg1
// CHECK: %[[M:.*]] = relay.multiply %arg3, %[[S]]
// CHECK: %[[H:.*]] = relay.subtract %arg2, %[[M]]
// CHECK: %[[SX:.*]] = relay.expand_dims %[[S]] {axis = 1 : i64, num_newaxis = 2 : i64}
// CHECK: %[[Y:.*]] = relay.multiply %arg0, %[[SX]]
// CHECK: %[[HX:.*]] = relay.expand_dims %[[H]]
// CHECK: %[[Z:.*]] = relay.add %[[Y]], %[[HX]]
// CHECK: return %[[Z]]
func.func @batch_norm(%x: tensor<1x8x4x4xf32>, %gamma: tensor<8xf32>, %beta: tensor<8xf32>,
                      %mean: tensor<8xf32>, %var: tensor<8xf32>) -> tensor<1x8x4x4xf32> {
  %0 = relay.nn.batch_norm %x, %gamma, %beta, %mean, %var
    {axis = 1 : i64, epsilon = 1.0e-05 : f64}
    : (tensor<1x8x4x4xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<1x8x4x4xf32>
  return %0 : tensor<1x8x4x4xf32>
}

// CHECK-LABEL: func.func @instance_norm
// CHECK: %[[M:.*]] = relay.mean %arg0 {axis = array<i64: 2, 3>, keepdims = true}
// CHECK: %[[C:.*]] = relay.subtract %arg0, %[[M]]
// CHECK: %[[Q:.*]] = relay.multiply %[[C]], %[[C]]
// CHECK: relay.mean %[[Q]] {axis = array<i64: 2, 3>
// CHECK: relay.rsqrt
// CHECK-NOT: relay.nn
func.func @instance_norm(%x: tensor<2x8x4x4xf32>, %gamma: tensor<8xf32>, %beta: tensor<8xf32>) -> tensor<2x8x4x4xf32> {
  %0 = relay.nn.instance_norm %x, %gamma, %beta {axis = 1 : i64, epsilon = 1.0e-05 : f64}
    : (tensor<2x8x4x4xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<2x8x4x4xf32>
  return %0 : tensor<2x8x4x4xf32>
}

// CHECK-LABEL: func.func @layer_norm
// CHECK: relay.mean %arg0 {axis = array<i64: 2>
// CHECK: %[[G:.*]] = relay.multiply %{{.*}}, %arg1
// CHECK: relay.add %[[G]], %arg2
func.func @layer_norm(%x: tensor<2x3x8xf32>, %gamma: tensor<8xf32>, %beta: tensor<8xf32>) -> tensor<2x3x8xf32> {
  %0 = relay.nn.layer_norm %x, %gamma, %beta {axis = -1 : i64, epsilon = 1.0e-05 : f64}
    : (tensor<2x3x8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<2x3x8xf32>
  return %0 : tensor<2x3x8xf32>
}

// CHECK-LABEL: func.func @untouched
// CHECK-NEXT: relay.nn.relu
// CHECK-NEXT: return
func.func @untouched(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = relay.nn.relu %x : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// What is used twice is computed once: the axes of the vectors, and the centred data.
// CHECK-LABEL: func.func @once
// CHECK-COUNT-2: relay.mean
// CHECK-NOT: relay.mean
// CHECK: relay.expand_dims %arg1 {axis = 1 : i64} : (tensor<8xf32>) -> tensor<8x1xf32>
// CHECK: relay.expand_dims %arg2 {axis = 1 : i64} : (tensor<8xf32>) -> tensor<8x1xf32>
// CHECK-NOT: relay.subtract
// CHECK: return
func.func @once(%x: tensor<2x8x4xf32>, %gamma: tensor<8xf32>, %beta: tensor<8xf32>) -> tensor<2x8x4xf32> {
  %0 = relay.nn.layer_norm %x, %gamma, %beta {axis = -2 : i64, epsilon = 1.0e-05 : f64}
    : (tensor<2x8x4xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<2x8x4xf32>
  return %0 : tensor<2x8x4xf32>
}

// Along the last axis, vectors need no new dimensions.
// CHECK-LABEL: func.func @last_axis
// CHECK-NOT: relay.expand_dims
// CHECK: return
func.func @last_axis(%x: tensor<?x8xf64>, %gamma: tensor<8xf64>, %beta: tensor<8xf64>,
                     %mean: tensor<8xf64>, %var: tensor<8xf64>) -> tensor<?x8xf64> {
  %0 = relay.nn.batch_norm %x, %gamma, %beta, %mean, %var {axis = -1 : i64, epsilon = 0.0 : f64}
    : (tensor<?x8xf64>, tensor<8xf64>, tensor<8xf64>, tensor<8xf64>, tensor<8xf64>) -> tensor<?x8xf64>
  return %0 : tensor<?x8xf64>
}

// All axes but the batch and the channels are none here, and a mean over none is written as one over all.
// CHECK-LABEL: func.func @no_axes
// CHECK-NEXT: relay.nn.instance_norm
// CHECK-NEXT: return
func.func @no_axes(%x: tensor<2x8xf32>, %gamma: tensor<8xf32>, %beta: tensor<8xf32>) -> tensor<2x8xf32> {
  %0 = relay.nn.instance_norm %x, %gamma, %beta {axis = 1 : i64, epsilon = 1.0e-05 : f64}
    : (tensor<2x8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<2x8xf32>
  return %0 : tensor<2x8xf32>
}
