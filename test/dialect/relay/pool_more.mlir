// RUN: %roundtrip | FileCheck %s

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
