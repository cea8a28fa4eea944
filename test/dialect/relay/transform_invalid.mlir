// RUN: relay-opt %s --split-input-file --verify-diagnostics

func.func @reshape(%x: tensor<2x3xf32>) {
  // expected-error@+2 {{[2, 3] does not reshape to [4]}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.reshape %x {newshape = array<i64: 4>} : (tensor<2x3xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @transpose(%x: tensor<2x3xf32>) {
  // expected-error@+2 {{axes [0, 0] are not an order of 2 dimensions}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.transpose %x {axes = array<i64: 0, 0>} : (tensor<2x3xf32>) -> tensor<2x2xf32>
  return
}

// -----

func.func @concatenate(%x: tensor<2x3xf32>, %y: tensor<3x3xf32>) {
  // expected-error@+2 {{[2, 3] and [3, 3] differ beside axis 1}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.concatenate %x, %y {axis = 1 : i64} : (tensor<2x3xf32>, tensor<3x3xf32>) -> tensor<2x6xf32>
  return
}

// -----

func.func @split(%x: tensor<2x3xf32>) {
  // expected-error@+2 {{do not ascend within dimension 1}}
  // expected-error@+1 {{failed to infer returned types}}
  %0:2 = relay.split %x {indices = array<i64: 4>, axis = 1 : i64} : (tensor<2x3xf32>) -> (tensor<2x2xf32>, tensor<2x1xf32>)
  return
}

// -----

func.func @layout(%x: tensor<1x30x7x7xf32>) {
  // expected-error@+2 {{NCHW to NCHW16c: 16 does not divide dimension C of extent 30}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.layout_transform %x {src_layout = "NCHW", dst_layout = "NCHW16c"} : (tensor<1x30x7x7xf32>) -> tensor<1x2x7x7x16xf32>
  return
}
