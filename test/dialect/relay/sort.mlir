// RUN: %roundtrip | FileCheck %s

// CHECK-LABEL: func.func @sort
func.func @sort(%x: tensor<2x?xf32>) -> (tensor<2x?xf32>, tensor<2x?xi32>) {
  // CHECK: relay.sort %arg0 : (tensor<2x?xf32>) -> tensor<2x?xf32>
  %0 = relay.sort %x : (tensor<2x?xf32>) -> tensor<2x?xf32>
  // CHECK: relay.sort %{{.+}} {axis = 0 : i64, is_ascend = false} : (tensor<2x?xf32>) -> tensor<2x?xf32>
  %1 = relay.sort %0 {axis = 0 : i64, is_ascend = false} : (tensor<2x?xf32>) -> tensor<2x?xf32>
  // CHECK: relay.argsort %{{.+}} {dtype = i32} : (tensor<2x?xf32>) -> tensor<2x?xi32>
  %2 = relay.argsort %1 {dtype = i32} : (tensor<2x?xf32>) -> tensor<2x?xi32>
  return %1, %2 : tensor<2x?xf32>, tensor<2x?xi32>
}

// CHECK-LABEL: func.func @topk
func.func @topk(%x: tensor<5x7xui8>) -> (tensor<5x3xui8>, tensor<5x3xi64>, tensor<5x7xui8>, tensor<1x7xi32>) {
  // CHECK: %{{.+}}:2 = relay.topk %arg0 {dtype = i64, k = 3 : i64} : (tensor<5x7xui8>) -> (tensor<5x3xui8>, tensor<5x3xi64>)
  %0:2 = relay.topk %x {k = 3 : i64, dtype = i64} : (tensor<5x7xui8>) -> (tensor<5x3xui8>, tensor<5x3xi64>)
  // CHECK: relay.topk %arg0 {dtype = i32, k = 0 : i64, ret_type = "values"} : (tensor<5x7xui8>) -> tensor<5x7xui8>
  %1 = relay.topk %x {k = 0 : i64, ret_type = "values", dtype = i32} : (tensor<5x7xui8>) -> tensor<5x7xui8>
  // CHECK: relay.topk %arg0 {axis = 0 : i64, dtype = i32, ret_type = "indices"} : (tensor<5x7xui8>) -> tensor<1x7xi32>
  %2 = relay.topk %x {axis = 0 : i64, ret_type = "indices", dtype = i32} : (tensor<5x7xui8>) -> tensor<1x7xi32>
  return %0#0, %0#1, %1, %2 : tensor<5x3xui8>, tensor<5x3xi64>, tensor<5x7xui8>, tensor<1x7xi32>
}
