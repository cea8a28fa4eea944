// RUN: relay-opt %s --split-input-file --verify-diagnostics

func.func @l2_normalize_c1(%x: tensor<2x3xf32>) {
  // expected-error@+2 {{axis 2 is out of range for rank 2 (C1)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.nn.l2_normalize %x {eps = 0.0, axis = array<i64: 2>} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @l2_normalize_c1_twice(%x: tensor<2x3xf32>) {
  // expected-error@+2 {{axis 1 is given twice (C1)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.nn.l2_normalize %x {eps = 0.0, axis = array<i64: 1, -1>} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @l2_normalize_c2(%x: tensor<2x3xf32>) {
  // expected-error@+2 {{eps is -1, not at least 0 (C2)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.nn.l2_normalize %x {eps = -1.0, axis = array<i64: 1>} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @cross_entropy_c1(%x: tensor<2x3xf32>, %y: tensor<3xf32>) {
  // expected-error@+2 {{are not one of rank 2 (C1)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.nn.cross_entropy %x, %y : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<f32>
  return
}

// -----

func.func @cross_entropy_with_logits_c1(%x: tensor<2x3xf32>, %y: tensor<2x2xf32>) {
  // expected-error@+2 {{are not one of rank 2 (C1)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.nn.cross_entropy_with_logits %x, %y : (tensor<2x3xf32>, tensor<2x2xf32>) -> tensor<f32>
  return
}

// -----

func.func @dropout_c1(%x: tensor<2xf32>) {
  // expected-error@+2 {{rate is 1.5, not from 0 to 1 (C1)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0:2 = relay.nn.dropout %x {rate = 1.5} : (tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>)
  return
}

// -----

func.func @collapse_sum_to_c1(%x: tensor<2x3xf32>) {
  // expected-error@+2 {{[2] does not broadcast to [2, 3] (C1)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.collapse_sum_to %x {shape = array<i64: 2>} : (tensor<2x3xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @collapse_sum_like_c1(%x: tensor<2x3xf32>, %y: tensor<4x2x3xf32>) {
  // expected-error@+2 {{[4, 2, 3] does not broadcast to [2, 3] (C1)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.collapse_sum_like %x, %y : (tensor<2x3xf32>, tensor<4x2x3xf32>) -> tensor<4x2x3xf32>
  return
}

// -----

func.func @fixed_point_multiply_c1(%x: tensor<2xi64>) {
  // expected-error@+2 {{data are of i64, not of i32 (C1)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.fixed_point_multiply %x {multiplier = 1 : i64, shift = 0 : i64} : (tensor<2xi64>) -> tensor<2xi64>
  return
}

// -----

func.func @fixed_point_multiply_c2(%x: tensor<2xi32>) {
  // expected-error@+2 {{multiplier 1 has more than 32 bits, or shift 31 is not from -31 to 30 (C2)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.fixed_point_multiply %x {multiplier = 1 : i64, shift = 31 : i64} : (tensor<2xi32>) -> tensor<2xi32>
  return
}

// -----

func.func @fixed_point_multiply_c3(%x: tensor<2xi32>) {
  // expected-error@+2 {{rounding 'DOWN' is none of UPWARD, TONEAREST, TFLITE (C3)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.fixed_point_multiply %x {multiplier = 1 : i64, shift = 0 : i64, rounding = "DOWN"} : (tensor<2xi32>) -> tensor<2xi32>
  return
}

// -----

func.func @per_axis_c1(%x: tensor<4x5xi32>, %m: tensor<5xi32>, %l: tensor<5xi32>, %r: tensor<4xi32>) {
  // expected-error@+2 {{data of tensor<4x5xi32> and lists of tensor<5xi32> do not fit (C1)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.fixed_point_multiply_per_axis %x, %m, %l, %r {axes = array<i64: 1>} : (tensor<4x5xi32>, tensor<5xi32>, tensor<5xi32>, tensor<4xi32>) -> tensor<4x5xi32>
  return
}

// -----

func.func @per_axis_c2(%x: tensor<4x5xi32>, %m: tensor<5xi32>, %l: tensor<5xi32>, %r: tensor<5xi32>) {
  // expected-error@+2 {{axes are [2], of 2 dimensions (C2)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.fixed_point_multiply_per_axis %x, %m, %l, %r {axes = array<i64: 2>} : (tensor<4x5xi32>, tensor<5xi32>, tensor<5xi32>, tensor<5xi32>) -> tensor<4x5xi32>
  return
}

// -----

func.func @nll_loss_c1(%p: tensor<4x5xf32>, %t: tensor<4xf32>, %w: tensor<5xf32>) {
  // expected-error@+2 {{operands tensor<4x5xf32>, tensor<4xf32>, tensor<5xf32> do not fit (C1)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.nn.nll_loss %p, %t, %w : (tensor<4x5xf32>, tensor<4xf32>, tensor<5xf32>) -> tensor<f32>
  return
}

// -----

func.func @nll_loss_c2(%p: tensor<4x5xf32>, %t: tensor<4xi32>, %w: tensor<5xf32>) {
  // expected-error@+2 {{reduction 'max' is none of none, sum, mean (C2)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.nn.nll_loss %p, %t, %w {reduction = "max"} : (tensor<4x5xf32>, tensor<4xi32>, tensor<5xf32>) -> tensor<f32>
  return
}
