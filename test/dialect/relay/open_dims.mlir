// Open dimensions: the types of tensors name them, and type relations compute with forms of symbols.
// RUN: relay-opt %s --infer-type --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @product
// CHECK: relay.reshape {{.*}} -> tensor<?x64xf32, ["n*s"]>
// CHECK: relay.nn.dense {{.*}} -> tensor<?x32xf32, ["n*s"]>
// CHECK: relay.reshape {{.*}}newshape = ["n", "s", 2, -1]{{.*}} -> tensor<?x?x2x16xf32, ["n", "s"]>
func.func @product(%x: tensor<?x?x64xf32, ["n", "s"]>, %w: tensor<32x64xf32>) -> !relay.incomplete {
  %0 = relay.reshape %x {newshape = array<i64: -1, 64>} : (tensor<?x?x64xf32, ["n", "s"]>) -> !relay.incomplete
  %1 = relay.nn.dense %0, %w : (!relay.incomplete, tensor<32x64xf32>) -> !relay.incomplete
  %2 = relay.reshape %1 {newshape = ["n", "s", 2, -1]} : (!relay.incomplete) -> !relay.incomplete
  return %2 : !relay.incomplete
}

// -----

// CHECK-LABEL: func.func @windows
// CHECK: relay.nn.conv2d {{.*}} -> tensor<?x8x?x?xf32, ["n", "(h + 1) / 2", "(w + 1) / 2"]>
// CHECK: relay.nn.max_pool2d {{.*}} -> tensor<?x8x?x?xf32, ["n", "(h + 1) / 4", "(w + 1) / 4"]>
// CHECK: relay.concatenate {{.*}} -> tensor<?x8x?x?xf32, ["n", "2*((h + 1) / 4)", "(w + 1) / 4"]>
func.func @windows(%x: tensor<?x3x?x?xf32, ["n", "h", "w"]>, %w: tensor<8x3x3x3xf32>) -> !relay.incomplete {
  %0 = relay.nn.conv2d %x, %w {strides = array<i64: 2, 2>, padding = array<i64: 1, 1, 1, 1>}
    : (tensor<?x3x?x?xf32, ["n", "h", "w"]>, tensor<8x3x3x3xf32>) -> !relay.incomplete
  %1 = relay.nn.max_pool2d %0 {pool_size = array<i64: 2, 2>, strides = array<i64: 2, 2>}
    : (!relay.incomplete) -> !relay.incomplete
  %2 = relay.concatenate %1, %1 {axis = 2 : i64} : (!relay.incomplete, !relay.incomplete) -> !relay.incomplete
  return %2 : !relay.incomplete
}

// -----

// CHECK-LABEL: func.func @slices
// CHECK: relay.strided_slice {{.*}} -> tensor<?xf32, ["max(0, max(0, n - 2) - min(n, 1))"]>
// CHECK: relay.add {{.*}} -> tensor<?xf32, ["n"]>
func.func @slices(%x: tensor<?xf32, ["n"]>, %y: tensor<1xf32>) -> !relay.incomplete {
  %0 = relay.strided_slice %x {begin = array<i64: 1>, end = array<i64: -2>, strides = array<i64: 1>, axes = array<i64: 0>}
    : (tensor<?xf32, ["n"]>) -> !relay.incomplete
  %1 = relay.add %x, %y : (tensor<?xf32, ["n"]>, tensor<1xf32>) -> !relay.incomplete
  return %1 : !relay.incomplete
}

// -----

// CHECK-LABEL: func.func @bounds
// CHECK: relay.strided_slice {{.*}}end = ["s"]{{.*}} -> tensor<1x?xf32, ["min(s, 512)"]>
// CHECK: relay.strided_slice {{.*}} -> tensor<?x8xf32, ["max(0, n - min(n, s))"]>
func.func @bounds(%x: tensor<1x512xf32>, %y: tensor<?x8xf32, ["n"]>) -> !relay.incomplete {
  %0 = relay.strided_slice %x {begin = array<i64: 0>, end = ["s"], strides = array<i64: 1>, axes = array<i64: 1>}
    : (tensor<1x512xf32>) -> !relay.incomplete
  %1 = relay.strided_slice %y {begin = ["s"], end = array<i64: 9223372036854775807>, strides = array<i64: 1>, axes = array<i64: 0>}
    : (tensor<?x8xf32, ["n"]>) -> !relay.incomplete
  return %1 : !relay.incomplete
}

// -----

func.func @negative(%x: tensor<?x8xf32, ["n"]>) -> !relay.incomplete {
  // expected-error @+2 {{a slice's bound of n - 8 may be negative (C4)}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = relay.strided_slice %x {begin = array<i64: 0>, end = ["n - 8"], strides = array<i64: 1>, axes = array<i64: 0>}
    : (tensor<?x8xf32, ["n"]>) -> !relay.incomplete
  return %0 : !relay.incomplete
}

// -----

// A form must be the one that the relation computes.
func.func @another(%x: tensor<?x4xf32, ["n"]>) -> tensor<?xf32, ["n"]> {
  // expected-error @+2 {{inferred type(s) 'tensor<?xf32, ["4*n"]>'}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = relay.reshape %x {newshape = array<i64: -1>} : (tensor<?x4xf32, ["n"]>) -> tensor<?xf32, ["n + 1"]>
  return %x : tensor<?x4xf32, ["n"]>
}
