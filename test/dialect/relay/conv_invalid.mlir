// RUN: relay-opt %s --split-input-file --verify-diagnostics

func.func @c1_data(%x: tensor<3x8x8xf32>, %y: tensor<4x3x3x3xf32>) {
  // expected-error@+2 {{expected data rank 4, got 3 (C1)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.nn.conv2d %x, %y {strides = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>, dilation = array<i64: 1, 1>} : (tensor<3x8x8xf32>, tensor<4x3x3x3xf32>) -> tensor<1x4x6x6xf32>
  return
}

// -----

func.func @c1_weight(%x: tensor<1x3x8xf32>, %y: tensor<4x3x3x3xf32>) {
  // expected-error@+2 {{expected weight rank 3, got 4 (C1)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.nn.conv1d %x, %y {strides = array<i64: 1>, padding = array<i64: 0, 0>, dilation = array<i64: 1>} : (tensor<1x3x8xf32>, tensor<4x3x3x3xf32>) -> tensor<1x4x6xf32>
  return
}

// -----

func.func @c1_blocks(%x: tensor<1x2x8x8x8xf32>, %y: tensor<1x1x3x3x16x16xf32>) {
  // expected-error@+2 {{data has blocks of 8 along C, and its layout of 16 (C1)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.nn.contrib_conv2d_NCHWc %x, %y {strides = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>, dilation = array<i64: 1, 1>} : (tensor<1x2x8x8x8xf32>, tensor<1x1x3x3x16x16xf32>) -> tensor<1x1x6x6x16xf32>
  return
}

// -----

func.func @c2(%x: tensor<1x5x8x8xf32>, %y: tensor<4x3x3x3xf32>) {
  // expected-error@+2 {{5 channels and 4 outputs do not fit a weight of 3 inputs in 1 groups (C2)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.nn.conv2d %x, %y {strides = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>, dilation = array<i64: 1, 1>} : (tensor<1x5x8x8xf32>, tensor<4x3x3x3xf32>) -> tensor<1x4x6x6xf32>
  return
}

// -----

func.func @c2_outputs(%x: tensor<1x6x8x8xf32>, %y: tensor<5x3x3x3xf32>) {
  // expected-error@+2 {{6 channels and 5 outputs do not fit a weight of 3 inputs in 2 groups (C2)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.nn.conv2d %x, %y {strides = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>, dilation = array<i64: 1, 1>, groups = 2 : i64} : (tensor<1x6x8x8xf32>, tensor<5x3x3x3xf32>) -> tensor<1x4x6x6xf32>
  return
}

// -----

func.func @c2_groups(%x: tensor<1x3x8x8xf32>, %y: tensor<4x3x3x3xf32>) {
  // expected-error@+2 {{3 channels and 4 outputs do not fit a weight of 3 inputs in 0 groups (C2)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.nn.conv2d %x, %y {strides = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>, dilation = array<i64: 1, 1>, groups = 0 : i64} : (tensor<1x3x8x8xf32>, tensor<4x3x3x3xf32>) -> tensor<1x4x6x6xf32>
  return
}

// -----

func.func @c2_overflow(%x: tensor<1x3x8x8xf32>, %y: tensor<4x3x3x3xf32>) {
  // expected-error@+2 {{a dimension of 3 * 9223372036854775807 exceeds 64 bits (C2)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.nn.conv2d %x, %y {strides = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>, dilation = array<i64: 1, 1>, groups = 9223372036854775807 : i64} : (tensor<1x3x8x8xf32>, tensor<4x3x3x3xf32>) -> tensor<1x4x6x6xf32>
  return
}

// -----

func.func @c3_strides(%x: tensor<1x3x8x8xf32>, %y: tensor<4x3x3x3xf32>) {
  // expected-error@+2 {{strides [1, 0] is not 2 numbers from 1 to 1073741824 (C3)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.nn.conv2d %x, %y {strides = array<i64: 1, 0>, padding = array<i64: 0, 0, 0, 0>, dilation = array<i64: 1, 1>} : (tensor<1x3x8x8xf32>, tensor<4x3x3x3xf32>) -> tensor<1x4x6x6xf32>
  return
}

// -----

