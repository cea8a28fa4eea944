// RUN: relay-opt %s --split-input-file --verify-diagnostics

func.func @c1_rank(%x: tensor<3x8x8xf32>) {
  // expected-error@+2 {{expected data rank 4, got 3 for layout NCHW (C1)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.nn.max_pool2d %x {pool_size = array<i64: 3, 3>, strides = array<i64: 1, 1>, dilation = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>} : (tensor<3x8x8xf32>) -> tensor<3x6x6xf32>
  return
}

// -----

func.func @c1_layout(%x: tensor<1x3x8x8xf32>) {
  // expected-error@+2 {{layout 'NCHc' is wrong at 'c' (C1)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.nn.max_pool2d %x {pool_size = array<i64: 3, 3>, strides = array<i64: 1, 1>, dilation = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>, layout = "NCHc"} : (tensor<1x3x8x8xf32>) -> tensor<1x3x8x8xf32>
  return
}

// -----

func.func @c1_dimension(%x: tensor<1x3x8x8xf32>) {
  // expected-error@+2 {{layout 'NCXY' names or splits a dimension that is neither batch nor channel (C1)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.nn.avg_pool2d %x {pool_size = array<i64: 3, 3>, strides = array<i64: 1, 1>, dilation = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>, layout = "NCXY"} : (tensor<1x3x8x8xf32>) -> tensor<1x3x8x8xf32>
  return
}

// -----

func.func @c1_split(%x: tensor<1x3x8x2x4xf32>) {
  // expected-error@+2 {{layout 'NCHW4w' names or splits a dimension that is neither batch nor channel (C1)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.nn.avg_pool2d %x {pool_size = array<i64: 3, 3>, strides = array<i64: 1, 1>, dilation = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>, layout = "NCHW4w"} : (tensor<1x3x8x2x4xf32>) -> tensor<1x3x8x2x4xf32>
  return
}

// -----

func.func @c1_blocks(%x: tensor<1x3x8x8x8xf32>) {
  // expected-error@+2 {{data has blocks of 8 along C, and its layout of 16 for layout NCHW16c (C1)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.nn.max_pool2d %x {pool_size = array<i64: 3, 3>, strides = array<i64: 1, 1>, dilation = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>, layout = "NCHW16c"} : (tensor<1x3x8x8x8xf32>) -> tensor<1x3x6x6x8xf32>
  return
}

// -----

func.func @c2_length(%x: tensor<1x3x8x8xf32>) {
  // expected-error@+2 {{pool_size [3] is not one extent per spatial dimension (C2)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.nn.max_pool2d %x {pool_size = array<i64: 3>, strides = array<i64: 1, 1>, dilation = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>} : (tensor<1x3x8x8xf32>) -> tensor<1x3x8x8xf32>
  return
}

// -----

func.func @c2_zero(%x: tensor<1x3x8x8xf32>) {
  // expected-error@+2 {{pool_size [3, 0] is not one extent per spatial dimension (C2)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.nn.avg_pool2d %x {pool_size = array<i64: 3, 0>, strides = array<i64: 1, 1>, dilation = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>} : (tensor<1x3x8x8xf32>) -> tensor<1x3x8x8xf32>
  return
}

// -----

func.func @c3_strides(%x: tensor<1x3x8x8xf32>) {
  // expected-error@+2 {{strides [1, 0] is not 2 numbers from 1 to 1073741824 (C3)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.nn.max_pool2d %x {pool_size = array<i64: 3, 3>, strides = array<i64: 1, 0>, dilation = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>} : (tensor<1x3x8x8xf32>) -> tensor<1x3x8x8xf32>
  return
}

// -----

func.func @c3_dilation(%x: tensor<1x3x8x8xf32>) {
  // expected-error@+2 {{dilation [0, 1] is not 2 numbers from 1 to 1073741824 (C3)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.nn.max_pool2d %x {pool_size = array<i64: 3, 3>, strides = array<i64: 1, 1>, dilation = array<i64: 0, 1>, padding = array<i64: 0, 0, 0, 0>} : (tensor<1x3x8x8xf32>) -> tensor<1x3x8x8xf32>
  return
}

// -----

func.func @c3_padding_length(%x: tensor<1x3x8x8xf32>) {
  // expected-error@+2 {{padding [1, 1] is not 4 numbers from 0 to 1073741824 (C3)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.nn.max_pool2d %x {pool_size = array<i64: 3, 3>, strides = array<i64: 1, 1>, dilation = array<i64: 1, 1>, padding = array<i64: 1, 1>} : (tensor<1x3x8x8xf32>) -> tensor<1x3x8x8xf32>
  return
}

