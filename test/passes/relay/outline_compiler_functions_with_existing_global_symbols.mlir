// RUN: relay-opt %s --outline-compiler-functions-with-existing-global-symbols=target=cutlass --split-input-file --verify-diagnostics | FileCheck %s
// RUN: relay-opt %s --outline-compiler-functions-with-existing-global-symbols --split-input-file --verify-diagnostics | FileCheck %s --check-prefix=ALL

// The function of one generator; its composite becomes a function, too. The constant that the only call passes is marked.
// CHECK: func.func private @cutlass_main_0(tensor<16x8xf16>, tensor<4x8xf16>, tensor<4xf16>) -> tensor<16x4xf16> attributes {tir.kernel = #tir.kernel<external>}
// CHECK-LABEL: func.func @main
// CHECK-NOT: relay.nn.dense
// CHECK: %[[B:.*]] = relay.constant
// CHECK: %[[D:.*]] = call @cutlass_main_0(%arg0, %arg1, %[[B]])
// CHECK: %[[F:.*]] = relay.fn
// CHECK: %[[M:.*]] = relay.call %[[F]](%arg2)
// CHECK: return %[[D]], %[[M]]
// CHECK: module @cutlass attributes {relay.compiler = "cutlass"} {
// CHECK-NEXT: func.func private @cutlass_dense_bias_0(%{{.*}}) -> tensor<16x4xf16> attributes {Composite = "cutlass.dense_bias", PartitionedFromPattern = "nn.dense_add_"} {
// CHECK-NEXT: relay.nn.dense
// CHECK-NEXT: relay.add
// CHECK-NEXT: return
// CHECK: func.func @cutlass_main_0(%arg0: tensor<16x8xf16>, %arg1: tensor<4x8xf16>, %arg2: tensor<4xf16> {relay.constant_parameter}) -> tensor<16x4xf16> {
// CHECK-NEXT: %[[R:.*]] = call @cutlass_dense_bias_0(%arg0, %arg1, %arg2)
// CHECK-NEXT: return %[[R]]

// ALL-LABEL: func.func @main
// ALL-NOT: relay.fn
// ALL: call @cutlass_main_0
// ALL: call @cublas_main_3
// ALL: module @cutlass
// ALL: module @cublas
func.func @main(%x: tensor<16x8xf16>, %w: tensor<4x8xf16>, %y: tensor<2x3x4xf16>) -> (tensor<16x4xf16>, tensor<2x3x3xf16>) {
  %b = relay.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf16>
  %f = relay.fn(%p: tensor<16x8xf16>, %q: tensor<4x8xf16>, %r: tensor<4xf16>) -> tensor<16x4xf16> attributes {global_symbol = "cutlass_main_0", relay.compiler = "cutlass"} {
    %c = relay.fn(%s: tensor<16x8xf16>, %t: tensor<4x8xf16>, %u: tensor<4xf16>) -> tensor<16x4xf16> attributes {Composite = "cutlass.dense_bias", PartitionedFromPattern = "nn.dense_add_"} {
      %4 = relay.nn.dense %s, %t : (tensor<16x8xf16>, tensor<4x8xf16>) -> tensor<16x4xf16>
      %5 = relay.add %4, %u : (tensor<16x4xf16>, tensor<4xf16>) -> tensor<16x4xf16>
      relay.yield %5 : tensor<16x4xf16>
    }
    %3 = relay.call %c(%p, %q, %r) : ((tensor<16x8xf16>, tensor<4x8xf16>, tensor<4xf16>) -> tensor<16x4xf16>, tensor<16x8xf16>, tensor<4x8xf16>, tensor<4xf16>) -> tensor<16x4xf16>
    relay.yield %3 : tensor<16x4xf16>
  }
  %0 = relay.call %f(%x, %w, %b) : ((tensor<16x8xf16>, tensor<4x8xf16>, tensor<4xf16>) -> tensor<16x4xf16>, tensor<16x8xf16>, tensor<4x8xf16>, tensor<4xf16>) -> tensor<16x4xf16>
  %g = relay.fn(%p: tensor<2x3x4xf16>) -> tensor<2x3x3xf16> attributes {global_symbol = "cublas_main_3", relay.compiler = "cublas"} {
    %6 = relay.nn.batch_matmul %p, %p {transpose_b = true} : (tensor<2x3x4xf16>, tensor<2x3x4xf16>) -> tensor<2x3x3xf16>
    relay.yield %6 : tensor<2x3x3xf16>
  }
  %1 = relay.call %g(%y) : ((tensor<2x3x4xf16>) -> tensor<2x3x3xf16>, tensor<2x3x4xf16>) -> tensor<2x3x3xf16>
  return %0, %1 : tensor<16x4xf16>, tensor<2x3x3xf16>
}

