// RUN: %roundtrip | FileCheck %s
// RUN: relay-opt %s --infer-type | FileCheck %s --check-prefix=INFER

// CHECK-LABEL: func.func @sum
func.func @sum(%x: tensor<2x3x4xf32>) -> tensor<2x4xf32> {
  // CHECK: relay.sum %{{.+}} {axis = array<i64: 1>} : (tensor<2x3x4xf32>) -> tensor<2x4xf32>
  %0 = relay.sum %x {axis = array<i64: 1>} : (tensor<2x3x4xf32>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}

// Axes in any order, from either end; what is reduced stays as 1.
// CHECK-LABEL: func.func @mean
func.func @mean(%x: tensor<2x3x4xf32>) -> tensor<1x3x1xf32> {
  // CHECK: relay.mean {{.*}}axis = array<i64: -1, 0>{{.*}}keepdims = true{{.*}} -> tensor<1x3x1xf32>
  %0 = relay.mean %x {axis = array<i64: -1, 0>, keepdims = true} : (tensor<2x3x4xf32>) -> tensor<1x3x1xf32>
  return %0 : tensor<1x3x1xf32>
}

// No axis means all of them.
// CHECK-LABEL: func.func @max
func.func @max(%x: tensor<2x3xi64>) -> tensor<i64> {
  // CHECK: relay.max %{{.*}} : (tensor<2x3xi64>) -> tensor<i64>
  %0 = relay.max %x {axis = array<i64>} : (tensor<2x3xi64>) -> tensor<i64>
  return %0 : tensor<i64>
}

// All axes but one.
// CHECK-LABEL: func.func @min
func.func @min(%x: tensor<2x3x4xf32>) -> tensor<3xf32> {
  // CHECK: relay.min {{.*}}exclude = true{{.*}} -> tensor<3xf32>
  %0 = relay.min %x {axis = array<i64: 1>, exclude = true} : (tensor<2x3x4xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// CHECK-LABEL: func.func @prod
func.func @prod(%x: tensor<2x0xf32>) -> tensor<2xf32> {
  // CHECK: relay.prod {{.*}} -> tensor<2xf32>
  %0 = relay.prod %x {axis = array<i64: 1>} : (tensor<2x0xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// CHECK-LABEL: func.func @booleans
func.func @booleans(%x: tensor<2x3xi1>) -> tensor<i1> {
  // CHECK: relay.all {{.*}} -> tensor<2xi1>
  %0 = relay.all %x {axis = array<i64: 1>} : (tensor<2x3xi1>) -> tensor<2xi1>
  // CHECK: relay.any {{.*}} -> tensor<i1>
  %1 = relay.any %0 {axis = array<i64: 0>} : (tensor<2xi1>) -> tensor<i1>
  return %1 : tensor<i1>
}

// Subscripts are 64-bit integers, whatever the data.
// CHECK-LABEL: func.func @argmax
func.func @argmax(%x: tensor<2x3xf32>) -> tensor<2x1xi64> {
  // CHECK: relay.argmax {{.*}}select_last_index = true{{.*}} -> tensor<2x1xi64>
  %0 = relay.argmax %x {axis = array<i64: -1>, keepdims = true, select_last_index = true} : (tensor<2x3xf32>) -> tensor<2x1xi64>
  return %0 : tensor<2x1xi64>
}

// CHECK-LABEL: func.func @argmin
func.func @argmin(%x: tensor<2x3xi32>) -> tensor<3xi64> {
  // CHECK: relay.argmin {{.*}} -> tensor<3xi64>
  %0 = relay.argmin %x {axis = array<i64: 0>} : (tensor<2x3xi32>) -> tensor<3xi64>
  return %0 : tensor<3xi64>
}

// CHECK-LABEL: func.func @dynamic
func.func @dynamic(%x: tensor<?x3x?xf32>) -> tensor<?x3xf32> {
  // CHECK: relay.sum {{.*}} -> tensor<?x3xf32>
  %0 = relay.sum %x {axis = array<i64: 2>} : (tensor<?x3x?xf32>) -> tensor<?x3xf32>
  return %0 : tensor<?x3xf32>
}

// INFER-LABEL: func.func @infer
// INFER-SAME: -> tensor<2x1xi64>
func.func @infer(%x: tensor<2x3x4xf32>) -> !relay.incomplete {
  // INFER: relay.sum {{.*}} -> tensor<2x4xf32>
  %0 = relay.sum %x {axis = array<i64: 1>} : (tensor<2x3x4xf32>) -> !relay.incomplete
  // INFER: relay.argmax {{.*}} -> tensor<2x1xi64>
  %1 = relay.argmax %0 {axis = array<i64: 1>, keepdims = true} : (!relay.incomplete) -> !relay.incomplete
  return %1 : !relay.incomplete
}

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