// -----

func.func @c3_padding(%x: tensor<1x3x8x8xf32>) {
  // expected-error@+2 {{padding [0, 0, -1, 0] is not 4 numbers from 0 to 1073741824 (C3)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.nn.avg_pool2d %x {pool_size = array<i64: 3, 3>, strides = array<i64: 1, 1>, dilation = array<i64: 1, 1>, padding = array<i64: 0, 0, -1, 0>} : (tensor<1x3x8x8xf32>) -> tensor<1x3x8x8xf32>
  return
}

// -----

func.func @c3_padding_overflow(%x: tensor<1x3x8x8xf32>) {
  // expected-error@+2 {{padding [0, 9223372036854775807, 0, 0] is not 4 numbers from 0 to 1073741824 (C3)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.nn.max_pool2d %x {pool_size = array<i64: 3, 3>, strides = array<i64: 1, 1>, dilation = array<i64: 1, 1>, padding = array<i64: 0, 9223372036854775807, 0, 0>} : (tensor<1x3x8x8xf32>) -> tensor<1x3x8x8xf32>
  return
}

// -----

func.func @c3_dilation_overflow(%x: tensor<1x3x8x8xf32>) {
  // expected-error@+2 {{dilation [1, 9223372036854775807] is not 2 numbers from 1 to 1073741824 (C3)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.nn.max_pool2d %x {pool_size = array<i64: 3, 3>, strides = array<i64: 1, 1>, dilation = array<i64: 1, 9223372036854775807>, padding = array<i64: 0, 0, 0, 0>} : (tensor<1x3x8x8xf32>) -> tensor<1x3x8x8xf32>
  return
}

// -----

func.func @c4(%x: tensor<1x3x8x8xf32>) {
  // expected-error@+2 {{a window of 9 does not fit into 8 in dimension 1 (C4)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.nn.max_pool2d %x {pool_size = array<i64: 3, 9>, strides = array<i64: 1, 1>, dilation = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>} : (tensor<1x3x8x8xf32>) -> tensor<1x3x8x8xf32>
  return
}

// -----

func.func @c4_empty(%x: tensor<1x3x0x8xf32>) {
  // expected-error@+2 {{a window of 3 does not fit into 0 in dimension 0 (C4)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.nn.max_pool2d %x {pool_size = array<i64: 3, 3>, strides = array<i64: 1, 1>, dilation = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>} : (tensor<1x3x0x8xf32>) -> tensor<1x3x8x8xf32>
  return
}

// -----

func.func @global_c1(%x: tensor<3x8x8xf32>) {
  // expected-error@+2 {{expected data rank 4, got 3 for layout NCHW (C1)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.nn.global_avg_pool2d %x : (tensor<3x8x8xf32>) -> tensor<3x1x1xf32>
  return
}

// -----

func.func @c1_rank(%x: tensor<3x7x7xf32>) {
  // expected-error@+2 {{expected data rank 4, got 3 for layout NCHW (C1)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.nn.adaptive_avg_pool2d %x {output_size = array<i64: 1>} : (tensor<3x7x7xf32>) -> tensor<3x1x1xf32>
  return
}

// -----

func.func @c1_spatial(%x: tensor<1x3x7xf32>) {
  // expected-error@+2 {{layout NCW does not have 2 spatial dimensions (C1)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.nn.adaptive_avg_pool2d %x {output_size = array<i64: 1>, layout = "NCW"} : (tensor<1x3x7xf32>) -> tensor<1x3x1xf32>
  return
}

// -----

func.func @c2_length(%x: tensor<1x3x7x7x7xf32>) {
  // expected-error@+2 {{output_size [1, 2] is not an extent for each of 3 spatial dimensions (C2)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.nn.adaptive_max_pool3d %x {output_size = array<i64: 1, 2>} : (tensor<1x3x7x7x7xf32>) -> tensor<1x3x1x2x7xf32>
  return
}

// -----

func.func @c2_zero(%x: tensor<1x3x7xf32>) {
  // expected-error@+2 {{output_size [0] is not an extent for each of 1 spatial dimensions (C2)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.nn.adaptive_max_pool1d %x {output_size = array<i64: 0>} : (tensor<1x3x7xf32>) -> tensor<1x3x0xf32>
  return
}

// -----

func.func @c3(%x: tensor<1x3x0x7xf32>) {
  // expected-error@+2 {{dimension 2 has no elements (C3)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.nn.adaptive_max_pool2d %x {output_size = array<i64: 1>} : (tensor<1x3x0x7xf32>) -> tensor<1x3x1x1xf32>
  return
}
