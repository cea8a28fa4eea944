// Operators that a library in C declares (examples/operator_plugin/clamp.c).
// RUN: rm -rf %t && mkdir %t && relayc runtime %t/include
// RUN: cc -shared -fPIC -Wall -Werror -I %t/include %examples/operator_plugin/clamp.c -o %t/libclamp.so
// DEFINE: %{opt} = relay-opt --load-operators=%t/libclamp.so
// RUN: %{opt} %s --split-input-file --verify-diagnostics
// RUN: %{opt} %s --split-input-file --verify-diagnostics | %{opt} | FileCheck %s

// CHECK-LABEL: func.func @clamp
// CHECK: relay.custom "mine.clamp01"(%arg0) : (tensor<?x4xf32, ["n"]>) -> tensor<?x4xf32, ["n"]>
func.func @clamp(%x: tensor<?x4xf32, ["n"]>) -> tensor<?x4xf32, ["n"]> {
  %0 = relay.custom "mine.clamp01"(%x) : (tensor<?x4xf32, ["n"]>) -> tensor<?x4xf32, ["n"]>
  return %0 : tensor<?x4xf32, ["n"]>
}

// -----

func.func @c1(%x: tensor<4xf32>) {
  // expected-error@+2 {{the operator "mine.clamp1" is not registered; did you mean 'mine.clamp01'?; load the plugin}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.custom "mine.clamp1"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @c2_operands(%x: tensor<4xf32>) {
  // expected-error@+2 {{"mine.clamp01" takes 1 operand, not 2 (C2)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.custom "mine.clamp01"(%x, %x) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @c2_attributes(%x: tensor<4xf32>) {
  // expected-error@+2 {{"mine.clamp01" has no attribute 'low' (C2)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.custom "mine.clamp01"(%x) {low = 0.5} : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @c3(%x: tensor<4xi32>) {
  // expected-error@+2 {{"mine.clamp01": it takes floats, not tensor<4xi32> (C3)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.custom "mine.clamp01"(%x) : (tensor<4xi32>) -> tensor<4xi32>
  return
}

// -----

func.func @result(%x: tensor<4xf32>) {
  // expected-error@+2 {{failed to infer returned types}}
  // expected-error@+1 {{inferred type(s) 'tensor<4xf32>' are incompatible with return type(s) of operation 'tensor<5xf32>'}}
  %0 = relay.custom "mine.clamp01"(%x) : (tensor<4xf32>) -> tensor<5xf32>
  return
}
