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