// -----

// Values of one name become one function, and a tuple that one makes several results. A value that nobody calls stays.
// CHECK-LABEL: func.func @twice
// CHECK: %[[A:.*]]:2 = call @both(%arg0)
// CHECK: relay.tuple %[[A]]#0, %[[A]]#1
// CHECK: call @both(%
// CHECK: relay.fn
// CHECK: module @cutlass
// CHECK-NEXT: func.func @both(%arg0: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
// CHECK-NEXT: relay.abs
// CHECK-NEXT: return
// CHECK-NEXT: }
// CHECK-NEXT: }
func.func @twice(%x: tensor<4xf32>) -> (tensor<4xf32>, (tensor<4xf32>) -> tensor<4xf32>) {
  %f = relay.fn(%y: tensor<4xf32>) -> tuple<tensor<4xf32>, tensor<4xf32>> attributes {global_symbol = "both", relay.compiler = "cutlass"} {
    %6 = relay.abs %y : (tensor<4xf32>) -> tensor<4xf32>
    %7 = relay.tuple %6, %y : (tensor<4xf32>, tensor<4xf32>) -> tuple<tensor<4xf32>, tensor<4xf32>>
    relay.yield %7 : tuple<tensor<4xf32>, tensor<4xf32>>
  }
  %g = relay.fn(%y: tensor<4xf32>) -> tuple<tensor<4xf32>, tensor<4xf32>> attributes {global_symbol = "both", relay.compiler = "cutlass"} {
    %6 = relay.abs %y : (tensor<4xf32>) -> tensor<4xf32>
    %7 = relay.tuple %6, %y : (tensor<4xf32>, tensor<4xf32>) -> tuple<tensor<4xf32>, tensor<4xf32>>
    relay.yield %7 : tuple<tensor<4xf32>, tensor<4xf32>>
  }
  %0 = relay.call %f(%x) : ((tensor<4xf32>) -> tuple<tensor<4xf32>, tensor<4xf32>>, tensor<4xf32>) -> tuple<tensor<4xf32>, tensor<4xf32>>
  %1 = relay.tuple_get %0 {index = 0 : i64} : (tuple<tensor<4xf32>, tensor<4xf32>>) -> tensor<4xf32>
  %2 = relay.call %g(%1) : ((tensor<4xf32>) -> tuple<tensor<4xf32>, tensor<4xf32>>, tensor<4xf32>) -> tuple<tensor<4xf32>, tensor<4xf32>>
  %3 = relay.tuple_get %2 {index = 1 : i64} : (tuple<tensor<4xf32>, tensor<4xf32>>) -> tensor<4xf32>
  %h = relay.fn(%y: tensor<4xf32>) -> tensor<4xf32> attributes {relay.compiler = "cutlass"} {
    relay.yield %y : tensor<4xf32>
  }
  return %3, %h : tensor<4xf32>, (tensor<4xf32>) -> tensor<4xf32>
}

// -----

func.func @unnamed(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{is for 'cutlass' and has no global_symbol to be its name}}
  %f = relay.fn(%y: tensor<4xf32>) -> tensor<4xf32> attributes {relay.compiler = "cutlass"} {
    relay.yield %y : tensor<4xf32>
  }
  %0 = relay.call %f(%x) : ((tensor<4xf32>) -> tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @sees(%x: tensor<4xf32>) -> tensor<4xf32> {
  %f = relay.fn(%y: tensor<4xf32>) -> tensor<4xf32> attributes {global_symbol = "sees_0", relay.compiler = "cutlass"} {
    // expected-error@+1 {{reads a value from around the function that it is in}}
    %1 = relay.add %x, %y : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    relay.yield %1 : tensor<4xf32>
  }
  %0 = relay.call %f(%x) : ((tensor<4xf32>) -> tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @taken(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{is to be @taken, which is there already}}
  %f = relay.fn(%y: tensor<4xf32>) -> tensor<4xf32> attributes {global_symbol = "taken", relay.compiler = "cutlass"} {
    relay.yield %y : tensor<4xf32>
  }
  %0 = relay.call %f(%x) : ((tensor<4xf32>) -> tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @again(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{calls itself, and cannot be a function of operators}}
  %f = relay.fn rec %g(%y: tensor<4xf32>) -> tensor<4xf32> attributes {global_symbol = "again_0", relay.compiler = "cutlass"} {
    relay.yield %y : tensor<4xf32>
  }
  %0 = relay.call %f(%x) : ((tensor<4xf32>) -> tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
