// RUN: %roundtrip | FileCheck %s
// RUN: relay-opt %s --infer-type | FileCheck %s --check-prefix=INFER

// CHECK-LABEL: func.func @conv2d
func.func @conv2d(%x: tensor<1x3x8x8xf32>, %w: tensor<4x3x3x3xf32>) -> tensor<1x4x4x4xf32> {
  // CHECK: relay.nn.conv2d %{{.+}}, %{{.+}} {{{.*}}strides = array<i64: 2, 2>{{.*}}} : (tensor<1x3x8x8xf32>, tensor<4x3x3x3xf32>) -> tensor<1x4x4x4xf32>
  %0 = relay.nn.conv2d %x, %w {strides = array<i64: 2, 2>, padding = array<i64: 1, 1, 1, 1>, dilation = array<i64: 1, 1>} : (tensor<1x3x8x8xf32>, tensor<4x3x3x3xf32>) -> tensor<1x4x4x4xf32>
  return %0 : tensor<1x4x4x4xf32>
}

// CHECK-LABEL: func.func @conv2d_transpose
func.func @conv2d_transpose(%x: tensor<1x4x4x4xf32>, %w: tensor<4x3x3x3xf32>) -> tensor<1x3x8x8xf32> {
  // CHECK: relay.nn.conv2d_transpose
  %0 = relay.nn.conv2d_transpose %x, %w {strides = array<i64: 2, 2>, padding = array<i64: 1, 1, 1, 1>, dilation = array<i64: 1, 1>, output_padding = array<i64: 1, 1>} : (tensor<1x4x4x4xf32>, tensor<4x3x3x3xf32>) -> tensor<1x3x8x8xf32>
  return %0 : tensor<1x3x8x8xf32>
}

// Packed channels: the result is blocked as the weight's outputs are.
// CHECK-LABEL: func.func @contrib_conv2d_NCHWc
func.func @contrib_conv2d_NCHWc(%x: tensor<1x2x8x8x16xf32>, %w: tensor<4x2x3x3x16x8xf32>) -> tensor<1x4x8x8x8xf32> {
  // CHECK: relay.nn.contrib_conv2d_NCHWc {{.*}} -> tensor<1x4x8x8x8xf32>
  %0 = relay.nn.contrib_conv2d_NCHWc %x, %w {data_layout = "NCHW16c", kernel_layout = "OIHW16i8o", strides = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>, dilation = array<i64: 1, 1>} : (tensor<1x2x8x8x16xf32>, tensor<4x2x3x3x16x8xf32>) -> tensor<1x4x8x8x8xf32>
  return %0 : tensor<1x4x8x8x8xf32>
}

// CHECK-LABEL: func.func @conv1d
func.func @conv1d(%x: tensor<2x3x8xf32>, %w: tensor<4x3x3xf32>) -> tensor<2x4x5xf32> {
  // CHECK: relay.nn.conv1d {{.*}}dilation = array<i64: 2>{{.*}} -> tensor<2x4x5xf32>
  %0 = relay.nn.conv1d %x, %w {strides = array<i64: 1>, padding = array<i64: 0, 1>, dilation = array<i64: 2>} : (tensor<2x3x8xf32>, tensor<4x3x3xf32>) -> tensor<2x4x5xf32>
  return %0 : tensor<2x4x5xf32>
}

// CHECK-LABEL: func.func @conv3d
func.func @conv3d(%x: tensor<1x3x4x6x8xf32>, %w: tensor<4x3x1x3x3xf32>) -> tensor<1x4x4x4x6xf32> {
  // CHECK: relay.nn.conv3d {{.*}} -> tensor<1x4x4x4x6xf32>
  %0 = relay.nn.conv3d %x, %w {strides = array<i64: 1, 1, 1>, padding = array<i64: 0, 0, 0, 0, 0, 0>, dilation = array<i64: 1, 1, 1>} : (tensor<1x3x4x6x8xf32>, tensor<4x3x1x3x3xf32>) -> tensor<1x4x4x4x6xf32>
  return %0 : tensor<1x4x4x4x6xf32>
}

