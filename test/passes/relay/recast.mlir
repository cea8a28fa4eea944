// RUN: relay-opt %s --recast=dtype=bf16 | FileCheck %s
// RUN: relay-opt %s --recast='dtype=f16 ops=concatenate,nn.relu skip-layers=1' | FileCheck %s --check-prefix=OTHERS
// RUN: relay-opt %s --pass-pipeline='builtin.module(func.func(recast{dtype=f64 skip-layers=-1}))' --split-input-file | FileCheck %s --check-prefix=SKIP
// RUN: not relay-opt %s --recast 2>&1 | FileCheck %s --check-prefix=NOTYPE
// RUN: not relay-opt %s --recast=dtype=f8 2>&1 | FileCheck %s --check-prefix=TYPE
// RUN: not relay-opt %s --recast='dtype=f16 ops=nn.conv9d' 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: not relay-opt %s --recast='dtype=f16 skip-layers=2' 2>&1 | FileCheck %s --check-prefix=LAYER
// RUN: not relay-opt %s --recast='dtype=i8' 2>&1 | FileCheck %s --check-prefix=TAKES
// NOTYPE: error: 'func.func' op dtype is '', which is no element type
// TYPE: error: 'func.func' op dtype is 'f8', which is no element type
// UNKNOWN: error: 'func.func' op ops names 'relay.nn.conv9d', which is no operator
// LAYER: error: 'func.func' op skip-layers holds '2', and there are 2 layers
// TAKES: error: 'relay.nn.conv2d' op takes floats, not i8 (C0)

// CHECK-LABEL: func.func @main
// CHECK-DAG: %[[X:.*]] = relay.cast %arg0 {dtype = bf16}
// CHECK-DAG: %[[W:.*]] = relay.cast %arg1 {dtype = bf16}
// CHECK: %[[C:.*]] = relay.nn.conv2d %[[X]], %[[W]] {padding = array<i64: 1, 1, 1, 1>} : {{.*}} -> tensor<8x8x8x8xbf16>
// CHECK-NEXT: %[[F:.*]] = relay.cast %[[C]] {dtype = f32}
// CHECK-NEXT: %[[G:.*]] = relay.cast %[[F]] {dtype = bf16}
// CHECK-NEXT: %[[V:.*]] = relay.cast %arg2 {dtype = bf16}
// CHECK-NEXT: %[[D:.*]] = relay.nn.conv2d %[[G]], %[[V]]
// CHECK-NEXT: %[[E:.*]] = relay.cast %[[D]] {dtype = f32}
// CHECK-NEXT: %[[R:.*]] = relay.nn.relu %[[E]]
// CHECK-NEXT: relay.concatenate %[[E]], %[[R]]
// The first of concatenations and relus alone.
// OTHERS-LABEL: func.func @main
// OTHERS: %[[D:.*]] = relay.nn.conv2d
// OTHERS-NEXT: %[[D:.*]] = relay.nn.conv2d
// OTHERS-NEXT: %[[E:.*]] = relay.cast %[[D]] {dtype = f16}
// OTHERS-NEXT: %[[R:.*]] = relay.nn.relu %[[E]]
// OTHERS-NEXT: %[[F:.*]] = relay.cast %[[R]] {dtype = f32}
// OTHERS-NEXT: relay.concatenate %[[D]], %[[F]]
// The last convolution stays.
// SKIP-LABEL: func.func @main
// SKIP: relay.nn.conv2d {{.*}} -> tensor<8x8x8x8xf64>
// SKIP-NEXT: %[[C:.*]] = relay.cast {{.*}} -> tensor<8x8x8x8xf32>
// SKIP-NEXT: relay.nn.conv2d %[[C]], %arg2
func.func @main(%x: tensor<8x8x8x8xf32>, %w: tensor<8x8x3x3xf32>, %v: tensor<8x8x3x3xf32>) -> tensor<8x16x8x8xf32> {
  %0 = relay.nn.conv2d %x, %w {padding = array<i64: 1, 1, 1, 1>} : (tensor<8x8x8x8xf32>, tensor<8x8x3x3xf32>) -> tensor<8x8x8x8xf32>
  %1 = relay.nn.conv2d %0, %v {padding = array<i64: 1, 1, 1, 1>} : (tensor<8x8x8x8xf32>, tensor<8x8x3x3xf32>) -> tensor<8x8x8x8xf32>
  %2 = relay.nn.relu %1 : (tensor<8x8x8x8xf32>) -> tensor<8x8x8x8xf32>
  %3 = relay.concatenate %1, %2 {axis = 1 : i64} : (tensor<8x8x8x8xf32>, tensor<8x8x8x8xf32>) -> tensor<8x16x8x8xf32>
  return %3 : tensor<8x16x8x8xf32>
}
