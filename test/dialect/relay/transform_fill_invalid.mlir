// RUN: relay-opt %s --split-input-file --verify-diagnostics

func.func @stack_c1(%x: tensor<2xf32>, %y: tensor<3xf32>) {
  // expected-error@+2 {{operands of types tensor<2xf32> and tensor<3xf32> differ (C1)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.stack %x, %y : (tensor<2xf32>, tensor<3xf32>) -> tensor<2x2xf32>
  return
}

// -----

func.func @stack_c1_elements(%x: tensor<2xf32>, %y: tensor<2xi32>) {
  // expected-error@+2 {{operands of types tensor<2xf32> and tensor<2xi32> differ (C1)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.stack %x, %y : (tensor<2xf32>, tensor<2xi32>) -> tensor<2x2xf32>
  return
}

// -----

func.func @stack_c1_none() {
  // expected-error@+2 {{takes at least one operand (C1)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.stack : () -> tensor<0xf32>
  return
}

// -----

func.func @stack_c2(%x: tensor<2xf32>) {
  // expected-error@+2 {{axis 2 is out of range for rank 2 (C2)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.stack %x {axis = 2 : i64} : (tensor<2xf32>) -> tensor<2x1xf32>
  return
}

// -----

func.func @gather_c1(%x: tensor<2x3xf32>, %i: tensor<2x3xf32>) {
  // expected-error@+2 {{indices of type tensor<2x3xf32> are not integers of rank 2 (C1)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.gather %x, %i {axis = 0 : i64} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @gather_c1_rank(%x: tensor<2x3xf32>, %i: tensor<3xi64>) {
  // expected-error@+2 {{indices of type tensor<3xi64> are not integers of rank 2 (C1)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.gather %x, %i {axis = 0 : i64} : (tensor<2x3xf32>, tensor<3xi64>) -> tensor<3xf32>
  return
}

// -----

func.func @gather_c2(%x: tensor<2x3xf32>, %i: tensor<2x3xi64>) {
  // expected-error@+2 {{axis 2 is out of range for rank 2 (C2)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.gather %x, %i {axis = 2 : i64} : (tensor<2x3xf32>, tensor<2x3xi64>) -> tensor<2x3xf32>
  return
}

// -----

func.func @gather_c2_empty(%x: tensor<0x3xf32>, %i: tensor<2x3xi64>) {
  // expected-error@+2 {{there are no elements along axis 0 (C2)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.gather %x, %i {axis = 0 : i64} : (tensor<0x3xf32>, tensor<2x3xi64>) -> tensor<2x3xf32>
  return
}

// -----

func.func @gather_c3(%x: tensor<2x3xf32>, %i: tensor<5x2xi64>) {
  // expected-error@+2 {{data [2, 3] and indices [5, 2] differ in dimension 1 (C3)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.gather %x, %i {axis = 0 : i64} : (tensor<2x3xf32>, tensor<5x2xi64>) -> tensor<5x2xf32>
  return
}

// -----

func.func @full_c1(%f: tensor<1xf32>) {
  // expected-error@+2 {{fill_value has rank 1, expected 0 (C1)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.full %f {shape = array<i64: 2>} : (tensor<1xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @full_c2(%f: tensor<f32>) {
  // expected-error@+2 {{shape [2, -1] has a negative dimension (C2)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.full %f {shape = array<i64: 2, -1>} : (tensor<f32>) -> tensor<2x1xf32>
  return
}

// -----

func.func @full_c3(%f: tensor<f32>) {
  // expected-error@+2 {{dtype is index, no element type (C3)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.full %f {shape = array<i64: 2>, dtype = index} : (tensor<f32>) -> tensor<2xindex>
  return
}

// -----

func.func @full_like_c1(%x: tensor<2xf32>, %f: tensor<1xf32>) {
  // expected-error@+2 {{fill_value has rank 1, expected 0 (C1)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.full_like %x, %f : (tensor<2xf32>, tensor<1xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @zeros_c2() {
  // expected-error@+2 {{shape [-1] has a negative dimension (C2)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.zeros {shape = array<i64: -1>, dtype = f32} : () -> tensor<1xf32>
  return
}

// -----

func.func @ones_c3() {
  // expected-error@+2 {{dtype is index, no element type (C3)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.ones {shape = array<i64: 1>, dtype = index} : () -> tensor<1xindex>
  return
}

// -----

func.func @iota_c1() {
  // expected-error@+2 {{axis 1 is out of range for rank 1 (C1)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.iota {shape = array<i64: 1>, axis = 1 : i64, dtype = f32} : () -> tensor<1xf32>
  return
}

// -----

func.func @arange_c1(%x: tensor<f32>, %y: tensor<1xf32>) {
  // expected-error@+2 {{tensor<f32> and tensor<1xf32> are no two numbers of one type (C1)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.arange %x, %y {count = array<i64: 5>} : (tensor<f32>, tensor<1xf32>) -> tensor<5xf32>
  return
}

// -----

func.func @arange_c2(%x: tensor<f32>) {
  // expected-error@+2 {{count is [], not one dimension (C2)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.arange %x, %x {count = array<i64>} : (tensor<f32>, tensor<f32>) -> tensor<5xf32>
  return
}
