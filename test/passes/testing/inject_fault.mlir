// RUN: relay-opt %s --inject-fault=node=activation --split-input-file | FileCheck %s
// RUN: not relay-opt %s --inject-fault=node=nowhere 2>&1 | FileCheck %s --check-prefix=NONE

// CHECK-LABEL: func.func @main
// CHECK: %[[SUM:.+]] = relay.add
// CHECK: %[[RIGHT:.+]] = relay.nn.relu %[[SUM]]
// CHECK: %[[ONE:.+]] = relay.constant dense<1.000000e+00>
// CHECK: %[[WRONG:.+]] = relay.add %[[RIGHT]], %[[ONE]]
// CHECK: %[[RESULT:.+]] = relay.multiply %[[WRONG]], %[[WRONG]]
// CHECK: return %[[RESULT]]
// NONE: error: {{.*}}no operator of node 'nowhere' computes numbers here
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = relay.add %x, %x : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32> loc("sum")
  %1 = relay.nn.relu %0 : (tensor<4xf32>) -> tensor<4xf32> loc("activation")
  %2 = relay.multiply %1, %1 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32> loc("product")
  return %2 : tensor<4xf32>
}

// -----
// Inside of a kernel.
// CHECK-LABEL: func.func private @primitive
// CHECK: relay.nn.relu
// CHECK: relay.add
func.func private @primitive(%x: tensor<4xf32>) -> tensor<4xf32> attributes {relay.primitive} {
  %0 = relay.nn.relu %x : (tensor<4xf32>) -> tensor<4xf32> loc("activation")
  return %0 : tensor<4xf32>
}
