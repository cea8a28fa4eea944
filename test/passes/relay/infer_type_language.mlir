// Types of functions that are values, of data types and references, from all that uses them.
// RUN: relay-opt %s --infer-type --split-input-file --verify-diagnostics | FileCheck %s

relay.type_def @List ["A"] {
  relay.constructor @Cons [!relay.type_var<"A">, !relay.adt<@List, !relay.type_var<"A">>]
  relay.constructor @Nil []
}
func.func private @id(%x: !relay.type_var<"A">) -> !relay.type_var<"A"> attributes {relay.type_params = ["A"]} {
  return %x : !relay.type_var<"A">
}

// What is called with it types a parameter, before or after.
// CHECK-LABEL: func.func @closure
// CHECK: relay.fn(%y: tensor<2xf32>) -> tensor<2xf32> {
// CHECK: relay.call %{{.+}}(%{{.+}}) : ((tensor<2xf32>) -> tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
func.func @closure(%x: tensor<2xf32>) -> !relay.incomplete {
  %f = relay.fn(%y: !relay.incomplete) -> !relay.incomplete {
    %0 = relay.abs %y : (!relay.incomplete) -> !relay.incomplete
    relay.yield %0 : !relay.incomplete
  }
  %1 = relay.call %f(%x) : ((!relay.incomplete) -> !relay.incomplete, tensor<2xf32>) -> !relay.incomplete
  return %1 : !relay.incomplete
}

// Each use of a function with type parameters has types of its own.
// CHECK-LABEL: func.func @uses
// CHECK: relay.global @id : (tensor<f32>) -> tensor<f32>
// CHECK: relay.global @id : (tuple<tensor<f32>, tensor<i32>>) -> tuple<tensor<f32>, tensor<i32>>
// CHECK: relay.tuple_get %{{.+}} {index = 1 : i64} : (tuple<tensor<f32>, tensor<i32>>) -> tensor<i32>
func.func @uses(%x: tensor<f32>, %n: tensor<i32>) -> !relay.incomplete {
  %f = relay.global @id : !relay.incomplete
  %0 = relay.call %f(%x) : (!relay.incomplete, tensor<f32>) -> !relay.incomplete
  %1 = relay.tuple %0, %n : (!relay.incomplete, tensor<i32>) -> !relay.incomplete
  %g = relay.global @id : !relay.incomplete
  %2 = relay.call %g(%1) : (!relay.incomplete, !relay.incomplete) -> !relay.incomplete
  %3 = relay.tuple_get %2 {index = 1 : i64} : (!relay.incomplete) -> !relay.incomplete
  return %3 : !relay.incomplete
}

// An empty list is of what the other arm puts into it.
// CHECK-LABEL: func.func @lists
// CHECK-SAME: -> !relay.adt<@List, tensor<f32>>
// CHECK: relay.construct @List::@Nil() : () -> !relay.adt<@List, tensor<f32>>
// CHECK: case @List::@Cons(%head: tensor<f32>, %tail: !relay.adt<@List, tensor<f32>>)
func.func @lists(%x: tensor<f32>, %c: tensor<i1>) -> !relay.incomplete {
  %0 = relay.if %c : (tensor<i1>) -> !relay.incomplete {
    %nil = relay.construct @List::@Nil() : () -> !relay.adt<@List, !relay.incomplete>
    relay.yield %nil : !relay.adt<@List, !relay.incomplete>
  } else {
    %nil = relay.construct @List::@Nil() : () -> !relay.incomplete
    %one = relay.construct @List::@Cons(%x, %nil) : (tensor<f32>, !relay.incomplete) -> !relay.incomplete
    relay.yield %one : !relay.incomplete
  }
  %1 = relay.match %0 : !relay.incomplete -> !relay.incomplete
  case @List::@Cons(%head: !relay.incomplete, %tail: !relay.incomplete) {
    relay.yield %tail : !relay.incomplete
  }
  case _ {
    relay.yield %0 : !relay.incomplete
  }
  return %1 : !relay.incomplete
}