func.func @c3_dilation(%x: tensor<1x3x8x8xf32>, %y: tensor<4x3x3x3xf32>) {
  // expected-error@+2 {{dilation [1] is not 2 numbers from 1 to 1073741824 (C3)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.nn.conv2d %x, %y {strides = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>, dilation = array<i64: 1>} : (tensor<1x3x8x8xf32>, tensor<4x3x3x3xf32>) -> tensor<1x4x6x6xf32>
  return
}

// -----

func.func @c3_padding(%x: tensor<1x3x8x8xf32>, %y: tensor<4x3x3x3xf32>) {
  // expected-error@+2 {{padding [0, 0, 0, -1] is not 4 numbers from 0 to 1073741824 (C3)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.nn.conv2d %x, %y {strides = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, -1>, dilation = array<i64: 1, 1>} : (tensor<1x3x8x8xf32>, tensor<4x3x3x3xf32>) -> tensor<1x4x6x6xf32>
  return
}

// -----

func.func @c3_overflow(%x: tensor<1x3x8x8xf32>, %y: tensor<4x3x3x3xf32>) {
  // expected-error@+2 {{dilation [9223372036854775807, 1] is not 2 numbers from 1 to 1073741824 (C3)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.nn.conv2d %x, %y {strides = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>, dilation = array<i64: 9223372036854775807, 1>} : (tensor<1x3x8x8xf32>, tensor<4x3x3x3xf32>) -> tensor<1x4x6x6xf32>
  return
}

// -----

func.func @c3_padding_overflow(%x: tensor<1x3x0x8xf32>, %y: tensor<4x3x3x3xf32>) {
  // expected-error@+2 {{padding [9223372036854775807, 0, 9223372036854775807, 0] is not 4 numbers from 0 to 1073741824 (C3)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.nn.conv2d %x, %y {strides = array<i64: 1, 1>, padding = array<i64: 9223372036854775807, 0, 9223372036854775807, 0>, dilation = array<i64: 1, 1>} : (tensor<1x3x0x8xf32>, tensor<4x3x3x3xf32>) -> tensor<1x4x6x6xf32>
  return
}

// -----

func.func @c4(%x: tensor<1x3x2x2xf32>, %y: tensor<4x3x3x3xf32>) {
  // expected-error@+2 {{a window of 3 does not fit into 2 in dimension 0 (C4)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.nn.conv2d %x, %y {strides = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>, dilation = array<i64: 1, 1>} : (tensor<1x3x2x2xf32>, tensor<4x3x3x3xf32>) -> tensor<1x4x1x1xf32>
  return
}

// -----

func.func @c4_empty(%x: tensor<1x3x8x8xf32>, %y: tensor<4x3x3x0xf32>) {
  // expected-error@+2 {{a window of 0 elements is empty (C4)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.nn.conv2d %x, %y {strides = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>, dilation = array<i64: 1, 1>} : (tensor<1x3x8x8xf32>, tensor<4x3x3x0xf32>) -> tensor<1x4x6x6xf32>
  return
}

// -----

func.func @c5_dimension(%x: tensor<1x3x8x8xf32>, %y: tensor<4x3x3x3xf32>) {
  // expected-error@+2 {{data_layout 'NCXY' does not order the dimensions NCHW (C5)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.nn.conv2d %x, %y {strides = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>, dilation = array<i64: 1, 1>, data_layout = "NCXY"} : (tensor<1x3x8x8xf32>, tensor<4x3x3x3xf32>) -> tensor<1x4x6x6xf32>
  return
}

// -----

func.func @c5_rank(%x: tensor<1x3x8xf32>, %y: tensor<4x3x3xf32>) {
  // expected-error@+2 {{data_layout 'NCW' does not order the dimensions NCHW (C5)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.nn.conv2d %x, %y {strides = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>, dilation = array<i64: 1, 1>, data_layout = "NCW", kernel_layout = "OIW"} : (tensor<1x3x8xf32>, tensor<4x3x3xf32>) -> tensor<1x4x6x6xf32>
  return
}

// -----

func.func @c5_kernel(%x: tensor<1x3x8x8xf32>, %y: tensor<4x3x3x3xf32>) {
  // expected-error@+2 {{layout 'OIHWH' names 'H' twice (C5)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.nn.conv2d %x, %y {strides = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>, dilation = array<i64: 1, 1>, kernel_layout = "OIHWH"} : (tensor<1x3x8x8xf32>, tensor<4x3x3x3xf32>) -> tensor<1x4x6x6xf32>
  return
}

// -----

