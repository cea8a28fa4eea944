// RUN: relay-opt %s --convert-layout='desired-layouts=nn.conv2d:NCHW,OHWI;nn.conv1d:NWC,default;nn.conv3d:NDHWC,default;image.resize2d:NHWC;nn.global_avg_pool2d:NHWC' --split-input-file | FileCheck %s

// A weight alone.
// CHECK-LABEL: func.func @weight
// CHECK-NEXT: %[[W:.*]] = relay.layout_transform %arg1 {dst_layout = "OHWI", src_layout = "OIHW"} : {{.*}} -> tensor<6x3x3x4xf32>
// CHECK-NEXT: %[[Y:.*]] = relay.nn.conv2d %arg0, %[[W]] {kernel_layout = "OHWI"}
// CHECK-NEXT: return %[[Y]]
func.func @weight(%x: tensor<1x4x8x9xf32>, %w: tensor<6x4x3x3xf32>) -> tensor<1x6x6x7xf32> {
  %0 = relay.nn.conv2d %x, %w : (tensor<1x4x8x9xf32>, tensor<6x4x3x3xf32>) -> tensor<1x6x6x7xf32>
  return %0 : tensor<1x6x6x7xf32>
}

// -----

// One and three dimensions.
// CHECK-LABEL: func.func @lines_and_volumes
// CHECK: relay.nn.conv1d %{{.*}} {data_layout = "NWC", kernel_layout = "WIO"} : (tensor<1x9x4xf32>, tensor<3x4x6xf32>) -> tensor<1x7x6xf32>
// CHECK: relay.layout_transform %{{.*}} {dst_layout = "NCW", src_layout = "NWC"}
// CHECK: relay.nn.conv3d %{{.*}} {data_layout = "NDHWC", kernel_layout = "DHWIO", padding = array<i64: 0, 1, 2, 0, 1, 2>} : (tensor<1x3x4x5x4xf32>, tensor<3x3x3x4x6xf32>) -> tensor<1x1x4x7x6xf32>
// CHECK: relay.layout_transform %{{.*}} {dst_layout = "NCDHW", src_layout = "NDHWC"}
func.func @lines_and_volumes(%x: tensor<1x4x9xf32>, %w: tensor<6x4x3xf32>, %y: tensor<1x4x3x4x5xf32>, %v: tensor<6x4x3x3x3xf32>)
    -> (tensor<1x6x7xf32>, tensor<1x6x1x4x7xf32>) {
  %0 = relay.nn.conv1d %x, %w : (tensor<1x4x9xf32>, tensor<6x4x3xf32>) -> tensor<1x6x7xf32>
  %1 = relay.nn.conv3d %y, %v {padding = array<i64: 0, 1, 2, 0, 1, 2>} : (tensor<1x4x3x4x5xf32>, tensor<6x4x3x3x3xf32>) -> tensor<1x6x1x4x7xf32>
  return %0, %1 : tensor<1x6x7xf32>, tensor<1x6x1x4x7xf32>
}

// -----