// Two groups of two channels each, in layouts other than the default ones.
// CHECK-LABEL: func.func @groups
func.func @groups(%x: tensor<1x8x8x4xf32>, %w: tensor<3x3x2x6xf32>) -> tensor<1x6x6x6xf32> {
  // CHECK: relay.nn.conv2d {{.*}}data_layout = "NHWC"{{.*}}groups = 2{{.*}}kernel_layout = "HWIO"{{.*}} -> tensor<1x6x6x6xf32>
  %0 = relay.nn.conv2d %x, %w {data_layout = "NHWC", kernel_layout = "HWIO", groups = 2 : i64, strides = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>, dilation = array<i64: 1, 1>} : (tensor<1x8x8x4xf32>, tensor<3x3x2x6xf32>) -> tensor<1x6x6x6xf32>
  return %0 : tensor<1x6x6x6xf32>
}

// CHECK-LABEL: func.func @conv1d_transpose
func.func @conv1d_transpose(%x: tensor<1x4x4xf32>, %w: tensor<4x3x3xf32>) -> tensor<1x6x9xf32> {
  // CHECK: relay.nn.conv1d_transpose {{.*}}groups = 2{{.*}} -> tensor<1x6x9xf32>
  %0 = relay.nn.conv1d_transpose %x, %w {groups = 2 : i64, strides = array<i64: 2>, padding = array<i64: 0, 0>, dilation = array<i64: 1>, output_padding = array<i64: 0>} : (tensor<1x4x4xf32>, tensor<4x3x3xf32>) -> tensor<1x6x9xf32>
  return %0 : tensor<1x6x9xf32>
}

// CHECK-LABEL: func.func @conv3d_transpose
func.func @conv3d_transpose(%x: tensor<1x4x2x2x2xf32>, %w: tensor<4x3x2x2x2xf32>) -> tensor<1x3x3x3x3xf32> {
  // CHECK: relay.nn.conv3d_transpose {{.*}} -> tensor<1x3x3x3x3xf32>
  %0 = relay.nn.conv3d_transpose %x, %w {strides = array<i64: 1, 1, 1>, padding = array<i64: 0, 0, 0, 0, 0, 0>, dilation = array<i64: 1, 1, 1>, output_padding = array<i64: 0, 0, 0>} : (tensor<1x4x2x2x2xf32>, tensor<4x3x2x2x2xf32>) -> tensor<1x3x3x3x3xf32>
  return %0 : tensor<1x3x3x3x3xf32>
}

// CHECK-LABEL: func.func @contrib_depthwise_conv2d_NCHWc
func.func @contrib_depthwise_conv2d_NCHWc(%x: tensor<1x2x8x8x16xf32>, %w: tensor<2x1x3x3x1x16xf32>) -> tensor<1x2x6x6x16xf32> {
  // CHECK: relay.nn.contrib_depthwise_conv2d_NCHWc {{.*}}groups = 32{{.*}} -> tensor<1x2x6x6x16xf32>
  %0 = relay.nn.contrib_depthwise_conv2d_NCHWc %x, %w {groups = 32 : i64, strides = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>, dilation = array<i64: 1, 1>} : (tensor<1x2x8x8x16xf32>, tensor<2x1x3x3x1x16xf32>) -> tensor<1x2x6x6x16xf32>
  return %0 : tensor<1x2x6x6x16xf32>
}

// What windows make of an unknown extent, of the data or of the weight, is unknown.
// CHECK-LABEL: func.func @dynamic
func.func @dynamic(%x: tensor<?x?x?x8xf32>, %w: tensor<?x3x3x?xf32>) -> tensor<?x?x?x?xf32> {
  // CHECK: relay.nn.conv2d {{.*}} -> tensor<?x?x?x?xf32>
  %0 = relay.nn.conv2d %x, %w {strides = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>, dilation = array<i64: 1, 1>} : (tensor<?x?x?x8xf32>, tensor<?x3x3x?xf32>) -> tensor<?x?x?x?xf32>
  return %0 : tensor<?x?x?x?xf32>
}

// CHECK-LABEL: func.func @dynamic_transpose
func.func @dynamic_transpose(%x: tensor<?x4x?x4xf32>, %w: tensor<4x3x3x3xf32>) -> tensor<?x3x?x8xf32> {
  // CHECK: relay.nn.conv2d_transpose {{.*}} -> tensor<?x3x?x8xf32>
  %0 = relay.nn.conv2d_transpose %x, %w {strides = array<i64: 2, 2>, padding = array<i64: 1, 1, 1, 1>, dilation = array<i64: 1, 1>, output_padding = array<i64: 1, 1>} : (tensor<?x4x?x4xf32>, tensor<4x3x3x3xf32>) -> tensor<?x3x?x8xf32>
  return %0 : tensor<?x3x?x8xf32>
}