func.func @c5_split(%x: tensor<1x3x8x2x4xf32>, %y: tensor<4x3x3x3xf32>) {
  // expected-error@+2 {{data_layout 'NCHW4w' does not order the dimensions NCHW (C5)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.nn.conv2d %x, %y {strides = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>, dilation = array<i64: 1, 1>, data_layout = "NCHW4w"} : (tensor<1x3x8x2x4xf32>, tensor<4x3x3x3xf32>) -> tensor<1x4x6x6xf32>
  return
}

// -----

func.func @c5_blocks(%x: tensor<1x3x8x8xf32>, %y: tensor<1x3x3x3x4xf32>) {
  // expected-error@+2 {{the weight has blocks of outputs, but the data none of channels (C5)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.nn.conv2d %x, %y {strides = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>, dilation = array<i64: 1, 1>, kernel_layout = "OIHW4o"} : (tensor<1x3x8x8xf32>, tensor<1x3x3x3x4xf32>) -> tensor<1x4x6x6xf32>
  return
}

// -----

func.func @c5_split_again(%x: tensor<1x1x8x8x4x4xf32>, %y: tensor<1x1x3x3x16x16xf32>) {
  // expected-error@+2 {{only blocks of a weight's inputs are split again (C5)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.nn.contrib_conv2d_NCHWc %x, %y {strides = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>, dilation = array<i64: 1, 1>, data_layout = "NCHW4c4c"} : (tensor<1x1x8x8x4x4xf32>, tensor<1x1x3x3x16x16xf32>) -> tensor<1x1x6x6x16xf32>
  return
}

// -----

func.func @c6(%x: tensor<1x3x8x8xf32>, %y: tensor<4x3x3x3xf16>) {
  // expected-error@+2 {{takes data and weight of one type, not f32 and f16 (C6)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.nn.conv2d %x, %y {strides = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>, dilation = array<i64: 1, 1>} : (tensor<1x3x8x8xf32>, tensor<4x3x3x3xf16>) -> tensor<1x4x6x6xf32>
  return
}

// -----

func.func @c0_integers(%x: tensor<1x3x8x8xi8>, %y: tensor<4x3x3x3xi8>) {
  // expected-error@+2 {{takes floats, not i8 (C0)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.nn.conv2d %x, %y {strides = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>, dilation = array<i64: 1, 1>} : (tensor<1x3x8x8xi8>, tensor<4x3x3x3xi8>) -> tensor<1x4x6x6xf32>
  return
}

// -----

func.func @transpose_c1(%x: tensor<3x8x8xf32>, %y: tensor<3x4x3x3xf32>) {
  // expected-error@+2 {{expected data rank 4, got 3 (C1)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.nn.conv2d_transpose %x, %y {strides = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>, dilation = array<i64: 1, 1>, output_padding = array<i64: 0, 0>} : (tensor<3x8x8xf32>, tensor<3x4x3x3xf32>) -> tensor<1x4x6x6xf32>
  return
}

// -----

func.func @transpose_c2(%x: tensor<1x5x8x8xf32>, %y: tensor<3x4x3x3xf32>) {
  // expected-error@+2 {{5 channels do not fit a weight of 3 inputs in 1 groups (C2)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.nn.conv2d_transpose %x, %y {strides = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>, dilation = array<i64: 1, 1>, output_padding = array<i64: 0, 0>} : (tensor<1x5x8x8xf32>, tensor<3x4x3x3xf32>) -> tensor<1x4x6x6xf32>
  return
}

// -----

func.func @transpose_c2_groups(%x: tensor<1x3x8x8xf32>, %y: tensor<3x4x3x3xf32>) {
  // expected-error@+2 {{3 channels do not fit a weight of 3 inputs in 2 groups (C2)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.nn.conv2d_transpose %x, %y {strides = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>, dilation = array<i64: 1, 1>, output_padding = array<i64: 0, 0>, groups = 2 : i64} : (tensor<1x3x8x8xf32>, tensor<3x4x3x3xf32>) -> tensor<1x4x6x6xf32>
  return
}

// -----

func.func @transpose_c3(%x: tensor<1x3x8x8xf32>, %y: tensor<3x4x3x3xf32>) {
  // expected-error@+2 {{output_padding [0] is not 2 numbers from 0 to 1073741824 (C3)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.nn.conv2d_transpose %x, %y {strides = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>, dilation = array<i64: 1, 1>, output_padding = array<i64: 0>} : (tensor<1x3x8x8xf32>, tensor<3x4x3x3xf32>) -> tensor<1x4x6x6xf32>
  return
}

