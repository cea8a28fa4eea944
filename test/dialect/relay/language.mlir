// RUN: %roundtrip | FileCheck %s

// CHECK-LABEL: func.func @tuple
func.func @tuple(%x: tensor<2xf32>, %y: tensor<3xi64>) -> tensor<3xi64> {
  // CHECK: relay.tuple %{{.+}}, %{{.+}} : (tensor<2xf32>, tensor<3xi64>) -> tuple<tensor<2xf32>, tensor<3xi64>>
  %0 = relay.tuple %x, %y : (tensor<2xf32>, tensor<3xi64>) -> tuple<tensor<2xf32>, tensor<3xi64>>
  // CHECK: relay.tuple_get %{{.+}} {index = 1 : i64}
  %1 = relay.tuple_get %0 {index = 1 : i64} : (tuple<tensor<2xf32>, tensor<3xi64>>) -> tensor<3xi64>
  return %1 : tensor<3xi64>
}

// CHECK-LABEL: func.func @if
func.func @if(%c: tensor<i1>, %x: tensor<2xf32>) -> tensor<2xf32> {
  // CHECK: relay.if %{{.+}} : (tensor<i1>) -> tensor<2xf32> {
  // CHECK: relay.constant dense<1.000000e+00> : tensor<2xf32>
  // CHECK: } else {
  // CHECK: relay.yield %{{.+}} : tensor<2xf32>
  %0 = relay.if %c : (tensor<i1>) -> tensor<2xf32> {
    %1 = relay.constant dense<1.0> : tensor<2xf32>
    relay.yield %1 : tensor<2xf32>
  } else {
    relay.yield %x : tensor<2xf32>
  }
  return %0 : tensor<2xf32>
}

// CHECK-LABEL: func.func @lowered
func.func @lowered(%x: tensor<2xf32>) -> tensor<2xf32> {
  // CHECK: relay.call_lowered @kernel(%{{.+}}) : (tensor<2xf32>) -> tensor<2xf32>
  %0 = relay.call_lowered @kernel(%x) : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
func.func private @kernel(%x: memref<2xf32>, %y: memref<2xf32>)
