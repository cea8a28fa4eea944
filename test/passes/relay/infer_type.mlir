// RUN: relay-opt %s --infer-type --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @forward
// CHECK-SAME: -> tensor<4x3xf32>
// CHECK: relay.add %arg0, %arg1 : (tensor<4x1xf32>, tensor<3xf32>) -> tensor<4x3xf32>
// CHECK: relay.abs {{.*}} -> tensor<4x3xf32>
func.func @forward(%x: tensor<4x1xf32>, %y: tensor<3xf32>) -> !relay.incomplete {
  %0 = relay.add %x, %y : (tensor<4x1xf32>, tensor<3xf32>) -> !relay.incomplete
  %1 = relay.abs %0 : (!relay.incomplete) -> !relay.incomplete
  return %1 : !relay.incomplete
}

// -----

// Through a call: its operand types the function, the function types its result.
// CHECK-LABEL: func.func @caller
// CHECK-SAME: -> tensor<2xf32>
// CHECK: %[[A:.*]] = relay.abs %arg0
// CHECK: call @callee(%[[A]]) : (tensor<2xf32>) -> tensor<2xf32>
func.func @caller(%x: tensor<2xf32>) -> !relay.incomplete {
  %0 = relay.abs %x : (tensor<2xf32>) -> !relay.incomplete
  %1 = call @callee(%0) : (!relay.incomplete) -> !relay.incomplete
  return %1 : !relay.incomplete
}
// CHECK: func.func private @callee(%arg0: tensor<2xf32>) -> tensor<2xf32>
func.func private @callee(%x: !relay.incomplete) -> !relay.incomplete {
  %0 = relay.abs %x : (!relay.incomplete) -> !relay.incomplete
  return %0 : !relay.incomplete
}

// -----

// A tuple waits for its fields, which come with a function that stands behind.
// CHECK-LABEL: func.func @fields
// CHECK-SAME: -> tensor<2xf32>
// CHECK: relay.tuple {{.*}} -> tuple<tensor<2xf32>, tensor<2xf32>>
func.func @fields(%x: tensor<2xf32>) -> !relay.incomplete {
  %0 = call @later(%x) : (tensor<2xf32>) -> !relay.incomplete
  %1 = relay.tuple %0, %x : (!relay.incomplete, tensor<2xf32>) -> !relay.incomplete
  %2 = relay.tuple_get %1 {index = 0 : i64} : (!relay.incomplete) -> !relay.incomplete
  return %2 : !relay.incomplete
}
func.func private @later(%x: tensor<2xf32>) -> !relay.incomplete {
  %0 = relay.abs %x : (tensor<2xf32>) -> !relay.incomplete
  return %0 : !relay.incomplete
}

// -----

func.func @open(%x: !relay.incomplete) -> !relay.incomplete {
  // expected-error @below {{has a type that cannot be inferred}}
  %0 = relay.abs %x : (!relay.incomplete) -> !relay.incomplete
  return %0 : !relay.incomplete
}

// -----

// expected-note @below {{operand 1 is tensor<3xf32>}}
func.func @clash(%x: tensor<4xf32>, %y: tensor<3xf32>) -> !relay.incomplete {
  // expected-note @below {{operand 0 is tensor<4xf32>}}
  %0 = relay.abs %x : (tensor<4xf32>) -> !relay.incomplete
  // expected-error @below {{[4] and [3]}}
  %1 = relay.add %0, %y : (!relay.incomplete, tensor<3xf32>) -> !relay.incomplete
  return %1 : !relay.incomplete
}

// -----

// A module in a module has names of its own.
// CHECK-LABEL: module @inner
// CHECK: func.func @same(%{{.*}}: tensor<2xf32>) -> tensor<2xf32>
// CHECK: func.func @same(%{{.*}}: tensor<4xf32>) -> tensor<4xf32>
module @inner {
  func.func @same(%x: tensor<2xf32>) -> !relay.incomplete {
    %0 = relay.nn.relu %x : (tensor<2xf32>) -> !relay.incomplete
    return %0 : !relay.incomplete
  }
}
func.func @same(%x: tensor<4xf32>) -> !relay.incomplete {
  %0 = relay.nn.relu %x : (tensor<4xf32>) -> !relay.incomplete
  return %0 : !relay.incomplete
}

// -----

func.func @around(%x: tensor<4xf32>) -> !relay.incomplete {
  builtin.module {
    // expected-error @below {{stands inside of another function: move it into the module}}
    func.func @inside() {
      return
    }
  }
  %0 = relay.nn.relu %x : (tensor<4xf32>) -> !relay.incomplete
  return %0 : !relay.incomplete
}
