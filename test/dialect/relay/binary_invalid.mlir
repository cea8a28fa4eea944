// RUN: relay-opt %s --split-input-file --verify-diagnostics

func.func @c1(%x: tensor<2x4xf32>, %y: tensor<3xf32>) {
  // expected-error@+2 {{shapes [2, 4] and [3] do not broadcast (C1)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.add %x, %y : (tensor<2x4xf32>, tensor<3xf32>) -> tensor<2x4xf32>
  return
}

// -----

func.func @c1_unknown(%x: tensor<?x4xf32>, %y: tensor<2x3xf32>) {
  // expected-error@+2 {{shapes [?, 4] and [2, 3] do not broadcast (C1)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.maximum %x, %y : (tensor<?x4xf32>, tensor<2x3xf32>) -> tensor<2x4xf32>
  return
}

// -----

func.func @c2(%x: tensor<3xf32>, %y: tensor<3xi64>) {
  // expected-error@+2 {{element types f32 and i64 differ (C2)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.add %x, %y : (tensor<3xf32>, tensor<3xi64>) -> tensor<3xf32>
  return
}

// -----

func.func @c2_compare(%x: tensor<3xf32>, %y: tensor<3xf16>) {
  // expected-error@+2 {{element types f32 and f16 differ (C2)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.less %x, %y : (tensor<3xf32>, tensor<3xf16>) -> tensor<3xi1>
  return
}

// -----

func.func @c3_logical(%x: tensor<3xf32>, %y: tensor<3xf32>) {
  // expected-error@+2 {{takes booleans, not f32 (C0)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.logical_and %x, %y : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @where_c1(%c: tensor<2xi1>, %x: tensor<3xf32>) {
  // expected-error@+2 {{shapes [2] and [3] do not broadcast (C1)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.where %c, %x, %x : (tensor<2xi1>, tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @where_c2(%c: tensor<3xi1>, %x: tensor<3xf32>, %y: tensor<3xf64>) {
  // expected-error@+2 {{element types f32 and f64 differ (C2)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.where %c, %x, %y : (tensor<3xi1>, tensor<3xf32>, tensor<3xf64>) -> tensor<3xf32>
  return
}

// -----

func.func @where_c3(%x: tensor<3xf32>) {
  // expected-error@+2 {{the condition is of f32, expected booleans (C3)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.where %x, %x, %x : (tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @shift_c0(%x: tensor<3xi1>) {
  // expected-error@+2 {{takes integers, not i1 (C0)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.left_shift %x, %x : (tensor<3xi1>, tensor<3xi1>) -> tensor<3xi1>
  return
}

// -----

func.func @bitwise_c0(%x: tensor<3xf32>) {
  // expected-error@+2 {{takes integers or booleans, not f32 (C0)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.bitwise_or %x, %x : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  return
}
