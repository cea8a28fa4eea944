// RUN: relay-opt %s --split-input-file --verify-diagnostics

func.func @grain(%x: tensor<2x3xf32>, %s: tensor<2xf32>, %z: tensor<i32>) {
  // expected-error @below {{the scale of shape [2] belongs neither to the tensor nor to its dimension (C1)}}
  // expected-error @below {{failed to infer returned types}}
  %0 = relay.qnn.quantize %x, %s, %z {axis = 1, out_dtype = ui8} : (tensor<2x3xf32>, tensor<2xf32>, tensor<i32>) -> tensor<2x3xui8>
  return
}

// -----

func.func @zero(%x: tensor<2x3xi8>, %s: tensor<f32>, %z: tensor<i8>) {
  // expected-error @below {{takes a scale of floats and a zero point of i32, not f32 and i8 (C2)}}
  // expected-error @below {{failed to infer returned types}}
  %0 = relay.qnn.dequantize %x, %s, %z : (tensor<2x3xi8>, tensor<f32>, tensor<i8>) -> tensor<2x3xf32>
  return
}

// -----

func.func @type(%x: tensor<2x3xf32>, %s: tensor<f32>, %z: tensor<i32>) {
  // expected-error @below {{out_dtype is i64, no integer of at most 32 bits (C3)}}
  // expected-error @below {{failed to infer returned types}}
  %0 = relay.qnn.quantize %x, %s, %z {out_dtype = i64} : (tensor<2x3xf32>, tensor<f32>, tensor<i32>) -> tensor<2x3xi64>
  return
}

// -----

func.func @bytes(%x: tensor<2x8xi16>, %w: tensor<4x8xi8>, %s: tensor<f32>, %z: tensor<i32>) {
  // expected-error @below {{takes data and weight of bytes, not i16 and i8 (C3)}}
  // expected-error @below {{failed to infer returned types}}
  %0 = relay.qnn.dense %x, %w, %z, %z, %s, %s
      : (tensor<2x8xi16>, tensor<4x8xi8>, tensor<i32>, tensor<i32>, tensor<f32>, tensor<f32>) -> tensor<2x4xi32>
  return
}

// -----

func.func @channels(%x: tensor<1x8x5x5xui8>, %w: tensor<4x7x3x3xi8>, %s: tensor<f32>, %z: tensor<i32>) {
  // expected-error @below {{8 channels and 4 outputs do not fit a weight of 7 inputs in 1 groups (C2)}}
  // expected-error @below {{failed to infer returned types}}
  %0 = relay.qnn.conv2d %x, %w, %z, %z, %s, %s
      : (tensor<1x8x5x5xui8>, tensor<4x7x3x3xi8>, tensor<i32>, tensor<i32>, tensor<f32>, tensor<f32>) -> tensor<1x4x3x3xi32>
  return
}

// -----

func.func @words(%x: tensor<2x6xui8>, %w: tensor<1x2x16xi32>) {
  // expected-error @below {{takes data of i32, or of whole words of ui8, and a weight of i32, not tensor<2x6xui8> and tensor<1x2x16xi32> (C3)}}
  // expected-error @below {{failed to infer returned types}}
  %0 = relay.qnn.contrib_dense_pack %x, %w : (tensor<2x6xui8>, tensor<1x2x16xi32>) -> tensor<2x16xi32>
  return
}

// -----

func.func @inputs(%x: tensor<2x8xui8>, %w: tensor<1x3x16xi32>) {
  // expected-error @below {{data of 2 words and a weight of 3 do not multiply (C2)}}
  // expected-error @below {{failed to infer returned types}}
  %0 = relay.qnn.contrib_dense_pack %x, %w : (tensor<2x8xui8>, tensor<1x3x16xi32>) -> tensor<2x16xi32>
  return
}

// -----

func.func @batch_matmul_c2(%x: tensor<2x3x8xui8>, %y: tensor<2x5x7xi8>, %s: tensor<f32>, %z: tensor<i32>) {
  // expected-error @below {{do not multiply (C2)}}
  // expected-error @below {{failed to infer returned types}}
  %0 = relay.qnn.batch_matmul %x, %y, %z, %z, %s, %s {transpose_b = true}
      : (tensor<2x3x8xui8>, tensor<2x5x7xi8>, tensor<i32>, tensor<i32>, tensor<f32>, tensor<f32>) -> tensor<2x3x5xi32>
  return
}

// -----

func.func @conv2d_transpose_c1(%x: tensor<1x4x5x5xui8>, %w: tensor<4x3x2x2xi8>, %s: tensor<f32>, %z: tensor<i32>, %each: tensor<4xi32>) {
  // expected-error @below {{the zero point of shape [4] belongs neither to the tensor nor to its dimension (C1)}}
  // expected-error @below {{failed to infer returned types}}
  %0 = relay.qnn.conv2d_transpose %x, %w, %z, %each, %s, %s
      : (tensor<1x4x5x5xui8>, tensor<4x3x2x2xi8>, tensor<i32>, tensor<4xi32>, tensor<f32>, tensor<f32>) -> tensor<1x3x6x6xi32>
  return
}

// -----

func.func @pack_c1(%x: tensor<2x3x8xui8>, %w: tensor<3x2x5xi32>) {
  // expected-error @below {{batches 2 and 3 differ (C1)}}
  // expected-error @below {{failed to infer returned types}}
  %0 = relay.qnn.contrib_batch_matmul_pack %x, %w : (tensor<2x3x8xui8>, tensor<3x2x5xi32>) -> tensor<2x3x5xi32>
  return
}

// -----

func.func @pack_c2(%x: tensor<2x3x8xui8>, %w: tensor<2x3x5xi32>) {
  // expected-error @below {{data of 2 words and a weight of 3 do not multiply (C2)}}
  // expected-error @below {{failed to infer returned types}}
  %0 = relay.qnn.contrib_batch_matmul_pack %x, %w : (tensor<2x3x8xui8>, tensor<2x3x5xi32>) -> tensor<2x3x5xi32>
  return
}
