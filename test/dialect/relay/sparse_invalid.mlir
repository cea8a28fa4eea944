// RUN: relay-opt %s --split-input-file --verify-diagnostics

func.func @dense_c1(%a: tensor<12xf32>, %b: tensor<7xf32>, %c: tensor<7xi32>, %d: tensor<9xi32>) {
  // expected-error@+2 {{expected rank 2 for operand 0, got 1 (C1)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.nn.sparse_dense %a, %b, %c, %d : (tensor<12xf32>, tensor<7xf32>, tensor<7xi32>, tensor<9xi32>) -> tensor<5x8xf32>
  return
}

// -----

func.func @dense_c1_data(%a: tensor<5x12xf32>, %b: tensor<7x4xf32>, %c: tensor<7xi32>, %d: tensor<9xi32>) {
  // expected-error@+2 {{sparse data has shape [7, 4], expected rank 1 or 3 (C1)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.nn.sparse_dense %a, %b, %c, %d : (tensor<5x12xf32>, tensor<7x4xf32>, tensor<7xi32>, tensor<9xi32>) -> tensor<5x8xf32>
  return
}

// -----

func.func @dense_c1_indices(%a: tensor<5x12xf32>, %b: tensor<7xf32>, %c: tensor<7xi32>, %d: tensor<3x3xi32>) {
  // expected-error@+2 {{expected rank 1 for operand 3, got 2 (C1)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.nn.sparse_dense %a, %b, %c, %d : (tensor<5x12xf32>, tensor<7xf32>, tensor<7xi32>, tensor<3x3xi32>) -> tensor<5x8xf32>
  return
}

// -----

func.func @dense_c2(%a: tensor<5x12xf32>, %b: tensor<7xf32>, %c: tensor<6xi32>, %d: tensor<9xi32>) {
  // expected-error@+2 {{7 entries have 6 indices (C2)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.nn.sparse_dense %a, %b, %c, %d : (tensor<5x12xf32>, tensor<7xf32>, tensor<6xi32>, tensor<9xi32>) -> tensor<5x8xf32>
  return
}

// -----

func.func @dense_c2_rows(%a: tensor<5x12xf32>, %b: tensor<7xf32>, %c: tensor<7xi32>, %d: tensor<0xi32>) {
  // expected-error@+2 {{sparse_indptr is empty; it has one number more than rows (C2)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.nn.sparse_dense %a, %b, %c, %d : (tensor<5x12xf32>, tensor<7xf32>, tensor<7xi32>, tensor<0xi32>) -> tensor<5x8xf32>
  return
}

// -----

func.func @dense_c3(%a: tensor<5x12xf32>, %b: tensor<7xf32>, %c: tensor<7xf32>, %d: tensor<9xi32>) {
  // expected-error@+2 {{operand 2 is of f32, no integer (C3)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.nn.sparse_dense %a, %b, %c, %d : (tensor<5x12xf32>, tensor<7xf32>, tensor<7xf32>, tensor<9xi32>) -> tensor<5x8xf32>
  return
}

// -----

func.func @dense_c3_bool(%a: tensor<5x12xf32>, %b: tensor<7xf32>, %c: tensor<7xi32>, %d: tensor<9xi1>) {
  // expected-error@+2 {{operand 3 is of i1, no integer (C3)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.nn.sparse_dense %a, %b, %c, %d : (tensor<5x12xf32>, tensor<7xf32>, tensor<7xi32>, tensor<9xi1>) -> tensor<5x8xf32>
  return
}

// -----

func.func @dense_c4(%a: tensor<5x12xf32>, %b: tensor<7xf64>, %c: tensor<7xi32>, %d: tensor<9xi32>) {
  // expected-error@+2 {{element types f32 and f64 differ (C4)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.nn.sparse_dense %a, %b, %c, %d : (tensor<5x12xf32>, tensor<7xf64>, tensor<7xi32>, tensor<9xi32>) -> tensor<5x8xf32>
  return
}

// -----

func.func @dense_c5(%a: tensor<5x11xf32>, %b: tensor<7x4x3xf32>, %c: tensor<7xi32>, %d: tensor<9xi32>) {
  // expected-error@+2 {{11 columns are no number of blocks of 3 (C5)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.nn.sparse_dense %a, %b, %c, %d : (tensor<5x11xf32>, tensor<7x4x3xf32>, tensor<7xi32>, tensor<9xi32>) -> tensor<5x8xf32>
  return
}

// -----

func.func @dense_c5_blocks(%a: tensor<5x12xf32>, %b: tensor<7x4x0xf32>, %c: tensor<7xi32>, %d: tensor<9xi32>) {
  // expected-error@+2 {{blocks of 4x0 have no elements (C5)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.nn.sparse_dense %a, %b, %c, %d : (tensor<5x12xf32>, tensor<7x4x0xf32>, tensor<7xi32>, tensor<9xi32>) -> tensor<5x8xf32>
  return
}

