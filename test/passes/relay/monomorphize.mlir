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

// -----

// Functions with type parameters that are values: a closure for each set of types, in the same place.
// CHECK-LABEL: func.func @local
// CHECK-NOT: relay.instantiate
// CHECK: %[[AGAIN:.+]] = relay.fn rec %[[SELF:.+]](%{{.+}}: tensor<f32>, %{{.+}}: tensor<i1>) -> tensor<f32> {
// CHECK: relay.call %[[SELF]](%{{.+}}, %{{.+}}) : ((tensor<f32>, tensor<i1>) -> tensor<f32>,
// CHECK: %[[ID:.+]] = relay.fn(%{{.+}}: tensor<f32>) -> tensor<f32> {
// CHECK: relay.call %[[AGAIN]](%{{.+}}, %{{.+}}) : ((tensor<f32>, tensor<i1>) -> tensor<f32>,
// CHECK-NOT: relay.fn
// CHECK: relay.call %[[ID]](%arg0)
!a = !relay.type_var<"A">
!b = !relay.type_var<"B">
func.func @local(%x: tensor<f32>, %c: tensor<i1>) -> tensor<f32> {
  %again = relay.fn rec %self(%y: !a, %d: tensor<i1>) -> !a attributes {relay.type_params = ["A"]} {
    %me = relay.instantiate %self : ((!a, tensor<i1>) -> !a) -> ((!a, tensor<i1>) -> !a)
    %0 = relay.call %me(%y, %d) : ((!a, tensor<i1>) -> !a, !a, tensor<i1>) -> !a
    relay.yield %0 : !a
  }
  %unused = relay.fn(%y: !a) -> !a attributes {relay.type_params = ["A"]} {
    relay.yield %y : !a
  }
  %id = relay.fn(%y: !b) -> !b attributes {relay.type_params = ["B"]} {
    %f = relay.instantiate %again : ((!a, tensor<i1>) -> !a) -> ((!b, tensor<i1>) -> !b)
    %0 = relay.call %f(%y, %c) : ((!b, tensor<i1>) -> !b, !b, tensor<i1>) -> !b
    relay.yield %0 : !b
  }
  %g = relay.instantiate %id : ((!b) -> !b) -> ((tensor<f32>) -> tensor<f32>)
  %1 = relay.call %g(%x) : ((tensor<f32>) -> tensor<f32>, tensor<f32>) -> tensor<f32>
  return %1 : tensor<f32>
}

// -----

!a = !relay.type_var<"A">
func.func @larger(%x: tensor<f32>) -> tensor<f32> {
  %again = relay.fn rec %self(%y: !a) -> tensor<f32> attributes {relay.type_params = ["A"]} {
    %pair = relay.tuple %y, %y : (!a, !a) -> tuple<!a, !a>
    // expected-error@+1 {{uses a function inside of itself as (tuple<tensor<f32>, tensor<f32>>) -> tensor<f32>, but it is (tensor<f32>) -> tensor<f32> there: make it a function of the module}}
    %me = relay.instantiate %self : ((!a) -> tensor<f32>) -> ((tuple<!a, !a>) -> tensor<f32>)
    %0 = relay.call %me(%pair) : ((tuple<!a, !a>) -> tensor<f32>, tuple<!a, !a>) -> tensor<f32>
    relay.yield %0 : tensor<f32>
  }
  %f = relay.instantiate %again : ((!a) -> tensor<f32>) -> ((tensor<f32>) -> tensor<f32>)
  %1 = relay.call %f(%x) : ((tensor<f32>) -> tensor<f32>, tensor<f32>) -> tensor<f32>
  return %1 : tensor<f32>
}
