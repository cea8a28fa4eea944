// RUN: relay-opt %s --split-input-file --verify-diagnostics

func.func @rank(%x: tensor<2x3x64xf32>, %w: tensor<4x2x16xui8>, %s: tensor<4x2xf32>, %z: tensor<ui8>) {
  // expected-error @below {{takes data of rank 2 (C1)}}
  // expected-error @below {{failed to infer returned types}}
  %0 = relay.nn.dense_blocks %x, %w, %s, %z {bits = 4 : i64} : (tensor<2x3x64xf32>, tensor<4x2x16xui8>, tensor<4x2xf32>, tensor<ui8>) -> tensor<2x3x4xf32>
  return
}

// -----

func.func @signed(%x: tensor<2x64xf32>, %w: tensor<4x2x16xi8>, %s: tensor<4x2xf32>, %z: tensor<ui8>) {
  // expected-error @below {{takes a weight of unsigned bytes, not of i8 (C1)}}
  // expected-error @below {{failed to infer returned types}}
  %0 = relay.nn.dense_blocks %x, %w, %s, %z {bits = 4 : i64} : (tensor<2x64xf32>, tensor<4x2x16xi8>, tensor<4x2xf32>, tensor<ui8>) -> tensor<2x4xf32>
  return
}

// -----

func.func @scales(%x: tensor<2x64xf32>, %w: tensor<4x2x16xui8>, %s: tensor<2x4xf32>, %z: tensor<ui8>) {
  // expected-error @below {{takes scales of floats of shape [4, 2], and zero points of that shape or of rank 0, not tensor<2x4xf32> and tensor<ui8> (C2)}}
  // expected-error @below {{failed to infer returned types}}
  %0 = relay.nn.dense_blocks %x, %w, %s, %z {bits = 4 : i64} : (tensor<2x64xf32>, tensor<4x2x16xui8>, tensor<2x4xf32>, tensor<ui8>) -> tensor<2x4xf32>
  return
}

// -----

func.func @bits(%x: tensor<2x64xf32>, %w: tensor<4x2x16xui8>, %s: tensor<4x2xf32>, %z: tensor<ui8>) {
  // expected-error @below {{a block of 16 bytes of numbers of 3 bits has no whole words of 2, 4 or 8 bits (C3)}}
  // expected-error @below {{failed to infer returned types}}
  %0 = relay.nn.dense_blocks %x, %w, %s, %z {bits = 3 : i64} : (tensor<2x64xf32>, tensor<4x2x16xui8>, tensor<4x2xf32>, tensor<ui8>) -> tensor<2x4xf32>
  return
}

// -----

func.func @columns(%x: tensor<2x65xf32>, %w: tensor<4x2x16xui8>, %s: tensor<4x2xf32>, %z: tensor<ui8>) {
  // expected-error @below {{rows of 65 numbers are not 2 blocks of 32 (C4)}}
  // expected-error @below {{failed to infer returned types}}
  %0 = relay.nn.dense_blocks %x, %w, %s, %z {bits = 4 : i64} : (tensor<2x65xf32>, tensor<4x2x16xui8>, tensor<4x2xf32>, tensor<ui8>) -> tensor<2x4xf32>
  return
}

// -----

func.func @words(%x: tensor<2x64xf32>, %w: tensor<1x9x16xi32>, %s: tensor<1x2x16xf32>, %z: tensor<ui8>) {
  // expected-error @below {{2 blocks have no whole words of 9 (C3)}}
  // expected-error @below {{failed to infer returned types}}
  %0 = relay.nn.contrib_dense_blocks_pack %x, %w, %s, %z {bits = 4 : i64} : (tensor<2x64xf32>, tensor<1x9x16xi32>, tensor<1x2x16xf32>, tensor<ui8>) -> tensor<2x16xf32>
  return
}

// -----

func.func @digits(%x: tensor<2x64xf32>) {
  // expected-error @below {{block is 32 and digits is 4, expected whole words of 4 and 1 to 3 (C2)}}
  // expected-error @below {{failed to infer returned types}}
  %0, %1, %2 = relay.nn.contrib_quantize_blocks %x {block = 32 : i64, digits = 4 : i64} : (tensor<2x64xf32>) -> (tensor<4x2x16xi32>, tensor<2x2xf32>, tensor<2x2xf32>)
  return
}

// -----

func.func @part(%x: tensor<2x60xf32>) {
  // expected-error @below {{takes whole blocks of columns (C1)}}
  // expected-error @below {{failed to infer returned types}}
  %0, %1, %2 = relay.nn.contrib_quantize_blocks %x {block = 32 : i64, digits = 1 : i64} : (tensor<2x60xf32>) -> (tensor<1x2x16xi32>, tensor<2x2xf32>, tensor<2x2xf32>)
  return
}

// -----

func.func @sums(%d: tensor<3x2x16xi32>, %a: tensor<2x2xf32>, %b: tensor<2x1xf32>, %w: tensor<1x8x16xi32>, %s: tensor<1x2x16xf32>, %z: tensor<ui8>) {
  // expected-error @below {{takes scales and sums of the data of type tensor<2x2xf32>, not tensor<2x2xf32> and tensor<2x1xf32> (C4)}}
  // expected-error @below {{failed to infer returned types}}
  %0 = relay.nn.contrib_dense_digits_pack %d, %a, %b, %w, %s, %z {bits = 4 : i64} : (tensor<3x2x16xi32>, tensor<2x2xf32>, tensor<2x1xf32>, tensor<1x8x16xi32>, tensor<1x2x16xf32>, tensor<ui8>) -> tensor<2x16xf32>
  return
}
