// RUN: %roundtrip | FileCheck %s

// CHECK-LABEL: func.func @unary
func.func @unary(%x: tensor<2x3xf32>) -> tensor<2x3xi64> {
  // CHECK: relay.exp %{{.+}} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %0 = relay.exp %x : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK: relay.nn.leaky_relu
  %1 = relay.nn.leaky_relu %0 {alpha = 0.1} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK: relay.clip {{.*}}a_max = 6.0{{.*}}a_min = 0.0
  %2 = relay.clip %1 {a_min = 0.0, a_max = 6.0} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK: relay.cast {{.*}}dtype = i64
  %3 = relay.cast %2 {dtype = i64} : (tensor<2x3xf32>) -> tensor<2x3xi64>
  return %3 : tensor<2x3xi64>
}

// CHECK-LABEL: func.func @bits
func.func @bits(%x: tensor<3xf32>, %y: tensor<3xf8E5M2>, %z: tensor<3xi1>) -> (tensor<3xui32>, tensor<3xi8>, tensor<3xui8>) {
  // CHECK: relay.reinterpret {{.*}}dtype = ui32
  %0 = relay.reinterpret %x {dtype = ui32} : (tensor<3xf32>) -> tensor<3xui32>
  %1 = relay.reinterpret %y {dtype = i8} : (tensor<3xf8E5M2>) -> tensor<3xi8>
  %2 = relay.reinterpret %z {dtype = ui8} : (tensor<3xi1>) -> tensor<3xui8>
  return %0, %1, %2 : tensor<3xui32>, tensor<3xi8>, tensor<3xui8>
}

// CHECK-LABEL: func.func @every_unary
func.func @every_unary(%x: tensor<2x?xf32>, %c: tensor<3xi1>) -> tensor<2x?xf32> {
  // CHECK: relay.abs %{{.+}} : (tensor<2x?xf32>) -> tensor<2x?xf32>
  %0 = relay.abs %x : (tensor<2x?xf32>) -> tensor<2x?xf32>
  // CHECK: relay.ceil %{{.+}} : (tensor<2x?xf32>) -> tensor<2x?xf32>
  %1 = relay.ceil %0 : (tensor<2x?xf32>) -> tensor<2x?xf32>
  // CHECK: relay.copy %{{.+}} : (tensor<2x?xf32>) -> tensor<2x?xf32>
  %2 = relay.copy %1 : (tensor<2x?xf32>) -> tensor<2x?xf32>
  // CHECK: relay.cos %{{.+}} : (tensor<2x?xf32>) -> tensor<2x?xf32>
  %3 = relay.cos %2 : (tensor<2x?xf32>) -> tensor<2x?xf32>
  // CHECK: relay.erf %{{.+}} : (tensor<2x?xf32>) -> tensor<2x?xf32>
  %4 = relay.erf %3 : (tensor<2x?xf32>) -> tensor<2x?xf32>
  // CHECK: relay.exp %{{.+}} : (tensor<2x?xf32>) -> tensor<2x?xf32>
  %5 = relay.exp %4 : (tensor<2x?xf32>) -> tensor<2x?xf32>
  // CHECK: relay.floor %{{.+}} : (tensor<2x?xf32>) -> tensor<2x?xf32>
  %6 = relay.floor %5 : (tensor<2x?xf32>) -> tensor<2x?xf32>
  // CHECK: relay.log %{{.+}} : (tensor<2x?xf32>) -> tensor<2x?xf32>
  %7 = relay.log %6 : (tensor<2x?xf32>) -> tensor<2x?xf32>
  // CHECK: relay.negative %{{.+}} : (tensor<2x?xf32>) -> tensor<2x?xf32>
  %8 = relay.negative %7 : (tensor<2x?xf32>) -> tensor<2x?xf32>
  // CHECK: relay.nn.relu %{{.+}} : (tensor<2x?xf32>) -> tensor<2x?xf32>
  %9 = relay.nn.relu %8 : (tensor<2x?xf32>) -> tensor<2x?xf32>
  // CHECK: relay.round %{{.+}} : (tensor<2x?xf32>) -> tensor<2x?xf32>
  %10 = relay.round %9 : (tensor<2x?xf32>) -> tensor<2x?xf32>
  // CHECK: relay.rsqrt %{{.+}} : (tensor<2x?xf32>) -> tensor<2x?xf32>
  %11 = relay.rsqrt %10 : (tensor<2x?xf32>) -> tensor<2x?xf32>
  // CHECK: relay.sigmoid %{{.+}} : (tensor<2x?xf32>) -> tensor<2x?xf32>
  %12 = relay.sigmoid %11 : (tensor<2x?xf32>) -> tensor<2x?xf32>
  // CHECK: relay.sign %{{.+}} : (tensor<2x?xf32>) -> tensor<2x?xf32>
  %13 = relay.sign %12 : (tensor<2x?xf32>) -> tensor<2x?xf32>
  // CHECK: relay.sin %{{.+}} : (tensor<2x?xf32>) -> tensor<2x?xf32>
  %14 = relay.sin %13 : (tensor<2x?xf32>) -> tensor<2x?xf32>
  // CHECK: relay.sqrt %{{.+}} : (tensor<2x?xf32>) -> tensor<2x?xf32>
  %15 = relay.sqrt %14 : (tensor<2x?xf32>) -> tensor<2x?xf32>
  // CHECK: relay.tanh %{{.+}} : (tensor<2x?xf32>) -> tensor<2x?xf32>
  %16 = relay.tanh %15 : (tensor<2x?xf32>) -> tensor<2x?xf32>
  // CHECK: relay.logical_not %{{.+}} : (tensor<3xi1>) -> tensor<3xi1>
  %17 = relay.logical_not %c : (tensor<3xi1>) -> tensor<3xi1>
  return %16 : tensor<2x?xf32>
}

