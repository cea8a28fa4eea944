// Ops of other dialects have attributes of any names: what passes read of functions is of functions. A model holds none.
// RUN: split-file %s %t
// RUN: not relayc compile %t/function.mlir --emit llvm -o %t.ll 2>&1 | FileCheck %s --check-prefix=FUNCTION
// RUN: not relayc compile %t/global.mlir -o %t.so 2>&1 | FileCheck %s --check-prefix=GLOBAL
// RUN: not relayc inspect %t/main.mlir 2>&1 | FileCheck %s --check-prefix=MAIN
// RUN: relay-opt %t/function.mlir --erase-scopes --erase-signs --defunctionalization --infer-type | FileCheck %s --check-prefix=KEPT
// RUN: relay-opt %t/unregistered.mlir --allow-unregistered-dialect --erase-scopes --erase-signs --infer-type | FileCheck %s --check-prefix=UNREGISTERED
// FUNCTION: error[R0203]: {{.*}}function.mlir: {{.*}}function.mlir:1:1: a model holds no 'llvm.func', but functions and what they refer to: func.func
// GLOBAL: a model holds no 'llvm.mlir.global'
// MAIN: the module has no function @main with a body
// KEPT: llvm.func @system(!llvm.ptr) -> i32
// UNREGISTERED: "foo.op"() {function_type = i32} : () -> ()
// UNREGISTERED: "foo.open"() {function_type = !relay.incomplete} : () -> ()

//--- function.mlir
llvm.func @system(!llvm.ptr) -> i32
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = relay.nn.relu %x : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

//--- global.mlir
llvm.mlir.global internal constant @text("text")
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}

//--- main.mlir
module @main {
}

//--- unregistered.mlir
"foo.op"() {function_type = i32} : () -> ()
"foo.open"() {function_type = !relay.incomplete} : () -> ()
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
