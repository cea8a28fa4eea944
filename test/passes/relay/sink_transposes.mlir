// RUN: relay-opt %s --sink-transposes --split-input-file | FileCheck %s

// A scale with channels last between convolutions, as exporters of such networks write it; the mean at the end needs no order.
// CHECK-LABEL: func.func @network
// CHECK: %[[A:.*]] = relay.nn.conv2d %arg0
// CHECK: %[[S:.*]] = relay.layout_transform %{{.*}} : (tensor<1x1x1x6xf32>) -> tensor<1x6x1x1xf32>
// CHECK: %[[M:.*]] = relay.multiply %[[A]], %[[S]]
// CHECK: %[[P:.*]] = relay.nn.pad %[[M]], %{{.*}} {pad_width = array<i64: 0, 0, 0, 0, 1, 2, 3, 4>}
// CHECK: %[[B:.*]] = relay.nn.conv2d %[[P]]
// CHECK: %[[C:.*]] = relay.clip %[[B]]
// CHECK: %[[R:.*]] = relay.mean %[[C]] {axis = array<i64: 2, 3>} : (tensor<1x5x9x13xf32>) -> tensor<1x5xf32>
// CHECK: return %[[R]]
func.func @network(%x: tensor<1x3x8x8xf32>, %w: tensor<6x3x1x1xf32>, %v: tensor<5x6x3x3xf32>) -> tensor<1x5xf32> {
  %s = relay.constant dense<[[[[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]]]]> : tensor<1x1x1x6xf32>
  %zero = relay.constant dense<0.0> : tensor<f32>
  %0 = relay.nn.conv2d %x, %w : (tensor<1x3x8x8xf32>, tensor<6x3x1x1xf32>) -> tensor<1x6x8x8xf32>
  %1 = relay.transpose %0 {axes = array<i64: 0, 2, 3, 1>} : (tensor<1x6x8x8xf32>) -> tensor<1x8x8x6xf32>
  %2 = relay.multiply %1, %s : (tensor<1x8x8x6xf32>, tensor<1x1x1x6xf32>) -> tensor<1x8x8x6xf32>
  %3 = relay.nn.pad %2, %zero {pad_width = array<i64: 0, 0, 1, 2, 3, 4, 0, 0>} : (tensor<1x8x8x6xf32>, tensor<f32>) -> tensor<1x11x15x6xf32>
  %4 = relay.transpose %3 {axes = array<i64: 0, 3, 1, 2>} : (tensor<1x11x15x6xf32>) -> tensor<1x6x11x15xf32>
  %5 = relay.nn.conv2d %4, %v : (tensor<1x6x11x15xf32>, tensor<5x6x3x3xf32>) -> tensor<1x5x9x13xf32>
  %6 = relay.transpose %5 {axes = array<i64: 0, 2, 3, 1>} : (tensor<1x5x9x13xf32>) -> tensor<1x9x13x5xf32>
  %7 = relay.clip %6 {a_min = 0.0, a_max = 6.0} : (tensor<1x9x13x5xf32>) -> tensor<1x9x13x5xf32>
  %8 = relay.mean %7 {axis = array<i64: 1, 2>} : (tensor<1x9x13x5xf32>) -> tensor<1x5xf32>
  return %8 : tensor<1x5xf32>
}

// -----

// A sum of two branches moves with both; a vector stands along the last axis of the model.
// CHECK-LABEL: func.func @residual
// CHECK-NOT: relay.transpose
// CHECK: relay.expand_dims %{{.*}} : (tensor<6xf32>) -> tensor<1x1x1x6xf32>
// CHECK: relay.layout_transform %{{.*}} : (tensor<1x1x1x6xf32>) -> tensor<1x6x1x1xf32>
// CHECK: %[[A:.*]] = relay.add %arg0, %{{.*}} : (tensor<2x6x4x4xf32>, tensor<1x6x1x1xf32>)
// CHECK: %[[S:.*]] = relay.add %[[A]], %arg1 : (tensor<2x6x4x4xf32>, tensor<2x6x4x4xf32>)
// CHECK: relay.concatenate %[[S]], %[[A]] {axis = 1 : i64}
func.func @residual(%x: tensor<2x6x4x4xf32>, %y: tensor<2x6x4x4xf32>) -> tensor<2x12x4x4xf32> {
  %b = relay.constant dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]> : tensor<6xf32>
  %0 = relay.transpose %x {axes = array<i64: 0, 2, 3, 1>} : (tensor<2x6x4x4xf32>) -> tensor<2x4x4x6xf32>
  %1 = relay.add %0, %b : (tensor<2x4x4x6xf32>, tensor<6xf32>) -> tensor<2x4x4x6xf32>
  %2 = relay.transpose %y {axes = array<i64: 0, 2, 3, 1>} : (tensor<2x6x4x4xf32>) -> tensor<2x4x4x6xf32>
  %3 = relay.add %1, %2 : (tensor<2x4x4x6xf32>, tensor<2x4x4x6xf32>) -> tensor<2x4x4x6xf32>
  %4 = relay.concatenate %3, %1 {axis = -1 : i64} : (tensor<2x4x4x6xf32>, tensor<2x4x4x6xf32>) -> tensor<2x4x4x12xf32>
  %5 = relay.transpose %4 {axes = array<i64: 0, 3, 1, 2>} : (tensor<2x4x4x12xf32>) -> tensor<2x12x4x4xf32>
  return %5 : tensor<2x12x4x4xf32>
}