// CHECK-LABEL: func.func @dynamic_packed
func.func @dynamic_packed(%x: tensor<1x?x8x8x16xf32>, %w: tensor<?x2x3x3x16x8xf32>) -> tensor<1x?x8x8x8xf32> {
  // CHECK: relay.nn.contrib_conv2d_NCHWc {{.*}} -> tensor<1x?x8x8x8xf32>
  %0 = relay.nn.contrib_conv2d_NCHWc %x, %w {data_layout = "NCHW16c", kernel_layout = "OIHW16i8o", strides = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>, dilation = array<i64: 1, 1>} : (tensor<1x?x8x8x16xf32>, tensor<?x2x3x3x16x8xf32>) -> tensor<1x?x8x8x8xf32>
  return %0 : tensor<1x?x8x8x8xf32>
}

// INFER-LABEL: func.func @infer
// INFER-SAME: -> tensor<1x3x8x8xf32>
func.func @infer(%x: tensor<1x3x8x8xf32>, %w: tensor<4x3x3x3xf32>) -> !relay.incomplete {
  // INFER: relay.nn.conv2d {{.*}} -> tensor<1x4x4x4xf32>
  %0 = relay.nn.conv2d %x, %w {strides = array<i64: 2, 2>, padding = array<i64: 1, 1, 1, 1>, dilation = array<i64: 1, 1>} : (tensor<1x3x8x8xf32>, tensor<4x3x3x3xf32>) -> !relay.incomplete
  // INFER: relay.nn.conv2d_transpose {{.*}} -> tensor<1x3x8x8xf32>
  %1 = relay.nn.conv2d_transpose %0, %w {strides = array<i64: 2, 2>, padding = array<i64: 1, 1, 1, 1>, dilation = array<i64: 1, 1>, output_padding = array<i64: 1, 1>} : (!relay.incomplete, tensor<4x3x3x3xf32>) -> !relay.incomplete
  return %1 : !relay.incomplete
}

// CHECK-LABEL: func.func @winograd
func.func @winograd(%x: tensor<1x2x8x8x16xf32>, %w: tensor<32x32x3x3xf32>, %u: tensor<6x6x2x32x16xf32>) -> (tensor<6x6x32x32xf32>, tensor<1x2x8x8x16xf32>) {
  // CHECK: relay.nn.contrib_conv2d_winograd_weight_transform %{{.+}} {tile_size = 4 : i64} {{.*}} -> tensor<6x6x32x32xf32>
  %0 = relay.nn.contrib_conv2d_winograd_weight_transform %w {tile_size = 4 : i64} : (tensor<32x32x3x3xf32>) -> tensor<6x6x32x32xf32>
  // CHECK: relay.nn.contrib_conv2d_winograd_without_weight_transform {{.*}} -> tensor<1x2x8x8x16xf32>
  %1 = relay.nn.contrib_conv2d_winograd_without_weight_transform %x, %u {tile_size = 4 : i64, strides = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>, dilation = array<i64: 1, 1>}
    : (tensor<1x2x8x8x16xf32>, tensor<6x6x2x32x16xf32>) -> tensor<1x2x8x8x16xf32>
  return %0, %1 : tensor<6x6x32x32xf32>, tensor<1x2x8x8x16xf32>
}

// CHECK-LABEL: func.func @winograd_narrow
func.func @winograd_narrow(%x: tensor<1x2x8x8x16xbf16>, %u: tensor<6x6x2x32x16xf32>) -> tensor<1x2x8x8x16xbf16> {
  // CHECK: relay.nn.contrib_conv2d_winograd_without_weight_transform {{.*}} -> tensor<1x2x8x8x16xbf16>
  %0 = relay.nn.contrib_conv2d_winograd_without_weight_transform %x, %u {tile_size = 4 : i64, strides = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>, dilation = array<i64: 1, 1>}
    : (tensor<1x2x8x8x16xbf16>, tensor<6x6x2x32x16xf32>) -> tensor<1x2x8x8x16xbf16>
  return %0 : tensor<1x2x8x8x16xbf16>
}
