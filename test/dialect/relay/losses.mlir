// RUN: relay-opt %s | relay-opt | FileCheck %s

// CHECK-LABEL: func.func @normal(
func.func @normal(%x: tensor<2x3x4xf32>) {
  // CHECK: relay.nn.l2_normalize {{.*}} -> tensor<2x3x4xf32>
  %normal = relay.nn.l2_normalize %x {eps = 0.5, axis = array<i64: 1, -1>} : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  return
}

// CHECK-LABEL: func.func @entropy(
func.func @entropy(%p: tensor<5x4xf32>, %q: tensor<5x4xf32>) {
  // CHECK: relay.nn.cross_entropy {{.*}} -> tensor<f32>
  %entropy = relay.nn.cross_entropy %p, %q : (tensor<5x4xf32>, tensor<5x4xf32>) -> tensor<f32>
  return
}

// CHECK-LABEL: func.func @of_logits(
func.func @of_logits(%p: tensor<5x4xf32>, %q: tensor<5x4xf32>) {
  // CHECK: relay.nn.cross_entropy_with_logits {{.*}} -> tensor<f32>
  %of_logits = relay.nn.cross_entropy_with_logits %p, %q : (tensor<5x4xf32>, tensor<5x4xf32>) -> tensor<f32>
  return
}

// CHECK-LABEL: func.func @kept_mask(
func.func @kept_mask(%x: tensor<2x3x4xf32>) {
  // CHECK: relay.nn.dropout {{.*}} -> (tensor<2x3x4xf32>, tensor<2x3x4xf32>)
  %kept, %mask = relay.nn.dropout %x {rate = 0.3} : (tensor<2x3x4xf32>) -> (tensor<2x3x4xf32>, tensor<2x3x4xf32>)
  return
}

// CHECK-LABEL: func.func @sum(
func.func @sum(%x: tensor<2x3x4xf32>, %like: tensor<3x1xf32>) {
  // CHECK: relay.collapse_sum_like {{.*}} -> tensor<3x1xf32>
  %sum = relay.collapse_sum_like %x, %like : (tensor<2x3x4xf32>, tensor<3x1xf32>) -> tensor<3x1xf32>
  return
}

// CHECK-LABEL: func.func @sum_to(
func.func @sum_to(%x: tensor<2x3x4xf32>) {
  // CHECK: relay.collapse_sum_to {{.*}} -> tensor<2x1x4xf32>
  %sum_to = relay.collapse_sum_to %x {shape = array<i64: 2, 1, 4>} : (tensor<2x3x4xf32>) -> tensor<2x1x4xf32>
  return
}

// CHECK-LABEL: func.func @less(
func.func @less(%i: tensor<40xi32>) {
  // CHECK: relay.fixed_point_multiply {{.*}} -> tensor<40xi32>
  %less = relay.fixed_point_multiply %i {multiplier = 1518500250 : i64, shift = -3 : i64} : (tensor<40xi32>) -> tensor<40xi32>
  return
}

// CHECK-LABEL: func.func @more(
func.func @more(%i: tensor<40xi32>) {
  // CHECK: relay.fixed_point_multiply {{.*}} -> tensor<40xi32>
  %more = relay.fixed_point_multiply %i {multiplier = -1073741824 : i64, shift = 2 : i64} : (tensor<40xi32>) -> tensor<40xi32>
  return
}

// CHECK-LABEL: func.func @per_axis(
func.func @per_axis(%x: tensor<4x5xi32>, %m: tensor<5xi32>) {
  // CHECK: relay.fixed_point_multiply_per_axis {{.*}} -> tensor<4x5xi32>
  %0 = relay.fixed_point_multiply_per_axis %x, %m, %m, %m {is_lshift_required = true, axes = array<i64: 1>} : (tensor<4x5xi32>, tensor<5xi32>, tensor<5xi32>, tensor<5xi32>) -> tensor<4x5xi32>
  return
}

// CHECK-LABEL: func.func @nll_loss(
func.func @nll_loss(%p: tensor<4x5x3xf32>, %t: tensor<4x3xi32>, %w: tensor<5xf32>) {
  // CHECK: relay.nn.nll_loss {{.*}} -> tensor<f32>
  %0 = relay.nn.nll_loss %p, %t, %w : (tensor<4x5x3xf32>, tensor<4x3xi32>, tensor<5xf32>) -> tensor<f32>
  // CHECK: relay.nn.nll_loss {{.*}} -> tensor<4x3xf32>
  %1 = relay.nn.nll_loss %p, %t, %w {reduction = "none"} : (tensor<4x5x3xf32>, tensor<4x3xi32>, tensor<5xf32>) -> tensor<4x3xf32>
  return
}
