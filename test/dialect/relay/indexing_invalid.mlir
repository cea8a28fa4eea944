// RUN: relay-opt %s --split-input-file --verify-diagnostics

func.func @adv_index_c1(%x: tensor<5x6x7xf32>, %i: tensor<3xf32>) {
  // expected-error@+2 {{1 operands do not subscript 3 dimensions by integers (C1)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.adv_index %x, %i : (tensor<5x6x7xf32>, tensor<3xf32>) -> tensor<3x6x7xf32>
  return
}

// -----

func.func @adv_index_c2(%x: tensor<5x6x7xf32>, %i: tensor<3xi64>, %j: tensor<2xi64>) {
  // expected-error@+2 {{subscripts of shapes [3] and [2] do not broadcast (C2)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.adv_index %x, %i, %j : (tensor<5x6x7xf32>, tensor<3xi64>, tensor<2xi64>) -> tensor<3x7xf32>
  return
}

// -----

func.func @strided_set_c1(%x: tensor<5x6x7xf32>, %v: tensor<6x7xf32>, %b: tensor<3xi32>, %e: tensor<3xi32>, %s: tensor<3xi32>) {
  // expected-error@+2 {{tensor<6x7xf32> is no slice of tensor<5x6x7xf32> (C1)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.strided_set %x, %v, %b, %e, %s : (tensor<5x6x7xf32>, tensor<6x7xf32>, tensor<3xi32>, tensor<3xi32>, tensor<3xi32>) -> tensor<5x6x7xf32>
  return
}

// -----

func.func @strided_set_c2(%x: tensor<5x6x7xf32>, %v: tensor<2x6x7xf32>, %b: tensor<3xi32>, %e: tensor<3xi32>, %s: tensor<4xi32>) {
  // expected-error@+2 {{tensor<4xi32> is no vector of integers for 3 dimensions (C2)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.strided_set %x, %v, %b, %e, %s : (tensor<5x6x7xf32>, tensor<2x6x7xf32>, tensor<3xi32>, tensor<3xi32>, tensor<4xi32>) -> tensor<5x6x7xf32>
  return
}

// -----

func.func @reverse_reshape_c1(%x: tensor<5x6x7xf32>) {
  // expected-error@+2 {{newshape [-1, -1] does not fit [5, 6, 7] (C1)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.contrib_reverse_reshape %x {newshape = array<i64: -1, -1>} : (tensor<5x6x7xf32>) -> tensor<30x7xf32>
  return
}

// -----

func.func @reverse_reshape_c2(%x: tensor<5x6x7xf32>) {
  // expected-error@+2 {{newshape [4, 0] has other elements than [5, 6, 7] (C2)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.contrib_reverse_reshape %x {newshape = array<i64: 4, 0>} : (tensor<5x6x7xf32>) -> tensor<4x7xf32>
  return
}

// -----

func.func @unique_c1(%x: tensor<5x6x7xf32>) {
  // expected-error@+2 {{data are of rank 3, not of 1 (C1)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0:4 = relay.unique %x : (tensor<5x6x7xf32>) -> (tensor<5x6x7xf32>, tensor<5xi32>, tensor<5xi32>, tensor<1xi32>)
  return
}

// -----

func.func @sparse_reshape_c1(%i: tensor<5x3xi64>, %b: tensor<2xi64>, %a: tensor<2xi64>) {
  // expected-error@+2 {{operands tensor<5x3xi64>, tensor<2xi64>, tensor<2xi64> do not fit (C1)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0:2 = relay.sparse_reshape %i, %b, %a : (tensor<5x3xi64>, tensor<2xi64>, tensor<2xi64>) -> (tensor<5x2xi64>, tensor<2xi64>)
  return
}

// -----

func.func @sparse_reshape_c2(%i: tensor<5x3xi64>, %b: tensor<3xi64>, %a: tensor<2xi32>) {
  // expected-error@+2 {{shapes are of i64 and i32 (C2)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0:2 = relay.sparse_reshape %i, %b, %a : (tensor<5x3xi64>, tensor<3xi64>, tensor<2xi32>) -> (tensor<5x2xi64>, tensor<2xi32>)
  return
}

// -----

func.func @argwhere_c1(%x: tensor<f32>) {
  // expected-error@+2 {{data are of rank 0 (C1)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.argwhere %x : (tensor<f32>) -> tensor<?x0xi32>
  return
}

// -----

func.func @fill_rows_c1(%i: tensor<5x3xi64>, %v: tensor<5xf32>, %s: tensor<2xi64>, %d: tensor<f32>) {
  // expected-error@+2 {{subscripts tensor<5x3xi64> do not fit a shape tensor<2xi64> (C1)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0:3 = relay.sparse_fill_empty_rows %i, %v, %s, %d : (tensor<5x3xi64>, tensor<5xf32>, tensor<2xi64>, tensor<f32>) -> (tensor<?x3xi64>, tensor<?xf32>, tensor<?xi64>)
  return
}

// -----

func.func @fill_rows_c2(%i: tensor<5x3xi64>, %v: tensor<4xf32>, %s: tensor<3xi64>, %d: tensor<f32>) {
  // expected-error@+2 {{values tensor<4xf32> and default tensor<f32> do not fit the subscripts (C2)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0:3 = relay.sparse_fill_empty_rows %i, %v, %s, %d : (tensor<5x3xi64>, tensor<4xf32>, tensor<3xi64>, tensor<f32>) -> (tensor<?x3xi64>, tensor<?xf32>, tensor<?xi64>)
  return
}
