// RUN: relay-opt %s --dead-code-elimination | FileCheck %s

// CHECK-LABEL: func.func @unused_chain
// CHECK-NEXT: %[[R:.*]] = relay.nn.relu %arg0
// CHECK-NEXT: return %[[R]]
func.func @unused_chain(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = relay.abs %x : (tensor<4xf32>) -> tensor<4xf32>
  %1 = relay.add %0, %0 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %2 = relay.nn.relu %x : (tensor<4xf32>) -> tensor<4xf32>
  return %2 : tensor<4xf32>
}

// What a region reads is used; an unused if goes with its regions.
// CHECK-LABEL: func.func @regions
// CHECK-NEXT: %[[A:.*]] = relay.abs
// CHECK-NEXT: %[[I:.*]] = relay.if
// CHECK-NOT: relay.if
// CHECK: return %[[I]]
func.func @regions(%c: tensor<i1>, %x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = relay.abs %x : (tensor<4xf32>) -> tensor<4xf32>
  %1 = relay.if %c : (tensor<i1>) -> tensor<4xf32> {
    relay.yield %0 : tensor<4xf32>
  } else {
    relay.yield %x : tensor<4xf32>
  }
  %2 = relay.if %c : (tensor<i1>) -> tensor<4xf32> {
    %3 = relay.abs %1 : (tensor<4xf32>) -> tensor<4xf32>
    relay.yield %3 : tensor<4xf32>
  } else {
    relay.yield %x : tensor<4xf32>
  }
  return %1 : tensor<4xf32>
}

// A call of a function that may do anything stays; that of a primitive one goes, and it, too.
// CHECK-LABEL: func.func @calls
// CHECK-NEXT: call @outside
// CHECK-NEXT: return
// CHECK: func.func private @outside
// CHECK-NOT: @helper
// CHECK-NOT: @unreached
func.func @calls(%x: tensor<4xf32>) {
  %0 = call @outside(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = call @helper(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return
}
func.func private @outside(tensor<4xf32>) -> tensor<4xf32>
func.func private @helper(%x: tensor<4xf32>) -> tensor<4xf32> attributes {relay.primitive} {
  return %x : tensor<4xf32>
}
func.func private @unreached(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = call @unreached(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
