// RUN: relay-opt %s --un-cps --split-input-file | FileCheck %s
// After to-cps, un-cps leaves the types and the names of parameters that there were.
// RUN: relay-opt %s --un-cps --to-cps --un-cps --split-input-file | FileCheck %s --check-prefix=BACK

!answer = !relay.type_var<"answer">
// Its own name becomes that of a function that gives what it hands on. Calls of it stay calls of it.
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %arg0: tensor<i32> {relay.name = "n"}) -> tensor<i32> {
// CHECK-NEXT: %[[ID:.+]] = relay.fn(%[[X:.+]]: tensor<i32>) -> tensor<i32> {
// CHECK-NEXT: relay.yield %[[X]]
// CHECK-NEXT: }
// CHECK-NEXT: %[[CPS:.+]] = relay.global @main_cps_0 : (tensor<i32>, (tensor<i32>) -> tensor<i32>) -> tensor<i32>
// CHECK-NEXT: %[[R:.+]] = relay.call %[[CPS]](%arg0, %[[ID]])
// CHECK-NEXT: return %[[R]]
// CHECK: func.func private @main_cps_0(
// CHECK: relay.global @main_cps_0
// BACK-LABEL: func.func @main(
// BACK-SAME: %arg0: tensor<i32> {relay.name = "n"}) -> tensor<i32> {
func.func @main(%n: tensor<i32> {relay.name = "n"}, %k: (tensor<i32>) -> !answer) -> !answer attributes {relay.type_params = ["answer"]} {
  %main = relay.global @main : (tensor<i32>, (tensor<i32>) -> !answer) -> !answer
  %0 = relay.call %main(%n, %k) : ((tensor<i32>, (tensor<i32>) -> !answer) -> !answer, tensor<i32>, (tensor<i32>) -> !answer) -> !answer
  return %0 : !answer
}

// -----

!answer = !relay.type_var<"answer">
// Several results come back in a tuple; another type parameter stays one.
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %arg0: !relay.type_var<"A">) -> (!relay.type_var<"A">, !relay.type_var<"A">)
// CHECK-SAME: relay.type_params = ["A"]
// CHECK: %[[R:.+]] = relay.call
// CHECK-NEXT: %[[FIRST:.+]] = relay.tuple_get %[[R]] {index = 0
// CHECK-NEXT: %[[SECOND:.+]] = relay.tuple_get %[[R]] {index = 1
// CHECK-NEXT: return %[[FIRST]], %[[SECOND]]
// BACK-LABEL: func.func @main(
// BACK-SAME: %arg0: !relay.type_var<"A">) -> (!relay.type_var<"A">, !relay.type_var<"A">)
func.func @main(%x: !relay.type_var<"A">, %k: (!relay.type_var<"A">, !relay.type_var<"A">) -> !answer) -> !answer attributes {relay.type_params = ["A", "answer"]} {
  %0 = relay.call %k(%x, %x) : ((!relay.type_var<"A">, !relay.type_var<"A">) -> !answer, !relay.type_var<"A">, !relay.type_var<"A">) -> !answer
  return %0 : !answer
}

// -----

// What hands on nothing stays: its result is a type parameter, but its last argument is no function.
// CHECK-LABEL: func.func @main(
// CHECK-NEXT: return %arg0
func.func @main(%x: !relay.type_var<"A">, %y: !relay.type_var<"A">) -> !relay.type_var<"A"> attributes {relay.type_params = ["A"]} {
  return %x : !relay.type_var<"A">
}
