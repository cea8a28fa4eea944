// RUN: relay-opt %s --defunctionalization --split-input-file | FileCheck %s

// An argument: a function that sees a value is data with that value.
// CHECK: relay.type_def @Function0_0 {
// CHECK-NEXT: relay.constructor @Of_main_fn_0 [tensor<f32>]
// CHECK-NEXT: }
// CHECK: func.func private @apply(%arg0: !relay.adt<@Function0_0>, %arg1: tensor<f32>) -> tensor<f32>
// CHECK-NEXT: call @apply0_0(%arg0, %arg1) : (!relay.adt<@Function0_0>, tensor<f32>) -> tensor<f32>
// CHECK: func.func @main(
// CHECK-NEXT: %[[F:.+]] = relay.construct @Function0_0::@Of_main_fn_0(%arg1)
// CHECK-NEXT: call @apply(%[[F]], %arg0)
// CHECK: func.func private @apply0_0(%arg0: !relay.adt<@Function0_0>, %arg1: tensor<f32>) -> tensor<f32>
// CHECK-NEXT: relay.match %arg0
// CHECK-NEXT: case @Function0_0::@Of_main_fn_0(%[[Y:.+]]: tensor<f32>)
// CHECK-NEXT: func.call @main_fn_0(%[[Y]], %arg1)
func.func private @apply(%f: (tensor<f32>) -> tensor<f32>, %x: tensor<f32>) -> tensor<f32> {
  %0 = relay.call %f(%x) : ((tensor<f32>) -> tensor<f32>, tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}
func.func @main(%x: tensor<f32>, %y: tensor<f32>) -> tensor<f32> {
  %f = relay.fn(%z: tensor<f32>) -> tensor<f32> {
    %1 = relay.add %z, %y : (tensor<f32>, tensor<f32>) -> tensor<f32>
    relay.yield %1 : tensor<f32>
  }
  %0 = func.call @apply(%f, %x) : ((tensor<f32>) -> tensor<f32>, tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

// A function with type parameters, used with two functions of one type: one data type with two constructors.
relay.type_def @List ["A"] {
  relay.constructor @Cons [!relay.type_var<"A">, !relay.adt<@List, !relay.type_var<"A">>]
  relay.constructor @Nil []
}
// CHECK: relay.type_def @Function0_0
// CHECK-NEXT: relay.constructor @Of_double []
// CHECK-NEXT: relay.constructor @Of_square []
// CHECK-NEXT: }
// CHECK: func.func private @map_0(%arg0: !relay.adt<@Function0_0>, %arg1: !relay.adt<@List, tensor<f32>>)
// CHECK: func.call @apply0_0
// CHECK: func.call @map_0
// CHECK-NOT: relay.global
// CHECK-NOT: relay.closure
func.func private @map(%f: (!relay.type_var<"A">) -> !relay.type_var<"B">, %list: !relay.adt<@List, !relay.type_var<"A">>)
    -> !relay.adt<@List, !relay.type_var<"B">> attributes {relay.type_params = ["A", "B"]} {
  %0 = relay.match %list : !relay.adt<@List, !relay.type_var<"A">> -> !relay.adt<@List, !relay.type_var<"B">>
  case @List::@Cons(%x: !relay.type_var<"A">, %rest: !relay.adt<@List, !relay.type_var<"A">>) {
    %1 = relay.call %f(%x) : ((!relay.type_var<"A">) -> !relay.type_var<"B">, !relay.type_var<"A">) -> !relay.type_var<"B">
    %map = relay.global @map : ((!relay.type_var<"A">) -> !relay.type_var<"B">, !relay.adt<@List, !relay.type_var<"A">>) -> !relay.adt<@List, !relay.type_var<"B">>
    %2 = relay.call %map(%f, %rest) : (((!relay.type_var<"A">) -> !relay.type_var<"B">, !relay.adt<@List, !relay.type_var<"A">>) -> !relay.adt<@List, !relay.type_var<"B">>, (!relay.type_var<"A">) -> !relay.type_var<"B">, !relay.adt<@List, !relay.type_var<"A">>) -> !relay.adt<@List, !relay.type_var<"B">>
    %3 = relay.construct @List::@Cons(%1, %2) : (!relay.type_var<"B">, !relay.adt<@List, !relay.type_var<"B">>) -> !relay.adt<@List, !relay.type_var<"B">>
    relay.yield %3 : !relay.adt<@List, !relay.type_var<"B">>
  }
  case @List::@Nil() {
    %1 = relay.construct @List::@Nil() : () -> !relay.adt<@List, !relay.type_var<"B">>
    relay.yield %1 : !relay.adt<@List, !relay.type_var<"B">>
  }
  return %0 : !relay.adt<@List, !relay.type_var<"B">>
}
func.func private @double(%x: tensor<f32>) -> tensor<f32> {
  %0 = relay.add %x, %x : (tensor<f32>, tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}
func.func private @square(%x: tensor<f32>) -> tensor<f32> {
  %0 = relay.multiply %x, %x : (tensor<f32>, tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}
func.func @main(%list: !relay.adt<@List, tensor<f32>>) -> !relay.adt<@List, tensor<f32>> {
  %double = relay.global @double : (tensor<f32>) -> tensor<f32>
  %square = relay.global @square : (tensor<f32>) -> tensor<f32>
  %map = relay.global @map : ((tensor<f32>) -> tensor<f32>, !relay.adt<@List, tensor<f32>>) -> !relay.adt<@List, tensor<f32>>
  %0 = relay.call %map(%double, %list) : (((tensor<f32>) -> tensor<f32>, !relay.adt<@List, tensor<f32>>) -> !relay.adt<@List, tensor<f32>>, (tensor<f32>) -> tensor<f32>, !relay.adt<@List, tensor<f32>>) -> !relay.adt<@List, tensor<f32>>
  %1 = relay.call %map(%square, %0) : (((tensor<f32>) -> tensor<f32>, !relay.adt<@List, tensor<f32>>) -> !relay.adt<@List, tensor<f32>>, (tensor<f32>) -> tensor<f32>, !relay.adt<@List, tensor<f32>>) -> !relay.adt<@List, tensor<f32>>
  return %1 : !relay.adt<@List, tensor<f32>>
}

// -----

// Data that holds a function of its type parameter becomes a type of its own, in patterns and constructors, too.
relay.type_def @Lazy ["A"] {
  relay.constructor @Lazy [() -> !relay.type_var<"A">]
}
// CHECK: relay.type_def @Lazy_0 {
// CHECK-NEXT: relay.constructor @Lazy [!relay.adt<@Function0_0>]
// CHECK: relay.type_def @Function0_0 {
// CHECK-NEXT: relay.constructor @Of_main_fn_0 [tensor<f32>]
// CHECK-NOT: relay.type_def
// CHECK: func.func @main(
// CHECK-NEXT: %[[F:.+]] = relay.construct @Function0_0::@Of_main_fn_0(%arg0)
// CHECK-NEXT: %[[L:.+]] = relay.construct @Lazy_0::@Lazy(%[[F]])
// CHECK-NEXT: relay.match %[[L]] : !relay.adt<@Lazy_0> -> tensor<f32>
// CHECK-NEXT: case @Lazy_0::@Lazy(%[[G:.+]]: !relay.adt<@Function0_0>)
// CHECK-NEXT: func.call @apply0_0(%[[G]])
func.func @main(%x: tensor<f32>) -> tensor<f32> {
  %f = relay.fn() -> tensor<f32> {
    %1 = relay.negative %x : (tensor<f32>) -> tensor<f32>
    relay.yield %1 : tensor<f32>
  }
  %lazy = relay.construct @Lazy::@Lazy(%f) : (() -> tensor<f32>) -> !relay.adt<@Lazy, tensor<f32>>
  %0 = relay.match %lazy : !relay.adt<@Lazy, tensor<f32>> -> tensor<f32>
  case @Lazy::@Lazy(%g: () -> tensor<f32>) {
    %1 = relay.call %g() : (() -> tensor<f32>) -> tensor<f32>
    relay.yield %1 : tensor<f32>
  }
  return %0 : tensor<f32>
}

// -----

// A first-order program stays as it is.
// CHECK: func.func @main(
// CHECK-NEXT: relay.abs
// CHECK-NEXT: return
// CHECK-NOT: relay.type_def
func.func @main(%x: tensor<f32>) -> tensor<f32> {
  %0 = relay.abs %x : (tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}
