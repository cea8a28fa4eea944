// RUN: relay-opt %s --split-input-file --verify-diagnostics

func.func @max_grad_c5(%g: tensor<2x3x3x4xf32>, %x: tensor<2x3x6x5xf32>) {
  // expected-error@+2 {{the gradient is tensor<2x3x3x4xf32>, and the pool's result tensor<2x3x3x5xf32> (C5)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.nn.max_pool2d_grad %g, %x {pool_size = array<i64: 3, 2>, strides = array<i64: 2, 1>, padding = array<i64: 1, 0, 1, 1>} : (tensor<2x3x3x4xf32>, tensor<2x3x6x5xf32>) -> tensor<2x3x6x5xf32>
  return
}

// -----

func.func @avg_grad_c6(%g: tensor<2x3x4x4xf32>, %x: tensor<2x3x6x5xf32>) {
  // expected-error@+2 {{dilation is [2, 1], not 1 (C6)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.nn.avg_pool2d_grad %g, %x {pool_size = array<i64: 2, 2>, dilation = array<i64: 2, 1>} : (tensor<2x3x4x4xf32>, tensor<2x3x6x5xf32>) -> tensor<2x3x6x5xf32>
  return
}

// -----

func.func @weight_c1(%g: tensor<2x6x4x5xf32>, %x: tensor<2x4x9x7xf32>) {
  // expected-error@+2 {{out_layout is 'HWIO', only OIHW has an expression (C1)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.nn.conv2d_backward_weight %g, %x {kernel_size = array<i64: 3, 3>, strides = array<i64: 2, 1>, padding = array<i64: 1, 0, 0, 2>, dilation = array<i64: 1, 2>, groups = 2 : i64, out_layout = "HWIO"} : (tensor<2x6x4x5xf32>, tensor<2x4x9x7xf32>) -> tensor<6x2x3x3xf32>
  return
}

// -----

func.func @weight_c2(%g: tensor<2x6x4x5xf32>, %x: tensor<3x4x9x7xf32>) {
  // expected-error@+2 {{a gradient tensor<2x6x4x5xf32> is of no data tensor<3x4x9x7xf32> (C2)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.nn.conv2d_backward_weight %g, %x {kernel_size = array<i64: 3, 3>, strides = array<i64: 2, 1>, padding = array<i64: 1, 0, 0, 2>, dilation = array<i64: 1, 2>, groups = 2 : i64} : (tensor<2x6x4x5xf32>, tensor<3x4x9x7xf32>) -> tensor<6x2x3x3xf32>
  return
}

// -----

func.func @weight_c5(%g: tensor<2x6x4x5xf32>, %x: tensor<2x4x9x7xf32>) {
  // expected-error@+2 {{channels are not 3 groups (C5)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.nn.conv2d_backward_weight %g, %x {kernel_size = array<i64: 3, 3>, strides = array<i64: 2, 1>, padding = array<i64: 1, 0, 0, 2>, dilation = array<i64: 1, 2>, groups = 3 : i64} : (tensor<2x6x4x5xf32>, tensor<2x4x9x7xf32>) -> tensor<6x2x3x3xf32>
  return
}

// -----

func.func @weight_c6(%g: tensor<2x6x4x5xf32>, %x: tensor<2x4x9x7xf32>) {
  // expected-error@+2 {{the gradient has 5 elements in dimension 3, and the convolution 3 (C6)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.nn.conv2d_backward_weight %g, %x {kernel_size = array<i64: 3, 3>, strides = array<i64: 2, 2>, padding = array<i64: 1, 0, 0, 2>, dilation = array<i64: 1, 2>, groups = 2 : i64} : (tensor<2x6x4x5xf32>, tensor<2x4x9x7xf32>) -> tensor<6x2x3x3xf32>
  return
}
