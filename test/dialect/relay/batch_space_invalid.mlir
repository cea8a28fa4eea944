// RUN: relay-opt %s --split-input-file --verify-diagnostics

func.func @space_to_batch_nd_c1(%x: tensor<4x4xf32>) {
  // expected-error@+2 {{block_shape [1, 1] is not of dimensions of [4, 4] behind the batch (C1)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.nn.space_to_batch_nd %x {paddings = array<i64: 0, 0, 0, 0>} : (tensor<4x4xf32>) -> tensor<4x4xf32>
  return
}

// -----

func.func @space_to_batch_nd_c1_zero(%x: tensor<4x4xf32>) {
  // expected-error@+2 {{block_shape [0] is not of dimensions of [4, 4] behind the batch (C1)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.nn.space_to_batch_nd %x {block_shape = array<i64: 0>, paddings = array<i64: 0, 0>} : (tensor<4x4xf32>) -> tensor<4x4xf32>
  return
}

// -----

func.func @space_to_batch_nd_c1_extreme(%x: tensor<4x4x4xf32>) {
  // expected-error@+2 {{a dimension of 9223372036854775807 * 2 exceeds 64 bits (C1)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.nn.space_to_batch_nd %x {block_shape = array<i64: 9223372036854775807, 2>, paddings = array<i64: 0, 0, 0, 0>} : (tensor<4x4x4xf32>) -> tensor<4x4x4xf32>
  return
}

// -----

func.func @space_to_batch_nd_c2(%x: tensor<4x4xf32>) {
  // expected-error@+2 {{paddings [0, -2] is not two numbers for each of block_shape (C2)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.nn.space_to_batch_nd %x {block_shape = array<i64: 2>, paddings = array<i64: 0, -2>} : (tensor<4x4xf32>) -> tensor<4x4xf32>
  return
}

// -----

func.func @space_to_batch_nd_c2_count(%x: tensor<4x4xf32>) {
  // expected-error@+2 {{paddings [0, 0, 2, 2] is not two numbers for each of block_shape (C2)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.nn.space_to_batch_nd %x {block_shape = array<i64: 2>, paddings = array<i64: 0, 0, 2, 2>} : (tensor<4x4xf32>) -> tensor<4x4xf32>
  return
}

// -----

func.func @space_to_batch_nd_c2_extreme(%x: tensor<4x4xf32>) {
  // expected-error@+2 {{a dimension of 4 + 9223372036854775806 exceeds 64 bits (C2)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.nn.space_to_batch_nd %x {block_shape = array<i64: 2>, paddings = array<i64: 0, 9223372036854775806>} : (tensor<4x4xf32>) -> tensor<4x4xf32>
  return
}

// -----

func.func @space_to_batch_nd_c3(%x: tensor<4x4xf32>) {
  // expected-error@+2 {{5 elements of dimension 1 are not blocks of 2 (C3)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.nn.space_to_batch_nd %x {block_shape = array<i64: 2>, paddings = array<i64: 0, 1>} : (tensor<4x4xf32>) -> tensor<4x4xf32>
  return
}

// -----

func.func @space_to_batch_nd_c4(%x: tensor<4x4xui8>) {
  // expected-error@+2 {{pad_value 256 is no value of ui8 (C4)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.nn.space_to_batch_nd %x {block_shape = array<i64: 2>, paddings = array<i64: 0, 2>, pad_value = 256.0} : (tensor<4x4xui8>) -> tensor<4x4xui8>
  return
}

// -----

func.func @space_to_batch_nd_c4_fraction(%x: tensor<4x4xi8>) {
  // expected-error@+2 {{pad_value 0.5 is no value of i8 (C4)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.nn.space_to_batch_nd %x {block_shape = array<i64: 2>, paddings = array<i64: 0, 2>, pad_value = 0.5} : (tensor<4x4xi8>) -> tensor<4x4xi8>
  return
}

// -----

func.func @batch_to_space_nd_c1(%x: tensor<4x4xf32>) {
  // expected-error@+2 {{block_shape [1, 1] is not of dimensions of [4, 4] behind the batch (C1)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.nn.batch_to_space_nd %x {crops = array<i64: 0, 0, 0, 0>} : (tensor<4x4xf32>) -> tensor<4x4xf32>
  return
}

// -----

func.func @batch_to_space_nd_c2(%x: tensor<4x4xf32>) {
  // expected-error@+2 {{crops [0] is not two numbers for each of block_shape (C2)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.nn.batch_to_space_nd %x {block_shape = array<i64: 2>, crops = array<i64: 0>} : (tensor<4x4xf32>) -> tensor<4x4xf32>
  return
}

// -----

func.func @batch_to_space_nd_c3(%x: tensor<4x4xf32>) {
  // expected-error@+2 {{a batch of 4 is not of the places in blocks of [3] (C3)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.nn.batch_to_space_nd %x {block_shape = array<i64: 3>, crops = array<i64: 0, 0>} : (tensor<4x4xf32>) -> tensor<4x4xf32>
  return
}

// -----

func.func @batch_to_space_nd_c4(%x: tensor<4x4xf32>) {
  // expected-error@+2 {{crops drop 9 of the 8 elements of dimension 1 (C4)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.nn.batch_to_space_nd %x {block_shape = array<i64: 2>, crops = array<i64: 5, 4>} : (tensor<4x4xf32>) -> tensor<4x4xf32>
  return
}
