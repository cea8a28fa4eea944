// RUN: relay-opt %s --split-input-file --verify-diagnostics

func.func @requantize_c1(%x: tensor<2x3xi32>, %s: tensor<f32>, %z: tensor<i32>, %rows: tensor<2xf32>) {
  // expected-error @below {{the scale of shape [2] belongs neither to the tensor nor to its dimension (C1)}}
  // expected-error @below {{failed to infer returned types}}
  %0 = relay.qnn.requantize %x, %s, %z, %rows, %z {out_dtype = i8}
      : (tensor<2x3xi32>, tensor<f32>, tensor<i32>, tensor<2xf32>, tensor<i32>) -> tensor<2x3xi8>
  return
}

// -----

func.func @requantize_c2(%x: tensor<2x3xi32>, %s: tensor<f32>, %z: tensor<i32>) {
  // expected-error @below {{takes a scale of floats and a zero point of i32, not f32 and f32 (C2)}}
  // expected-error @below {{failed to infer returned types}}
  %0 = relay.qnn.requantize %x, %s, %s, %s, %z {out_dtype = i8}
      : (tensor<2x3xi32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<i32>) -> tensor<2x3xi8>
  return
}

// -----

func.func @requantize_c3(%x: tensor<2x3xi32>, %s: tensor<f32>, %z: tensor<i32>) {
  // expected-error @below {{out_dtype is f32, no integer of at most 32 bits (C3)}}
  // expected-error @below {{failed to infer returned types}}
  %0 = relay.qnn.requantize %x, %s, %z, %s, %z {out_dtype = f32}
      : (tensor<2x3xi32>, tensor<f32>, tensor<i32>, tensor<f32>, tensor<i32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @requantize_rounding(%x: tensor<2x3xi32>, %s: tensor<f32>, %z: tensor<i32>) {
  // expected-error @below {{rounding 'DOWN' is none of None, UPWARD, TONEAREST, TFLITE (C4)}}
  // expected-error @below {{failed to infer returned types}}
  %0 = relay.qnn.requantize %x, %s, %z, %s, %z {out_dtype = i8, rounding = "DOWN"}
      : (tensor<2x3xi32>, tensor<f32>, tensor<i32>, tensor<f32>, tensor<i32>) -> tensor<2x3xi8>
  return
}

// -----

func.func @requantize_twice(%x: tensor<2x3xi32>, %s: tensor<f32>, %z: tensor<i32>) {
  // expected-error @below {{rounding TFLITE takes the compute_dtype int64, not float32 (C4)}}
  // expected-error @below {{failed to infer returned types}}
  %0 = relay.qnn.requantize %x, %s, %z, %s, %z {compute_dtype = "float32", out_dtype = i8, rounding = "TFLITE"}
      : (tensor<2x3xi32>, tensor<f32>, tensor<i32>, tensor<f32>, tensor<i32>) -> tensor<2x3xi8>
  return
}

// -----

func.func @simulated_c1(%x: tensor<2x3xf32>, %s: tensor<2xf32>, %z: tensor<i32>) {
  // expected-error @below {{a scale or zero point of shape [2] belongs neither to the tensor nor to its dimension (C1)}}
  // expected-error @below {{failed to infer returned types}}
  %0 = relay.qnn.simulated_quantize %x, %z, %s, %z
      : (tensor<2x3xf32>, tensor<i32>, tensor<2xf32>, tensor<i32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @simulated_c2(%x: tensor<2x3xf32>, %s: tensor<f32>, %z: tensor<i32>) {
  // expected-error @below {{takes an integer, a scale of floats and a zero point of numbers, not tensor<f32>, f32 and i32 (C2)}}
  // expected-error @below {{failed to infer returned types}}
  %0 = relay.qnn.simulated_dequantize %x, %s, %s, %z
      : (tensor<2x3xf32>, tensor<f32>, tensor<f32>, tensor<i32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @add_c1(%x: tensor<2x3xi8>, %s: tensor<2xf32>, %t: tensor<f32>, %z: tensor<i32>) {
  // expected-error @below {{the scale of shape [2] belongs neither to the tensor nor to its dimension (C1)}}
  // expected-error @below {{failed to infer returned types}}
  %0 = relay.qnn.add %x, %x, %t, %z, %s, %z, %t, %z {rhs_axis = 1}
      : (tensor<2x3xi8>, tensor<2x3xi8>, tensor<f32>, tensor<i32>, tensor<2xf32>, tensor<i32>, tensor<f32>, tensor<i32>) -> tensor<2x3xi8>
  return
}

// -----

func.func @mul_c3(%x: tensor<2x3xi8>, %y: tensor<2x3xui8>, %s: tensor<f32>, %z: tensor<i32>) {
  // expected-error @below {{(C3)}}
  // expected-error @below {{failed to infer returned types}}
  %0 = relay.qnn.mul %x, %y, %s, %z, %s, %z, %s, %z
      : (tensor<2x3xi8>, tensor<2x3xui8>, tensor<f32>, tensor<i32>, tensor<f32>, tensor<i32>, tensor<f32>, tensor<i32>) -> tensor<2x3xi8>
  return
}

// -----

func.func @concatenate_c1(%x: tensor<2x3xi8>, %s: tensor<f32>, %z: tensor<i32>) {
  // expected-error @below {{4 operands are not tensors, a scale and a zero point for each, and two for the result (C1)}}
  // expected-error @below {{failed to infer returned types}}
  %0 = relay.qnn.concatenate %x, %s, %z, %s {axis = 0}
      : (tensor<2x3xi8>, tensor<f32>, tensor<i32>, tensor<f32>) -> tensor<2x3xi8>
  return
}

// -----

func.func @concatenate_c3(%x: tensor<2x3xi8>, %y: tensor<2x4xi8>, %s: tensor<f32>, %z: tensor<i32>) {
  // expected-error @below {{[2, 3] and [2, 4] differ beside axis 0}}
  // expected-error @below {{failed to infer returned types}}
  %0 = relay.qnn.concatenate %x, %y, %s, %s, %z, %z, %s, %z {axis = 0}
      : (tensor<2x3xi8>, tensor<2x4xi8>, tensor<f32>, tensor<f32>, tensor<i32>, tensor<i32>, tensor<f32>, tensor<i32>) -> tensor<4x3xi8>
  return
}

// -----

func.func @exp_c3(%x: tensor<2x3xi16>, %s: tensor<f32>, %z: tensor<i32>) {
  // expected-error @below {{takes data of bytes, not i16 (C3)}}
  // expected-error @below {{failed to infer returned types}}
  %0 = relay.qnn.exp %x, %s, %z, %s, %z
      : (tensor<2x3xi16>, tensor<f32>, tensor<i32>, tensor<f32>, tensor<i32>) -> tensor<2x3xi16>
  return
}

// -----

func.func @softmax_c3(%x: tensor<2x3xui8>, %s: tensor<f32>, %z: tensor<i32>) {
  // expected-error @below {{takes data of i8, not ui8 (C3)}}
  // expected-error @below {{failed to infer returned types}}
  %0 = relay.qnn.softmax %x, %s, %z, %s, %z
      : (tensor<2x3xui8>, tensor<f32>, tensor<i32>, tensor<f32>, tensor<i32>) -> tensor<2x3xui8>
  return
}

// -----

func.func @softmax_c4(%x: tensor<2x3xi8>, %s: tensor<f32>, %z: tensor<i32>) {
  // expected-error @below {{axis 2 is out of range for rank 2 (C4)}}
  // expected-error @below {{failed to infer returned types}}
  %0 = relay.qnn.softmax %x, %s, %z, %s, %z {axis = 2}
      : (tensor<2x3xi8>, tensor<f32>, tensor<i32>, tensor<f32>, tensor<i32>) -> tensor<2x3xi8>
  return
}

// -----

func.func @pool_c4(%x: tensor<1x2x3x3xi8>, %s: tensor<f32>, %z: tensor<i32>) {
  // expected-error @below {{(C4)}}
  // expected-error @below {{failed to infer returned types}}
  %0 = relay.qnn.avg_pool2d %x, %s, %z, %s, %z {pool_size = array<i64: 4, 4>}
      : (tensor<1x2x3x3xi8>, tensor<f32>, tensor<i32>, tensor<f32>, tensor<i32>) -> tensor<1x2x1x1xi8>
  return
}
