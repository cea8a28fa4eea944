// RUN: %roundtrip | FileCheck %s

// CHECK-LABEL: func.func @elements
func.func @elements(%x: tensor<?x4xf32>, %i: tensor<2x3xi64>, %u: tensor<2x3xf32>) -> tensor<?x4xf32> {
  // CHECK: relay.scatter_elements %{{.+}}, %{{.+}}, %{{.+}} : (tensor<?x4xf32>, tensor<2x3xi64>, tensor<2x3xf32>) -> tensor<?x4xf32>
  %0 = relay.scatter_elements %x, %i, %u : (tensor<?x4xf32>, tensor<2x3xi64>, tensor<2x3xf32>) -> tensor<?x4xf32>
  // CHECK: relay.scatter_elements {{.*}}axis = -1 : i64, reduction = "max"
  %1 = relay.scatter_elements %0, %i, %u {axis = -1 : i64, reduction = "max"} : (tensor<?x4xf32>, tensor<2x3xi64>, tensor<2x3xf32>) -> tensor<?x4xf32>
  return %1 : tensor<?x4xf32>
}

// CHECK-LABEL: func.func @parts
func.func @parts(%x: tensor<5x4x3xi1>, %i: tensor<2x7xi32>, %u: tensor<7x3xi1>) -> tensor<5x4x3xi1> {
  // CHECK: relay.scatter_nd %{{.+}}, %{{.+}}, %{{.+}} : (tensor<5x4x3xi1>, tensor<2x7xi32>, tensor<7x3xi1>) -> tensor<5x4x3xi1>
  %0 = relay.scatter_nd %x, %i, %u : (tensor<5x4x3xi1>, tensor<2x7xi32>, tensor<7x3xi1>) -> tensor<5x4x3xi1>
  return %0 : tensor<5x4x3xi1>
}

// CHECK-LABEL: func.func @caches
func.func @caches(%x: tensor<2x3x?x4xf32, ["capacity"]>, %u: tensor<2x3x?x4xf32, ["n"]>, %all: tensor<i32>, %each: tensor<2xi64>)
    -> tensor<2x3x?x4xf32, ["capacity"]> {
  // CHECK: relay.cache_update %{{.+}}, %{{.+}}, %{{.+}} {axis = 2 : i64} : (tensor<2x3x?x4xf32, ["capacity"]>, tensor<2x3x?x4xf32, ["n"]>, tensor<i32>) -> tensor<2x3x?x4xf32, ["capacity"]>
  %0 = relay.cache_update %x, %u, %all {axis = 2 : i64}
    : (tensor<2x3x?x4xf32, ["capacity"]>, tensor<2x3x?x4xf32, ["n"]>, tensor<i32>) -> tensor<2x3x?x4xf32, ["capacity"]>
  // CHECK: relay.cache_update {{.*}}axis = -2 : i64
  %1 = relay.cache_update %0, %u, %each {axis = -2 : i64}
    : (tensor<2x3x?x4xf32, ["capacity"]>, tensor<2x3x?x4xf32, ["n"]>, tensor<2xi64>) -> tensor<2x3x?x4xf32, ["capacity"]>
  return %1 : tensor<2x3x?x4xf32, ["capacity"]>
}