// -----

// One transpose would be left either way, and its place says more about the model.
// CHECK-LABEL: func.func @no_gain
// CHECK: %[[T:.*]] = relay.transpose %arg0
// CHECK: %[[R:.*]] = relay.nn.relu %[[T]]
// CHECK: relay.nn.softmax %[[R]]
func.func @no_gain(%x: tensor<2x6x4xf32>) -> tensor<2x4x6xf32> {
  %0 = relay.transpose %x {axes = array<i64: 0, 2, 1>} : (tensor<2x6x4xf32>) -> tensor<2x4x6xf32>
  %1 = relay.nn.relu %0 : (tensor<2x4x6xf32>) -> tensor<2x4x6xf32>
  %2 = relay.nn.softmax %1 : (tensor<2x4x6xf32>) -> tensor<2x4x6xf32>
  return %2 : tensor<2x4x6xf32>
}

// -----

// The other operand is no constant: it would be transposed instead.
// CHECK-LABEL: func.func @other_data
// CHECK: relay.transpose %arg0
// CHECK: relay.add
// CHECK: relay.transpose
func.func @other_data(%x: tensor<2x6x4xf32>, %y: tensor<2x4x6xf32>) -> tensor<2x6x4xf32> {
  %0 = relay.transpose %x {axes = array<i64: 0, 2, 1>} : (tensor<2x6x4xf32>) -> tensor<2x4x6xf32>
  %1 = relay.add %0, %y : (tensor<2x4x6xf32>, tensor<2x4x6xf32>) -> tensor<2x4x6xf32>
  %2 = relay.transpose %1 {axes = array<i64: 0, 2, 1>} : (tensor<2x4x6xf32>) -> tensor<2x6x4xf32>
  return %2 : tensor<2x6x4xf32>
}

// -----

// Two readers would each have a transpose instead of one: nothing moves. Where one of them undoes it, both cost the same.
// CHECK-LABEL: func.func @two_readers
// CHECK: %[[T:.*]] = relay.transpose %arg0
// CHECK: relay.nn.relu %[[T]]
// CHECK: relay.exp %[[T]]
func.func @two_readers(%x: tensor<2x6x4xf32>) -> (tensor<2x4x6xf32>, tensor<2x4x6xf32>) {
  %0 = relay.transpose %x {axes = array<i64: 0, 2, 1>} : (tensor<2x6x4xf32>) -> tensor<2x4x6xf32>
  %1 = relay.nn.relu %0 : (tensor<2x4x6xf32>) -> tensor<2x4x6xf32>
  %2 = relay.exp %0 : (tensor<2x4x6xf32>) -> tensor<2x4x6xf32>
  return %1, %2 : tensor<2x4x6xf32>, tensor<2x4x6xf32>
}

// -----

// The order of what is left matters: a transpose of less data is behind the sum, which keeps open extents.
// CHECK-LABEL: func.func @reduced
// CHECK: %[[E:.*]] = relay.exp %arg0
// CHECK: %[[S:.*]] = relay.sum %[[E]] {axis = array<i64: 1>} : (tensor<2x30x?xf32{{.*}}>) -> tensor<2x?xf32
// CHECK: %[[R:.*]] = relay.layout_transform %[[S]]
// CHECK: return %[[R]]
func.func @reduced(%x: tensor<2x30x?xf32>) -> tensor<?x2xf32> {
  %0 = relay.transpose %x {axes = array<i64: 2, 1, 0>} : (tensor<2x30x?xf32>) -> tensor<?x30x2xf32>
  %1 = relay.exp %0 : (tensor<?x30x2xf32>) -> tensor<?x30x2xf32>
  %2 = relay.sum %1 {axis = array<i64: 1>} : (tensor<?x30x2xf32>) -> tensor<?x2xf32>
  return %2 : tensor<?x2xf32>
}