// CHECK-LABEL: func.func @functions
func.func @functions(%x: tensor<2x?xf64>) -> tensor<2x?xf64> {
  // CHECK: relay.acos %{{.+}} : (tensor<2x?xf64>) -> tensor<2x?xf64>
  %0 = relay.acos %x : (tensor<2x?xf64>) -> tensor<2x?xf64>
  // CHECK: relay.acosh %{{.+}} : (tensor<2x?xf64>) -> tensor<2x?xf64>
  %1 = relay.acosh %0 : (tensor<2x?xf64>) -> tensor<2x?xf64>
  // CHECK: relay.asin %{{.+}} : (tensor<2x?xf64>) -> tensor<2x?xf64>
  %2 = relay.asin %1 : (tensor<2x?xf64>) -> tensor<2x?xf64>
  // CHECK: relay.asinh %{{.+}} : (tensor<2x?xf64>) -> tensor<2x?xf64>
  %3 = relay.asinh %2 : (tensor<2x?xf64>) -> tensor<2x?xf64>
  // CHECK: relay.atan %{{.+}} : (tensor<2x?xf64>) -> tensor<2x?xf64>
  %4 = relay.atan %3 : (tensor<2x?xf64>) -> tensor<2x?xf64>
  // CHECK: relay.atanh %{{.+}} : (tensor<2x?xf64>) -> tensor<2x?xf64>
  %5 = relay.atanh %4 : (tensor<2x?xf64>) -> tensor<2x?xf64>
  // CHECK: relay.cosh %{{.+}} : (tensor<2x?xf64>) -> tensor<2x?xf64>
  %6 = relay.cosh %5 : (tensor<2x?xf64>) -> tensor<2x?xf64>
  // CHECK: relay.log10 %{{.+}} : (tensor<2x?xf64>) -> tensor<2x?xf64>
  %7 = relay.log10 %6 : (tensor<2x?xf64>) -> tensor<2x?xf64>
  // CHECK: relay.log2 %{{.+}} : (tensor<2x?xf64>) -> tensor<2x?xf64>
  %8 = relay.log2 %7 : (tensor<2x?xf64>) -> tensor<2x?xf64>
  // CHECK: relay.sinh %{{.+}} : (tensor<2x?xf64>) -> tensor<2x?xf64>
  %9 = relay.sinh %8 : (tensor<2x?xf64>) -> tensor<2x?xf64>
  // CHECK: relay.tan %{{.+}} : (tensor<2x?xf64>) -> tensor<2x?xf64>
  %10 = relay.tan %9 : (tensor<2x?xf64>) -> tensor<2x?xf64>
  // CHECK: relay.trunc %{{.+}} : (tensor<2x?xf64>) -> tensor<2x?xf64>
  %11 = relay.trunc %10 : (tensor<2x?xf64>) -> tensor<2x?xf64>
  return %11 : tensor<2x?xf64>
}

// CHECK-LABEL: func.func @questions
func.func @questions(%x: tensor<2x?xbf16>, %i: tensor<4xui8>, %c: tensor<3xi1>) -> (tensor<2x?xi1>, tensor<2x?xi1>, tensor<2x?xi1>) {
  // CHECK: relay.isfinite %{{.+}} : (tensor<2x?xbf16>) -> tensor<2x?xi1>
  %0 = relay.isfinite %x : (tensor<2x?xbf16>) -> tensor<2x?xi1>
  // CHECK: relay.isinf
  %1 = relay.isinf %x : (tensor<2x?xbf16>) -> tensor<2x?xi1>
  // CHECK: relay.isnan
  %2 = relay.isnan %x : (tensor<2x?xbf16>) -> tensor<2x?xi1>
  // CHECK: relay.bitwise_not %{{.+}} : (tensor<4xui8>) -> tensor<4xui8>
  %3 = relay.bitwise_not %i : (tensor<4xui8>) -> tensor<4xui8>
  // CHECK: relay.bitwise_not %{{.+}} : (tensor<3xi1>) -> tensor<3xi1>
  %4 = relay.bitwise_not %c : (tensor<3xi1>) -> tensor<3xi1>
  return %0, %1, %2 : tensor<2x?xi1>, tensor<2x?xi1>, tensor<2x?xi1>
}

// CHECK-LABEL: func.func @approximations
func.func @approximations(%x: tensor<2x?xf16>) -> tensor<2x?xf16> {
  // CHECK: relay.fast_exp
  %0 = relay.fast_exp %x : (tensor<2x?xf16>) -> tensor<2x?xf16>
  // CHECK: relay.fast_erf
  %1 = relay.fast_erf %0 : (tensor<2x?xf16>) -> tensor<2x?xf16>
  // CHECK: relay.fast_tanh
  %2 = relay.fast_tanh %1 : (tensor<2x?xf16>) -> tensor<2x?xf16>
  return %2 : tensor<2x?xf16>
}

// What is yet to be inferred stays so.
// CHECK-LABEL: func.func @incomplete
func.func @incomplete(%x: !relay.incomplete) -> !relay.incomplete {
  // CHECK: relay.exp %{{.+}} : (!relay.incomplete) -> !relay.incomplete
  %0 = relay.exp %x : (!relay.incomplete) -> !relay.incomplete
  return %0 : !relay.incomplete
}
