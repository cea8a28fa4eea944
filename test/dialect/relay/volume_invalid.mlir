// RUN: relay-opt %s --split-input-file --verify-diagnostics

func.func @weight_c1(%w: tensor<4x3x3x3xf32>) {
  // expected-error@+2 {{a weight of shape [4, 3, 3, 3] is no kernel of known extents (C1)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.nn.contrib_conv3d_winograd_weight_transform %w {tile_size = 2 : i64} : (tensor<4x3x3x3xf32>) -> tensor<4x4x4x4x3xf32>
  return
}

// -----

func.func @weight_c2(%w: tensor<4x3x3x3x3xf32>) {
  // expected-error@+2 {{gives tiles of [9, 9, 9], expected at most 8, and tile_size at least 2 (C2)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.nn.contrib_conv3d_winograd_weight_transform %w {tile_size = 7 : i64} : (tensor<4x3x3x3x3xf32>) -> tensor<9x9x9x4x3xf32>
  return
}

// -----

func.func @conv_c1(%x: tensor<2x3x5x6x7xf32>, %w: tensor<4x4x4x4x3xf32>) {
  // expected-error@+2 {{data_layout is 'NDHWC', not NCDHW (C1)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.nn.contrib_conv3d_winograd_without_weight_transform %x, %w {tile_size = 2 : i64, kernel_size = array<i64: 3, 3, 3>, data_layout = "NDHWC"} : (tensor<2x3x5x6x7xf32>, tensor<4x4x4x4x3xf32>) -> tensor<2x4x3x4x5xf32>
  return
}

// -----

func.func @conv_c2(%x: tensor<2x3x5x6x7xf32>, %w: tensor<4x4x4x4x3xf32>) {
  // expected-error@+2 {{a weight of shape [4, 4, 4, 4, 3] is no transformed one of shape [6, 6, 6, 4, 3] (C2)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.nn.contrib_conv3d_winograd_without_weight_transform %x, %w {tile_size = 4 : i64, kernel_size = array<i64: 3, 3, 3>} : (tensor<2x3x5x6x7xf32>, tensor<4x4x4x4x3xf32>) -> tensor<2x4x3x4x5xf32>
  return
}

// -----

func.func @conv_c3(%x: tensor<2x3x5x6x7xf32>, %w: tensor<4x4x4x4x3xf32>) {
  // expected-error@+2 {{strides and dilation are 1 (C3)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.nn.contrib_conv3d_winograd_without_weight_transform %x, %w {tile_size = 2 : i64, kernel_size = array<i64: 3, 3, 3>, strides = array<i64: 1, 2, 1>} : (tensor<2x3x5x6x7xf32>, tensor<4x4x4x4x3xf32>) -> tensor<2x4x3x4x5xf32>
  return
}

// -----

func.func @conv_c4(%x: tensor<2x3x2x6x7xf32>, %w: tensor<4x4x4x4x3xf32>) {
  // expected-error@+2 {{a window of 3 does not fit into 2 in dimension 0 (C4)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.nn.contrib_conv3d_winograd_without_weight_transform %x, %w {tile_size = 2 : i64, kernel_size = array<i64: 3, 3, 3>} : (tensor<2x3x2x6x7xf32>, tensor<4x4x4x4x3xf32>) -> tensor<2x4x3x4x5xf32>
  return
}

// -----

func.func @conv_c5(%x: tensor<2x3x5x6x7xf32>, %w: tensor<4x4x4x4x3xf32>) {
  // expected-error@+2 {{groups is 3, not 1 (C5)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.nn.contrib_conv3d_winograd_without_weight_transform %x, %w {tile_size = 2 : i64, kernel_size = array<i64: 3, 3, 3>, groups = 3 : i64} : (tensor<2x3x5x6x7xf32>, tensor<4x4x4x4x3xf32>) -> tensor<2x4x3x4x5xf32>
  return
}
