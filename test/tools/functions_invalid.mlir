// A model is a @main with a body, and what it calls has one. The pipeline of graphs takes nothing that calls itself; programs
// may, and compile.
// RUN: split-file %s %t
// RUN: not relayc compile %t/declared.mlir -o %t.so 2>&1 | FileCheck %s --check-prefix=DECLARED
// RUN: not relayc compile %t/nothing.mlir -o %t.so 2>&1 | FileCheck %s --check-prefix=NOTHING
// RUN: not relayc compile %t/outside.mlir -o %t.so 2>&1 | FileCheck %s --check-prefix=OUTSIDE
// RUN: relayc compile %t/itself.mlir -o %t.so -q
// RUN: relayc compile %t/each_other.mlir -o %t.so -q
// RUN: not relay-opt --relay-pipeline %t/itself.mlir 2>&1 | FileCheck %s --check-prefix=ITSELF
// RUN: not relay-opt --relay-pipeline %t/each_other.mlir 2>&1 | FileCheck %s --check-prefix=ITSELF
// DECLARED: error[R0302]: the module has no function @main with a body
// NOTHING: error[R0302]: the function @main, which is the model, returns nothing
// OUTSIDE: calls 'outside', which has no body: its code is nowhere in the module
// ITSELF: a function of operators: a graph calls kernels only

//--- declared.mlir
func.func private @main(tensor<4xf32>) -> tensor<4xf32>

//--- nothing.mlir
func.func @main() {
  return
}

//--- outside.mlir
func.func private @outside(tensor<4xf32>) -> tensor<4xf32>
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = call @outside(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

//--- itself.mlir
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = relay.nn.relu %x : (tensor<4xf32>) -> tensor<4xf32>
  %1 = call @main(%0) : (tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}

//--- each_other.mlir
func.func private @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = call @g(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func private @g(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = relay.nn.relu %x : (tensor<4xf32>) -> tensor<4xf32>
  %1 = call @f(%0) : (tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = call @f(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
