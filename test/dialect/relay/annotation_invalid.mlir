// RUN: relay-opt %s --split-input-file --verify-diagnostics

func.func @quantize_c1(%x: tensor<2x3xf32>, %s: tensor<f32>, %l: tensor<f32>, %h: tensor<1xf32>) {
  // expected-error@+2 {{an operand is tensor<1xf32>, expected rank 0 and f32 (C1)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.op.annotation.simulated_quantize %x, %s, %l, %h {kind = 1 : i64} : (tensor<2x3xf32>, tensor<f32>, tensor<f32>, tensor<1xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @quantize_c2(%x: tensor<2x3xf32>, %s: tensor<f32>, %l: tensor<f32>, %h: tensor<f32>) {
  // expected-error@+2 {{kind is 4, not from 0 to 3 (C2)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.op.annotation.simulated_quantize %x, %s, %l, %h {kind = 4 : i64} : (tensor<2x3xf32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @quantize_c3(%x: tensor<2x3xf32>, %s: tensor<f32>, %l: tensor<f32>, %h: tensor<f32>) {
  // expected-error@+2 {{rounding 'floor' is none of round (C3)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.op.annotation.simulated_quantize %x, %s, %l, %h {kind = 1 : i64, rounding = "floor"} : (tensor<2x3xf32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @quantize_scales(%x: tensor<2x3xf32>, %s: tensor<2xf32>, %l: tensor<f32>) {
  // expected-error@+2 {{an operand is tensor<2xf32>, expected rank 0 and f32 (C1)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.op.annotation.simulated_quantize %x, %s, %l, %l {axis = 1 : i64, kind = 2 : i64} : (tensor<2x3xf32>, tensor<2xf32>, tensor<f32>, tensor<f32>) -> tensor<2x3xf32>
  return
}
