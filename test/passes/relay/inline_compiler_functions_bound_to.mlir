// RUN: split-file %s %t
// RUN: relay-opt %t/part.mlir --inline-compiler-functions-bound-to=functions=cutlass_main_0 | FileCheck %t/part.mlir
// RUN: relay-opt %t/part.mlir --inline-compiler-functions-bound-to=functions=cutlass_main_0,cutlass_main_1,cublas_main_3 | FileCheck %t/part.mlir --check-prefix=ALL
// RUN: relay-opt %t/part.mlir --inline-compiler-functions-bound-to | FileCheck %t/part.mlir --check-prefix=NONE
// RUN: not relay-opt %t/part.mlir --inline-compiler-functions-bound-to=functions=main 2>&1 | FileCheck %s --check-prefix=OURS
// RUN: not relay-opt %t/part.mlir --inline-compiler-functions-bound-to=functions=cutlass_dense_bias 2>&1 | FileCheck %s --check-prefix=COMPOSITE
// OURS: error: 'builtin.module' op has no function @main of an external code generator
// COMPOSITE: error: 'builtin.module' op has no function @cutlass_dense_bias of an external code generator

// What partition-graph made of a module is that module again.
// RUN: relay-opt %t/whole.mlir --annotate-target='targets=c operators=c.exp,c.nn.relu' --merge-compiler-regions --partition-graph > %t/parts.mlir
// RUN: FileCheck %t/whole.mlir --check-prefix=PARTS < %t/parts.mlir
// RUN: relay-opt %t/parts.mlir --inline-compiler-functions-bound-to=functions=c_main_0 > %t/again.mlir
// RUN: relay-opt %t/whole.mlir | diff - %t/again.mlir

//--- part.mlir
// The function's operators, and those of its composite, stand where it was called; others' functions stay, and so does the composite
// as long as another function calls it.
// CHECK: func.func private @cublas_main_3
// CHECK-NOT: @cutlass_main_0
// CHECK: func.func @main
// CHECK-NEXT: %[[D:.*]] = relay.nn.dense %arg0, %arg1
// CHECK-NEXT: %[[S:.*]] = relay.add %[[D]], %arg2
// CHECK-NEXT: %[[B:.*]] = call @cublas_main_3(%arg3, %arg3)
// CHECK-NEXT: %[[T:.*]] = call @cutlass_main_1(%[[S]], %arg4, %arg2)
// CHECK-NEXT: return %[[T]], %[[B]]
// CHECK: module @cutlass
// CHECK-NEXT: func.func private @cutlass_dense_bias
// CHECK-NOT: @cutlass_main_0
// CHECK: func.func @cutlass_main_1
// CHECK: module @cublas

// Without functions, a generator's module goes.
// ALL: func.func @main
// ALL-NEXT: relay.nn.dense
// ALL-NEXT: relay.add
// ALL-NEXT: relay.nn.batch_matmul
// ALL-NEXT: relay.nn.dense
// ALL-NEXT: relay.add
// ALL-NEXT: return
// ALL-NOT: func.func
// ALL-NOT: module

// NONE: func.func private @cutlass_main_0
// NONE: module @cutlass
func.func private @cutlass_main_0(tensor<16x8xf16>, tensor<4x8xf16>, tensor<4xf16>) -> tensor<16x4xf16> attributes {tir.kernel = #tir.kernel<external>}
func.func private @cutlass_main_1(tensor<16x4xf16>, tensor<4x4xf16>, tensor<4xf16>) -> tensor<16x4xf16> attributes {tir.kernel = #tir.kernel<external>}
func.func private @cublas_main_3(tensor<2x3x4xf16>, tensor<2x3x4xf16>) -> tensor<2x3x3xf16> attributes {tir.kernel = #tir.kernel<external>}
func.func @main(%x: tensor<16x8xf16>, %w: tensor<4x8xf16>, %b: tensor<4xf16>, %y: tensor<2x3x4xf16>, %v: tensor<4x4xf16>) -> (tensor<16x4xf16>, tensor<2x3x3xf16>) {
  %0 = call @cutlass_main_0(%x, %w, %b) : (tensor<16x8xf16>, tensor<4x8xf16>, tensor<4xf16>) -> tensor<16x4xf16>
  %1 = call @cublas_main_3(%y, %y) : (tensor<2x3x4xf16>, tensor<2x3x4xf16>) -> tensor<2x3x3xf16>
  %2 = call @cutlass_main_1(%0, %v, %b) : (tensor<16x4xf16>, tensor<4x4xf16>, tensor<4xf16>) -> tensor<16x4xf16>
  return %2, %1 : tensor<16x4xf16>, tensor<2x3x3xf16>
}
module @cutlass attributes {relay.compiler = "cutlass"} {
  func.func private @cutlass_wide(%x: tensor<16x8xf16>, %w: tensor<4x8xf16>, %b: tensor<4xf16>) -> tensor<16x4xf16> attributes {Composite = "cutlass.dense_bias"} {
    %0 = relay.nn.dense %x, %w : (tensor<16x8xf16>, tensor<4x8xf16>) -> tensor<16x4xf16>
    %1 = relay.add %0, %b : (tensor<16x4xf16>, tensor<4xf16>) -> tensor<16x4xf16>
    return %1 : tensor<16x4xf16>
  }
  func.func private @cutlass_dense_bias(%x: tensor<16x4xf16>, %w: tensor<4x4xf16>, %b: tensor<4xf16>) -> tensor<16x4xf16> attributes {Composite = "cutlass.dense_bias"} {
    %0 = relay.nn.dense %x, %w : (tensor<16x4xf16>, tensor<4x4xf16>) -> tensor<16x4xf16>
    %1 = relay.add %0, %b : (tensor<16x4xf16>, tensor<4xf16>) -> tensor<16x4xf16>
    return %1 : tensor<16x4xf16>
  }
  func.func @cutlass_main_0(%x: tensor<16x8xf16>, %w: tensor<4x8xf16>, %b: tensor<4xf16>) -> tensor<16x4xf16> {
    %0 = call @cutlass_wide(%x, %w, %b) : (tensor<16x8xf16>, tensor<4x8xf16>, tensor<4xf16>) -> tensor<16x4xf16>
    return %0 : tensor<16x4xf16>
  }
  func.func @cutlass_main_1(%x: tensor<16x4xf16>, %w: tensor<4x4xf16>, %b: tensor<4xf16>) -> tensor<16x4xf16> {
    %0 = call @cutlass_dense_bias(%x, %w, %b) : (tensor<16x4xf16>, tensor<4x4xf16>, tensor<4xf16>) -> tensor<16x4xf16>
    return %0 : tensor<16x4xf16>
  }
}
module @cublas attributes {relay.compiler = "cublas"} {
  func.func @cublas_main_3(%x: tensor<2x3x4xf16>, %y: tensor<2x3x4xf16>) -> tensor<2x3x3xf16> {
    %0 = relay.nn.batch_matmul %x, %y {transpose_b = true} : (tensor<2x3x4xf16>, tensor<2x3x4xf16>) -> tensor<2x3x3xf16>
    return %0 : tensor<2x3x3xf16>
  }
}

//--- whole.mlir
// PARTS: call @c_main_0
// PARTS-NOT: relay.exp
// PARTS: module @c
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = relay.exp %x : (tensor<4xf32>) -> tensor<4xf32>
  %1 = relay.nn.relu %0 : (tensor<4xf32>) -> tensor<4xf32>
  %2 = relay.abs %1 : (tensor<4xf32>) -> tensor<4xf32>
  return %2 : tensor<4xf32>
}