// -----

func.func @transpose_c3_overflow(%x: tensor<1x3x8x8xf32>, %y: tensor<3x4x3x3xf32>) {
  // expected-error@+2 {{strides [9223372036854775807, 1] is not 2 numbers from 1 to 1073741824 (C3)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.nn.conv2d_transpose %x, %y {strides = array<i64: 9223372036854775807, 1>, padding = array<i64: 0, 0, 0, 0>, dilation = array<i64: 1, 1>, output_padding = array<i64: 0, 0>} : (tensor<1x3x8x8xf32>, tensor<3x4x3x3xf32>) -> tensor<1x4x6x6xf32>
  return
}

// -----

func.func @transpose_c4(%x: tensor<1x3x8x8xf32>, %y: tensor<3x4x3x3xf32>) {
  // expected-error@+2 {{the result would have the extent 0 in dimension 1 (C4)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.nn.conv2d_transpose %x, %y {strides = array<i64: 1, 1>, padding = array<i64: 0, 5, 0, 5>, dilation = array<i64: 1, 1>, output_padding = array<i64: 0, 0>} : (tensor<1x3x8x8xf32>, tensor<3x4x3x3xf32>) -> tensor<1x4x6x6xf32>
  return
}

// -----

func.func @transpose_c4_empty(%x: tensor<1x3x0x8xf32>, %y: tensor<3x4x3x3xf32>) {
  // expected-error@+2 {{the data is empty in dimension 0 (C4)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.nn.conv2d_transpose %x, %y {strides = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>, dilation = array<i64: 1, 1>, output_padding = array<i64: 0, 0>} : (tensor<1x3x0x8xf32>, tensor<3x4x3x3xf32>) -> tensor<1x4x6x6xf32>
  return
}

// -----

func.func @transpose_c5(%x: tensor<1x3x8x8xf32>, %y: tensor<3x4x3x3xf32>) {
  // expected-error@+2 {{kernel_layout 'IOHX' does not order the dimensions OIHW (C5)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.nn.conv2d_transpose %x, %y {strides = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>, dilation = array<i64: 1, 1>, output_padding = array<i64: 0, 0>, kernel_layout = "IOHX"} : (tensor<1x3x8x8xf32>, tensor<3x4x3x3xf32>) -> tensor<1x4x6x6xf32>
  return
}

// -----

func.func @transpose_c6(%x: tensor<1x3x8x8xf32>, %y: tensor<3x4x3x3xf64>) {
  // expected-error@+2 {{takes data and weight of one type, not f32 and f64 (C6)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.nn.conv2d_transpose %x, %y {strides = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>, dilation = array<i64: 1, 1>, output_padding = array<i64: 0, 0>} : (tensor<1x3x8x8xf32>, tensor<3x4x3x3xf64>) -> tensor<1x4x6x6xf32>
  return
}

// -----

func.func @winograd_c2(%x: tensor<1x2x8x8x16xf32>, %y: tensor<6x6x2x16x16xf32>) {
  // expected-error@+2 {{32 channels in 1 groups do not fit a weight of 16 inputs (C2)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.nn.contrib_conv2d_winograd_without_weight_transform %x, %y {tile_size = 4 : i64, strides = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>, dilation = array<i64: 1, 1>} : (tensor<1x2x8x8x16xf32>, tensor<6x6x2x16x16xf32>) -> tensor<1x2x8x8x16xf32>
  return
}

// -----

func.func @winograd_c3(%x: tensor<1x2x8x8x16xf32>, %y: tensor<6x6x2x32x16xf32>) {
  // expected-error@+2 {{strides and dilation are 1 (C3)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.nn.contrib_conv2d_winograd_without_weight_transform %x, %y {tile_size = 4 : i64, strides = array<i64: 2, 1>, padding = array<i64: 1, 1, 1, 1>, dilation = array<i64: 1, 1>} : (tensor<1x2x8x8x16xf32>, tensor<6x6x2x32x16xf32>) -> tensor<1x2x8x8x16xf32>
  return
}

// -----

