// RUN: %roundtrip | FileCheck %s
// RUN: relay-opt %s --infer-type | FileCheck %s --check-prefix=INFER

// CHECK-LABEL: func.func @max_pool1d
func.func @max_pool1d(%x: tensor<1x3x8xf32>) -> tensor<1x3x4xf32> {
  // CHECK: relay.nn.max_pool1d {{.*}}pool_size = array<i64: 2>{{.*}} : (tensor<1x3x8xf32>) -> tensor<1x3x4xf32>
  %0 = relay.nn.max_pool1d %x {pool_size = array<i64: 2>, strides = array<i64: 2>, dilation = array<i64: 1>, padding = array<i64: 0, 0>} : (tensor<1x3x8xf32>) -> tensor<1x3x4xf32>
  return %0 : tensor<1x3x4xf32>
}

// Padding before H and W, then after them: H is 8 + 1 + 0 and W 8 + 0 + 2.
// CHECK-LABEL: func.func @max_pool2d
func.func @max_pool2d(%x: tensor<1x3x8x8xf32>) -> tensor<1x3x7x8xf32> {
  // CHECK: relay.nn.max_pool2d {{.*}}padding = array<i64: 1, 0, 0, 2>{{.*}} -> tensor<1x3x7x8xf32>
  %0 = relay.nn.max_pool2d %x {pool_size = array<i64: 3, 3>, strides = array<i64: 1, 1>, dilation = array<i64: 1, 1>, padding = array<i64: 1, 0, 0, 2>} : (tensor<1x3x8x8xf32>) -> tensor<1x3x7x8xf32>
  return %0 : tensor<1x3x7x8xf32>
}

// A dilated window of 3 covers 5 elements.
// CHECK-LABEL: func.func @max_pool3d
func.func @max_pool3d(%x: tensor<1x3x8x8x8xi8>) -> tensor<1x3x4x6x6xi8> {
  // CHECK: relay.nn.max_pool3d {{.*}}dilation = array<i64: 2, 1, 1>{{.*}} -> tensor<1x3x4x6x6xi8>
  %0 = relay.nn.max_pool3d %x {pool_size = array<i64: 3, 3, 3>, strides = array<i64: 1, 1, 1>, dilation = array<i64: 2, 1, 1>, padding = array<i64: 0, 0, 0, 0, 0, 0>} : (tensor<1x3x8x8x8xi8>) -> tensor<1x3x4x6x6xi8>
  return %0 : tensor<1x3x4x6x6xi8>
}

// Rounded up: the third window reaches beyond the data.
// CHECK-LABEL: func.func @avg_pool1d
func.func @avg_pool1d(%x: tensor<1x3x8xf32>) -> tensor<1x3x3xf32> {
  // CHECK: relay.nn.avg_pool1d {{.*}}ceil_mode = true{{.*}} -> tensor<1x3x3xf32>
  %0 = relay.nn.avg_pool1d %x {pool_size = array<i64: 3>, strides = array<i64: 3>, dilation = array<i64: 1>, padding = array<i64: 0, 0>, ceil_mode = true} : (tensor<1x3x8xf32>) -> tensor<1x3x3xf32>
  return %0 : tensor<1x3x3xf32>
}

// A window that would start in the padding behind the data is left out.
// CHECK-LABEL: func.func @avg_pool1d_behind
func.func @avg_pool1d_behind(%x: tensor<1x3x4xf32>) -> tensor<1x3x1xf32> {
  // CHECK: relay.nn.avg_pool1d {{.*}} -> tensor<1x3x1xf32>
  %0 = relay.nn.avg_pool1d %x {pool_size = array<i64: 4>, strides = array<i64: 1073741824>, dilation = array<i64: 1>, padding = array<i64: 0, 2>, ceil_mode = true} : (tensor<1x3x4xf32>) -> tensor<1x3x1xf32>
  return %0 : tensor<1x3x1xf32>
}

// Channels last, and in blocks.
// CHECK-LABEL: func.func @avg_pool2d
func.func @avg_pool2d(%x: tensor<1x8x8x3xf32>, %y: tensor<1x2x8x8x16xf32>) -> tensor<1x2x4x4x16xf32> {
  // CHECK: relay.nn.avg_pool2d {{.*}}count_include_pad = true{{.*}}layout = "NHWC"{{.*}} -> tensor<1x8x8x3xf32>
  %0 = relay.nn.avg_pool2d %x {layout = "NHWC", pool_size = array<i64: 3, 3>, strides = array<i64: 1, 1>, dilation = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>, count_include_pad = true} : (tensor<1x8x8x3xf32>) -> tensor<1x8x8x3xf32>
  // CHECK: relay.nn.avg_pool2d {{.*}}layout = "NCHW16c"{{.*}} -> tensor<1x2x4x4x16xf32>
  %1 = relay.nn.avg_pool2d %y {layout = "NCHW16c", pool_size = array<i64: 2, 2>, strides = array<i64: 2, 2>, dilation = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>} : (tensor<1x2x8x8x16xf32>) -> tensor<1x2x4x4x16xf32>
  return %1 : tensor<1x2x4x4x16xf32>
}

