// RUN: relay-opt %s --to-cps --split-input-file | FileCheck %s

// The identity hands on its argument.
// CHECK-LABEL: func.func @id(
// CHECK-SAME: %arg0: tensor<f32>, %arg1: (tensor<f32>) -> !relay.type_var<"answer">) -> !relay.type_var<"answer">
// CHECK-SAME: relay.type_params = ["answer"]
// CHECK-NEXT: %[[A:.+]] = relay.call %arg1(%arg0)
// CHECK-NEXT: return %[[A]]
func.func @id(%x: tensor<f32>) -> tensor<f32> {
  return %x : tensor<f32>
}

// -----

// A function that takes one: the first call hands on to what calls it again; that hands on to the caller's function at
// once.
// CHECK-LABEL: func.func @twice(
// CHECK-SAME: %arg0: (tensor<f32>, (tensor<f32>) -> !relay.type_var<"answer">) -> !relay.type_var<"answer">
// CHECK-SAME: %arg1: tensor<f32>
// CHECK-SAME: %arg2: (tensor<f32>) -> !relay.type_var<"answer">) -> !relay.type_var<"answer">
// CHECK-NEXT: %[[REST:.+]] = relay.fn(%[[Y:.+]]: tensor<f32>) -> !relay.type_var<"answer">
// CHECK-NEXT: %[[B:.+]] = relay.call %arg0(%[[Y]], %arg2)
// CHECK-NEXT: relay.yield %[[B]]
// CHECK: %[[A:.+]] = relay.call %arg0(%arg1, %[[REST]])
// CHECK-NEXT: return %[[A]]
func.func @twice(%f: (tensor<f32>) -> tensor<f32>, %x: tensor<f32>) -> tensor<f32> {
  %0 = relay.call %f(%x) : ((tensor<f32>) -> tensor<f32>, tensor<f32>) -> tensor<f32>
  %1 = relay.call %f(%0) : ((tensor<f32>) -> tensor<f32>, tensor<f32>) -> tensor<f32>
  return %1 : tensor<f32>
}

// -----

// What comes after a branch is one function that both sides call, and so does a recursive function.
// CHECK-LABEL: func.func @sum(
// CHECK: %[[AFTER:.+]] = relay.fn(%[[R:.+]]: tensor<i32>)
// CHECK: relay.add %[[R]],
// CHECK: relay.call %arg1
// CHECK: %[[ANSWER:.+]] = relay.if %{{.+}} : (tensor<i1>) -> !relay.type_var<"answer"> {
// CHECK-NEXT: relay.call %[[AFTER]](%arg0)
// CHECK: else
// CHECK: %[[SELF:.+]] = relay.global @sum
// CHECK-NEXT: relay.call %[[SELF]](%{{.+}}, %[[AFTER]])
// CHECK: return %[[ANSWER]]
func.func @sum(%n: tensor<i32>) -> tensor<i32> {
  %one = relay.constant dense<1> : tensor<i32>
  %c = relay.less %n, %one : (tensor<i32>, tensor<i32>) -> tensor<i1>
  %0 = relay.if %c : (tensor<i1>) -> tensor<i32> {
    relay.yield %n : tensor<i32>
  } else {
    %1 = relay.subtract %n, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %2 = func.call @sum(%1) : (tensor<i32>) -> tensor<i32>
    relay.yield %2 : tensor<i32>
  }
  %3 = relay.add %0, %n : (tensor<i32>, tensor<i32>) -> tensor<i32>
  return %3 : tensor<i32>
}

// -----

// Data with functions inside depends on the answer; other data does not. Reads and writes keep their order around calls.
// CHECK: relay.type_def @Object ["A", "answer"] {
// CHECK-NEXT: relay.constructor @Object [!relay.type_var<"A">, (!relay.type_var<"A">, (!relay.adt<@Object, !relay.type_var<"A">, !relay.type_var<"answer">>) -> !relay.type_var<"answer">) -> !relay.type_var<"answer">]
relay.type_def @Object ["A"] {
  relay.constructor @Object [!relay.type_var<"A">, (!relay.type_var<"A">) -> !relay.adt<@Object, !relay.type_var<"A">>]
}
// CHECK: relay.type_def @Box ["A"] {
// CHECK-NEXT: relay.constructor @Box [!relay.type_var<"A">]
relay.type_def @Box ["A"] {
  relay.constructor @Box [!relay.type_var<"A">]
}
// CHECK-LABEL: func.func @data(
// CHECK-SAME: !relay.adt<@Object, tensor<f32>, !relay.type_var<"answer">>
// CHECK-SAME: !relay.adt<@Box, !relay.ref<tensor<f32>>>
// CHECK: relay.fn(
// CHECK: relay.fn(
// CHECK-NEXT: relay.ref_read
// CHECK: relay.match %arg0
// CHECK: relay.ref_write
// CHECK: relay.call %{{.+}}(%{{.+}}, %{{.+}})
// CHECK: relay.match %arg1
func.func @data(%o: !relay.adt<@Object, tensor<f32>>, %b: !relay.adt<@Box, !relay.ref<tensor<f32>>>) -> tensor<f32> {
  %r = relay.match %b : !relay.adt<@Box, !relay.ref<tensor<f32>>> -> !relay.ref<tensor<f32>>
  case @Box::@Box(%x: !relay.ref<tensor<f32>>) {
    relay.yield %x : !relay.ref<tensor<f32>>
  }
  %next = relay.match %o : !relay.adt<@Object, tensor<f32>> -> !relay.adt<@Object, tensor<f32>>
  case @Object::@Object(%x: tensor<f32>, %f: (tensor<f32>) -> !relay.adt<@Object, tensor<f32>>) {
    %u = relay.ref_write %r, %x : (!relay.ref<tensor<f32>>, tensor<f32>) -> tuple<>
    %1 = relay.call %f(%x) : ((tensor<f32>) -> !relay.adt<@Object, tensor<f32>>, tensor<f32>) -> !relay.adt<@Object, tensor<f32>>
    relay.yield %1 : !relay.adt<@Object, tensor<f32>>
  }
  %0 = relay.ref_read %r : (!relay.ref<tensor<f32>>) -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

// Functions of operators, and those without a body, are called as before.
func.func private @outside(%x: tensor<f32>) -> tensor<f32>
// CHECK: func.func private @fused_abs(%arg0: tensor<f32>) -> tensor<f32>
func.func private @fused_abs(%x: tensor<f32>) -> tensor<f32> attributes {relay.primitive} {
  %0 = relay.abs %x : (tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}
// CHECK-LABEL: func.func @main(
// CHECK-NEXT: %[[Y:.+]] = call @fused_abs(%arg0)
// CHECK-NEXT: %[[Z:.+]] = call @outside(%[[Y]])
// CHECK-NEXT: relay.call %arg1(%[[Z]])
func.func @main(%x: tensor<f32>) -> tensor<f32> {
  %0 = func.call @fused_abs(%x) : (tensor<f32>) -> tensor<f32>
  %1 = func.call @outside(%0) : (tensor<f32>) -> tensor<f32>
  return %1 : tensor<f32>
}

// -----

// A type parameter of that name is another one.
// CHECK-LABEL: func.func @named(
// CHECK-SAME: relay.type_params = ["answer", "answer_"]
func.func @named(%x: !relay.type_var<"answer">) -> !relay.type_var<"answer"> attributes {relay.type_params = ["answer"]} {
  return %x : !relay.type_var<"answer">
}