func.func @winograd_c4(%x: tensor<1x2x8x8x16xf32>, %y: tensor<6x6x2x32x16xf32>) {
  // expected-error@+2 {{tile_size 1 does not fit a transformed weight of 6 (C4)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.nn.contrib_conv2d_winograd_without_weight_transform %x, %y {tile_size = 1 : i64, strides = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>, dilation = array<i64: 1, 1>} : (tensor<1x2x8x8x16xf32>, tensor<6x6x2x32x16xf32>) -> tensor<1x2x8x8x16xf32>
  return
}

// -----

func.func @winograd_open(%x: tensor<1x2x8x8x16xf32>, %y: tensor<?x?x2x32x16xf32>) {
  // expected-error@+2 {{tile_size 1 does not fit a transformed weight of ? (C4)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.nn.contrib_conv2d_winograd_without_weight_transform %x, %y {tile_size = 1 : i64, strides = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>, dilation = array<i64: 1, 1>} : (tensor<1x2x8x8x16xf32>, tensor<?x?x2x32x16xf32>) -> tensor<1x2x8x8x16xf32>
  return
}

// -----

func.func @winograd_c6(%x: tensor<1x2x8x8x16xf32>, %y: tensor<6x6x2x32x16xbf16>) {
  // expected-error@+2 {{takes data and weight of one type, not f32 and bf16 (C6)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.nn.contrib_conv2d_winograd_without_weight_transform %x, %y {tile_size = 4 : i64, strides = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>, dilation = array<i64: 1, 1>} : (tensor<1x2x8x8x16xf32>, tensor<6x6x2x32x16xbf16>) -> tensor<1x2x8x8x16xf32>
  return
}

// -----

func.func @winograd_weight_c1_rank(%y: tensor<4x4x3xf32>) {
  // expected-error@+2 {{expected a weight of rank 4, got 3 (C1)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.nn.contrib_conv2d_winograd_weight_transform %y {tile_size = 4 : i64} : (tensor<4x4x3xf32>) -> tensor<6x6x4x4xf32>
  return
}

// -----

func.func @winograd_weight_c1(%y: tensor<4x4x1x1xf32>) {
  // expected-error@+2 {{the kernel is 1 x 1, expected one of known extents of which one is above 1 (C1)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.nn.contrib_conv2d_winograd_weight_transform %y {tile_size = 4 : i64} : (tensor<4x4x1x1xf32>) -> tensor<1x1x4x4xf32>
  return
}

// -----

func.func @winograd_weight_c2(%y: tensor<4x4x3x3xf32>) {
  // expected-error@+2 {{tile_size 7 with a kernel of 3 gives tiles of 9, expected at most 8, and tile_size at least 2 (C2)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.nn.contrib_conv2d_winograd_weight_transform %y {tile_size = 7 : i64} : (tensor<4x4x3x3xf32>) -> tensor<6x6x4x4xf32>
  return
}

// -----

func.func @winograd_weight_c3(%y: tensor<4x4x3x3xi32>) {
  // expected-error@+2 {{takes floats, not i32 (C0)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.nn.contrib_conv2d_winograd_weight_transform %y {tile_size = 4 : i64} : (tensor<4x4x3x3xi32>) -> tensor<6x6x4x4xf32>
  return
}

// -----

func.func @c7_channels(%x: tensor<1x3x8x8xf32>, %y: tensor<4x3x3x3xf32>) {
  // expected-error@+2 {{channels is 5, but by the type of the weight it is 4 (C7)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.nn.conv2d %x, %y {channels = 5 : i64} : (tensor<1x3x8x8xf32>, tensor<4x3x3x3xf32>) -> tensor<1x4x6x6xf32>
  return
}

// -----

func.func @c7_kernel(%x: tensor<1x4x8xf32>, %y: tensor<4x3x3xf32>) {
  // expected-error@+2 {{kernel_size is [2], but by the type of the weight it is [3] (C7)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.nn.conv1d_transpose %x, %y {channels = 3 : i64, kernel_size = array<i64: 2>} : (tensor<1x4x8xf32>, tensor<4x3x3xf32>) -> tensor<1x3x10xf32>
  return
}

// -----

func.func @c7_negative(%x: tensor<1x3x8x8xf32>, %y: tensor<4x3x3x3xf32>) {
  // expected-error@+2 {{channels is -1, expected at least 0 (C7)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.nn.conv2d %x, %y {channels = -1 : i64} : (tensor<1x3x8x8xf32>, tensor<4x3x3x3xf32>) -> tensor<1x4x6x6xf32>
  return
}
