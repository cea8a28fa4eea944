// RUN: %roundtrip | FileCheck %s

// CHECK-LABEL: func.func @space_to_batch_nd
func.func @space_to_batch_nd(%x: tensor<1x5x4x3xf32>, %y: tensor<?x?x4x?xi8>) -> (tensor<4x4x2x3xf32>, tensor<?x?x2x?xi8>) {
  // CHECK: relay.nn.space_to_batch_nd %arg0 {block_shape = array<i64: 2, 2>, paddings = array<i64: 1, 2, 0, 0>} : (tensor<1x5x4x3xf32>) -> tensor<4x4x2x3xf32>
  %0 = relay.nn.space_to_batch_nd %x {block_shape = array<i64: 2, 2>, paddings = array<i64: 1, 2, 0, 0>} : (tensor<1x5x4x3xf32>) -> tensor<4x4x2x3xf32>
  // CHECK: relay.nn.space_to_batch_nd %arg1 {block_shape = array<i64: 3, 2>, pad_value = -1.280000e+02 : f64, paddings = array<i64: 1, 2, 0, 0>} : (tensor<?x?x4x?xi8>) -> tensor<?x?x2x?xi8>
  %1 = relay.nn.space_to_batch_nd %y {block_shape = array<i64: 3, 2>, paddings = array<i64: 1, 2, 0, 0>, pad_value = -128.0} : (tensor<?x?x4x?xi8>) -> tensor<?x?x2x?xi8>
  return %0, %1 : tensor<4x4x2x3xf32>, tensor<?x?x2x?xi8>
}

// CHECK-LABEL: func.func @batch_to_space_nd
func.func @batch_to_space_nd(%x: tensor<8x4x2x3xf32>, %y: tensor<?x?x4xi1>) -> (tensor<2x5x4x3xf32>, tensor<?x?x4xi1>) {
  // CHECK: relay.nn.batch_to_space_nd %arg0 {block_shape = array<i64: 2, 2>, crops = array<i64: 1, 2, 0, 0>} : (tensor<8x4x2x3xf32>) -> tensor<2x5x4x3xf32>
  %0 = relay.nn.batch_to_space_nd %x {block_shape = array<i64: 2, 2>, crops = array<i64: 1, 2, 0, 0>} : (tensor<8x4x2x3xf32>) -> tensor<2x5x4x3xf32>
  // CHECK: relay.nn.batch_to_space_nd %arg1 {block_shape = array<i64: 3>, crops = array<i64: 1, 2>} : (tensor<?x?x4xi1>) -> tensor<?x?x4xi1>
  %1 = relay.nn.batch_to_space_nd %y {block_shape = array<i64: 3>, crops = array<i64: 1, 2>} : (tensor<?x?x4xi1>) -> tensor<?x?x4xi1>
  return %0, %1 : tensor<2x5x4x3xf32>, tensor<?x?x4xi1>
}

// Blocks of one element each only pad and crop.
// CHECK-LABEL: func.func @defaults
func.func @defaults(%x: tensor<1x5x4x3xf32>) -> tensor<1x7x3x3xf32> {
  // CHECK: relay.nn.space_to_batch_nd {{.*}}paddings = array<i64: 1, 2, 0, 0>} : (tensor<1x5x4x3xf32>) -> tensor<1x8x4x3xf32>
  %0 = relay.nn.space_to_batch_nd %x {paddings = array<i64: 1, 2, 0, 0>} : (tensor<1x5x4x3xf32>) -> tensor<1x8x4x3xf32>
  // CHECK: relay.nn.batch_to_space_nd {{.*}}crops = array<i64: 1, 0, 1, 0>} : (tensor<1x8x4x3xf32>) -> tensor<1x7x3x3xf32>
  %1 = relay.nn.batch_to_space_nd %0 {crops = array<i64: 1, 0, 1, 0>} : (tensor<1x8x4x3xf32>) -> tensor<1x7x3x3xf32>
  return %1 : tensor<1x7x3x3xf32>
}
