// RUN: relay-opt %s --fold-constant | FileCheck %s

// Nothing here depends on constants only.
// CHECK-LABEL: func.func @nothing_to_fold
// CHECK: relay.constant
// CHECK: relay.add
// CHECK: relay.add
func.func @nothing_to_fold(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = relay.constant dense<1.0> : tensor<4xf32>
  %f = relay.constant dense<1.0> : tensor<f32>
  %1 = relay.add %x, %0 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %2 = relay.add %1, %f : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return %2 : tensor<4xf32>
}

// Primitive functions are kernels already.
// CHECK-LABEL: func.func private @primitive
// CHECK: relay.add
func.func private @primitive() -> tensor<4xf32> attributes {relay.primitive} {
  %0 = relay.constant dense<1.0> : tensor<4xf32>
  %1 = relay.add %0, %0 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}

// Functions may give tensors of what no operator computes with.
// CHECK-LABEL: func.func @odd_elements
// CHECK: relay.call
func.func @odd_elements(%x: tensor<vector<4xf32>>) -> tensor<vector<4xf32>> {
  %f = relay.global @odd_elements : (tensor<vector<4xf32>>) -> tensor<vector<4xf32>>
  %0 = relay.call %f(%x) : ((tensor<vector<4xf32>>) -> tensor<vector<4xf32>>, tensor<vector<4xf32>>) -> tensor<vector<4xf32>>
  return %0 : tensor<vector<4xf32>>
}

// Elements that are all one number are written as one, which rules read.
// CHECK-LABEL: func.func @one_number
// CHECK: relay.constant dense<true> : tensor<100xi1>
func.func @one_number() -> tensor<100xi1> {
  %start = relay.constant dense<0> : tensor<i64>
  %step = relay.constant dense<1> : tensor<i64>
  %0 = relay.arange %start, %step {count = array<i64: 100>} : (tensor<i64>, tensor<i64>) -> tensor<100xi64>
  %1 = relay.constant dense<0> : tensor<i64>
  %2 = relay.greater_equal %0, %1 : (tensor<100xi64>, tensor<i64>) -> tensor<100xi1>
  return %2 : tensor<100xi1>
}
