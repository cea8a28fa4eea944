// RUN: relay-opt %s --to-a-normal-form --split-input-file | FileCheck %s
// The order does not depend on the order of the input: once more changes nothing.
// RUN: relay-opt %s --to-a-normal-form --split-input-file -o %t.once
// RUN: relay-opt %t.once --to-a-normal-form --split-input-file -o %t.twice
// RUN: diff %t.once %t.twice

// x + y * z: constants come where they are needed, in the order of operands.
// CHECK-LABEL: func.func @order(
// CHECK-NEXT: %[[X:.+]] = relay.constant dense<1>
// CHECK-NEXT: %[[Y:.+]] = relay.constant dense<2>
// CHECK-NEXT: %[[Z:.+]] = relay.constant dense<3>
// CHECK-NEXT: %[[D:.+]] = relay.multiply %[[Y]], %[[Z]]
// CHECK-NEXT: %[[E:.+]] = relay.add %[[X]], %[[D]]
// CHECK-NEXT: return %[[E]]
func.func @order() -> tensor<i32> {
  %z = relay.constant dense<3> : tensor<i32>
  %y = relay.constant dense<2> : tensor<i32>
  %0 = relay.multiply %y, %z : (tensor<i32>, tensor<i32>) -> tensor<i32>
  %x = relay.constant dense<1> : tensor<i32>
  %1 = relay.add %x, %0 : (tensor<i32>, tensor<i32>) -> tensor<i32>
  return %1 : tensor<i32>
}

// -----

// Values go into their branches.
// CHECK-LABEL: func.func @branches(
// CHECK-NEXT: relay.if
// CHECK-NEXT: relay.constant dense<2>
// CHECK: else
// CHECK-NEXT: relay.constant dense<3>
func.func @branches(%c: tensor<i1>) -> tensor<i32> {
  %three = relay.constant dense<3> : tensor<i32>
  %two = relay.constant dense<2> : tensor<i32>
  %0 = relay.if %c : (tensor<i1>) -> tensor<i32> {
    relay.yield %two : tensor<i32>
  } else {
    relay.yield %three : tensor<i32>
  }
  return %0 : tensor<i32>
}

// -----

// What a function sees stays outside of it, right before it; inside, the same order holds.
// CHECK-LABEL: func.func @function(
// CHECK-NEXT: relay.negative
// CHECK-NEXT: relay.abs
// CHECK-NEXT: relay.fn
// CHECK-NEXT: relay.exp
// CHECK-NEXT: relay.log
// CHECK-NEXT: relay.subtract
func.func @function(%x: tensor<f32>) -> tuple<tensor<f32>, (tensor<f32>) -> tensor<f32>> {
  %0 = relay.abs %x : (tensor<f32>) -> tensor<f32>
  %1 = relay.negative %x : (tensor<f32>) -> tensor<f32>
  %f = relay.fn(%y: tensor<f32>) -> tensor<f32> {
    %2 = relay.log %0 : (tensor<f32>) -> tensor<f32>
    %3 = relay.exp %y : (tensor<f32>) -> tensor<f32>
    %4 = relay.subtract %3, %2 : (tensor<f32>, tensor<f32>) -> tensor<f32>
    relay.yield %4 : tensor<f32>
  }
  %5 = relay.tuple %1, %f : (tensor<f32>, (tensor<f32>) -> tensor<f32>) -> tuple<tensor<f32>, (tensor<f32>) -> tensor<f32>>
  return %5 : tuple<tensor<f32>, (tensor<f32>) -> tensor<f32>>
}

// -----

// Effects keep their order, whatever the end needs first; what nothing uses keeps its place among them.
// CHECK-LABEL: func.func @effects(
// CHECK-NEXT: %[[ONE:.+]] = relay.constant dense<1>
// CHECK-NEXT: %[[R:.+]] = relay.ref_create %[[ONE]]
// CHECK-NEXT: %[[A:.+]] = relay.ref_read %[[R]]
// CHECK-NEXT: relay.abs %[[A]]
// CHECK-NEXT: %[[TWO:.+]] = relay.constant dense<2>
// CHECK-NEXT: relay.ref_write %[[R]], %[[TWO]]
// CHECK-NEXT: %[[B:.+]] = relay.ref_read %[[R]]
// CHECK-NEXT: relay.add %[[B]], %[[A]]
func.func @effects() -> tensor<i32> {
  %two = relay.constant dense<2> : tensor<i32>
  %one = relay.constant dense<1> : tensor<i32>
  %r = relay.ref_create %one : (tensor<i32>) -> !relay.ref<tensor<i32>>
  %a = relay.ref_read %r : (!relay.ref<tensor<i32>>) -> tensor<i32>
  %unused = relay.abs %a : (tensor<i32>) -> tensor<i32>
  %u = relay.ref_write %r, %two : (!relay.ref<tensor<i32>>, tensor<i32>) -> tuple<>
  %b = relay.ref_read %r : (!relay.ref<tensor<i32>>) -> tensor<i32>
  %0 = relay.add %b, %a : (tensor<i32>, tensor<i32>) -> tensor<i32>
  return %0 : tensor<i32>
}
