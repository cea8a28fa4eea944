// RUN: relay-opt %s --fold-scale-axis | FileCheck %s

// CHECK-LABEL: func.func @after_conv
// CHECK: %[[S:.*]] = relay.constant dense<{{\[\[\[}}1.000000e+00{{.*}}tensor<2x1x1xf32>
// CHECK-DAG: %[[F:.*]] = relay.reshape %[[S]] {newshape = array<i64: 2, 1, 1, 1>}
// CHECK-DAG: %[[W:.*]] = relay.multiply %arg1, %[[F]]
// CHECK-DAG: %[[B:.*]] = relay.multiply %{{.*}}, %[[S]] : (tensor<2x1x1xf32>, tensor<2x1x1xf32>)
// CHECK-DAG: %[[C:.*]] = relay.nn.conv2d %arg0, %[[W]]
// CHECK: %[[A:.*]] = relay.add %[[C]], %[[B]]
// CHECK-NEXT: %[[R:.*]] = relay.nn.relu %[[A]]
// CHECK-NEXT: return %[[R]]
func.func @after_conv(%x: tensor<1x3x8x8xf32>, %w: tensor<2x3x3x3xf32>) -> tensor<1x2x6x6xf32> {
  %s = relay.constant dense<[[[1.0]], [[2.0]]]> : tensor<2x1x1xf32>
  %b = relay.constant dense<[[[3.0]], [[4.0]]]> : tensor<2x1x1xf32>
  %0 = relay.nn.conv2d %x, %w {strides = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>, dilation = array<i64: 1, 1>, groups = 1 : i64}
    : (tensor<1x3x8x8xf32>, tensor<2x3x3x3xf32>) -> tensor<1x2x6x6xf32>
  %1 = relay.add %0, %b : (tensor<1x2x6x6xf32>, tensor<2x1x1xf32>) -> tensor<1x2x6x6xf32>
  %2 = relay.nn.relu %1 : (tensor<1x2x6x6xf32>) -> tensor<1x2x6x6xf32>
  %3 = relay.multiply %2, %s : (tensor<1x2x6x6xf32>, tensor<2x1x1xf32>) -> tensor<1x2x6x6xf32>
  return %3 : tensor<1x2x6x6xf32>
}

// A negative factor does not pass a relu.
// CHECK-LABEL: func.func @negative
// CHECK: relay.nn.conv2d %arg0, %arg1
// CHECK: relay.nn.relu
// CHECK: relay.multiply
func.func @negative(%x: tensor<1x3x8x8xf32>, %w: tensor<2x3x3x3xf32>) -> tensor<1x2x6x6xf32> {
  %s = relay.constant dense<[[[-1.0]], [[2.0]]]> : tensor<2x1x1xf32>
  %0 = relay.nn.conv2d %x, %w {strides = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>, dilation = array<i64: 1, 1>, groups = 1 : i64}
    : (tensor<1x3x8x8xf32>, tensor<2x3x3x3xf32>) -> tensor<1x2x6x6xf32>
  %1 = relay.nn.relu %0 : (tensor<1x2x6x6xf32>) -> tensor<1x2x6x6xf32>
  %2 = relay.multiply %1, %s : (tensor<1x2x6x6xf32>, tensor<2x1x1xf32>) -> tensor<1x2x6x6xf32>
  return %2 : tensor<1x2x6x6xf32>
}

// What something else reads, too, keeps its value.
// CHECK-LABEL: func.func @shared
// CHECK: %[[D:.*]] = relay.nn.dense %arg0, %arg1
// CHECK: relay.multiply %[[D]]
func.func @shared(%x: tensor<4x8xf32>, %w: tensor<2x8xf32>) -> (tensor<4x2xf32>, tensor<4x2xf32>) {
  %s = relay.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %0 = relay.nn.dense %x, %w : (tensor<4x8xf32>, tensor<2x8xf32>) -> tensor<4x2xf32>
  %1 = relay.multiply %0, %s : (tensor<4x2xf32>, tensor<2xf32>) -> tensor<4x2xf32>
  return %0, %1 : tensor<4x2xf32>, tensor<4x2xf32>
}

// CHECK-LABEL: func.func @after_dense
// CHECK: %[[F:.*]] = relay.reshape %{{.*}} {newshape = array<i64: 2, 1>}
// CHECK: %[[W:.*]] = relay.multiply %arg1, %[[F]]
// CHECK: %[[D:.*]] = relay.nn.dense %arg0, %[[W]]
// CHECK-NEXT: return %[[D]]
func.func @after_dense(%x: tensor<4x8xf32>, %w: tensor<2x8xf32>) -> tensor<4x2xf32> {
  %s = relay.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %0 = relay.nn.dense %x, %w : (tensor<4x8xf32>, tensor<2x8xf32>) -> tensor<4x2xf32>
  %1 = relay.multiply %0, %s : (tensor<4x2xf32>, tensor<2xf32>) -> tensor<4x2xf32>
  return %1 : tensor<4x2xf32>
}

// CHECK-LABEL: func.func @before_depthwise
// CHECK-DAG: %[[R:.*]] = relay.nn.relu %arg0
// CHECK-DAG: %[[F:.*]] = relay.reshape %{{.*}} {newshape = array<i64: 2, 1, 1, 1>}
// CHECK-DAG: %[[W:.*]] = relay.multiply %arg1, %[[F]]
// CHECK: relay.nn.conv2d %[[R]], %[[W]]
func.func @before_depthwise(%x: tensor<1x2x8x8xf32>, %w: tensor<2x1x3x3xf32>) -> tensor<1x2x6x6xf32> {
  %s = relay.constant dense<[[[1.0]], [[2.0]]]> : tensor<2x1x1xf32>
  %0 = relay.multiply %x, %s : (tensor<1x2x8x8xf32>, tensor<2x1x1xf32>) -> tensor<1x2x8x8xf32>
  %1 = relay.nn.relu %0 : (tensor<1x2x8x8xf32>) -> tensor<1x2x8x8xf32>
  %2 = relay.nn.conv2d %1, %w {strides = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>, dilation = array<i64: 1, 1>, groups = 2 : i64}
    : (tensor<1x2x8x8xf32>, tensor<2x1x3x3xf32>) -> tensor<1x2x6x6xf32>
  return %2 : tensor<1x2x6x6xf32>
}

// A weight of a narrower float would be rounded again.
// CHECK-LABEL: func.func @narrower_weight
// CHECK: relay.nn.dense
// CHECK: relay.multiply
func.func @narrower_weight(%x: tensor<4x8xf32>, %w: tensor<2x8xf16>) -> tensor<4x2xf32> {
  %factor = relay.constant dense<[2.0, 3.0]> : tensor<2xf32>
  %0 = relay.nn.dense %x, %w : (tensor<4x8xf32>, tensor<2x8xf16>) -> tensor<4x2xf32>
  %1 = relay.multiply %0, %factor : (tensor<4x2xf32>, tensor<2xf32>) -> tensor<4x2xf32>
  return %1 : tensor<4x2xf32>
}