// CHECK-LABEL: func.func @avg_pool3d
func.func @avg_pool3d(%x: tensor<1x3x4x4x4xf32>) -> tensor<1x3x2x2x2xf32> {
  // CHECK: relay.nn.avg_pool3d {{.*}} -> tensor<1x3x2x2x2xf32>
  %0 = relay.nn.avg_pool3d %x {pool_size = array<i64: 2, 2, 2>, strides = array<i64: 2, 2, 2>, dilation = array<i64: 1, 1, 1>, padding = array<i64: 0, 0, 0, 0, 0, 0>} : (tensor<1x3x4x4x4xf32>) -> tensor<1x3x2x2x2xf32>
  return %0 : tensor<1x3x2x2x2xf32>
}

// CHECK-LABEL: func.func @global
func.func @global(%x: tensor<1x3x7x7xf32>, %y: tensor<1x7x7x3xf32>) -> tensor<1x1x1x3xf32> {
  // CHECK: relay.nn.global_max_pool2d {{.*}} -> tensor<1x3x1x1xf32>
  %0 = relay.nn.global_max_pool2d %x : (tensor<1x3x7x7xf32>) -> tensor<1x3x1x1xf32>
  // CHECK: relay.nn.global_avg_pool2d {{.*}}layout = "NHWC"{{.*}} -> tensor<1x1x1x3xf32>
  %1 = relay.nn.global_avg_pool2d %y {layout = "NHWC"} : (tensor<1x7x7x3xf32>) -> tensor<1x1x1x3xf32>
  return %1 : tensor<1x1x1x3xf32>
}

// What windows make of an unknown extent is unknown; what a global pool makes of it is not.
// CHECK-LABEL: func.func @dynamic
func.func @dynamic(%x: tensor<?x3x?x8xf32>) -> tensor<?x3x1x1xf32> {
  // CHECK: relay.nn.max_pool2d {{.*}} -> tensor<?x3x?x4xf32>
  %0 = relay.nn.max_pool2d %x {pool_size = array<i64: 2, 2>, strides = array<i64: 2, 2>, dilation = array<i64: 1, 1>, padding = array<i64: 1, 0, 1, 0>} : (tensor<?x3x?x8xf32>) -> tensor<?x3x?x4xf32>
  // CHECK: relay.nn.global_avg_pool2d {{.*}} -> tensor<?x3x1x1xf32>
  %1 = relay.nn.global_avg_pool2d %0 : (tensor<?x3x?x4xf32>) -> tensor<?x3x1x1xf32>
  return %1 : tensor<?x3x1x1xf32>
}

// INFER-LABEL: func.func @infer
// INFER-SAME: -> tensor<1x3x1x1xf32>
func.func @infer(%x: tensor<1x3x8x8xf32>) -> !relay.incomplete {
  // INFER: relay.nn.max_pool2d {{.*}} -> tensor<1x3x4x4xf32>
  %0 = relay.nn.max_pool2d %x {pool_size = array<i64: 2, 2>, strides = array<i64: 2, 2>, dilation = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>} : (tensor<1x3x8x8xf32>) -> !relay.incomplete
  // INFER: relay.nn.global_avg_pool2d {{.*}} -> tensor<1x3x1x1xf32>
  %1 = relay.nn.global_avg_pool2d %0 : (!relay.incomplete) -> !relay.incomplete
  return %1 : !relay.incomplete
}

// One extent for all dimensions, one for each, and none.
// CHECK-LABEL: func.func @adaptive
func.func @adaptive(%x: tensor<1x16x7x9xf32>) -> tensor<1x16x2x3xf32> {
  // CHECK: relay.nn.adaptive_avg_pool2d {{.*}} -> tensor<1x16x7x9xf32>
  %0 = relay.nn.adaptive_avg_pool2d %x : (tensor<1x16x7x9xf32>) -> tensor<1x16x7x9xf32>
  // CHECK: relay.nn.adaptive_max_pool2d {{.*}} -> tensor<1x16x6x6xf32>
  %1 = relay.nn.adaptive_max_pool2d %0 {output_size = array<i64: 6>} : (tensor<1x16x7x9xf32>) -> tensor<1x16x6x6xf32>
  // CHECK: relay.nn.adaptive_avg_pool2d {{.*}} -> tensor<1x16x2x3xf32>
  %2 = relay.nn.adaptive_avg_pool2d %1 {output_size = array<i64: 2, 3>} : (tensor<1x16x6x6xf32>) -> tensor<1x16x2x3xf32>
  return %2 : tensor<1x16x2x3xf32>
}

// CHECK-LABEL: func.func @layouts
func.func @layouts(%x: tensor<1x2x7x7x16xf32>, %y: tensor<?x?x3xf32>, %z: tensor<1x2x3x4x?xf32>) {
  // CHECK: relay.nn.adaptive_avg_pool2d {{.*}} -> tensor<1x2x1x1x16xf32>
  %0 = relay.nn.adaptive_avg_pool2d %x {output_size = array<i64: 1>, layout = "NCHW16c"} : (tensor<1x2x7x7x16xf32>) -> tensor<1x2x1x1x16xf32>
  // CHECK: relay.nn.adaptive_max_pool1d {{.*}} -> tensor<?x5x3xf32>
  %1 = relay.nn.adaptive_max_pool1d %y {output_size = array<i64: 5>, layout = "NWC"} : (tensor<?x?x3xf32>) -> tensor<?x5x3xf32>
  // CHECK: relay.nn.adaptive_avg_pool3d {{.*}} -> tensor<1x2x2x2x2xf32>
  %2 = relay.nn.adaptive_avg_pool3d %z {output_size = array<i64: 2>} : (tensor<1x2x3x4x?xf32>) -> tensor<1x2x2x2x2xf32>
  return
}
