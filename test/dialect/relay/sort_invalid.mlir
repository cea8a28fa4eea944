// RUN: relay-opt %s --split-input-file --verify-diagnostics

func.func @c1(%x: tensor<3x4xf32>) {
  // expected-error@+2 {{axis 2 is out of range for rank 2 (C1)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.sort %x {axis = 2 : i64} : (tensor<3x4xf32>) -> tensor<3x4xf32>
  return
}

// -----

func.func @c2(%x: tensor<3x4xf32>) {
  // expected-error@+2 {{dtype is f32, expected i32 or i64 (C2)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.argsort %x {dtype = f32} : (tensor<3x4xf32>) -> tensor<3x4xf32>
  return
}

// -----

func.func @c3(%x: tensor<3x4xf32>) {
  // expected-error@+2 {{5 of 4 elements are asked for (C3)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0:2 = relay.topk %x {k = 5 : i64, dtype = i32} : (tensor<3x4xf32>) -> (tensor<3x5xf32>, tensor<3x5xi32>)
  return
}

// -----

func.func @c4(%x: tensor<3x4xf32>) {
  // expected-error@+2 {{ret_type 'all' is none of both, values, indices (C4)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.topk %x {ret_type = "all", dtype = i32} : (tensor<3x4xf32>) -> tensor<3x1xf32>
  return
}

// -----

func.func @c0(%x: tensor<3xi1>) {
  // expected-error@+2 {{takes integers or floats, not i1 (C0)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.sort %x : (tensor<3xi1>) -> tensor<3xi1>
  return
}
