// RUN: relay-opt %s --to-basic-block-normal-form --split-input-file | FileCheck %s

// What both branches use stays before them, in the order in which it is.
// CHECK-LABEL: func.func @shared(
// CHECK: %[[V1:.+]] = relay.add
// CHECK: relay.equal
// CHECK: relay.if
// CHECK-NEXT: relay.multiply %[[V1]]
// CHECK: else
// CHECK-NEXT: relay.multiply %[[V1]]
func.func @shared(%x: tensor<f32>) -> tensor<f32> {
  %v1 = relay.add %x, %x : (tensor<f32>, tensor<f32>) -> tensor<f32>
  %c = relay.equal %x, %x : (tensor<f32>, tensor<f32>) -> tensor<i1>
  %0 = relay.if %c : (tensor<i1>) -> tensor<f32> {
    %1 = relay.multiply %v1, %x : (tensor<f32>, tensor<f32>) -> tensor<f32>
    relay.yield %1 : tensor<f32>
  } else {
    %1 = relay.multiply %v1, %v1 : (tensor<f32>, tensor<f32>) -> tensor<f32>
    relay.yield %1 : tensor<f32>
  }
  return %0 : tensor<f32>
}

// -----

// z2 is needed on both sides, y2 only inside of the outer then: it goes there, before the inner if that shares it.
// CHECK-LABEL: func.func @nested(
// CHECK: %[[Z2:.+]] = relay.add %arg2, %arg2
// CHECK-NOT: relay.add %arg1, %arg1
// CHECK: relay.if %arg0
// CHECK-NEXT: %[[Y2:.+]] = relay.add %arg1, %arg1
// CHECK-NEXT: relay.if %arg3
// CHECK-NEXT: relay.add %[[Z2]], %[[Y2]]
// CHECK: else
// CHECK-NEXT: relay.add %arg1, %[[Y2]]
// CHECK: else
// CHECK-NEXT: relay.if %arg3
// CHECK-NEXT: relay.yield %[[Z2]]
func.func @nested(%x: tensor<i1>, %y: tensor<f32>, %z: tensor<f32>, %c: tensor<i1>) -> tensor<f32> {
  %y2 = relay.add %y, %y : (tensor<f32>, tensor<f32>) -> tensor<f32>
  %z2 = relay.add %z, %z : (tensor<f32>, tensor<f32>) -> tensor<f32>
  %0 = relay.if %x : (tensor<i1>) -> tensor<f32> {
    %1 = relay.if %c : (tensor<i1>) -> tensor<f32> {
      %2 = relay.add %z2, %y2 : (tensor<f32>, tensor<f32>) -> tensor<f32>
      relay.yield %2 : tensor<f32>
    } else {
      %2 = relay.add %y, %y2 : (tensor<f32>, tensor<f32>) -> tensor<f32>
      relay.yield %2 : tensor<f32>
    }
    relay.yield %1 : tensor<f32>
  } else {
    %1 = relay.if %c : (tensor<i1>) -> tensor<f32> {
      relay.yield %z2 : tensor<f32>
    } else {
      relay.yield %z : tensor<f32>
    }
    relay.yield %1 : tensor<f32>
  }
  return %0 : tensor<f32>
}

// -----

// A chain goes as a whole, with the constant that it begins with, into the arm that needs it.
relay.type_def @Option ["A"] {
  relay.constructor @Some [!relay.type_var<"A">]
  relay.constructor @None []
}
// CHECK-LABEL: func.func @chain(
// CHECK-NEXT: relay.match
// CHECK-NEXT: case @Option::@Some
// CHECK-NEXT: relay.yield
// CHECK: case @Option::@None
// CHECK-NEXT: relay.constant
// CHECK-NEXT: relay.add
// CHECK-NEXT: relay.abs
// CHECK-NEXT: relay.yield
func.func @chain(%o: !relay.adt<@Option, tensor<f32>>, %x: tensor<f32>) -> tensor<f32> {
  %one = relay.constant dense<1.0> : tensor<f32>
  %0 = relay.add %x, %one : (tensor<f32>, tensor<f32>) -> tensor<f32>
  %1 = relay.abs %0 : (tensor<f32>) -> tensor<f32>
  %2 = relay.match %o : !relay.adt<@Option, tensor<f32>> -> tensor<f32>
  case @Option::@Some(%y: tensor<f32>) {
    relay.yield %y : tensor<f32>
  }
  case @Option::@None() {
    relay.yield %1 : tensor<f32>
  }
  return %2 : tensor<f32>
}

