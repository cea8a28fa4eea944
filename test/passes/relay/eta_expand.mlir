// RUN: relay-opt %s --eta-expand --split-input-file | FileCheck %s --check-prefixes=CHECK,GLOBAL
// RUN: relay-opt %s --eta-expand="expand-closure" --split-input-file | FileCheck %s --check-prefixes=CHECK,CLOSURE
// RUN: relay-opt %s --eta-expand="expand-global-var=false" --split-input-file | FileCheck %s --check-prefix=NONE

// A result becomes a function that calls it.
func.func private @aux(%x: tensor<?xi32>, %y: tensor<1xf32>) -> tuple<tensor<?xi32>, tensor<1xf32>> {
  %0 = relay.tuple %x, %y : (tensor<?xi32>, tensor<1xf32>) -> tuple<tensor<?xi32>, tensor<1xf32>>
  return %0 : tuple<tensor<?xi32>, tensor<1xf32>>
}
// CHECK-LABEL: func.func @result(
// CHECK-NEXT: %[[F:.+]] = relay.fn(%[[X:.+]]: tensor<?xi32>, %[[Y:.+]]: tensor<1xf32>) -> tuple<tensor<?xi32>, tensor<1xf32>>
// CHECK-NEXT: %[[G:.+]] = relay.global @aux
// CHECK-NEXT: %[[R:.+]] = relay.call %[[G]](%[[X]], %[[Y]])
// CHECK-NEXT: relay.yield %[[R]]
// CHECK: return %[[F]]
// NONE-LABEL: func.func @result(
// NONE-NEXT: relay.global @aux
// NONE-NEXT: return
func.func @result() -> ((tensor<?xi32>, tensor<1xf32>) -> tuple<tensor<?xi32>, tensor<1xf32>>) {
  %0 = relay.global @aux : (tensor<?xi32>, tensor<1xf32>) -> tuple<tensor<?xi32>, tensor<1xf32>>
  return %0 : (tensor<?xi32>, tensor<1xf32>) -> tuple<tensor<?xi32>, tensor<1xf32>>
}

// -----

// Where it is called, it stays; where it is an argument, even of itself, it does not.
func.func private @twice(%f: (tensor<f32>) -> tensor<f32>, %x: tensor<f32>) -> tensor<f32> {
  %0 = relay.call %f(%x) : ((tensor<f32>) -> tensor<f32>, tensor<f32>) -> tensor<f32>
  %1 = relay.call %f(%0) : ((tensor<f32>) -> tensor<f32>, tensor<f32>) -> tensor<f32>
  return %1 : tensor<f32>
}
func.func private @square(%x: tensor<f32>) -> tensor<f32> {
  %0 = relay.multiply %x, %x : (tensor<f32>, tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}
// CHECK-LABEL: func.func @argument(
// CHECK: %[[TWICE:.+]] = relay.global @twice
// CHECK: %[[SQUARE:.+]] = relay.global @square
// CHECK: %[[F:.+]] = relay.fn
// CHECK: relay.call %[[SQUARE]](%arg0)
// CHECK: relay.call %[[TWICE]](%[[F]], %{{.+}})
func.func @argument(%x: tensor<f32>) -> tensor<f32> {
  %twice = relay.global @twice : ((tensor<f32>) -> tensor<f32>, tensor<f32>) -> tensor<f32>
  %square = relay.global @square : (tensor<f32>) -> tensor<f32>
  %0 = relay.call %square(%x) : ((tensor<f32>) -> tensor<f32>, tensor<f32>) -> tensor<f32>
  %1 = relay.call %twice(%square, %0) : (((tensor<f32>) -> tensor<f32>, tensor<f32>) -> tensor<f32>, (tensor<f32>) -> tensor<f32>, tensor<f32>) -> tensor<f32>
  return %1 : tensor<f32>
}

// -----

// Captured values come before the parameters.
func.func private @add(%x: tensor<f32>, %y: tensor<f32>) -> tensor<f32> {
  %0 = relay.add %x, %y : (tensor<f32>, tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}
// GLOBAL-LABEL: func.func @captured(
// GLOBAL-NEXT: relay.closure @add(%arg0)
// CLOSURE-LABEL: func.func @captured(
// CLOSURE-NEXT: relay.fn(%[[Y:.+]]: tensor<f32>)
// CLOSURE-NEXT: %[[G:.+]] = relay.global @add : (tensor<f32>, tensor<f32>) -> tensor<f32>
// CLOSURE-NEXT: relay.call %[[G]](%arg0, %[[Y]])
func.func @captured(%x: tensor<f32>) -> ((tensor<f32>) -> tensor<f32>) {
  %0 = relay.closure @add(%x) : (tensor<f32>) -> ((tensor<f32>) -> tensor<f32>)
  return %0 : (tensor<f32>) -> tensor<f32>
}
