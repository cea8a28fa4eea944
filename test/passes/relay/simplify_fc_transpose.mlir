// RUN: relay-opt %s --simplify-fc-transpose=target-weight-names=w,v | FileCheck %s
// RUN: relay-opt %s --simplify-fc-transpose | FileCheck %s --check-prefix=NONE
// RUN: not relay-opt %s --simplify-fc-transpose=target-weight-names=q 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: not relay-opt %s --simplify-fc-transpose=target-weight-names=x 2>&1 | FileCheck %s --check-prefix=PLAIN
// RUN: not relay-opt %s --simplify-fc-transpose='function=called target-weight-names=w' 2>&1 | FileCheck %s --check-prefix=CALLED
// RUN: not relay-opt %s --simplify-fc-transpose='function=nobody' 2>&1 | FileCheck %s --check-prefix=NOBODY
// UNKNOWN: error: 'func.func' op target-weight-names names 'q', which is no parameter
// PLAIN: error: 'func.func' op target-weight-names names 'x', which no nn.dense reads transposed
// CALLED: error: 'func.call' op calls @called, and would give it weights as they were
// NOBODY: error: 'builtin.module' op has no function @nobody with a body

// One weight is read transposed alone, the other one also as it is. A transpose of data stays.
// CHECK-LABEL: func.func @main
// CHECK-SAME: %arg0: tensor<8x4xf32> {relay.name = "x"}, %arg1: tensor<2x8xf32> {relay.name = "w.T"}, %arg2: tensor<4x2xf32> {relay.name = "v.T"})
// CHECK-NEXT: %[[V:.*]] = relay.transpose %arg2 {axes = array<i64: 1, 0>} : (tensor<4x2xf32>) -> tensor<2x4xf32>
// CHECK-NEXT: %[[X:.*]] = relay.transpose %arg0
// CHECK-NEXT: %[[D:.*]] = relay.nn.dense %[[X]], %arg1
// CHECK-NEXT: %[[E:.*]] = relay.nn.dense %[[D]], %arg2
// CHECK-NEXT: %[[F:.*]] = relay.abs %[[V]]
// CHECK-NEXT: return %[[E]], %[[F]]
// NONE-LABEL: func.func @main
// NONE-COUNT-3: relay.transpose
func.func @main(%x: tensor<8x4xf32> {relay.name = "x"}, %w: tensor<8x2xf32> {relay.name = "w"}, %v: tensor<2x4xf32> {relay.name = "v"})
    -> (tensor<4x4xf32>, tensor<2x4xf32>) {
  %0 = relay.transpose %x {axes = array<i64: 1, 0>} : (tensor<8x4xf32>) -> tensor<4x8xf32>
  %1 = relay.transpose %w {axes = array<i64: 1, 0>} : (tensor<8x2xf32>) -> tensor<2x8xf32>
  %2 = relay.nn.dense %0, %1 : (tensor<4x8xf32>, tensor<2x8xf32>) -> tensor<4x2xf32>
  %3 = relay.transpose %v {axes = array<i64: 1, 0>} : (tensor<2x4xf32>) -> tensor<4x2xf32>
  %4 = relay.nn.dense %2, %3 : (tensor<4x2xf32>, tensor<4x2xf32>) -> tensor<4x4xf32>
  %5 = relay.abs %v : (tensor<2x4xf32>) -> tensor<2x4xf32>
  return %4, %5 : tensor<4x4xf32>, tensor<2x4xf32>
}
func.func @caller(%x: tensor<4x8xf32>, %w: tensor<8x2xf32>) -> tensor<4x2xf32> {
  %0 = call @called(%x, %w) : (tensor<4x8xf32>, tensor<8x2xf32>) -> tensor<4x2xf32>
  return %0 : tensor<4x2xf32>
}
func.func private @called(%x: tensor<4x8xf32>, %w: tensor<8x2xf32> {relay.name = "w"}) -> tensor<4x2xf32> {
  %0 = relay.transpose %w {axes = array<i64: 1, 0>} : (tensor<8x2xf32>) -> tensor<2x8xf32>
  %1 = relay.nn.dense %x, %0 : (tensor<4x8xf32>, tensor<2x8xf32>) -> tensor<4x2xf32>
  return %1 : tensor<4x2xf32>
}