// -----

func.func @dense_c5_columns(%a: tensor<5x0xf32>, %b: tensor<7xf32>, %c: tensor<7xi32>, %d: tensor<9xi32>) {
  // expected-error@+2 {{7 entries lie in no column (C5)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.nn.sparse_dense %a, %b, %c, %d : (tensor<5x0xf32>, tensor<7xf32>, tensor<7xi32>, tensor<9xi32>) -> tensor<5x8xf32>
  return
}

// -----

func.func @conv2d_c1(%a: tensor<5x12xf32>, %b: tensor<7x4x3xf32>, %c: tensor<7xi32>, %d: tensor<9xi32>) {
  // expected-error@+2 {{expected rank 4 for operand 0, got 2 (C1)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.nn.sparse_conv2d %a, %b, %c, %d : (tensor<5x12xf32>, tensor<7x4x3xf32>, tensor<7xi32>, tensor<9xi32>) -> tensor<5x8xf32>
  return
}

// -----

func.func @conv2d_c5(%a: tensor<1x2x2x4xf32>, %b: tensor<7x4x3xf32>, %c: tensor<7xi32>, %d: tensor<9xi32>) {
  // expected-error@+2 {{4 columns are no number of blocks of 3 (C5)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.nn.sparse_conv2d %a, %b, %c, %d : (tensor<1x2x2x4xf32>, tensor<7x4x3xf32>, tensor<7xi32>, tensor<9xi32>) -> tensor<5x8xf32>
  return
}

// -----

func.func @conv2d_c6(%a: tensor<1x2x2x3xf32>, %b: tensor<7x4x3xf32>, %c: tensor<7xi32>, %d: tensor<9xi32>) {
  // expected-error@+2 {{layout 'NCHW4c' is none of NHWC, NCHW (C6)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.nn.sparse_conv2d %a, %b, %c, %d {layout = "NCHW4c"} : (tensor<1x2x2x3xf32>, tensor<7x4x3xf32>, tensor<7xi32>, tensor<9xi32>) -> tensor<5x8xf32>
  return
}

// -----

func.func @conv2d_c7(%a: tensor<1x2x2x3xf32>, %b: tensor<7x4x3xf32>, %c: tensor<7xi32>, %d: tensor<9xi32>) {
  // expected-error@+2 {{kernel_size [3, 1] is neither [1, 1] nor [3, 3] (C7)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.nn.sparse_conv2d %a, %b, %c, %d {kernel_size = array<i64: 3, 1>} : (tensor<1x2x2x3xf32>, tensor<7x4x3xf32>, tensor<7xi32>, tensor<9xi32>) -> tensor<5x8xf32>
  return
}

// -----

func.func @transpose_c1(%a: tensor<7x4x3xf32>, %b: tensor<7xi32>, %c: tensor<9xi32>) {
  // expected-error@+2 {{sparse data has shape [7, 4, 3], expected rank 1 (C1)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0:3 = relay.nn.sparse_transpose %a, %b, %c : (tensor<7x4x3xf32>, tensor<7xi32>, tensor<9xi32>) -> (tensor<7xf32>, tensor<7xi32>, tensor<9xi32>)
  return
}

// -----

func.func @transpose_c4(%a: tensor<7xf32>, %b: tensor<7xi32>, %c: tensor<1xi32>) {
  // expected-error@+2 {{7 elements lie in no row (C4)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0:3 = relay.nn.sparse_transpose %a, %b, %c : (tensor<7xf32>, tensor<7xi32>, tensor<1xi32>) -> (tensor<7xf32>, tensor<7xi32>, tensor<9xi32>)
  return
}

// -----

func.func @add_c1(%a: tensor<5x12xf32>, %b: tensor<7x4x3xf32>, %c: tensor<7xi32>, %d: tensor<9xi32>) {
  // expected-error@+2 {{sparse data has shape [7, 4, 3], expected rank 1 (C1)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.nn.sparse_add %a, %b, %c, %d : (tensor<5x12xf32>, tensor<7x4x3xf32>, tensor<7xi32>, tensor<9xi32>) -> tensor<5x12xf32>
  return
}

// -----

func.func @add_c5(%a: tensor<5x12xf32>, %b: tensor<7xf32>, %c: tensor<7xi32>, %d: tensor<9xi32>) {
  // expected-error@+2 {{the dense matrix has 5 rows, the sparse one 8 (C5)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.nn.sparse_add %a, %b, %c, %d : (tensor<5x12xf32>, tensor<7xf32>, tensor<7xi32>, tensor<9xi32>) -> tensor<5x12xf32>
  return
}
