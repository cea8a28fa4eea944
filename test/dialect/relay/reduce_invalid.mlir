// RUN: relay-opt %s --split-input-file --verify-diagnostics

func.func @c1_range(%x: tensor<2x3xf32>) {
  // expected-error@+2 {{axis 2 is out of range for rank 2 (C1)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.sum %x {axis = array<i64: 2>} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @c1_negative(%x: tensor<2x3xf32>) {
  // expected-error@+2 {{axis -3 is out of range for rank 2 (C1)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.mean %x {axis = array<i64: -3>} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @c1_extreme(%x: tensor<2x3xf32>) {
  // expected-error@+2 {{axis -9223372036854775808 is out of range for rank 2 (C1)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.max %x {axis = array<i64: -9223372036854775808>} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @c1_scalar(%x: tensor<f32>) {
  // expected-error@+2 {{axis 0 is out of range for rank 0 (C1)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.min %x {axis = array<i64: 0>} : (tensor<f32>) -> tensor<f32>
  return
}

// -----

func.func @c1_twice(%x: tensor<2x3xf32>) {
  // expected-error@+2 {{axis 1 is given twice (C1)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.prod %x {axis = array<i64: 1, -1>} : (tensor<2x3xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @c2_all(%x: tensor<2x3xf32>) {
  // expected-error@+2 {{takes booleans, not f32 (C0)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.all %x {axis = array<i64: 1>} : (tensor<2x3xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @c2_any(%x: tensor<2x3xi8>) {
  // expected-error@+2 {{takes booleans, not i8 (C0)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.any %x {axis = array<i64: 1>} : (tensor<2x3xi8>) -> tensor<2xi8>
  return
}

// -----

func.func @arg_c1(%x: tensor<2x3xf32>) {
  // expected-error@+2 {{axis 2 is out of range for rank 2 (C1)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.argmin %x {axis = array<i64: 2>} : (tensor<2x3xf32>) -> tensor<2xi64>
  return
}

// -----

func.func @arg_c2(%x: tensor<2x3xf32>) {
  // expected-error@+2 {{takes one axis, not 2 (C2)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.argmax %x {axis = array<i64: 0, 1>} : (tensor<2x3xf32>) -> tensor<i64>
  return
}

// -----

func.func @arg_c2_none(%x: tensor<2x3xf32>) {
  // expected-error@+2 {{takes one axis, not 0 (C2)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.argmax %x {axis = array<i64>} : (tensor<2x3xf32>) -> tensor<i64>
  return
}

// -----

func.func @variance_c1(%x: tensor<2x3xf32>, %m: tensor<2x1xf32>) {
  // expected-error@+2 {{axis 2 is out of range for rank 2}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.variance %x, %m {axis = array<i64: 2>} : (tensor<2x3xf32>, tensor<2x1xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @variance_c2(%x: tensor<2x3xf32>, %m: tensor<2xf32>) {
  // expected-error@+2 {{mean [2] is not of the rank of data [2, 3], or does not broadcast to it (C2)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.variance %x, %m {axis = array<i64: 1>} : (tensor<2x3xf32>, tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @variance_c2_larger(%x: tensor<1x3xf32>, %m: tensor<2x1xf32>) {
  // expected-error@+2 {{mean [2, 1] is not of the rank of data [1, 3], or does not broadcast to it (C2)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.variance %x, %m {axis = array<i64: 1>} : (tensor<1x3xf32>, tensor<2x1xf32>) -> tensor<1xf32>
  return
}

// -----

func.func @variance_c3(%x: tensor<2x3xi32>, %m: tensor<2x1xi32>) {
  // expected-error@+2 {{takes floats, not i32 (C0)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.variance %x, %m {axis = array<i64: 1>} : (tensor<2x3xi32>, tensor<2x1xi32>) -> tensor<2xi32>
  return
}

// -----

func.func @variance_c3_differ(%x: tensor<2x3xf32>, %m: tensor<2x1xf64>) {
  // expected-error@+2 {{data of f32 and mean of f64 are not of one type (C3)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.variance %x, %m {axis = array<i64: 1>} : (tensor<2x3xf32>, tensor<2x1xf64>) -> tensor<2xf32>
  return
}
