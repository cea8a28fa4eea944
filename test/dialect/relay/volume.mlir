// RUN: %roundtrip | FileCheck %s

// CHECK-LABEL: func.func @winograd(
func.func @winograd(%x: tensor<2x3x5x6x7xf32>, %w: tensor<4x3x3x3x3xf32>, %flat: tensor<4x3x1x3x3xf32>) {
  // CHECK: relay.nn.contrib_conv3d_winograd_weight_transform {{.*}} -> tensor<4x4x4x4x3xf32>
  %0 = relay.nn.contrib_conv3d_winograd_weight_transform %w {tile_size = 2 : i64} : (tensor<4x3x3x3x3xf32>) -> tensor<4x4x4x4x3xf32>
  // CHECK: relay.nn.contrib_conv3d_winograd_weight_transform {{.*}} -> tensor<6x6x1x4x3xf32>
  %1 = relay.nn.contrib_conv3d_winograd_weight_transform %flat {tile_size = 4 : i64} : (tensor<4x3x1x3x3xf32>) -> tensor<6x6x1x4x3xf32>
  // CHECK: relay.nn.contrib_conv3d_winograd_without_weight_transform {{.*}} -> tensor<2x4x3x4x5xf32>
  %2 = relay.nn.contrib_conv3d_winograd_without_weight_transform %x, %0 {tile_size = 2 : i64, kernel_size = array<i64: 3, 3, 3>} : (tensor<2x3x5x6x7xf32>, tensor<4x4x4x4x3xf32>) -> tensor<2x4x3x4x5xf32>
  return
}
