// RUN: relay-opt %s --fuse-ops --mlir-print-debuginfo | FileCheck %s
// RUN: relay-opt %s --fuse-ops='enabled=false' | FileCheck %s --check-prefix=SINGLE
// RUN: relay-opt %s --fuse-ops | relay-opt --fuse-ops | FileCheck %s --check-prefix=TWICE

// A chain becomes one function; a chain like it shares the function, and keeps its own location.
// CHECK-LABEL: func.func @chains
// CHECK: %[[A:.*]] = call @fused_add_relu(%arg0, %arg1) : {{.*}} loc(#[[$FIRST:.*]])
// CHECK: %[[B:.*]] = call @fused_abs(%[[A]])
// CHECK: call @fused_add_relu(%[[B]], %[[A]]) : {{.*}} loc(#[[$SECOND:.*]])
// SINGLE-LABEL: func.func @chains
// SINGLE: call @fused_add(
// SINGLE: call @fused_relu(
// SINGLE: call @fused_abs(
// SINGLE: call @fused_add(
// SINGLE: call @fused_relu(
// TWICE: func.func private @fused_add_relu
// TWICE-SAME: attributes {relay.primitive}
// TWICE: relay.add
// TWICE: relay.nn.relu
func.func @chains(%x: tensor<4xf32>, %y: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %0 = relay.add %x, %y : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32> loc("one")
  %1 = relay.nn.relu %0 : (tensor<4xf32>) -> tensor<4xf32> loc("two")
  %2 = relay.abs %1 : (tensor<4xf32>) -> tensor<4xf32> loc("three")
  %3 = relay.add %2, %1 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32> loc("four")
  %4 = relay.nn.relu %3 : (tensor<4xf32>) -> tensor<4xf32> loc("five")
  return %1, %2, %4 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// A scalar constant goes inside, a larger one becomes an argument.
// CHECK-LABEL: func.func @constants
// CHECK: %[[C:.*]] = relay.constant dense<[1.000000e+00, 2.000000e+00]>
// CHECK: call @fused_add_add(%arg0, %[[C]])
func.func @constants(%x: tensor<2xf32>) -> tensor<2xf32> {
  %one = relay.constant dense<1.0> : tensor<f32>
  %c = relay.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %0 = relay.add %x, %one : (tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
  %1 = relay.add %0, %c : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return %1 : tensor<2xf32>
}

// Both branches of an if are fused; values do not fuse across its edge.
// CHECK-LABEL: func.func @branches
// CHECK: %[[R:.*]] = call @fused_relu(%arg1)
// CHECK: relay.if %arg0
// CHECK: call @fused_abs_abs(%[[R]])
// CHECK: relay.yield
// CHECK: else
// CHECK: relay.yield %[[R]]
func.func @branches(%c: tensor<i1>, %x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = relay.nn.relu %x : (tensor<4xf32>) -> tensor<4xf32>
  %1 = relay.if %c : (tensor<i1>) -> tensor<4xf32> {
    %2 = relay.abs %0 : (tensor<4xf32>) -> tensor<4xf32>
    %3 = relay.abs %2 : (tensor<4xf32>) -> tensor<4xf32>
    relay.yield %3 : tensor<4xf32>
  } else {
    relay.yield %0 : tensor<4xf32>
  }
  return %1 : tensor<4xf32>
}

// CHECK: func.func private @fused_add_add(
// CHECK: relay.constant dense<1.000000e+00> : tensor<f32>
// CHECK-DAG: #[[$ONE:.*]] = loc("one")
// CHECK-DAG: #[[$TWO:.*]] = loc("two")
// CHECK-DAG: #[[FOUR:.*]] = loc("four")
// CHECK-DAG: #[[FIVE:.*]] = loc("five")
// CHECK-DAG: #[[$FIRST]] = loc(fused[#[[$ONE]], #[[$TWO]]])
// CHECK-DAG: #[[$SECOND]] = loc(fused[#[[FOUR]], #[[FIVE]]])
