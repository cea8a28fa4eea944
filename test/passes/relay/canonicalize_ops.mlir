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

// Four 1 x 1 kernels, whose pixels are interleaved.
// CHECK-LABEL: func.func @phases
// CHECK-NOT: transpose %arg0
// CHECK: %[[W:.*]] = relay.reshape %{{.*}} -> tensor<24x8x1x1xf32>
// CHECK-NEXT: %[[C:.*]] = relay.nn.conv2d %arg0, %[[W]] :
// CHECK-NEXT: %[[S:.*]] = relay.reshape %[[C]] {newshape = array<i64: 1, 1, 2, 2, 6, 4, 5>}
// CHECK-NEXT: %[[T:.*]] = relay.transpose %[[S]] {axes = array<i64: 0, 1, 4, 5, 2, 6, 3>}
// CHECK-NEXT: %[[R:.*]] = relay.reshape %[[T]] {newshape = array<i64: 1, 6, 8, 10>}
// CHECK-NEXT: return %[[R]]
func.func @phases(%x: tensor<1x8x4x5xf32>, %w: tensor<8x6x2x2xf32>) -> tensor<1x6x8x10xf32> {
  %0 = relay.nn.conv2d_transpose %x, %w {strides = array<i64: 2, 2>, padding = array<i64: 0, 0, 0, 0>, output_padding = array<i64: 0, 0>, dilation = array<i64: 1, 1>} : (tensor<1x8x4x5xf32>, tensor<8x6x2x2xf32>) -> tensor<1x6x8x10xf32>
  return %0 : tensor<1x6x8x10xf32>
}

// Padding skips a result of one phase before the first and one of the other behind the last.
// CHECK-LABEL: func.func @skipped
// CHECK: relay.nn.conv1d %arg0, %{{.*}} {{.*}}groups = 2 : i64{{.*}}padding = array<i64: 1, 1>{{.*}} : (tensor<1x8x4xf32>, tensor<12x4x2xf32>) -> tensor<1x12x5xf32>
// CHECK: relay.strided_slice %{{.*}} {axes = array<i64: 2>, begin = array<i64: 1>, end = array<i64: 9>, strides = array<i64: 1>}
func.func @skipped(%x: tensor<1x8x4xf32>, %w: tensor<8x3x4xf32>) -> tensor<1x6x8xf32> {
  %0 = relay.nn.conv1d_transpose %x, %w {groups = 2 : i64, strides = array<i64: 2>, padding = array<i64: 1, 1>, output_padding = array<i64: 0>, dilation = array<i64: 1>} : (tensor<1x8x4xf32>, tensor<8x3x4xf32>) -> tensor<1x6x8xf32>
  return %0 : tensor<1x6x8xf32>
}

// With stride 1 it is the convolution with the flipped kernel.
// CHECK-LABEL: func.func @flipped
// CHECK: relay.strided_slice %{{.*}} {axes = array<i64: 3>, begin = array<i64: 2>, end = array<i64: -4>, strides = array<i64: -1>}
// CHECK: %[[C:.*]] = relay.nn.conv1d %arg0, %{{.*}} {{.*}}dilation = array<i64: 2>{{.*}}padding = array<i64: 3, 4>
// CHECK-NEXT: return %[[C]]
func.func @flipped(%x: tensor<1x8x4xf32>, %w: tensor<8x3x3xf32>) -> tensor<1x3x7xf32> {
  %0 = relay.nn.conv1d_transpose %x, %w {strides = array<i64: 1>, padding = array<i64: 1, 0>, output_padding = array<i64: 0>, dilation = array<i64: 2>} : (tensor<1x8x4xf32>, tensor<8x3x3xf32>) -> tensor<1x3x7xf32>
  return %0 : tensor<1x3x7xf32>
}

// A dilation that mixes phases, padding that the kernel does not reach, an unknown extent, a step by which nearly all taps
// would be zeros.
// CHECK-LABEL: func.func @left_alone
// CHECK-NEXT: relay.nn.conv1d_transpose %arg0
// CHECK-NEXT: relay.nn.conv1d_transpose %arg0
// CHECK-NEXT: relay.nn.conv1d_transpose %arg1
// CHECK-NEXT: relay.nn.conv1d_transpose %arg0
// CHECK-NEXT: return
func.func @left_alone(%x: tensor<1x8x4xf32>, %y: tensor<?x8x4xf32>, %w: tensor<8x3x3xf32>) -> (tensor<1x3x11xf32>, tensor<1x3x3xf32>, tensor<?x3x9xf32>, tensor<1x3x3221225475xf32>) {
  %0 = relay.nn.conv1d_transpose %x, %w {strides = array<i64: 2>, padding = array<i64: 0, 0>, output_padding = array<i64: 0>, dilation = array<i64: 2>} : (tensor<1x8x4xf32>, tensor<8x3x3xf32>) -> tensor<1x3x11xf32>
  %1 = relay.nn.conv1d_transpose %x, %w {strides = array<i64: 2>, padding = array<i64: 6, 0>, output_padding = array<i64: 0>, dilation = array<i64: 1>} : (tensor<1x8x4xf32>, tensor<8x3x3xf32>) -> tensor<1x3x3xf32>
  %2 = relay.nn.conv1d_transpose %y, %w {strides = array<i64: 2>, padding = array<i64: 0, 0>, output_padding = array<i64: 0>, dilation = array<i64: 1>} : (tensor<?x8x4xf32>, tensor<8x3x3xf32>) -> tensor<?x3x9xf32>
  %3 = relay.nn.conv1d_transpose %x, %w {strides = array<i64: 1073741824>, padding = array<i64: 0, 0>, output_padding = array<i64: 0>, dilation = array<i64: 1>} : (tensor<1x8x4xf32>, tensor<8x3x3xf32>) -> tensor<1x3x3221225475xf32>
  return %0, %1, %2, %3 : tensor<1x3x11xf32>, tensor<1x3x3xf32>, tensor<?x3x9xf32>, tensor<1x3x3221225475xf32>
}

// Of an image of any size.
// CHECK-LABEL: func.func @open
// CHECK: %[[C:.*]] = relay.nn.conv2d %arg0, %{{.*}} -> tensor<1x24x?x?xf32, ["h", "w"]>
// CHECK: relay.reshape %[[C]] {newshape = [1, 1, 2, 2, 6, "h", "w"]}
// CHECK: -> tensor<1x6x?x?xf32, ["2*h", "2*w"]>
// CHECK-NOT: conv2d_transpose
func.func @open(%x: tensor<1x8x?x?xf32, ["h", "w"]>, %w: tensor<8x6x2x2xf32>) -> tensor<1x6x?x?xf32, ["2*h", "2*w"]> {
  %0 = relay.nn.conv2d_transpose %x, %w {strides = array<i64: 2, 2>, padding = array<i64: 0, 0, 0, 0>, output_padding = array<i64: 0, 0>, dilation = array<i64: 1, 1>} : (tensor<1x8x?x?xf32, ["h", "w"]>, tensor<8x6x2x2xf32>) -> tensor<1x6x?x?xf32, ["2*h", "2*w"]>
  return %0 : tensor<1x6x?x?xf32, ["2*h", "2*w"]>
}
