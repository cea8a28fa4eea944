// RUN: %roundtrip | FileCheck %s

// CHECK-LABEL: func.func @variance
func.func @variance(%x: tensor<2x3x4xf32>, %m: tensor<1x3x1xf32>) -> tensor<1x3x1xf32> {
  // CHECK: relay.variance {{.*}}unbiased = true{{.*}} -> tensor<1x3x1xf32>
  %0 = relay.variance %x, %m {axis = array<i64: 1>, keepdims = true, exclude = true, unbiased = true} : (tensor<2x3x4xf32>, tensor<1x3x1xf32>) -> tensor<1x3x1xf32>
  return %0 : tensor<1x3x1xf32>
}

// No axis means all of them.
// CHECK-LABEL: func.func @variance_all
func.func @variance_all(%x: tensor<2x?xf64>, %m: tensor<1x1xf64>) -> tensor<f64> {
  // CHECK: relay.variance {{.*}} -> tensor<f64>
  %0 = relay.variance %x, %m {axis = array<i64>} : (tensor<2x?xf64>, tensor<1x1xf64>) -> tensor<f64>
  return %0 : tensor<f64>
}
