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
  // expected-error@+2 {{the result [1, 3, 1099511627776, 1099511627776] has more elements than 64 bits count}}
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
