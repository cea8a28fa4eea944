// RUN: relay-opt %s --to-graph-normal-form --split-input-file | FileCheck %s
// There and back is the same: both forms order values alike.
// RUN: relay-opt %s --to-graph-normal-form --split-input-file -o %t.graph
// RUN: relay-opt %t.graph --to-a-normal-form --split-input-file -o %t.back
// RUN: diff %t.graph %t.back

// What is shared is computed once.
// CHECK-LABEL: func.func @share(
// CHECK-NEXT: %[[X:.+]] = relay.constant dense<1>
// CHECK-NEXT: %[[Y:.+]] = relay.add %[[X]], %[[X]]
// CHECK-NEXT: %[[Z:.+]] = relay.add %[[Y]], %[[Y]]
// CHECK-NEXT: relay.add %[[Z]], %[[Z]]
func.func @share() -> tensor<i32> {
  %x = relay.constant dense<1> : tensor<i32>
  %y = relay.add %x, %x : (tensor<i32>, tensor<i32>) -> tensor<i32>
  %z = relay.add %y, %y : (tensor<i32>, tensor<i32>) -> tensor<i32>
  %0 = relay.add %z, %z : (tensor<i32>, tensor<i32>) -> tensor<i32>
  return %0 : tensor<i32>
}

// -----

// What nothing needs goes, with what only it needs; also inside of branches.
// CHECK-LABEL: func.func @unused(
// CHECK-NEXT: relay.if
// CHECK-NEXT: relay.negative
// CHECK-NEXT: relay.yield
// CHECK-NEXT: } else {
// CHECK-NEXT: relay.yield
func.func @unused(%c: tensor<i1>, %x: tensor<f32>) -> tensor<f32> {
  %one = relay.constant dense<1.0> : tensor<f32>
  %0 = relay.add %x, %one : (tensor<f32>, tensor<f32>) -> tensor<f32>
  %f = relay.fn() -> tensor<f32> {
    relay.yield %0 : tensor<f32>
  }
  %1 = relay.negative %x : (tensor<f32>) -> tensor<f32>
  %2 = relay.if %c : (tensor<i1>) -> tensor<f32> {
    relay.yield %1 : tensor<f32>
  } else {
    %3 = relay.abs %x : (tensor<f32>) -> tensor<f32>
    relay.yield %x : tensor<f32>
  }
  return %2 : tensor<f32>
}

// -----

// Calls and writes stay, in their order.
// CHECK-LABEL: func.func @effects(
// CHECK-NEXT: relay.call %arg1
// CHECK-NEXT: relay.ref_write
// CHECK-NEXT: relay.call %arg1
// CHECK-NEXT: return
func.func @effects(%r: !relay.ref<tensor<f32>>, %f: () -> tensor<f32>, %x: tensor<f32>) {
  %0 = relay.call %f() : (() -> tensor<f32>) -> tensor<f32>
  %1 = relay.ref_write %r, %x : (!relay.ref<tensor<f32>>, tensor<f32>) -> tuple<>
  %2 = relay.call %f() : (() -> tensor<f32>) -> tensor<f32>
  return
}
