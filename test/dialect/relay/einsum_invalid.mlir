// RUN: relay-opt %s --split-input-file --verify-diagnostics

func.func @einsum_c1(%a: tensor<2x3xf32>, %b: tensor<3x4xf32>) {
  // expected-error@+2 {{equation 'ij,jkl->ik': 'jkl' does not fit an operand of rank 2 (C1)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.einsum %a, %b {equation = "ij,jkl->ik"} : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  return
}

// -----

func.func @einsum_c2(%a: tensor<2x3xf32>, %b: tensor<3x4xf64>) {
  // expected-error@+2 {{element types f32 and f64 differ (C2)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.einsum %a, %b {equation = "ij,jk->ik"} : (tensor<2x3xf32>, tensor<3x4xf64>) -> tensor<2x4xf32>
  return
}

// -----

func.func @einsum_c3(%a: tensor<2x3xf32>, %b: tensor<4x4xf32>) {
  // expected-error@+2 {{the label j has extents 3 and 4 (C3)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.einsum %a, %b {equation = "ij,jk->ik"} : (tensor<2x3xf32>, tensor<4x4xf32>) -> tensor<2x4xf32>
  return
}
