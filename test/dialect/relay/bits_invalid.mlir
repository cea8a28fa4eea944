// RUN: relay-opt %s --split-input-file --verify-diagnostics

func.func @bitpack_c1(%x: tensor<2x64x3xui8>) {
  // expected-error@+2 {{bits is 9, not from 1 to 8 (C1)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.nn.bitpack %x {bits = 9 : i64, bit_axis = 2 : i64, pack_type = ui32} : (tensor<2x64x3xui8>) -> tensor<2x2x9x3xui32>
  return
}

// -----

func.func @bitpack_c2(%x: tensor<2x64x3xui8>) {
  // expected-error@+2 {{bit_axis is -1, not from 0 to 3 (C2)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.nn.bitpack %x {pack_type = ui32} : (tensor<2x64x3xui8>) -> tensor<2x2x3x1xui32>
  return
}

// -----

func.func @bitpack_c3(%x: tensor<2x64x3xui8>) {
  // expected-error@+2 {{64 numbers are not words of i32 (C3)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.nn.bitpack %x {bit_axis = 2 : i64, pack_type = i32} : (tensor<2x64x3xui8>) -> tensor<2x2x1x3xi32>
  return
}

// -----

func.func @dense_c1(%x: tensor<3x40xui8>, %w: tensor<5x41xui8>) {
  // expected-error@+2 {{operands tensor<3x40xui8>, tensor<5x41xui8> do not fit (C1)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.nn.bitserial_dense %x, %w : (tensor<3x40xui8>, tensor<5x41xui8>) -> tensor<3x5xi16>
  return
}

// -----

func.func @dense_c2(%x: tensor<3x40xui8>, %w: tensor<5x40xui8>) {
  // expected-error@+2 {{data_bits is 0, not from 1 to 8 (C2)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.nn.bitserial_dense %x, %w {data_bits = 0 : i64} : (tensor<3x40xui8>, tensor<5x40xui8>) -> tensor<3x5xi16>
  return
}

// -----

func.func @dense_c5(%x: tensor<3x40xui8>, %w: tensor<5x40xui8>) {
  // expected-error@+2 {{out_dtype is f32, no integer type (C5)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.nn.bitserial_dense %x, %w {out_dtype = f32} : (tensor<3x40xui8>, tensor<5x40xui8>) -> tensor<3x5xf32>
  return
}

// -----

func.func @conv_c1(%x: tensor<2x6x5x8xi8>, %w: tensor<3x2x7x4xi8>) {
  // expected-error@+2 {{do not fit (C1)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.nn.bitserial_conv2d %x, %w {strides = array<i64: 1, 1>, data_layout = "NHWC", kernel_layout = "HWIO"} : (tensor<2x6x5x8xi8>, tensor<3x2x7x4xi8>) -> tensor<2x4x4x4xi16>
  return
}

// -----

func.func @conv_c2(%x: tensor<2x6x5x8xi8>, %w: tensor<3x2x8x4xi8>) {
  // expected-error@+2 {{weight_bits is 9, not from 1 to 8 (C2)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.nn.bitserial_conv2d %x, %w {weight_bits = 9 : i64, data_layout = "NHWC", kernel_layout = "HWIO"} : (tensor<2x6x5x8xi8>, tensor<3x2x8x4xi8>) -> tensor<2x4x4x4xi16>
  return
}

// -----

func.func @conv_c5(%x: tensor<2x6x5x8xi8>, %w: tensor<3x2x8x4xi8>) {
  // expected-error@+2 {{out_dtype is f32, no integer type (C5)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.nn.bitserial_conv2d %x, %w {out_dtype = f32, data_layout = "NHWC", kernel_layout = "HWIO"} : (tensor<2x6x5x8xi8>, tensor<3x2x8x4xi8>) -> tensor<2x4x4x4xf32>
  return
}

// -----

func.func @conv_c6(%x: tensor<2x6x5x8xi8>, %w: tensor<3x2x8x4xi8>) {
  // expected-error@+2 {{layouts 'NHWC' and 'OIHW' are neither NCHW and OIHW nor NHWC and HWIO (C6)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.nn.bitserial_conv2d %x, %w {data_layout = "NHWC"} : (tensor<2x6x5x8xi8>, tensor<3x2x8x4xi8>) -> tensor<2x4x4x4xi16>
  return
}

// -----

func.func @transform_c1(%w: tensor<3x2x3xf32>) {
  // expected-error@+2 {{operands tensor<3x2x3xf32> do not fit (C1)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.nn.contrib_conv2d_gemm_weight_transform %w {tile_N = 4 : i64, tile_K = 2 : i64} : (tensor<3x2x3xf32>) -> tensor<2x12x2x4xf32>
  return
}

// -----

func.func @transform_c2(%w: tensor<3x2x3x7xf32>) {
  // expected-error@+2 {{tiles are 2 by 0 (C2)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.nn.contrib_conv2d_gemm_weight_transform %w {tile_N = 0 : i64, tile_K = 2 : i64} : (tensor<3x2x3x7xf32>) -> tensor<2x12x2x4xf32>
  return
}

// -----

func.func @gemm_c1(%x: tensor<2x6x5x3xf32>, %w: tensor<2x12x2x4xf32>) {
  // expected-error@+2 {{data_layout is 'NCHW', not NHWC (C1)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.nn.contrib_conv2d_gemm_without_weight_transform %x, %w {channels = 7 : i64, kernel_size = array<i64: 3, 2>, data_layout = "NCHW"} : (tensor<2x6x5x3xf32>, tensor<2x12x2x4xf32>) -> tensor<2x4x4x7xf32>
  return
}

// -----

func.func @gemm_c2(%x: tensor<2x6x5x3xf32>, %w: tensor<2x12x2x4xf32>) {
  // expected-error@+2 {{tiles tensor<2x12x2x4xf32> hold no weight of 18 rows and 9 columns (C2)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.nn.contrib_conv2d_gemm_without_weight_transform %x, %w {channels = 9 : i64, kernel_size = array<i64: 3, 2>} : (tensor<2x6x5x3xf32>, tensor<2x12x2x4xf32>) -> tensor<2x4x4x9xf32>
  return
}

// -----

func.func @gemm_c5(%x: tensor<2x6x5x3xf32>, %w: tensor<2x12x2x4xf32>) {
  // expected-error@+2 {{groups is 3, not 1 (C5)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.nn.contrib_conv2d_gemm_without_weight_transform %x, %w {channels = 7 : i64, kernel_size = array<i64: 3, 2>, groups = 3 : i64} : (tensor<2x6x5x3xf32>, tensor<2x12x2x4xf32>) -> tensor<2x4x4x7xf32>
  return
}

// -----

func.func @gemm_c3(%x: tensor<2x6x5x3xf32>, %w: tensor<2x12x2x4xf32>) {
  // expected-error@+2 {{is not 2 numbers from 1 to 1073741824 (C3)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.nn.contrib_conv2d_gemm_without_weight_transform %x, %w {channels = 7 : i64, kernel_size = array<i64: 3>} : (tensor<2x6x5x3xf32>, tensor<2x12x2x4xf32>) -> tensor<2x4x4x7xf32>
  return
}
