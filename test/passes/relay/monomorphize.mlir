// RUN: relay-opt %s --monomorphize --split-input-file --verify-diagnostics | FileCheck %s

// One instance for each set of types; those that they use in turn, too.
// CHECK-NOT: type_var
// CHECK-DAG: func.func private @twice_0(%arg0: (tensor<f32>) -> tensor<f32>, %arg1: tensor<f32>) -> tensor<f32>
// CHECK-DAG: func.func private @id_{{[01]}}(%arg0: tensor<f32>) -> tensor<f32>
// CHECK-DAG: func.func private @id_{{[01]}}(%arg0: tensor<2xi32>) -> tensor<2xi32>
// CHECK-LABEL: func.func @main
// CHECK: relay.global @[[ID:id_[01]]] : (tensor<f32>) -> tensor<f32>
// CHECK: relay.global @twice_0
// CHECK: relay.global @[[ID]] : (tensor<f32>) -> tensor<f32>
// CHECK-NOT: type_var
func.func @id(%x: !relay.type_var<"A">) -> !relay.type_var<"A"> attributes {relay.type_params = ["A"]} {
  return %x : !relay.type_var<"A">
}
func.func @twice(%f: (!relay.type_var<"A">) -> !relay.type_var<"A">, %x: !relay.type_var<"A">) -> !relay.type_var<"A"> attributes {relay.type_params = ["A"]} {
  %id = relay.global @id : (!relay.type_var<"A">) -> !relay.type_var<"A">
  %0 = relay.call %id(%x) : ((!relay.type_var<"A">) -> !relay.type_var<"A">, !relay.type_var<"A">) -> !relay.type_var<"A">
  %1 = relay.call %f(%0) : ((!relay.type_var<"A">) -> !relay.type_var<"A">, !relay.type_var<"A">) -> !relay.type_var<"A">
  return %1 : !relay.type_var<"A">
}
func.func @main(%x: tensor<f32>, %n: tensor<2xi32>) -> tensor<f32> {
  %f = relay.global @id : (tensor<f32>) -> tensor<f32>
  %t = relay.global @twice : ((tensor<f32>) -> tensor<f32>, tensor<f32>) -> tensor<f32>
  %0 = relay.call %t(%f, %x) : (((tensor<f32>) -> tensor<f32>, tensor<f32>) -> tensor<f32>, (tensor<f32>) -> tensor<f32>, tensor<f32>) -> tensor<f32>
  %g = relay.global @id : (tensor<f32>) -> tensor<f32>
  %1 = relay.call %g(%0) : ((tensor<f32>) -> tensor<f32>, tensor<f32>) -> tensor<f32>
  %h = relay.global @id : (tensor<2xi32>) -> tensor<2xi32>
  %2 = relay.call %h(%n) : ((tensor<2xi32>) -> tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
  return %1 : tensor<f32>
}

// -----

func.func @ever(%x: !relay.type_var<"A">) -> tensor<f32> attributes {relay.type_params = ["A"]} {
  %pair = relay.tuple %x, %x : (!relay.type_var<"A">, !relay.type_var<"A">) -> tuple<!relay.type_var<"A">, !relay.type_var<"A">>
  // expected-error@+1 {{uses @ever as a function whose type has more than 4096 parts: does a function use itself with ever larger types?}}
  %f = relay.global @ever : (tuple<!relay.type_var<"A">, !relay.type_var<"A">>) -> tensor<f32>
  %0 = relay.call %f(%pair) : ((tuple<!relay.type_var<"A">, !relay.type_var<"A">>) -> tensor<f32>, tuple<!relay.type_var<"A">, !relay.type_var<"A">>) -> tensor<f32>
  return %0 : tensor<f32>
}
func.func @main(%x: tensor<f32>) -> tensor<f32> {
  %f = relay.global @ever : (tensor<f32>) -> tensor<f32>
  %0 = relay.call %f(%x) : ((tensor<f32>) -> tensor<f32>, tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

// expected-error@+2 {{has types that are to be inferred; run infer-type before}}
func.func @open(%x: tensor<f32>) {
  %0 = relay.abs %x : (tensor<f32>) -> !relay.incomplete
  return
}
