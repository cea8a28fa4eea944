// RUN: relay-opt %s --partial-evaluate --fold-constant --split-input-file | FileCheck %s
// RUN: relay-opt %s --partial-evaluate=max-calls=4 --split-input-file | FileCheck %s --check-prefix=FOUR

// The sum of the numbers up to 10: the recursion ends where the condition says.
// CHECK-LABEL: func.func @triangle(
// CHECK-NEXT: %[[SUM:.+]] = relay.constant dense<55>
// CHECK-NEXT: return %[[SUM]]
// With fewer calls, what is left is a call.
// FOUR-LABEL: func.func @triangle(
// FOUR: relay.call
// FOUR-COUNT-4: relay.add
func.func @triangle() -> tensor<i32> {
  %f = relay.fn rec %again(%x: tensor<i32>) -> tensor<i32> {
    %zero = relay.constant dense<0> : tensor<i32>
    %one = relay.constant dense<1> : tensor<i32>
    %c = relay.equal %x, %zero : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %1 = relay.if %c : (tensor<i1>) -> tensor<i32> {
      relay.yield %zero : tensor<i32>
    } else {
      %2 = relay.subtract %x, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
      %3 = relay.call %again(%2) : ((tensor<i32>) -> tensor<i32>, tensor<i32>) -> tensor<i32>
      %4 = relay.add %x, %3 : (tensor<i32>, tensor<i32>) -> tensor<i32>
      relay.yield %4 : tensor<i32>
    }
    relay.yield %1 : tensor<i32>
  }
  %ten = relay.constant dense<10> : tensor<i32>
  %0 = relay.call %f(%ten) : ((tensor<i32>) -> tensor<i32>, tensor<i32>) -> tensor<i32>
  return %0 : tensor<i32>
}

// -----

// A condition on all elements of a tensor.
// CHECK-LABEL: func.func @reduced(
// CHECK-NOT: relay.if
// CHECK: relay.abs
func.func @reduced(%x: tensor<f32>) -> tensor<f32> {
  %t = relay.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
  %five = relay.constant dense<5.0> : tensor<f32>
  %s = relay.sum %t {axis = array<i64: 0>} : (tensor<3xf32>) -> tensor<f32>
  %c = relay.greater %s, %five : (tensor<f32>, tensor<f32>) -> tensor<i1>
  %0 = relay.if %c : (tensor<i1>) -> tensor<f32> {
    %1 = relay.abs %x : (tensor<f32>) -> tensor<f32>
    relay.yield %1 : tensor<f32>
  } else {
    %1 = relay.exp %x : (tensor<f32>) -> tensor<f32>
    relay.yield %1 : tensor<f32>
  }
  return %0 : tensor<f32>
}

// -----

// A function with a power that is known, applied by another one; both are functions with type parameters.
// CHECK-LABEL: func.func @main(
// CHECK-NEXT: relay.constant dense<1.0
// CHECK-NEXT: relay.multiply
// CHECK-NEXT: relay.multiply
// CHECK-NEXT: relay.multiply
// CHECK-NEXT: return
func.func private @apply(%f: (!relay.type_var<"A">) -> !relay.type_var<"A">, %x: !relay.type_var<"A">) -> !relay.type_var<"A">
    attributes {relay.type_params = ["A"]} {
  %0 = relay.call %f(%x) : ((!relay.type_var<"A">) -> !relay.type_var<"A">, !relay.type_var<"A">) -> !relay.type_var<"A">
  return %0 : !relay.type_var<"A">
}
func.func private @power(%x: tensor<f32>, %n: tensor<i32>) -> tensor<f32> {
  %zero = relay.constant dense<0> : tensor<i32>
  %c = relay.equal %n, %zero : (tensor<i32>, tensor<i32>) -> tensor<i1>
  %0 = relay.if %c : (tensor<i1>) -> tensor<f32> {
    %one = relay.constant dense<1.0> : tensor<f32>
    relay.yield %one : tensor<f32>
  } else {
    %one = relay.constant dense<1> : tensor<i32>
    %less = relay.subtract %n, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %rest = func.call @power(%x, %less) : (tensor<f32>, tensor<i32>) -> tensor<f32>
    %1 = relay.multiply %x, %rest : (tensor<f32>, tensor<f32>) -> tensor<f32>
    relay.yield %1 : tensor<f32>
  }
  return %0 : tensor<f32>
}
func.func @main(%x: tensor<f32>) -> tensor<f32> {
  %three = relay.constant dense<3> : tensor<i32>
  %cube = relay.fn(%y: tensor<f32>) -> tensor<f32> {
    %1 = func.call @power(%y, %three) : (tensor<f32>, tensor<i32>) -> tensor<f32>
    relay.yield %1 : tensor<f32>
  }
  %apply = relay.global @apply : ((tensor<f32>) -> tensor<f32>, tensor<f32>) -> tensor<f32>
  %0 = relay.call %apply(%cube, %x) : (((tensor<f32>) -> tensor<f32>, tensor<f32>) -> tensor<f32>, (tensor<f32>) -> tensor<f32>, tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}
