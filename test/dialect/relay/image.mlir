// RUN: %roundtrip | FileCheck %s
// RUN: relay-opt %s --infer-type | FileCheck %s --check-prefix=INFER

// CHECK-LABEL: func.func @resize2d
func.func @resize2d(%x: tensor<1x3x8x8xf32>) -> tensor<1x3x4x16xf32> {
  // CHECK: relay.image.resize2d %{{.+}} {{{.*}}size = array<i64: 4, 16>{{.*}}} : (tensor<1x3x8x8xf32>) -> tensor<1x3x4x16xf32>
  %0 = relay.image.resize2d %x {size = array<i64: 4, 16>} : (tensor<1x3x8x8xf32>) -> tensor<1x3x4x16xf32>
  return %0 : tensor<1x3x4x16xf32>
}

// CHECK-LABEL: func.func @nearest
func.func @nearest(%x: tensor<1x3x8x8xf32>) -> tensor<1x3x16x16xf32> {
  // CHECK: relay.image.resize2d
  // CHECK-SAME: coordinate_transformation_mode = "asymmetric"
  // CHECK-SAME: method = "nearest_neighbor"
  // CHECK-SAME: rounding_method = "floor"
  %0 = relay.image.resize2d %x {size = array<i64: 16, 16>, method = "nearest_neighbor", coordinate_transformation_mode = "asymmetric", rounding_method = "floor"} : (tensor<1x3x8x8xf32>) -> tensor<1x3x16x16xf32>
  return %0 : tensor<1x3x16x16xf32>
}

// The result has the extents of `size`, whatever those of the data.
// CHECK-LABEL: func.func @dynamic
func.func @dynamic(%x: tensor<?x3x?x8xf32>) -> tensor<?x3x4x4xf32> {
  // CHECK: relay.image.resize2d {{.*}} -> tensor<?x3x4x4xf32>
  %0 = relay.image.resize2d %x {size = array<i64: 4, 4>} : (tensor<?x3x?x8xf32>) -> tensor<?x3x4x4xf32>
  return %0 : tensor<?x3x4x4xf32>
}

// INFER-LABEL: func.func @infer
// INFER-SAME: -> tensor<1x3x4x4xf32>
func.func @infer(%x: tensor<1x3x8x8xf32>) -> !relay.incomplete {
  // INFER: relay.image.resize2d {{.*}} -> tensor<1x3x4x4xf32>
  %0 = relay.image.resize2d %x {size = array<i64: 4, 4>} : (tensor<1x3x8x8xf32>) -> !relay.incomplete
  return %0 : !relay.incomplete
}

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
