// RUN: %roundtrip | FileCheck %s

// CHECK-LABEL: func.func @sizes
func.func @sizes(%x: tensor<1x3x8xf32>, %y: tensor<1x8x8x3xf32>, %z: tensor<1x3x8x8x?xf32>) {
  // CHECK: relay.image.resize1d {{.*}} -> tensor<1x3x16xf32>
  %0 = relay.image.resize1d %x {size = array<i64: 16>} : (tensor<1x3x8xf32>) -> tensor<1x3x16xf32>
  // CHECK: relay.image.resize2d {{.*}}layout = "NHWC"{{.*}} -> tensor<1x4x5x3xf32>
  %1 = relay.image.resize2d %y {size = array<i64: 4, 5>, layout = "NHWC"} : (tensor<1x8x8x3xf32>) -> tensor<1x4x5x3xf32>
  // CHECK: relay.image.resize3d {{.*}} -> tensor<1x3x4x5x6xf32>
  %2 = relay.image.resize3d %z {size = array<i64: 4, 5, 6>} : (tensor<1x3x8x8x?xf32>) -> tensor<1x3x4x5x6xf32>
  return
}

// Extents are rounded, halves to even; unknown ones stay so.
// CHECK-LABEL: func.func @scales
func.func @scales(%x: tensor<1x3x5x7xf32>, %y: tensor<1x3x2x?x4xf32>) {
  // CHECK: relay.nn.upsampling {{.*}} -> tensor<1x3x12x10xf32>
  %0 = relay.nn.upsampling %x {scale_h = 2.5, scale_w = 1.5} : (tensor<1x3x5x7xf32>) -> tensor<1x3x12x10xf32>
  // CHECK: relay.nn.upsampling3d {{.*}} -> tensor<1x3x4x?x12xf32>
  %1 = relay.nn.upsampling3d %y {scale_d = 2.0, scale_h = 2.0, scale_w = 3.0, method = "trilinear"} : (tensor<1x3x2x?x4xf32>) -> tensor<1x3x4x?x12xf32>
  return
}
