// RUN: relay-opt %s --split-input-file --verify-diagnostics

func.func @elements_c1(%x: tensor<3x4xf32>, %i: tensor<2xi64>, %u: tensor<2xf32>) {
  // expected-error@+2 {{indices of type tensor<2xi64> are not integers of rank 2 (C1)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.scatter_elements %x, %i, %u : (tensor<3x4xf32>, tensor<2xi64>, tensor<2xf32>) -> tensor<3x4xf32>
  return
}

// -----

func.func @elements_c2(%x: tensor<0x4xf32>, %i: tensor<2x3xi64>, %u: tensor<2x3xf32>) {
  // expected-error@+2 {{there are no elements along axis 0 (C2)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.scatter_elements %x, %i, %u : (tensor<0x4xf32>, tensor<2x3xi64>, tensor<2x3xf32>) -> tensor<0x4xf32>
  return
}

// -----

func.func @elements_c3(%x: tensor<3x4xf32>, %i: tensor<2x3xi64>, %u: tensor<2x2xf32>) {
  // expected-error@+2 {{updates have shape [2, 2], expected [2, 3] (C3)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.scatter_elements %x, %i, %u : (tensor<3x4xf32>, tensor<2x3xi64>, tensor<2x2xf32>) -> tensor<3x4xf32>
  return
}

// -----

func.func @elements_c3_type(%x: tensor<3x4xf32>, %i: tensor<2x3xi64>, %u: tensor<2x3xf64>) {
  // expected-error@+2 {{element types f32 and f64 differ (C3)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.scatter_elements %x, %i, %u : (tensor<3x4xf32>, tensor<2x3xi64>, tensor<2x3xf64>) -> tensor<3x4xf32>
  return
}

// -----

func.func @elements_c4(%x: tensor<3x4xf32>, %i: tensor<2x5xi64>, %u: tensor<2x5xf32>) {
  // expected-error@+2 {{indices [2, 5] are more than elements [3, 4] in dimension 1 (C4)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.scatter_elements %x, %i, %u : (tensor<3x4xf32>, tensor<2x5xi64>, tensor<2x5xf32>) -> tensor<3x4xf32>
  return
}

// -----

func.func @elements_c5(%x: tensor<3x4xf32>, %i: tensor<2x3xi64>, %u: tensor<2x3xf32>) {
  // expected-error@+2 {{reduction 'mean' is none of update, add, mul, min, max (C5)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.scatter_elements %x, %i, %u {reduction = "mean"} : (tensor<3x4xf32>, tensor<2x3xi64>, tensor<2x3xf32>) -> tensor<3x4xf32>
  return
}

// -----

func.func @elements_c6(%x: tensor<3x4xi1>, %i: tensor<2x3xi64>, %u: tensor<2x3xi1>) {
  // expected-error@+2 {{reduction 'add' is none of booleans (C6)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.scatter_elements %x, %i, %u {reduction = "add"} : (tensor<3x4xi1>, tensor<2x3xi64>, tensor<2x3xi1>) -> tensor<3x4xi1>
  return
}

// -----

func.func @parts_c1(%x: tensor<3x4xf32>, %i: tensor<1x2xf32>, %u: tensor<2x4xf32>) {
  // expected-error@+2 {{indices of type tensor<1x2xf32> are no lists of integers (C1)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.scatter_nd %x, %i, %u : (tensor<3x4xf32>, tensor<1x2xf32>, tensor<2x4xf32>) -> tensor<3x4xf32>
  return
}

// -----

func.func @parts_c2(%x: tensor<3x4xf32>, %i: tensor<3x2xi64>, %u: tensor<2xf32>) {
  // expected-error@+2 {{3 subscripts choose of 2 dimensions (C2)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.scatter_nd %x, %i, %u : (tensor<3x4xf32>, tensor<3x2xi64>, tensor<2xf32>) -> tensor<3x4xf32>
  return
}

// -----

func.func @parts_c2_none(%x: tensor<0x4xf32>, %i: tensor<1x2xi64>, %u: tensor<2x4xf32>) {
  // expected-error@+2 {{there are no elements in dimensions [0] (C2)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.scatter_nd %x, %i, %u : (tensor<0x4xf32>, tensor<1x2xi64>, tensor<2x4xf32>) -> tensor<0x4xf32>
  return
}

// -----

func.func @parts_c3(%x: tensor<3x4xf32>, %i: tensor<1x2xi64>, %u: tensor<2x3xf32>) {
  // expected-error@+2 {{updates have shape [2, 3], expected [2, 4] (C3)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.scatter_nd %x, %i, %u : (tensor<3x4xf32>, tensor<1x2xi64>, tensor<2x3xf32>) -> tensor<3x4xf32>
  return
}

// -----

func.func @parts_c5(%x: tensor<3x4xf32>, %i: tensor<1x2xi64>, %u: tensor<2x4xf32>) {
  // expected-error@+2 {{mode 'sub' is none of update, add, mul, min, max (C5)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.scatter_nd %x, %i, %u {mode = "sub"} : (tensor<3x4xf32>, tensor<1x2xi64>, tensor<2x4xf32>) -> tensor<3x4xf32>
  return
}

// -----

func.func @cache_c1(%x: tensor<3x4xf32>, %u: tensor<3x1xf32>, %at: tensor<i64>) {
  // expected-error@+2 {{axis 2 is out of range for rank 2 (C1)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.cache_update %x, %u, %at {axis = 2 : i64} : (tensor<3x4xf32>, tensor<3x1xf32>, tensor<i64>) -> tensor<3x4xf32>
  return
}

// -----

func.func @cache_c2_rows(%x: tensor<3x4xf32>, %u: tensor<3x5xf32>, %at: tensor<i64>) {
  // expected-error@+2 {{an update of type tensor<3x5xf32> does not fit a cache of type tensor<3x4xf32> along axis 1 (C2)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.cache_update %x, %u, %at {axis = 1 : i64} : (tensor<3x4xf32>, tensor<3x5xf32>, tensor<i64>) -> tensor<3x4xf32>
  return
}

// -----

func.func @cache_c2_type(%x: tensor<3x4xf32>, %u: tensor<3x1xf16>, %at: tensor<i64>) {
  // expected-error@+2 {{an update of type tensor<3x1xf16> does not fit a cache of type tensor<3x4xf32> along axis 1 (C2)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.cache_update %x, %u, %at {axis = 1 : i64} : (tensor<3x4xf32>, tensor<3x1xf16>, tensor<i64>) -> tensor<3x4xf32>
  return
}

// -----

func.func @cache_c3_count(%x: tensor<3x4xf32>, %u: tensor<3x1xf32>, %at: tensor<2xi64>) {
  // expected-error@+2 {{positions of type tensor<2xi64> are no integer, nor one for each index of dimension 0 (C3)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.cache_update %x, %u, %at {axis = 1 : i64} : (tensor<3x4xf32>, tensor<3x1xf32>, tensor<2xi64>) -> tensor<3x4xf32>
  return
}

// -----

func.func @cache_c3_axis(%x: tensor<3x4xf32>, %u: tensor<1x4xf32>, %at: tensor<3xi64>) {
  // expected-error@+2 {{positions of type tensor<3xi64> are no integer, nor one for each index of dimension 0 (C3)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.cache_update %x, %u, %at {axis = 0 : i64} : (tensor<3x4xf32>, tensor<1x4xf32>, tensor<3xi64>) -> tensor<3x4xf32>
  return
}
