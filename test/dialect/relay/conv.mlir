// RUN: %roundtrip | FileCheck %s

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
