// RUN: relay-opt %s --to-cps --un-cps --partial-evaluate --dead-code-elimination | FileCheck %s

// Functions that hand on are called where they are known: the program is direct again, without any function.
// CHECK-NOT: @main_cps
// CHECK: func.func @main(%arg0: tensor<i1>, %arg1: tensor<f32>) -> tensor<f32> {
// CHECK-NEXT: %[[X:.+]] = relay.abs %arg1
// CHECK-NEXT: %[[R:.+]] = relay.if %arg0
// CHECK-NEXT: %[[A:.+]] = relay.exp %[[X]]
// CHECK-NEXT: %[[B:.+]] = relay.negative %[[A]]
// CHECK-NEXT: relay.yield %[[B]]
// What follows the branch stands in each of them now, where it is known what it is given: here, a tuple.
// CHECK: else
// CHECK-NEXT: %[[A:.+]] = relay.negative %[[X]]
// CHECK-NEXT: relay.yield %[[A]]
// CHECK: return %[[R]]
func.func private @pair(%x: tensor<f32>) -> tuple<tensor<f32>, tensor<f32>> {
  %0 = relay.abs %x : (tensor<f32>) -> tensor<f32>
  %1 = relay.tuple %0, %x : (tensor<f32>, tensor<f32>) -> tuple<tensor<f32>, tensor<f32>>
  return %1 : tuple<tensor<f32>, tensor<f32>>
}
func.func @main(%c: tensor<i1>, %x: tensor<f32>) -> tensor<f32> {
  %0 = func.call @pair(%x) : (tensor<f32>) -> tuple<tensor<f32>, tensor<f32>>
  %1 = relay.if %c : (tensor<i1>) -> tuple<tensor<f32>, tensor<f32>> {
    %3 = relay.tuple_get %0 {index = 0 : i64} : (tuple<tensor<f32>, tensor<f32>>) -> tensor<f32>
    %4 = relay.exp %3 : (tensor<f32>) -> tensor<f32>
    %5 = relay.tuple %4, %x : (tensor<f32>, tensor<f32>) -> tuple<tensor<f32>, tensor<f32>>
    relay.yield %5 : tuple<tensor<f32>, tensor<f32>>
  } else {
    relay.yield %0 : tuple<tensor<f32>, tensor<f32>>
  }
  %2 = relay.tuple_get %1 {index = 0 : i64} : (tuple<tensor<f32>, tensor<f32>>) -> tensor<f32>
  %3 = relay.negative %2 : (tensor<f32>) -> tensor<f32>
  return %3 : tensor<f32>
}
