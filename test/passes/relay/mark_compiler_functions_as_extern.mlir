// RUN: relay-opt %s --mark-compiler-functions-as-extern=target=cutlass | FileCheck %s
// RUN: relay-opt %s --mark-compiler-functions-as-extern | FileCheck %s --check-prefix=ALL
// RUN: relay-opt %s --mark-compiler-functions-as-extern=target=nobody | FileCheck %s --check-prefix=NOBODY

// The declaration stays, and so do the calls; others' functions are not touched.
// CHECK: func.func private @cutlass_main_0({{.*}}) -> tensor<4xf32> attributes {relay.symbol = "cutlass_main_0", tir.kernel = #tir.kernel<external>}
// CHECK: func.func private @cublas_main_1({{.*}}) -> tensor<4xf32> attributes {tir.kernel = #tir.kernel<external>}
// CHECK: func.func @main
// CHECK-NEXT: %[[A:.*]] = call @cutlass_main_0(%arg0)
// CHECK-NEXT: call @cublas_main_1(%[[A]])
// CHECK-NOT: module @cutlass
// CHECK: module @cublas
// ALL-COUNT-2: relay.symbol
// ALL-NOT: module @
// NOBODY-NOT: relay.symbol
// NOBODY: module @cutlass
// NOBODY: module @cublas
func.func private @cutlass_main_0(tensor<4xf32>) -> tensor<4xf32> attributes {tir.kernel = #tir.kernel<external>}
func.func private @cublas_main_1(tensor<4xf32>) -> tensor<4xf32> attributes {tir.kernel = #tir.kernel<external>}
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = call @cutlass_main_0(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = call @cublas_main_1(%0) : (tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
module @cutlass attributes {relay.compiler = "cutlass"} {
  func.func private @relu(%x: tensor<4xf32>) -> tensor<4xf32> attributes {Composite = "cutlass.relu"} {
    %0 = relay.nn.relu %x : (tensor<4xf32>) -> tensor<4xf32>
    return %0 : tensor<4xf32>
  }
  func.func @cutlass_main_0(%x: tensor<4xf32>) -> tensor<4xf32> {
    %0 = call @relu(%x) : (tensor<4xf32>) -> tensor<4xf32>
    return %0 : tensor<4xf32>
  }
}
module @cublas attributes {relay.compiler = "cublas"} {
  func.func @cublas_main_1(%x: tensor<4xf32>) -> tensor<4xf32> {
    %0 = relay.abs %x : (tensor<4xf32>) -> tensor<4xf32>
    return %0 : tensor<4xf32>
  }
}