// -----

// Functions may run often: what they see stays outside, but goes into the branch that makes the only function.
// CHECK-LABEL: func.func @functions(
// CHECK-NEXT: %[[SHARED:.+]] = relay.add
// CHECK-NEXT: relay.if
// CHECK-NEXT: %[[ONCE:.+]] = relay.multiply
// CHECK-NEXT: relay.fn
// CHECK-NEXT: relay.add %{{.+}}, %[[SHARED]]
// CHECK-NEXT: relay.add %{{.+}}, %[[ONCE]]
func.func @functions(%c: tensor<i1>, %s: tensor<f32>) -> ((tensor<f32>) -> tensor<f32>) {
  %shared = relay.add %s, %s : (tensor<f32>, tensor<f32>) -> tensor<f32>
  %once = relay.multiply %s, %s : (tensor<f32>, tensor<f32>) -> tensor<f32>
  %0 = relay.if %c : (tensor<i1>) -> ((tensor<f32>) -> tensor<f32>) {
    %f = relay.fn(%x: tensor<f32>) -> tensor<f32> {
      %1 = relay.add %x, %shared : (tensor<f32>, tensor<f32>) -> tensor<f32>
      %2 = relay.add %1, %once : (tensor<f32>, tensor<f32>) -> tensor<f32>
      relay.yield %2 : tensor<f32>
    }
    relay.yield %f : (tensor<f32>) -> tensor<f32>
  } else {
    %f = relay.fn(%x: tensor<f32>) -> tensor<f32> {
      %1 = relay.add %x, %shared : (tensor<f32>, tensor<f32>) -> tensor<f32>
      relay.yield %1 : tensor<f32>
    }
    relay.yield %f : (tensor<f32>) -> tensor<f32>
  }
  return %0 : (tensor<f32>) -> tensor<f32>
}

// -----

// What has effects, or may have some, does not move: reads, calls, and matches that may end the program.
// CHECK-LABEL: func.func @effects(
// CHECK-NEXT: relay.ref_read
// CHECK-NEXT: relay.call
// CHECK-NEXT: relay.match partial
// CHECK: relay.ref_write
// CHECK-NEXT: relay.if
func.func @effects(%c: tensor<i1>, %r: !relay.ref<tensor<f32>>, %f: (tensor<f32>) -> tensor<f32>, %t: tuple<tensor<f32>>)
    -> tensor<f32> {
  %0 = relay.ref_read %r : (!relay.ref<tensor<f32>>) -> tensor<f32>
  %1 = relay.call %f(%0) : ((tensor<f32>) -> tensor<f32>, tensor<f32>) -> tensor<f32>
  %2 = relay.match partial %t : tuple<tensor<f32>> -> tensor<f32>
  case (%y: tensor<f32>) {
    relay.yield %y : tensor<f32>
  }
  %3 = relay.ref_write %r, %1 : (!relay.ref<tensor<f32>>, tensor<f32>) -> tuple<>
  %4 = relay.if %c : (tensor<i1>) -> tensor<f32> {
    %5 = relay.add %0, %1 : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %6 = relay.add %5, %2 : (tensor<f32>, tensor<f32>) -> tensor<f32>
    relay.yield %6 : tensor<f32>
  } else {
    relay.yield %0 : tensor<f32>
  }
  return %4 : tensor<f32>
}