// CHECK-LABEL: func.func @cells
// CHECK: relay.ref_read %{{.+}} : (!relay.ref<tensor<f32>>) -> tensor<f32>
func.func @cells(%x: tensor<f32>) -> !relay.incomplete {
  %0 = relay.ref_create %x : (tensor<f32>) -> !relay.incomplete
  %1 = relay.ref_read %0 : (!relay.incomplete) -> !relay.incomplete
  %2 = relay.ref_write %0, %1 : (!relay.incomplete, !relay.incomplete) -> !relay.incomplete
  return %2 : !relay.incomplete
}

// Where one branch does not know a dimension, nobody does.
// CHECK-LABEL: func.func @unknown
// CHECK: relay.abs %{{.+}} : (tensor<?xf32>) -> tensor<?xf32>
func.func @unknown(%x: tensor<3xf32>, %y: tensor<?xf32>, %f: (!relay.incomplete) -> !relay.incomplete) -> !relay.incomplete {
  %0 = relay.call %f(%x) : ((!relay.incomplete) -> !relay.incomplete, tensor<3xf32>) -> !relay.incomplete
  %1 = relay.call %f(%y) : ((!relay.incomplete) -> !relay.incomplete, tensor<?xf32>) -> tensor<?xf32>
  %2 = relay.abs %0 : (!relay.incomplete) -> !relay.incomplete
  return %2 : !relay.incomplete
}

// So has each use of one that is a value, also inside of itself.
// CHECK-LABEL: func.func @local_uses
// CHECK: relay.fn rec %[[SELF:.+]](%{{.+}}: !relay.type_var<"A">, %{{.+}}: tensor<i1>) -> !relay.type_var<"A">
// CHECK: relay.instantiate %[[SELF]] : {{.*}} -> ((!relay.type_var<"A">, tensor<i1>) -> !relay.type_var<"A">)
// CHECK: relay.instantiate %{{.+}} : {{.*}} -> ((tensor<f32>, tensor<i1>) -> tensor<f32>)
// CHECK: relay.instantiate %{{.+}} : {{.*}} -> ((tensor<2xi32>, tensor<i1>) -> tensor<2xi32>)
func.func @local_uses(%x: tensor<f32>, %n: tensor<2xi32>, %c: tensor<i1>) -> !relay.incomplete {
  %f = relay.fn rec %self(%y: !relay.type_var<"A">, %d: !relay.incomplete) -> !relay.type_var<"A"> attributes {relay.type_params = ["A"]} {
    %0 = relay.if %d : (!relay.incomplete) -> !relay.incomplete {
      relay.yield %y : !relay.type_var<"A">
    } else {
      %again = relay.instantiate %self : ((!relay.type_var<"A">, !relay.incomplete) -> !relay.type_var<"A">) -> !relay.incomplete
      %1 = relay.call %again(%y, %d) : (!relay.incomplete, !relay.type_var<"A">, !relay.incomplete) -> !relay.incomplete
      relay.yield %1 : !relay.incomplete
    }
    relay.yield %0 : !relay.incomplete
  }
  %g = relay.instantiate %f : ((!relay.type_var<"A">, !relay.incomplete) -> !relay.type_var<"A">) -> !relay.incomplete
  %2 = relay.call %g(%x, %c) : (!relay.incomplete, tensor<f32>, tensor<i1>) -> !relay.incomplete
  %h = relay.instantiate %f : ((!relay.type_var<"A">, !relay.incomplete) -> !relay.type_var<"A">) -> !relay.incomplete
  %3 = relay.call %h(%n, %c) : (!relay.incomplete, tensor<2xi32>, tensor<i1>) -> !relay.incomplete
  %4 = relay.tuple %2, %3 : (!relay.incomplete, !relay.incomplete) -> !relay.incomplete
  return %4 : !relay.incomplete
}

