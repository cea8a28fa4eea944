// RUN: relay-opt %s --split-input-file --verify-diagnostics

func.func @c1(%a: tensor<4xf32>) {
  // expected-error@+1 {{results have different shapes: [4] and [5] (C1)}}
  %0, %1 = te.compute "c" reduce [] "" {
  ^bb0(%i: index):
    %x = tensor.extract %a[%i] : tensor<4xf32>
    te.yield %x, %x : f32, f32
  } : tensor<4xf32>, tensor<5xf32>
  return
}

// -----

func.func @c2(%a: tensor<4xf32>) {
  // expected-error@+1 {{the body takes 1 arguments of type index; expected one per dimension and reduce extent, 2 (C2)}}
  %0 = te.compute "c" reduce [4] "sum" {
  ^bb0(%i: index):
    %x = tensor.extract %a[%i] : tensor<4xf32>
    te.yield %x : f32
  } : tensor<4xf32>
  return
}

// -----

func.func @c3(%a: tensor<4xf32>) {
  // expected-error@+1 {{the body yields [f32], expected [i64] (C3)}}
  %0 = te.compute "c" reduce [] "" {
  ^bb0(%i: index):
    %x = tensor.extract %a[%i] : tensor<4xf32>
    te.yield %x : f32
  } : tensor<4xi64>
  return
}

// -----

func.func @c4_none(%a: tensor<4xf32>) {
  // expected-error@+1 {{has reduce axes and the reducer ''; expected sum, prod, max, min, all, any or custom (C4)}}
  %0 = te.compute "c" reduce [4] "" {
  ^bb0(%k: index):
    %x = tensor.extract %a[%k] : tensor<4xf32>
    te.yield %x : f32
  } : tensor<f32>
  return
}

// -----

func.func @c4_needless(%a: tensor<4xf32>) {
  // expected-error@+1 {{has a reducer, 'sum', and no reduce axes (C4)}}
  %0 = te.compute "c" reduce [] "sum" {
  ^bb0(%i: index):
    %x = tensor.extract %a[%i] : tensor<4xf32>
    te.yield %x : f32
  } : tensor<4xf32>
  return
}

// -----

func.func @c5(%a: tensor<4xf32>) {
  // expected-error@+1 {{a custom reducer needs a combiner region and one identity per result (C5)}}
  %0 = te.compute "c" reduce [4] "custom" {
  ^bb0(%k: index):
    %x = tensor.extract %a[%k] : tensor<4xf32>
    te.yield %x : f32
  } : tensor<f32>
  return
}
