// RUN: relay-opt %s --lambda-lift --split-input-file | FileCheck %s

// What it sees comes first; constants are made anew.
// CHECK-LABEL: func.func @main(
// CHECK: %[[F:.+]] = relay.closure @main_fn_0(%arg0) : (tensor<f32>) -> ((tensor<f32>) -> tensor<f32>)
// CHECK: return %[[F]]
// CHECK: func.func private @main_fn_0(%arg0: tensor<f32>, %arg1: tensor<f32>) -> tensor<f32>
// CHECK: %[[C:.+]] = relay.constant dense<2.0
// CHECK: relay.multiply %arg1, %[[C]]
// CHECK: relay.add %{{.+}}, %arg0
// CHECK: return
func.func @main(%x: tensor<f32>) -> ((tensor<f32>) -> tensor<f32>) {
  %c = relay.constant dense<2.0> : tensor<f32>
  %f = relay.fn(%y: tensor<f32>) -> tensor<f32> {
    %0 = relay.multiply %y, %c : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %1 = relay.add %0, %x : (tensor<f32>, tensor<f32>) -> tensor<f32>
    relay.yield %1 : tensor<f32>
  }
  return %f : (tensor<f32>) -> tensor<f32>
}

// -----

// One that calls itself, and is called where it is known: nothing is made for it.
// CHECK-LABEL: func.func @recursive(
// CHECK-NOT: relay.closure
// CHECK: call @recursive_fn_0(%arg1, %arg0) : (tensor<f32>, tensor<i32>) -> tensor<f32>
// CHECK: func.func private @recursive_fn_0(%arg0: tensor<f32>, %arg1: tensor<i32>) -> tensor<f32>
// CHECK-NOT: relay.closure
// CHECK: relay.if
// CHECK: func.call @recursive_fn_0(%arg0, %arg1)
func.func @recursive(%n: tensor<i32>, %x: tensor<f32>) -> tensor<f32> {
  %loop = relay.fn rec %again(%i: tensor<i32>) -> tensor<f32> {
    %zero = relay.constant dense<0> : tensor<i32>
    %done = relay.less %i, %zero : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %0 = relay.if %done : (tensor<i1>) -> tensor<f32> {
      relay.yield %x : tensor<f32>
    } else {
      %1 = relay.call %again(%i) : ((tensor<i32>) -> tensor<f32>, tensor<i32>) -> tensor<f32>
      relay.yield %1 : tensor<f32>
    }
    relay.yield %0 : tensor<f32>
  }
  %2 = relay.call %loop(%n) : ((tensor<i32>) -> tensor<f32>, tensor<i32>) -> tensor<f32>
  return %2 : tensor<f32>
}

// -----

// A function in a function: the outer one passes on what the inner one sees.
// CHECK-LABEL: func.func @nested(
// CHECK: relay.closure @nested_fn_0(%arg0)
// CHECK: func.func private @nested_fn_0(%arg0: tensor<f32>, %arg1: tensor<f32>)
// CHECK: relay.closure @nested_fn_0_fn_0(%arg1, %arg0) : (tensor<f32>, tensor<f32>) -> (() -> tensor<f32>)
// CHECK: func.func private @nested_fn_0_fn_0(%arg0: tensor<f32>, %arg1: tensor<f32>) -> tensor<f32>
// CHECK: relay.add %arg0, %arg1
func.func @nested(%x: tensor<f32>) -> ((tensor<f32>) -> (() -> tensor<f32>)) {
  %f = relay.fn(%y: tensor<f32>) -> (() -> tensor<f32>) {
    %g = relay.fn() -> tensor<f32> {
      %0 = relay.add %y, %x : (tensor<f32>, tensor<f32>) -> tensor<f32>
      relay.yield %0 : tensor<f32>
    }
    relay.yield %g : () -> tensor<f32>
  }
  return %f : (tensor<f32>) -> (() -> tensor<f32>)
}

// -----

// Without functions that are values, nothing happens.
// CHECK-LABEL: func.func @none(
// CHECK-NEXT: return
func.func @none(%x: tensor<f32>) -> tensor<f32> {
  return %x : tensor<f32>
}
