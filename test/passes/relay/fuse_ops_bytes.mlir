// RUN: relay-opt %s --fuse-ops | FileCheck %s

// The product that has the sum takes what makes floats of the other product's bytes: bytes lie between the kernels.
// CHECK-LABEL: func.func @branches
// CHECK: %[[SIDE:.*]] = call @fused_dense_cast(%arg1, %arg2) : {{.*}} -> tensor<4x8xui8>
// CHECK: call @fused_dense_cast_subtract_multiply_add(%arg0, %arg2, %[[SIDE]]) : {{.*}} -> tensor<4x8xf32>
func.func @branches(%x: tensor<4x16xf32>, %y: tensor<4x16xf32>, %w: tensor<8x16xf32>) -> tensor<4x8xf32> {
  %zero = relay.constant dense<3.0> : tensor<f32>
  %scale = relay.constant dense<0.5> : tensor<f32>
  %0 = relay.nn.dense %x, %w : (tensor<4x16xf32>, tensor<8x16xf32>) -> tensor<4x8xf32>
  %1 = relay.nn.dense %y, %w : (tensor<4x16xf32>, tensor<8x16xf32>) -> tensor<4x8xf32>
  %2 = relay.cast %1 {dtype = ui8} : (tensor<4x8xf32>) -> tensor<4x8xui8>
  %3 = relay.cast %2 {dtype = f32} : (tensor<4x8xui8>) -> tensor<4x8xf32>
  %4 = relay.subtract %3, %zero : (tensor<4x8xf32>, tensor<f32>) -> tensor<4x8xf32>
  %5 = relay.multiply %4, %scale : (tensor<4x8xf32>, tensor<f32>) -> tensor<4x8xf32>
  %6 = relay.add %0, %5 : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return %6 : tensor<4x8xf32>
}

// Floats are made once where their reader is no part of a kernel, reads them again and again, or computes more than sums and
// products of them; and those of wider numbers stay.
// CHECK-LABEL: func.func @others
// CHECK: call @fused_dense_cast_cast_multiply(%arg0, %arg1) : {{.*}} -> tensor<4x8xf32>
// CHECK: call @fused_softmax
// CHECK: call @fused_dense_cast_cast_multiply_1(%arg2, %arg1) : {{.*}} -> tensor<1x8xf32>
// CHECK: call @fused_dense_add{{.*}}(
// CHECK: call @fused_dense_cast_cast_exp(%arg0, %arg1) : {{.*}} -> tensor<4x8xf32>
// CHECK: call @fused_dense_add{{.*}}(
// CHECK: call @fused_dense_cast_cast(%arg0, %arg1) : {{.*}} -> tensor<4x8xf32>
// CHECK: call @fused_dense_add{{.*}}(
func.func @others(%x: tensor<4x16xf32>, %w: tensor<8x16xf32>, %row: tensor<1x16xf32>)
    -> (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) {
  %scale = relay.constant dense<0.5> : tensor<f32>
  %0 = relay.nn.dense %x, %w : (tensor<4x16xf32>, tensor<8x16xf32>) -> tensor<4x8xf32>
  %1 = relay.cast %0 {dtype = ui8} : (tensor<4x8xf32>) -> tensor<4x8xui8>
  %2 = relay.cast %1 {dtype = f32} : (tensor<4x8xui8>) -> tensor<4x8xf32>
  %3 = relay.multiply %2, %scale : (tensor<4x8xf32>, tensor<f32>) -> tensor<4x8xf32>
  %4 = relay.nn.softmax %3 : (tensor<4x8xf32>) -> tensor<4x8xf32>

  %5 = relay.nn.dense %row, %w : (tensor<1x16xf32>, tensor<8x16xf32>) -> tensor<1x8xf32>
  %6 = relay.cast %5 {dtype = ui8} : (tensor<1x8xf32>) -> tensor<1x8xui8>
  %7 = relay.cast %6 {dtype = f32} : (tensor<1x8xui8>) -> tensor<1x8xf32>
  %8 = relay.multiply %7, %scale : (tensor<1x8xf32>, tensor<f32>) -> tensor<1x8xf32>
  %9 = relay.nn.dense %x, %w : (tensor<4x16xf32>, tensor<8x16xf32>) -> tensor<4x8xf32>
  %10 = relay.add %9, %8 : (tensor<4x8xf32>, tensor<1x8xf32>) -> tensor<4x8xf32>

  %11 = relay.nn.dense %x, %w : (tensor<4x16xf32>, tensor<8x16xf32>) -> tensor<4x8xf32>
  %12 = relay.nn.dense %x, %w : (tensor<4x16xf32>, tensor<8x16xf32>) -> tensor<4x8xf32>
  %13 = relay.cast %12 {dtype = ui8} : (tensor<4x8xf32>) -> tensor<4x8xui8>
  %14 = relay.cast %13 {dtype = f32} : (tensor<4x8xui8>) -> tensor<4x8xf32>
  %15 = relay.exp %14 : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %16 = relay.add %11, %15 : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>

  %17 = relay.nn.dense %x, %w : (tensor<4x16xf32>, tensor<8x16xf32>) -> tensor<4x8xf32>
  %18 = relay.nn.dense %x, %w : (tensor<4x16xf32>, tensor<8x16xf32>) -> tensor<4x8xf32>
  %19 = relay.cast %18 {dtype = f16} : (tensor<4x8xf32>) -> tensor<4x8xf16>
  %20 = relay.cast %19 {dtype = f32} : (tensor<4x8xf16>) -> tensor<4x8xf32>
  %21 = relay.add %17, %20 : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return %4, %10, %16, %21 : tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>
}
