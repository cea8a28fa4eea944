// RUN: relay-opt %s --split-input-file --verify-diagnostics

func.func @c1_rank(%x: tensor<3x7x7xf32>) {
  // expected-error@+2 {{expected data rank 4 for layout NCHW, got 3 (C1)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.nn.adaptive_avg_pool2d %x {output_size = array<i64: 1>} : (tensor<3x7x7xf32>) -> tensor<3x1x1xf32>
  return
}

// -----

func.func @c1_spatial(%x: tensor<1x3x7xf32>) {
  // expected-error@+2 {{layout NCW does not have 2 spatial dimensions (C1)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.nn.adaptive_avg_pool2d %x {output_size = array<i64: 1>, layout = "NCW"} : (tensor<1x3x7xf32>) -> tensor<1x3x1xf32>
  return
}

// -----

func.func @c2_length(%x: tensor<1x3x7x7x7xf32>) {
  // expected-error@+2 {{output_size [1, 2] is not an extent for each of 3 spatial dimensions (C2)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.nn.adaptive_max_pool3d %x {output_size = array<i64: 1, 2>} : (tensor<1x3x7x7x7xf32>) -> tensor<1x3x1x2x7xf32>
  return
}

// -----

func.func @c2_zero(%x: tensor<1x3x7xf32>) {
  // expected-error@+2 {{output_size [0] is not an extent for each of 1 spatial dimensions (C2)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.nn.adaptive_max_pool1d %x {output_size = array<i64: 0>} : (tensor<1x3x7xf32>) -> tensor<1x3x0xf32>
  return
}

// -----

func.func @c3(%x: tensor<1x3x0x7xf32>) {
  // expected-error@+2 {{dimension 2 has no elements (C3)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.nn.adaptive_max_pool2d %x {output_size = array<i64: 1>} : (tensor<1x3x0x7xf32>) -> tensor<1x3x1x1xf32>
  return
}
