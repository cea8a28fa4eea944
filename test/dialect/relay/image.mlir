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
