// RUN: relay-opt --partition-graph %s | FileCheck %s
// RUN: relay-opt --partition-graph %s | relay-opt | FileCheck %s

// Results that are read outside are results of the function, each once; what is read twice is one parameter. Readers
// between the region's operators move behind the call.
// CHECK-LABEL: func.func @several
// CHECK-NEXT: %[[R:.*]]:2 = call @test_several_0(%arg0) :
// CHECK-NEXT: %[[E:.*]] = relay.exp %[[R]]#0
// CHECK-NEXT: return %[[R]]#1, %[[E]], %[[R]]#0
func.func @several(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %0 = relay.add %x, %x {relay.region = 0 : i64, relay.target = "test"} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %1 = relay.exp %0 : (tensor<4xf32>) -> tensor<4xf32>
  %2 = relay.abs %0 {relay.region = 0 : i64, relay.target = "test"} : (tensor<4xf32>) -> tensor<4xf32>
  return %2, %1, %0 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// Each operator without a region is one of its own, also of another target.
// CHECK-LABEL: func.func @two_targets
// CHECK-NEXT: %[[A:.*]] = call @test_two_targets_0(%arg0)
// CHECK-NEXT: %[[B:.*]] = call @other_two_targets_0(%[[A]])
// CHECK-NEXT: %[[C:.*]] = call @test_two_targets_1(%[[B]])
// CHECK-NEXT: return %[[C]]
func.func @two_targets(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = relay.abs %x {relay.target = "test"} : (tensor<4xf32>) -> tensor<4xf32>
  %1 = relay.exp %0 {relay.target = "other"} : (tensor<4xf32>) -> tensor<4xf32>
  %2 = relay.abs %1 {relay.target = "test"} : (tensor<4xf32>) -> tensor<4xf32>
  return %2 : tensor<4xf32>
}

// A constant of one element goes inside, another one is passed, and so is what is computed of constants only.
// CHECK-LABEL: func.func @constants
// CHECK-NEXT: %[[W:.*]] = relay.constant dense<[1.0{{.*}}, 2.0
// CHECK-NEXT: %[[N:.*]] = relay.negative %[[W]]
// CHECK-NEXT: call @test_constants_0(%arg0, %[[N]])
func.func @constants(%x: tensor<2xf32>) -> tensor<2xf32> {
  %w = relay.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %n = relay.negative %w : (tensor<2xf32>) -> tensor<2xf32>
  %c = relay.constant dense<3.0> : tensor<f32>
  %0 = relay.add %x, %n {relay.region = 1 : i64, relay.target = "test"} : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %1 = relay.multiply %0, %c {relay.region = 1 : i64, relay.target = "test"} : (tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
  return %1 : tensor<2xf32>
}

// Composite functions go with what calls them.
// CHECK-NOT: func.func private @test_relu
func.func private @test_relu(%x: tensor<4xf32>) -> tensor<4xf32> attributes {Composite = "test.relu"} {
  %0 = relay.nn.relu %x : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
// CHECK-LABEL: func.func @composite
// CHECK-NEXT: call @test_composite_0(%arg0)
func.func @composite(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = call @test_relu(%x) {relay.target = "test"} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: func.func @branches
// CHECK: relay.if
// CHECK-NEXT: call @test_branches_0(%arg1)
// CHECK: } else {
// CHECK-NEXT: relay.yield %arg1
func.func @branches(%c: tensor<i1>, %x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = relay.if %c : (tensor<i1>) -> tensor<4xf32> {
    %1 = relay.abs %x {relay.target = "test"} : (tensor<4xf32>) -> tensor<4xf32>
    relay.yield %1 : tensor<4xf32>
  } else {
    relay.yield %x : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

// CHECK: module @test attributes {relay.compiler = "test"} {
// CHECK: func.func @test_several_0(%arg0: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
// CHECK-NEXT: %[[S:.*]] = relay.add %arg0, %arg0 : (
// CHECK-NEXT: %[[T:.*]] = relay.abs %[[S]] : (
// CHECK-NEXT: return %[[S]], %[[T]]
// CHECK: func.func @test_constants_0(%arg0: tensor<2xf32>, %arg1: tensor<2xf32> {relay.constant_parameter})
// CHECK-NEXT: relay.constant dense<3.0
// CHECK: func.func private @test_relu
// CHECK: func.func @test_composite_0
// CHECK-NEXT: call @test_relu(%arg0) : (
// CHECK: module @other attributes {relay.compiler = "other"} {
