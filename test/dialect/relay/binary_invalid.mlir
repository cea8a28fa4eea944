// RUN: relay-opt %s --split-input-file --verify-diagnostics

func.func @shapes(%x: tensor<2x4xf32>, %y: tensor<3xf32>) {
  // expected-error@+2 {{shapes [2, 4] and [3] do not broadcast}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.add %x, %y : (tensor<2x4xf32>, tensor<3xf32>) -> tensor<2x4xf32>
  return
}

// -----

func.func @elements(%x: tensor<3xf32>, %y: tensor<3xi64>) {
  // expected-error@+2 {{element types f32 and i64 differ}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.add %x, %y : (tensor<3xf32>, tensor<3xi64>) -> tensor<3xf32>
  return
}

// -----

func.func @logical(%x: tensor<3xf32>, %y: tensor<3xf32>) {
  // expected-error@+2 {{takes booleans, not f32}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.logical_or %x, %y : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @where(%c: tensor<3xf32>, %x: tensor<3xf32>) {
  // expected-error@+2 {{the condition is of f32, expected booleans}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.where %c, %x, %x : (tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  return
}
