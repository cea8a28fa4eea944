// RUN: relay-opt %s --split-input-file --verify-diagnostics

func.func @c1(%x: tensor<3x8x8xf32>) {
  // expected-error@+2 {{expected rank 4 for operand 0, got 3 (C1)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.image.resize2d %x {size = array<i64: 4, 4>} : (tensor<3x8x8xf32>) -> tensor<3x4x4xf32>
  return
}

// -----

func.func @c2_length(%x: tensor<1x3x8x8xf32>) {
  // expected-error@+2 {{size [4] is not a height and a width (C2)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.image.resize2d %x {size = array<i64: 4>} : (tensor<1x3x8x8xf32>) -> tensor<1x3x8x8xf32>
  return
}

// -----

func.func @c2_zero(%x: tensor<1x3x8x8xf32>) {
  // expected-error@+2 {{size [4, 0] is not a height and a width (C2)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.image.resize2d %x {size = array<i64: 4, 0>} : (tensor<1x3x8x8xf32>) -> tensor<1x3x8x8xf32>
  return
}

// -----

func.func @c2_negative(%x: tensor<1x3x8x8xf32>) {
  // expected-error@+2 {{size [-9223372036854775808, 4] is not a height and a width (C2)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.image.resize2d %x {size = array<i64: -9223372036854775808, 4>} : (tensor<1x3x8x8xf32>) -> tensor<1x3x8x8xf32>
  return
}

// -----

func.func @c2_count(%x: tensor<1x3x8x8xf32>) {
  // expected-error@+2 {{the result of shape [1, 3, 1099511627776, 1099511627776] has more elements than 64 bits count}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.image.resize2d %x {size = array<i64: 1099511627776, 1099511627776>} : (tensor<1x3x8x8xf32>) -> tensor<1x3x8x8xf32>
  return
}

// -----

func.func @c3_method(%x: tensor<1x3x8x8xf32>) {
  // expected-error@+2 {{method 'cubic' is none of nearest_neighbor, linear (C3)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.image.resize2d %x {size = array<i64: 4, 4>, method = "cubic"} : (tensor<1x3x8x8xf32>) -> tensor<1x3x8x8xf32>
  return
}

// -----

func.func @c3_coordinates(%x: tensor<1x3x8x8xf32>) {
  // expected-error@+2 {{coordinate_transformation_mode 'half' is none of half_pixel}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.image.resize2d %x {size = array<i64: 4, 4>, coordinate_transformation_mode = "half"} : (tensor<1x3x8x8xf32>) -> tensor<1x3x8x8xf32>
  return
}

// -----

func.func @c3_rounding(%x: tensor<1x3x8x8xf32>) {
  // expected-error@+2 {{rounding_method 'up' is none of round}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.image.resize2d %x {size = array<i64: 4, 4>, rounding_method = "up"} : (tensor<1x3x8x8xf32>) -> tensor<1x3x8x8xf32>
  return
}

// -----

func.func @resize1d_c1(%x: tensor<1x3x8x8xf32>) {
  // expected-error@+2 {{expected rank 3 for operand 0, got 4 (C1)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.image.resize1d %x {size = array<i64: 4>} : (tensor<1x3x8x8xf32>) -> tensor<1x3x8x4xf32>
  return
}

// -----

func.func @resize3d_c1_layout(%x: tensor<1x3x8x8xf32>) {
  // expected-error@+2 {{layout NCHW does not have 3 whole spatial dimensions (C1)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.image.resize3d %x {size = array<i64: 4, 4, 4>, layout = "NCHW"} : (tensor<1x3x8x8xf32>) -> tensor<1x4x4x4xf32>
  return
}

// -----

func.func @resize2d_c1_split(%x: tensor<1x3x8x2x4xf32>) {
  // expected-error@+2 {{layout NCHW4w does not have 2 whole spatial dimensions (C1)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.image.resize2d %x {size = array<i64: 4, 4>, layout = "NCHW4w"} : (tensor<1x3x8x2x4xf32>) -> tensor<1x3x4x4x4xf32>
  return
}

// -----

func.func @resize1d_c2(%x: tensor<1x3x8xf32>) {
  // expected-error@+2 {{size [4, 4] is not a width (C2)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.image.resize1d %x {size = array<i64: 4, 4>} : (tensor<1x3x8xf32>) -> tensor<1x3x4xf32>
  return
}

// -----

func.func @resize3d_c2(%x: tensor<1x3x8x8x8xf32>) {
  // expected-error@+2 {{size [4, 4, 0] is not a depth, height and width (C2)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.image.resize3d %x {size = array<i64: 4, 4, 0>} : (tensor<1x3x8x8x8xf32>) -> tensor<1x3x4x4x0xf32>
  return
}

// -----

func.func @resize1d_c3(%x: tensor<1x3x8xf32>) {
  // expected-error@+2 {{method 'cubic' is none of nearest_neighbor, linear (C3)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.image.resize1d %x {size = array<i64: 4>, method = "cubic"} : (tensor<1x3x8xf32>) -> tensor<1x3x4xf32>
  return
}

// -----

func.func @resize2d_c4(%x: tensor<1x3x8x0xf32>) {
  // expected-error@+2 {{dimension 3 has no elements (C4)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.image.resize2d %x {size = array<i64: 4, 4>} : (tensor<1x3x8x0xf32>) -> tensor<1x3x4x4xf32>
  return
}

// -----

func.func @upsampling_c1(%x: tensor<3x8x8xf32>) {
  // expected-error@+2 {{expected rank 4 for operand 0, got 3 (C1)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.nn.upsampling %x {scale_h = 2.0, scale_w = 2.0} : (tensor<3x8x8xf32>) -> tensor<3x16x16xf32>
  return
}

// -----

func.func @upsampling_c2(%x: tensor<1x3x8x8xf32>) {
  // expected-error@+2 {{scale_w 0.01 leaves 0 elements (C2)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.nn.upsampling %x {scale_h = 2.0, scale_w = 0.01} : (tensor<1x3x8x8xf32>) -> tensor<1x3x16x0xf32>
  return
}

// -----

func.func @upsampling_c3(%x: tensor<1x3x8x8xf32>) {
  // expected-error@+2 {{method 'bicubic' is none of nearest_neighbor, bilinear (C3)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.nn.upsampling %x {scale_h = 2.0, scale_w = 2.0, method = "bicubic"} : (tensor<1x3x8x8xf32>) -> tensor<1x3x16x16xf32>
  return
}

// -----

func.func @upsampling3d_c2(%x: tensor<1x3x8x8x8xf32>) {
  // expected-error@+2 {{scale_d -1 leaves -8 elements (C2)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.nn.upsampling3d %x {scale_d = -1.0, scale_h = 2.0, scale_w = 2.0} : (tensor<1x3x8x8x8xf32>) -> tensor<1x3x8x16x16xf32>
  return
}

// -----

func.func @upsampling3d_c3(%x: tensor<1x3x8x8x8xf32>) {
  // expected-error@+2 {{coordinate_transformation_mode 'half' is none of half_pixel}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.nn.upsampling3d %x {scale_d = 1.0, scale_h = 2.0, scale_w = 2.0, coordinate_transformation_mode = "half"} : (tensor<1x3x8x8x8xf32>) -> tensor<1x3x8x16x16xf32>
  return
}
