// RUN: %roundtrip | FileCheck %s

// CHECK: relay.type_def @List ["A"] {
// CHECK-NEXT: relay.constructor @Cons [!relay.type_var<"A">, !relay.adt<@List, !relay.type_var<"A">>]
// CHECK-NEXT: relay.constructor @Nil []
relay.type_def @List ["A"] {
  relay.constructor @Cons [!relay.type_var<"A">, !relay.adt<@List, !relay.type_var<"A">>]
  relay.constructor @Nil []
}

// Types may name each other.
relay.type_def @Even {
  relay.constructor @Zero []
  relay.constructor @AfterOdd [!relay.adt<@Odd>]
}
relay.type_def @Odd {
  relay.constructor @AfterEven [!relay.adt<@Even>]
}

// CHECK: relay.type_def @Opaque {
relay.type_def @Opaque {
}

// CHECK-LABEL: func.func @sum
func.func @sum(%list: !relay.adt<@List, tensor<f32>>) -> tensor<f32> {
  // CHECK: %[[R:.+]] = relay.match %{{.+}} : !relay.adt<@List, tensor<f32>> -> tensor<f32>
  // CHECK-NEXT: case @List::@Cons(%head: tensor<f32>, @List::@Cons(%next: tensor<f32>, _)) {
  // CHECK: relay.yield
  // CHECK: case @List::@Cons(%{{.+}}: tensor<f32>, %{{.+}}: !relay.adt<@List, tensor<f32>>) {
  // CHECK: case _ {
  %0 = relay.match %list : !relay.adt<@List, tensor<f32>> -> tensor<f32>
  case @List::@Cons(%head: tensor<f32>, @List::@Cons(%next: tensor<f32>, _)) {
    %1 = relay.add %head, %next : (tensor<f32>, tensor<f32>) -> tensor<f32>
    relay.yield %1 : tensor<f32>
  }
  case @List::@Cons(%0: tensor<f32>, %1: !relay.adt<@List, tensor<f32>>) {
    relay.yield %0 : tensor<f32>
  }
  case _ {
    %zero = relay.constant dense<0.0> : tensor<f32>
    relay.yield %zero : tensor<f32>
  }
  return %0 : tensor<f32>
}

// CHECK-LABEL: func.func @construct
func.func @construct(%x: tensor<f32>) -> !relay.adt<@List, tensor<f32>> {
  // CHECK: relay.construct @List::@Nil() : () -> !relay.adt<@List, tensor<f32>>
  %nil = relay.construct @List::@Nil() : () -> !relay.adt<@List, tensor<f32>>
  %one = relay.construct @List::@Cons(%x, %nil) : (tensor<f32>, !relay.adt<@List, tensor<f32>>) -> !relay.adt<@List, tensor<f32>>
  // CHECK: relay.construct @List::@Nil() : () -> !relay.incomplete
  %open = relay.construct @List::@Nil() : () -> !relay.incomplete
  return %one : !relay.adt<@List, tensor<f32>>
}

// CHECK-LABEL: func.func @tuples
func.func @tuples(%pair: tuple<!relay.adt<@Even>, tuple<tensor<f32>, tensor<i32>>>) -> tensor<f32> {
  // CHECK: relay.match %{{.+}}
  // CHECK-NEXT: case (@Even::@Zero(), (%a: tensor<f32>, _)) {
  // CHECK: case (@Even::@AfterOdd(_), (%b: tensor<f32>, %c: tensor<i32>)) {
  %0 = relay.match %pair : tuple<!relay.adt<@Even>, tuple<tensor<f32>, tensor<i32>>> -> tensor<f32>
  case (@Even::@Zero(), (%a: tensor<f32>, _)) {
    relay.yield %a : tensor<f32>
  }
  case (@Even::@AfterOdd(_), (%b: tensor<f32>, %c: tensor<i32>)) {
    relay.yield %b : tensor<f32>
  }
  return %0 : tensor<f32>
}

// CHECK-LABEL: func.func @partial
func.func @partial(%list: !relay.adt<@List, tensor<f32>>) -> tensor<f32> {
  // CHECK: relay.match partial %{{.+}} : !relay.adt<@List, tensor<f32>> -> tensor<f32>
  %0 = relay.match partial %list : !relay.adt<@List, tensor<f32>> -> tensor<f32>
  case @List::@Cons(%x: tensor<f32>, _) {
    relay.yield %x : tensor<f32>
  }
  return %0 : tensor<f32>
}
