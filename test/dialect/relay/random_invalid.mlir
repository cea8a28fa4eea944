// RUN: relay-opt %s --split-input-file --verify-diagnostics

func.func @generate_c1(%k: tensor<10xi64>) {
  // expected-error@+2 {{a key is tensor<10xi64>, not tensor<10xui64> (C1)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0:2 = relay.random.threefry_generate %k {out_shape = array<i64: 3>} : (tensor<10xi64>) -> (tensor<10xui64>, tensor<3xui64>)
  return
}

// -----

func.func @generate_c2(%k: tensor<10xui64>) {
  // expected-error@+2 {{out_shape is [-3] (C2)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0:2 = relay.random.threefry_generate %k {out_shape = array<i64: -3>} : (tensor<10xui64>) -> (tensor<10xui64>, tensor<3xui64>)
  return
}

// -----

func.func @split_c1(%k: tensor<9xui64>) {
  // expected-error@+2 {{a key is tensor<9xui64>, not tensor<10xui64> (C1)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0:2 = relay.random.threefry_split %k : (tensor<9xui64>) -> (tensor<10xui64>, tensor<10xui64>)
  return
}

// -----

func.func @uniform_c3(%k: tensor<10xui64>, %t: tensor<f32>, %h: tensor<f64>) {
  // expected-error@+2 {{out_dtype is f32, which is neither f32 nor f64 or not that of the operands (C3)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0:2 = relay.random.uniform %k, %t, %h {out_shape = array<i64: 3>, out_dtype = f32} : (tensor<10xui64>, tensor<f32>, tensor<f64>) -> (tensor<10xui64>, tensor<3xf32>)
  return
}

// -----

func.func @normal_c3(%k: tensor<10xui64>, %m: tensor<i32>, %s: tensor<i32>) {
  // expected-error@+2 {{out_dtype is i32, which is neither f32 nor f64 or not that of the operands (C3)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0:2 = relay.random.normal %k, %m, %s {out_shape = array<i64: 3>, out_dtype = i32} : (tensor<10xui64>, tensor<i32>, tensor<i32>) -> (tensor<10xui64>, tensor<3xi32>)
  return
}

// -----

func.func @multinomial_c2(%k: tensor<10xui64>, %p: tensor<i32>) {
  // expected-error@+2 {{1 samples of tensor<i32> (C2)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0:2 = relay.random.multinomial %k, %p : (tensor<10xui64>, tensor<i32>) -> (tensor<10xui64>, tensor<1xi32>)
  return
}
