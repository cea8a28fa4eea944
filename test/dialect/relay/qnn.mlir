// RUN: relay-opt %s | relay-opt | FileCheck %s

// CHECK-LABEL: func.func @grain
func.func @grain(%x: tensor<2x3xf32>, %s: tensor<f32>, %z: tensor<i32>, %rows: tensor<2xf32>, %scalar: tensor<f32>) {
  // CHECK: relay.qnn.quantize {{.*}} {out_dtype = ui8} : {{.*}} -> tensor<2x3xui8>
  %0 = relay.qnn.quantize %x, %s, %z {out_dtype = ui8} : (tensor<2x3xf32>, tensor<f32>, tensor<i32>) -> tensor<2x3xui8>
  // CHECK: relay.qnn.quantize {{.*}} {axis = 0 : i64, out_dtype = i16} : {{.*}} -> tensor<2x3xi16>
  %1 = relay.qnn.quantize %x, %rows, %z {axis = 0, out_dtype = i16} : (tensor<2x3xf32>, tensor<2xf32>, tensor<i32>) -> tensor<2x3xi16>
  // CHECK: relay.qnn.dequantize {{.*}} {axis = -2 : i64} : {{.*}} -> tensor<2x3xf32>
  %2 = relay.qnn.dequantize %1, %rows, %z {axis = -2} : (tensor<2x3xi16>, tensor<2xf32>, tensor<i32>) -> tensor<2x3xf32>
  // CHECK: relay.qnn.quantize {{.*}} -> tensor<i8>
  %3 = relay.qnn.quantize %scalar, %s, %z {out_dtype = i8} : (tensor<f32>, tensor<f32>, tensor<i32>) -> tensor<i8>
  return
}

// CHECK-LABEL: func.func @products
func.func @products(%image: tensor<1x8x5x5xui8>, %kernel: tensor<4x8x3x3xi8>, %rows: tensor<?x8xui8, ["n"]>, %weight: tensor<4x8xi8>,
                    %s: tensor<f32>, %z: tensor<i32>, %each: tensor<4xi32>, %blocks: tensor<1x1x5x5x16xui8>,
                    %words: tensor<2x1x3x3x4x16xi32>, %packed: tensor<1x2x16xi32>) {
  // CHECK: relay.qnn.conv2d {{.*}} {strides = array<i64: 2, 2>} : {{.*}} -> tensor<1x4x2x2xi32>
  %0 = relay.qnn.conv2d %image, %kernel, %z, %each, %s, %s {strides = array<i64: 2, 2>}
      : (tensor<1x8x5x5xui8>, tensor<4x8x3x3xi8>, tensor<i32>, tensor<4xi32>, tensor<f32>, tensor<f32>) -> tensor<1x4x2x2xi32>
  // CHECK: relay.qnn.dense {{.*}} -> tensor<?x4xi32, ["n"]>
  %1 = relay.qnn.dense %rows, %weight, %z, %z, %s, %s
      : (tensor<?x8xui8, ["n"]>, tensor<4x8xi8>, tensor<i32>, tensor<i32>, tensor<f32>, tensor<f32>) -> tensor<?x4xi32, ["n"]>
  // CHECK: relay.qnn.contrib_conv2d_NCHWc {{.*}} -> tensor<1x2x3x3x16xi32>
  %2 = relay.qnn.contrib_conv2d_NCHWc %blocks, %words : (tensor<1x1x5x5x16xui8>, tensor<2x1x3x3x4x16xi32>) -> tensor<1x2x3x3x16xi32>
  // CHECK: relay.qnn.contrib_dense_pack {{.*}} -> tensor<?x16xi32, ["n"]>
  %3 = relay.qnn.contrib_dense_pack %rows, %packed : (tensor<?x8xui8, ["n"]>, tensor<1x2x16xi32>) -> tensor<?x16xi32, ["n"]>
  return
}

// CHECK-LABEL: func.func @across
func.func @across(%image: tensor<1x4x5x5xui8>, %kernel: tensor<4x3x2x2xi8>, %rows: tensor<2x3x8xui8>, %columns: tensor<2x5x8xui8>,
                  %s: tensor<f32>, %z: tensor<i32>, %each: tensor<6xi32>, %words: tensor<1x2x5xi32>) {
  // CHECK: relay.qnn.conv2d_transpose {{.*}} {groups = 2 : i64} : {{.*}} -> tensor<1x6x6x6xi32>
  %0 = relay.qnn.conv2d_transpose %image, %kernel, %z, %each, %s, %s {groups = 2}
      : (tensor<1x4x5x5xui8>, tensor<4x3x2x2xi8>, tensor<i32>, tensor<6xi32>, tensor<f32>, tensor<f32>) -> tensor<1x6x6x6xi32>
  // CHECK: relay.qnn.batch_matmul {{.*}} {transpose_b = true} : {{.*}} -> tensor<2x3x5xi32>
  %1 = relay.qnn.batch_matmul %rows, %columns, %z, %z, %s, %s {transpose_b = true}
      : (tensor<2x3x8xui8>, tensor<2x5x8xui8>, tensor<i32>, tensor<i32>, tensor<f32>, tensor<f32>) -> tensor<2x3x5xi32>
  // CHECK: relay.qnn.contrib_batch_matmul_pack {{.*}} -> tensor<2x3x5xi32>
  %2 = relay.qnn.contrib_batch_matmul_pack %rows, %words : (tensor<2x3x8xui8>, tensor<1x2x5xi32>) -> tensor<2x3x5xi32>
  return
}
