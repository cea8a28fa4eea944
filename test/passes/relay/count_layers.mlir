// RUN: relay-opt %s --count-layers -o /dev/null 2>&1 | FileCheck %s
// RUN: relay-opt %s --count-layers=operators=abs,nn.dense -o /dev/null 2>&1 | FileCheck %s --check-prefix=LISTED
// RUN: not relay-opt %s --count-layers=operators=nobody 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// UNKNOWN: error: 'builtin.module' op is to count relay.nobody, which is no operator

// Products side by side are one layer; the longest way counts.
// CHECK: @main: 2 layers
// LISTED: @main: 3 layers
func.func @main(%x: tensor<4x4xf32>, %w: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = relay.nn.dense %x, %w : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %1 = relay.nn.dense %x, %x : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %2 = relay.add %0, %1 : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %3 = relay.abs %2 : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %4 = relay.nn.dense %3, %0 : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  return %4 : tensor<4x4xf32>
}

// What a branch computes is on the way.
// CHECK: @branch: 2 layers
func.func @branch(%c: tensor<i1>, %x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = relay.if %c : (tensor<i1>) -> tensor<4x4xf32> {
    %1 = relay.nn.dense %x, %x : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    relay.yield %1 : tensor<4x4xf32>
  } else {
    relay.yield %x : tensor<4x4xf32>
  }
  %2 = relay.nn.dense %0, %0 : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  return %2 : tensor<4x4xf32>
}

// CHECK: @none: 0 layers
func.func @none(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