// Operators on pixels by themselves; norms along the last axis and along the channels follow. The mean of a layer norm is
// that of its axis, wherever this is.
// CHECK-LABEL: func.func @pixels
// CHECK-NEXT: %[[X:.*]] = relay.layout_transform %arg0 {dst_layout = "NHWC", src_layout = "NCHW"}
// CHECK-NEXT: %[[R:.*]] = relay.image.resize2d %[[X]] {{.*}}layout = "NHWC"{{.*}} -> tensor<2x6x6x4xf32>
// CHECK-NEXT: %[[L:.*]] = relay.nn.layer_norm %[[R]], %arg1, %arg1 {axis = 2 : i64}
// CHECK-NEXT: %[[B:.*]] = relay.nn.batch_norm %[[L]], %arg2, %arg2, %arg2, %arg2 {axis = 3 : i64}
// CHECK-NEXT: %[[P:.*]] = relay.nn.prelu %[[B]], %arg2 {axis = 3 : i64}
// CHECK-NEXT: %[[G:.*]] = relay.nn.global_avg_pool2d %[[P]] {layout = "NHWC"} : {{.*}} -> tensor<2x1x1x4xf32>
// CHECK-NEXT: %[[S:.*]] = relay.squeeze %[[G]] {axis = array<i64: 1, 2>} : {{.*}} -> tensor<2x4xf32>
// CHECK-NEXT: return %[[S]]
func.func @pixels(%x: tensor<2x4x3x3xf32>, %g: tensor<6xf32>, %c: tensor<4xf32>) -> tensor<2x4xf32> {
  %0 = relay.image.resize2d %x {size = array<i64: 6, 6>} : (tensor<2x4x3x3xf32>) -> tensor<2x4x6x6xf32>
  %1 = relay.nn.layer_norm %0, %g, %g {axis = -1 : i64} : (tensor<2x4x6x6xf32>, tensor<6xf32>, tensor<6xf32>) -> tensor<2x4x6x6xf32>
  %2 = relay.nn.batch_norm %1, %c, %c, %c, %c : (tensor<2x4x6x6xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<2x4x6x6xf32>
  %3 = relay.nn.prelu %2, %c : (tensor<2x4x6x6xf32>, tensor<4xf32>) -> tensor<2x4x6x6xf32>
  %4 = relay.nn.global_avg_pool2d %3 : (tensor<2x4x6x6xf32>) -> tensor<2x4x1x1xf32>
  %5 = relay.squeeze %4 {axis = array<i64: 2, 3>} : (tensor<2x4x1x1xf32>) -> tensor<2x4xf32>
  return %5 : tensor<2x4xf32>
}

// -----

// Three readers: one follows, one takes the order for granted, and a search follows along its axis.
// CHECK-LABEL: func.func @two_paths
// CHECK: %[[R:.*]] = relay.image.resize2d
// CHECK-NEXT: %[[B:.*]] = relay.layout_transform %[[R]] {dst_layout = "NCHW", src_layout = "NHWC"}
// CHECK-NEXT: %[[E:.*]] = relay.exp %[[R]]
// CHECK-NEXT: %[[F:.*]] = relay.layout_transform %[[E]] {dst_layout = "NCHW", src_layout = "NHWC"}
// CHECK-NEXT: %[[L:.*]] = relay.nn.batch_flatten %[[B]]
// CHECK-NEXT: %[[A:.*]] = relay.argmax %[[R]] {axis = array<i64: 3>} : {{.*}} -> tensor<2x6x6xi64>
// CHECK-NEXT: return %[[F]], %[[L]], %[[A]]
func.func @two_paths(%x: tensor<2x4x3x3xf32>) -> (tensor<2x4x6x6xf32>, tensor<2x144xf32>, tensor<2x6x6xi64>) {
  %0 = relay.image.resize2d %x {size = array<i64: 6, 6>} : (tensor<2x4x3x3xf32>) -> tensor<2x4x6x6xf32>
  %1 = relay.exp %0 : (tensor<2x4x6x6xf32>) -> tensor<2x4x6x6xf32>
  %2 = relay.nn.batch_flatten %0 : (tensor<2x4x6x6xf32>) -> tensor<2x144xf32>
  %3 = relay.argmax %0 {axis = array<i64: 1>} : (tensor<2x4x6x6xf32>) -> tensor<2x6x6xi64>
  return %1, %2, %3 : tensor<2x4x6x6xf32>, tensor<2x144xf32>, tensor<2x6x6xi64>
}

// -----

// Operators that are not named stay as they are.
// CHECK-LABEL: func.func @not_named
// CHECK-NOT: relay.layout_transform
func.func @not_named(%x: tensor<1x4x8x9xf32>, %w: tensor<4x6x2x2xf32>) -> tensor<1x6x8x9xf32> {
  %0 = relay.nn.max_pool2d %x {pool_size = array<i64: 2, 2>} : (tensor<1x4x8x9xf32>) -> tensor<1x4x7x8xf32>
  %1 = relay.nn.conv2d_transpose %0, %w : (tensor<1x4x7x8xf32>, tensor<4x6x2x2xf32>) -> tensor<1x6x8x9xf32>
  return %1 : tensor<1x6x8x9xf32>
}
