// RUN: %roundtrip | FileCheck %s

// CHECK-LABEL: func.func @shapes
func.func @shapes(%x: tensor<2x3x4xf32>) -> tensor<12x2xf32> {
  // CHECK: relay.transpose {{.*}} -> tensor<3x4x2xf32>
  %0 = relay.transpose %x {axes = array<i64: 1, 2, 0>} : (tensor<2x3x4xf32>) -> tensor<3x4x2xf32>
  // CHECK: relay.reshape {{.*}} -> tensor<12x2xf32>
  %1 = relay.reshape %0 {newshape = array<i64: -1, 2>} : (tensor<3x4x2xf32>) -> tensor<12x2xf32>
  return %1 : tensor<12x2xf32>
}

// CHECK-LABEL: func.func @parts
func.func @parts(%x: tensor<2x5xf32>) -> tensor<2x5xf32> {
  // CHECK: relay.split {{.*}} -> (tensor<2x2xf32>, tensor<2x3xf32>)
  %0:2 = relay.split %x {indices = array<i64: 2>, axis = 1 : i64} : (tensor<2x5xf32>) -> (tensor<2x2xf32>, tensor<2x3xf32>)
  // CHECK: relay.concatenate
  %1 = relay.concatenate %0#1, %0#0 {axis = 1 : i64} : (tensor<2x3xf32>, tensor<2x2xf32>) -> tensor<2x5xf32>
  return %1 : tensor<2x5xf32>
}

// Of an unknown dimension the last part is unknown.
// CHECK-LABEL: func.func @dynamic
func.func @dynamic(%x: tensor<?x5xf32>) -> tensor<?x5xf32> {
  // CHECK: relay.split {{.*}} -> (tensor<2x5xf32>, tensor<?x5xf32>)
  %0:2 = relay.split %x {indices = array<i64: 2>, axis = 0 : i64} : (tensor<?x5xf32>) -> (tensor<2x5xf32>, tensor<?x5xf32>)
  // CHECK: relay.strided_slice {{.*}} -> tensor<?x5xf32>
  %1 = relay.strided_slice %0#1 {begin = array<i64: 0>, end = array<i64: 4>, strides = array<i64: 1>, axes = array<i64: 0>} : (tensor<?x5xf32>) -> tensor<?x5xf32>
  return %1 : tensor<?x5xf32>
}

// CHECK-LABEL: func.func @layout
func.func @layout(%x: tensor<1x32x7x7xf32>) -> tensor<1x2x7x7x16xf32> {
  // CHECK: relay.layout_transform
  %0 = relay.layout_transform %x {src_layout = "NCHW", dst_layout = "NCHW16c"} : (tensor<1x32x7x7xf32>) -> tensor<1x2x7x7x16xf32>
  return %0 : tensor<1x2x7x7x16xf32>
}
