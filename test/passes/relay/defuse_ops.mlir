// RUN: relay-opt %s --defuse-ops | FileCheck %s
// Back and forth gives what was there, but for the order of ops that do not read each other.
// RUN: relay-opt %s --defuse-ops --fuse-ops --defuse-ops | FileCheck %s
// RUN: relay-opt %s --fuse-ops --defuse-ops | FileCheck %s

// CHECK-LABEL: func.func @simple
// CHECK-NEXT: %[[C:.*]] = relay.constant dense<1.000000e+00> : tensor<f32>
// CHECK-NEXT: %[[A:.*]] = relay.add %arg0, %[[C]]
// CHECK-NEXT: %[[E:.*]] = relay.exp %[[A]]
// CHECK-NEXT: %[[S:.*]] = relay.squeeze %[[E]] {axis = array<i64: 1>}
// CHECK-NEXT: return %[[S]]
func.func @simple(%x: tensor<10x1x20xf32>) -> tensor<10x20xf32> {
  %0 = call @fused_add_exp_squeeze(%x) : (tensor<10x1x20xf32>) -> tensor<10x20xf32>
  return %0 : tensor<10x20xf32>
}

// Two calls of one function are two convolutions; branches are defused, too.
// CHECK-LABEL: func.func @inception_like
// CHECK-NEXT: %[[C1:.*]] = relay.nn.conv2d %arg1, %arg2 {padding = array<i64: 1, 1, 1, 1>}
// CHECK-NEXT: %[[R1:.*]] = relay.nn.relu %[[C1]]
// CHECK-NEXT: %[[C2:.*]] = relay.nn.conv2d %arg1, %arg3 {padding = array<i64: 1, 1, 1, 1>}
// CHECK-NEXT: %[[R2:.*]] = relay.nn.relu %[[C2]]
// CHECK-NEXT: %[[I:.*]] = relay.if %arg0
// CHECK-NEXT: %[[C3:.*]] = relay.nn.conv2d %[[R1]], %arg2
// CHECK-NEXT: %[[R3:.*]] = relay.nn.relu %[[C3]]
// CHECK-NEXT: relay.yield %[[R3]]
// CHECK: %[[J:.*]] = relay.concatenate %[[I]], %[[R2]] {axis = 1 : i64}
// CHECK-NEXT: return %[[J]]
func.func @inception_like(%c: tensor<i1>, %x: tensor<1x16x8x8xf32>, %v: tensor<16x16x3x3xf32>, %w: tensor<16x16x3x3xf32>) -> tensor<1x32x8x8xf32> {
  %0 = call @fused_conv2d_relu(%x, %v) : (tensor<1x16x8x8xf32>, tensor<16x16x3x3xf32>) -> tensor<1x16x8x8xf32>
  %1 = call @fused_conv2d_relu(%x, %w) : (tensor<1x16x8x8xf32>, tensor<16x16x3x3xf32>) -> tensor<1x16x8x8xf32>
  %2 = relay.if %c : (tensor<i1>) -> tensor<1x16x8x8xf32> {
    %4 = func.call @fused_conv2d_relu(%0, %v) : (tensor<1x16x8x8xf32>, tensor<16x16x3x3xf32>) -> tensor<1x16x8x8xf32>
    relay.yield %4 : tensor<1x16x8x8xf32>
  } else {
    relay.yield %0 : tensor<1x16x8x8xf32>
  }
  %3 = relay.concatenate %2, %1 {axis = 1 : i64} : (tensor<1x16x8x8xf32>, tensor<1x16x8x8xf32>) -> tensor<1x32x8x8xf32>
  return %3 : tensor<1x32x8x8xf32>
}

// A function that is not primitive, and its calls, stay; so does a primitive one that others may call.
// CHECK-LABEL: func.func @others
// CHECK-NEXT: %[[A:.*]] = call @plain(%arg0)
// CHECK-NEXT: %[[B:.*]] = relay.abs %[[A]]
// CHECK-NEXT: return %[[B]]
// CHECK: func.func private @plain
// CHECK: func.func @fused_abs
// CHECK-NOT: func.func
func.func @others(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = call @plain(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = call @fused_abs(%0) : (tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
func.func private @plain(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
func.func @fused_abs(%x: tensor<4xf32>) -> tensor<4xf32> attributes {relay.primitive} {
  %0 = relay.abs %x : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func private @fused_add_exp_squeeze(%x: tensor<10x1x20xf32>) -> tensor<10x20xf32> attributes {relay.primitive} {
  %one = relay.constant dense<1.0> : tensor<f32>
  %0 = relay.add %x, %one : (tensor<10x1x20xf32>, tensor<f32>) -> tensor<10x1x20xf32>
  %1 = relay.exp %0 : (tensor<10x1x20xf32>) -> tensor<10x1x20xf32>
  %2 = relay.squeeze %1 {axis = array<i64: 1>} : (tensor<10x1x20xf32>) -> tensor<10x20xf32>
  return %2 : tensor<10x20xf32>
}
func.func private @fused_conv2d_relu(%x: tensor<1x16x8x8xf32>, %w: tensor<16x16x3x3xf32>) -> tensor<1x16x8x8xf32> attributes {relay.primitive} {
  %0 = relay.nn.conv2d %x, %w {padding = array<i64: 1, 1, 1, 1>} : (tensor<1x16x8x8xf32>, tensor<16x16x3x3xf32>) -> tensor<1x16x8x8xf32>
  %1 = relay.nn.relu %0 : (tensor<1x16x8x8xf32>) -> tensor<1x16x8x8xf32>
  return %1 : tensor<1x16x8x8xf32>
}
