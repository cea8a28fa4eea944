// RUN: relay-opt %s | relay-opt | FileCheck %s

// CHECK-LABEL: func.func @cumsum(
func.func @cumsum(%x: tensor<2x3x4xf32>) {
  // CHECK: relay.cumsum {{.*}} -> tensor<2x3x4xf32>
  %cumsum = relay.cumsum %x {axis = 1 : i64} : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  return
}

// CHECK-LABEL: func.func @cumprod(
func.func @cumprod(%x: tensor<2x3x4xf32>) {
  // CHECK: relay.cumprod {{.*}} -> tensor<2x3x4xf64>
  %cumprod = relay.cumprod %x {axis = -1 : i64, dtype = f64, exclusive = true} : (tensor<2x3x4xf32>) -> tensor<2x3x4xf64>
  return
}

// CHECK-LABEL: func.func @inverse(
func.func @inverse(%p: tensor<6xi32>) {
  // CHECK: relay.invert_permutation {{.*}} -> tensor<6xi32>
  %inverse = relay.invert_permutation %p : (tensor<6xi32>) -> tensor<6xi32>
  return
}

// CHECK-LABEL: func.func @searched(
func.func @searched(%list: tensor<9xf32>, %v: tensor<2x5xf32>) {
  // CHECK: relay.searchsorted {{.*}} -> tensor<2x5xi32>
  %searched = relay.searchsorted %list, %v {dtype = i32} : (tensor<9xf32>, tensor<2x5xf32>) -> tensor<2x5xi32>
  return
}

// CHECK-LABEL: func.func @searched_right(
func.func @searched_right(%lists: tensor<2x9xf32>, %v: tensor<2x5xf32>) {
  // CHECK: relay.searchsorted {{.*}} -> tensor<2x5xi64>
  %searched_right = relay.searchsorted %lists, %v {right = true, dtype = i64} : (tensor<2x9xf32>, tensor<2x5xf32>) -> tensor<2x5xi64>
  return
}

// CHECK-LABEL: func.func @dense(
func.func @dense(%at: tensor<3x2xi32>, %values: tensor<3xf32>, %f: tensor<f32>) {
  // CHECK: relay.sparse_to_dense {{.*}} -> tensor<3x4xf32>
  %dense = relay.sparse_to_dense %at, %values, %f {output_shape = array<i64: 3, 4>} : (tensor<3x2xi32>, tensor<3xf32>, tensor<f32>) -> tensor<3x4xf32>
  return
}
