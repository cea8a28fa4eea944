// RUN: relay-opt %s --split-input-file --verify-diagnostics

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
  // expected-error@+2 {{data of i32 and mean of i32 are not of one float type (C3)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.variance %x, %m {axis = array<i64: 1>} : (tensor<2x3xi32>, tensor<2x1xi32>) -> tensor<2xi32>
  return
}

// -----

func.func @variance_c3_differ(%x: tensor<2x3xf32>, %m: tensor<2x1xf64>) {
  // expected-error@+2 {{data of f32 and mean of f64 are not of one float type (C3)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.variance %x, %m {axis = array<i64: 1>} : (tensor<2x3xf32>, tensor<2x1xf64>) -> tensor<2xf32>
  return
}