// The states of a loop have one type.
// CHECK-LABEL: func.func @loop
// CHECK: ^bb0(%{{.+}}: tensor<i64>, %{{.+}}: tensor<4xf32>, %{{.+}}: tensor<4xf32>):
// CHECK: relay.while %{{.+}}, %{{.+}}, %{{.+}} : (tensor<i64>, tensor<i1>, tensor<4xf32>) -> tensor<4xf32>
func.func @loop(%first: tensor<4xf32>, %xs: tensor<3x4xf32>, %n: tensor<i64>, %go: tensor<i1>) -> !relay.incomplete {
  %r:2 = relay.scan %first, %xs {states = 1 : i64, trips = [3], reversed = array<i64: 0, 0>}
      : (tensor<4xf32>, tensor<3x4xf32>) -> (!relay.incomplete, tensor<3x4xf32>) {
  ^bb0(%step: tensor<i64>, %before: !relay.incomplete, %x: tensor<4xf32>):
    %next = relay.add %before, %x : (!relay.incomplete, tensor<4xf32>) -> !relay.incomplete
    relay.yield %next, %x : !relay.incomplete, tensor<4xf32>
  }
  %0 = relay.while %n, %go, %r#0 : (tensor<i64>, tensor<i1>, !relay.incomplete) -> !relay.incomplete {
  ^bb0(%step: tensor<i64>, %before: !relay.incomplete):
    %next = relay.add %before, %before : (!relay.incomplete, !relay.incomplete) -> !relay.incomplete
    relay.yield %go, %next : tensor<i1>, !relay.incomplete
  }
  return %0 : !relay.incomplete
}

// -----

// A function is of one type where it is a parameter.
// expected-note@+2 {{tensor<2xf32> comes from here}}
// expected-note@+1 {{tensor<i32> comes from here}}
func.func @one(%f: !relay.incomplete, %x: tensor<2xf32>, %n: tensor<i32>) -> !relay.incomplete {
  %0 = relay.call %f(%x) : (!relay.incomplete, tensor<2xf32>) -> !relay.incomplete
  // expected-error@+1 {{'relay.call' op the callee is (tensor<2xf32>) -> !relay.incomplete, expected (tensor<i32>) -> !relay.incomplete: tensor<2xf32> is not tensor<i32>}}
  %1 = relay.call %f(%n) : (!relay.incomplete, tensor<i32>) -> !relay.incomplete
  return %1 : !relay.incomplete
}

// -----

func.func @itself(%f: !relay.incomplete) -> !relay.incomplete {
  // expected-error@+1 {{the type would contain itself}}
  %0 = relay.call %f(%f) : (!relay.incomplete, !relay.incomplete) -> !relay.incomplete
  return %0 : !relay.incomplete
}

// -----

func.func @field(%x: tensor<2xf32>) -> !relay.incomplete {
  // expected-note@+1 {{operand 0 is tuple<tensor<2xf32>>}}
  %0 = relay.tuple %x : (tensor<2xf32>) -> !relay.incomplete
  // expected-error@+1 {{'relay.tuple_get' op takes field 1 of tuple<tensor<2xf32>>}}
  %1 = relay.tuple_get %0 {index = 1 : i64} : (!relay.incomplete) -> !relay.incomplete
  return %1 : !relay.incomplete
}

// -----

// expected-error@+1 {{'func.func' op has the type !relay.adt<@List, tensor<f32>>, but no type @List is defined}}
func.func private @undefined(!relay.adt<@List, tensor<f32>>)

// -----

relay.type_def @Box ["A"] {
  // expected-error@+1 {{'relay.constructor' op has the type !relay.adt<@Box> with 0 arguments, but @Box has 1 type parameters}}
  relay.constructor @Of [!relay.adt<@Box>]
}

// -----

// expected-error@+1 {{has the type variable "A", which is no type parameter of the function}}
func.func private @variable(!relay.type_var<"A">)

// -----

relay.type_def @Box {
  relay.constructor @Of []
}
// expected-note@+1 {{tensor<i32> comes from here}}
func.func @branches(%c: tensor<i1>, %n: tensor<i32>) -> !relay.incomplete {
  // expected-note@+1 {{!relay.adt<@Box> comes from here}}
  %0 = relay.construct @Box::@Of() : () -> !relay.incomplete
  %1 = relay.if %c : (tensor<i1>) -> !relay.incomplete {
    relay.yield %0 : !relay.incomplete
  } else {
    // expected-error@+1 {{'relay.yield' op the else region is tensor<i32>, expected !relay.adt<@Box>}}
    relay.yield %n : tensor<i32>
  }
  return %1 : !relay.incomplete
}

// -----

!a = !relay.type_var<"A">
func.func @shadowed(%x: !a) -> !a attributes {relay.type_params = ["A"]} {
  // expected-error@+1 {{has the type parameter "A", which a function around it has, too: give it another name}}
  %f = relay.fn(%y: !a) -> !a attributes {relay.type_params = ["A"]} {
    relay.yield %y : !a
  }
  return %x : !a
}
