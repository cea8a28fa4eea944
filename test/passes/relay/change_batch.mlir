// RUN: relay-opt %s --change-batch='data=x:0,1:-1 batch-size=32' | FileCheck %s
// RUN: relay-opt %s --change-batch=function=other | FileCheck %s --check-prefix=DEFAULT
// RUN: relay-opt %s --change-batch='data=0:0 function=other batch-size=7' | FileCheck %s --check-prefix=OTHER
// RUN: not relay-opt %s --change-batch=batch-size=0 2>&1 | FileCheck %s --check-prefix=ZERO
// RUN: not relay-opt %s --change-batch=data=x 2>&1 | FileCheck %s --check-prefix=NODIM
// RUN: not relay-opt %s --change-batch=data=q:0 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: not relay-opt %s --change-batch=data=9:0 2>&1 | FileCheck %s --check-prefix=NUMBER
// RUN: not relay-opt %s --change-batch=data=x:2 2>&1 | FileCheck %s --check-prefix=DIM
// RUN: not relay-opt %s --change-batch=function=nobody 2>&1 | FileCheck %s --check-prefix=NOBODY
// RUN: not relay-opt %s --change-batch='function=fixed batch-size=2' 2>&1 | FileCheck %s --check-prefix=FIXED
// ZERO: error: 'builtin.module' op batch-size is 0, expected at least 1
// NODIM: error: 'func.func' op data names 'x', without the dimension of its samples
// UNKNOWN: error: 'func.func' op data names 'q:0', which is no parameter
// NUMBER: error: 'func.func' op data names '9:0', which is no parameter
// DIM: error: 'func.func' op data names 'x:2', which is no dimension of that parameter
// NOBODY: error: 'builtin.module' op has no function @nobody with a body
// FIXED: error: 'relay.reshape' op

// Through operators, branches, tuples and calls; a weight stays.
// CHECK-LABEL: func.func @main
// CHECK-SAME: %arg0: tensor<32x8xf32> {relay.name = "x"}, %arg1: tensor<4x32xf32>, %arg2: tensor<4x8xf32>, %arg3: tensor<i1>) -> tensor<32x4xf32>
// CHECK: relay.nn.dense %arg0, %arg2 : (tensor<32x8xf32>, tensor<4x8xf32>) -> tensor<32x4xf32>
// CHECK: call @helper(%{{.*}}) : (tensor<32x4xf32>) -> tensor<32x4xf32>
// CHECK: relay.if %arg3 : (tensor<i1>) -> tensor<32x4xf32>
// CHECK: relay.transpose %arg1 {{.*}} -> tensor<32x4xf32>
// CHECK: relay.tuple {{.*}} -> tuple<tensor<32x4xf32>, tensor<32x4xf32>>
// CHECK: return %{{.*}} : tensor<32x4xf32>
// CHECK: func.func private @helper(%arg0: tensor<32x4xf32>) -> tensor<32x4xf32>
// CHECK: relay.add %arg0, %{{.*}} : (tensor<32x4xf32>, tensor<4xf32>) -> tensor<32x4xf32>
// CHECK: func.func @other(%arg0: tensor<1x8xf32>)
// DEFAULT: func.func @other(%arg0: tensor<16x8xf32>) -> tensor<16x2x4xf32>
// OTHER: func.func @main(%arg0: tensor<1x8xf32>
// OTHER: func.func @other(%arg0: tensor<7x8xf32>) -> tensor<7x2x4xf32>
// OTHER: relay.reshape %arg0 {newshape = array<i64: -1, 2, 4>} : (tensor<7x8xf32>) -> tensor<7x2x4xf32>
func.func @main(%x: tensor<1x8xf32> {relay.name = "x"}, %y: tensor<4x1xf32>, %w: tensor<4x8xf32>, %c: tensor<i1>) -> tensor<1x4xf32> {
  %0 = relay.nn.dense %x, %w : (tensor<1x8xf32>, tensor<4x8xf32>) -> tensor<1x4xf32>
  %1 = call @helper(%0) : (tensor<1x4xf32>) -> tensor<1x4xf32>
  %2 = relay.if %c : (tensor<i1>) -> tensor<1x4xf32> {
    %6 = relay.transpose %y {axes = array<i64: 1, 0>} : (tensor<4x1xf32>) -> tensor<1x4xf32>
    relay.yield %6 : tensor<1x4xf32>
  } else {
    relay.yield %1 : tensor<1x4xf32>
  }
  %3 = relay.tuple %1, %2 : (tensor<1x4xf32>, tensor<1x4xf32>) -> tuple<tensor<1x4xf32>, tensor<1x4xf32>>
  %4 = relay.tuple_get %3 {index = 1 : i64} : (tuple<tensor<1x4xf32>, tensor<1x4xf32>>) -> tensor<1x4xf32>
  %5 = relay.add %1, %4 : (tensor<1x4xf32>, tensor<1x4xf32>) -> tensor<1x4xf32>
  return %5 : tensor<1x4xf32>
}
func.func private @helper(%x: tensor<1x4xf32>) -> tensor<1x4xf32> {
  %b = relay.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %0 = relay.add %x, %b : (tensor<1x4xf32>, tensor<4xf32>) -> tensor<1x4xf32>
  return %0 : tensor<1x4xf32>
}
func.func @other(%x: tensor<1x8xf32>) -> tensor<1x2x4xf32> {
  %0 = relay.reshape %x {newshape = array<i64: -1, 2, 4>} : (tensor<1x8xf32>) -> tensor<1x2x4xf32>
  return %0 : tensor<1x2x4xf32>
}
// A shape that names the number of samples is an error.
func.func @fixed(%x: tensor<1x8xf32>) -> tensor<1x2x4xf32> {
  %0 = relay.reshape %x {newshape = array<i64: 1, 2, 4>} : (tensor<1x8xf32>) -> tensor<1x2x4xf32>
  return %0 : tensor<1x2x4xf32>
}
