// RUN: relay-opt %s --fuse-ops | FileCheck %s

// All of a normalisation computes rows of the same number, in whatever shape.
// CHECK-LABEL: func.func @norm
// CHECK: call @fused_reshape(
// CHECK: call @fused_mean_reshape_subtract_multiply_mean_rsqrt_multiply_multiply(
// CHECK-NOT: call
// CHECK: return
func.func @norm(%x: tensor<1x8x16xf32>, %g: tensor<16xf32>) -> tensor<8x16xf32> {
  %flat = relay.reshape %x {newshape = array<i64: 8, 16>} : (tensor<1x8x16xf32>) -> tensor<8x16xf32>
  %mean = relay.mean %x {axis = array<i64: -1>, keepdims = true} : (tensor<1x8x16xf32>) -> tensor<1x8x1xf32>
  %of_row = relay.reshape %mean {newshape = array<i64: 8, 1>} : (tensor<1x8x1xf32>) -> tensor<8x1xf32>
  %centred = relay.subtract %flat, %of_row : (tensor<8x16xf32>, tensor<8x1xf32>) -> tensor<8x16xf32>
  %square = relay.multiply %centred, %centred : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
  %variance = relay.mean %square {axis = array<i64: 1>, keepdims = true} : (tensor<8x16xf32>) -> tensor<8x1xf32>
  %inverse = relay.rsqrt %variance : (tensor<8x1xf32>) -> tensor<8x1xf32>
  %normal = relay.multiply %centred, %inverse : (tensor<8x16xf32>, tensor<8x1xf32>) -> tensor<8x16xf32>
  %0 = relay.multiply %normal, %g : (tensor<8x16xf32>, tensor<16xf32>) -> tensor<8x16xf32>
  return %0 : tensor<8x16xf32>
}

// A mask joins the softmax that reads it.
// CHECK-LABEL: func.func @masked
// CHECK: call @fused_add_softmax(
func.func @masked(%x: tensor<2x4x16xf32>, %m: tensor<16xf32>) -> tensor<2x4x16xf32> {
  %0 = relay.add %x, %m : (tensor<2x4x16xf32>, tensor<16xf32>) -> tensor<2x4x16xf32>
  %1 = relay.nn.softmax %0 {axis = -1 : i64} : (tensor<2x4x16xf32>) -> tensor<2x4x16xf32>
  return %1 : tensor<2x4x16xf32>
}

// The mean of a column is needed by every row.
// CHECK-LABEL: func.func @columns
// CHECK: call @fused_mean(
// CHECK: call @fused_subtract(
func.func @columns(%x: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %0 = relay.mean %x {axis = array<i64: 0>, keepdims = true} : (tensor<8x16xf32>) -> tensor<1x16xf32>
  %1 = relay.subtract %x, %0 : (tensor<8x16xf32>, tensor<1x16xf32>) -> tensor<8x16xf32>
  return %1 : tensor<8x16xf32>
}

// So are the means of all rows where they lie along the columns.
// CHECK-LABEL: func.func @across
// CHECK: call @fused_mean_1(
// CHECK: call @fused_subtract_1(
func.func @across(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %0 = relay.mean %x {axis = array<i64: 1>} : (tensor<8x8xf32>) -> tensor<8xf32>
  %1 = relay.subtract %x, %0 : (tensor<8x8xf32>, tensor<8xf32>) -> tensor<8x8xf32>
  return %1 : tensor<8x8xf32>
}

// Sums of rows of different length have different numbers of rows.
// CHECK-LABEL: func.func @two_lengths
// CHECK: call
// CHECK: call
func.func @two_lengths(%x: tensor<4x8x16xf32>) -> tensor<4xf32> {
  %0 = relay.sum %x {axis = array<i64: 2>} : (tensor<4x8x16xf32>) -> tensor<4x8xf32>
  %1 = relay.max %0 {axis = array<i64: 1>} : (tensor<4x8xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
