// RUN: relay-opt %s --split-input-file --verify-diagnostics

func.func @cumsum_c1(%x: tensor<2x3xf32>) {
  // expected-error@+2 {{axis 2 is out of range for rank 2 (C1)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.cumsum %x {axis = 2 : i64} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @cumprod_c2(%x: tensor<2x3xf32>) {
  // expected-error@+2 {{dtype is i1, no type of such numbers (C2)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.cumprod %x {axis = 1 : i64, dtype = i1} : (tensor<2x3xf32>) -> tensor<2x3xi1>
  return
}

// -----

func.func @invert_permutation_c1(%x: tensor<2x3xi64>) {
  // expected-error@+2 {{are no list of integers (C1)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.invert_permutation %x : (tensor<2x3xi64>) -> tensor<2x3xi64>
  return
}

// -----

func.func @searchsorted_c1(%x: tensor<2x3xf32>, %y: tensor<3x3xf32>) {
  // expected-error@+2 {{do not fit a sorted list tensor<2x3xf32> (C1)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.searchsorted %x, %y {dtype = i32} : (tensor<2x3xf32>, tensor<3x3xf32>) -> tensor<3x3xi32>
  return
}

// -----

func.func @searchsorted_c2(%x: tensor<3xf32>) {
  // expected-error@+2 {{dtype is f32, no type of such numbers (C2)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.searchsorted %x, %x {dtype = f32} : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @sparse_to_dense_c1(%i: tensor<2x3xi64>, %v: tensor<2xf32>, %d: tensor<f32>) {
  // expected-error@+2 {{do not fit output_shape [4, 4] (C1)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.sparse_to_dense %i, %v, %d {output_shape = array<i64: 4, 4>} : (tensor<2x3xi64>, tensor<2xf32>, tensor<f32>) -> tensor<4x4xf32>
  return
}

// -----

func.func @sparse_to_dense_c2(%i: tensor<2x2xi64>, %v: tensor<3xf32>, %d: tensor<f32>) {
  // expected-error@+2 {{do not fit 2 subscripts (C2)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.sparse_to_dense %i, %v, %d {output_shape = array<i64: 4, 4>} : (tensor<2x2xi64>, tensor<3xf32>, tensor<f32>) -> tensor<4x4xf32>
  return
}

// -----

func.func @sparse_to_dense_c3(%i: tensor<2xi64>, %v: tensor<2xf32>, %d: tensor<f32>) {
  // expected-error@+2 {{output_shape [-4] has a negative extent (C3)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.sparse_to_dense %i, %v, %d {output_shape = array<i64: -4>} : (tensor<2xi64>, tensor<2xf32>, tensor<f32>) -> tensor<4xf32>
  return
}
