// RUN: relay-opt %s --split-input-file --verify-diagnostics

func.func @valid_counts_c1(%x: tensor<2x6x5xf32>, %t: tensor<1xf32>) {
  // expected-error@+2 {{operands tensor<2x6x5xf32>, tensor<1xf32> do not fit (C1)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0:3 = relay.vision.get_valid_counts %x, %t : (tensor<2x6x5xf32>, tensor<1xf32>) -> (tensor<2xi32>, tensor<2x6x5xf32>, tensor<2x6xi32>)
  return
}

// -----

func.func @valid_counts_c2(%x: tensor<2x6x5xf32>, %t: tensor<f32>) {
  // expected-error@+2 {{score_index is 5, of rows of 5 numbers (C2)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0:3 = relay.vision.get_valid_counts %x, %t {score_index = 5 : i64} : (tensor<2x6x5xf32>, tensor<f32>) -> (tensor<2xi32>, tensor<2x6x5xf32>, tensor<2x6xi32>)
  return
}

// -----

func.func @suppression_c1(%x: tensor<2x9x6xf32>, %n: tensor<2xi32>, %i: tensor<2x9xi32>, %most: tensor<f32>, %t: tensor<f32>) {
  // expected-error@+2 {{tensor<f32>, tensor<f32> do not fit (C1)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0:2 = relay.vision.non_max_suppression %x, %n, %i, %most, %t : (tensor<2x9x6xf32>, tensor<2xi32>, tensor<2x9xi32>, tensor<f32>, tensor<f32>) -> (tensor<2x9xi32>, tensor<2x1xi32>)
  return
}

// -----

func.func @suppression_c2(%x: tensor<2x9x6xf32>, %n: tensor<2xi32>, %i: tensor<2x9xi32>, %most: tensor<i32>, %t: tensor<f32>) {
  // expected-error@+2 {{coord_start is 3, of rows of 6 numbers (C2)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0:2 = relay.vision.non_max_suppression %x, %n, %i, %most, %t {coord_start = 3 : i64} : (tensor<2x9x6xf32>, tensor<2xi32>, tensor<2x9xi32>, tensor<i32>, tensor<f32>) -> (tensor<2x9xi32>, tensor<2x1xi32>)
  return
}

// -----

func.func @regular_c1(%b: tensor<2x9x4xf32>, %s: tensor<2x8x4xf32>) {
  // expected-error@+2 {{do not fit (C1)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0:4 = relay.vision.regular_non_max_suppression %b, %s {max_detections_per_class = 3 : i64, max_detections = 5 : i64, num_classes = 3 : i64, iou_threshold = 0.5, score_threshold = 0.1} : (tensor<2x9x4xf32>, tensor<2x8x4xf32>) -> (tensor<2x5x4xf32>, tensor<2x5xf32>, tensor<2x5xf32>, tensor<2xi32>)
  return
}

// -----

func.func @regular_c2(%b: tensor<2x9x4xf32>, %s: tensor<2x9x4xf32>) {
  // expected-error@+2 {{max_detections_per_class is 0, not at least 1 (C2)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0:4 = relay.vision.regular_non_max_suppression %b, %s {max_detections_per_class = 0 : i64, max_detections = 5 : i64, num_classes = 3 : i64, iou_threshold = 0.5, score_threshold = 0.1} : (tensor<2x9x4xf32>, tensor<2x9x4xf32>) -> (tensor<2x5x4xf32>, tensor<2x5xf32>, tensor<2x5xf32>, tensor<2xi32>)
  return
}

// -----

func.func @regular_c3(%b: tensor<2x9x4xf32>, %s: tensor<2x9x4xf32>) {
  // expected-error@+2 {{num_classes is 5, of 4 (C3)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0:4 = relay.vision.regular_non_max_suppression %b, %s {max_detections_per_class = 3 : i64, max_detections = 5 : i64, num_classes = 5 : i64, iou_threshold = 0.5, score_threshold = 0.1} : (tensor<2x9x4xf32>, tensor<2x9x4xf32>) -> (tensor<2x5x4xf32>, tensor<2x5xf32>, tensor<2x5xf32>, tensor<2xi32>)
  return
}

// -----

func.func @prior_c1(%x: tensor<1x8x3xf32>) {
  // expected-error@+2 {{operands tensor<1x8x3xf32> do not fit (C1)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.vision.multibox_prior %x : (tensor<1x8x3xf32>) -> tensor<1x3x4xf32>
  return
}

// -----

func.func @prior_c2(%x: tensor<1x8x3x5xf32>) {
  // expected-error@+2 {{ratios is [0.0], not some numbers above 0 (C2)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.vision.multibox_prior %x {ratios = array<f64: 0.0>} : (tensor<1x8x3x5xf32>) -> tensor<1x15x4xf32>
  return
}

// -----

func.func @prior_c3(%x: tensor<1x8x3x5xf32>) {
  // expected-error@+2 {{steps is [1.0], not two numbers (C3)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.vision.multibox_prior %x {steps = array<f64: 1.0>} : (tensor<1x8x3x5xf32>) -> tensor<1x15x4xf32>
  return
}

// -----

func.func @transform_c1(%p: tensor<2x4x7xf32>, %l: tensor<2x27xf32>, %a: tensor<1x7x4xf32>) {
  // expected-error@+2 {{do not fit (C1)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0:2 = relay.vision.multibox_transform_loc %p, %l, %a : (tensor<2x4x7xf32>, tensor<2x27xf32>, tensor<1x7x4xf32>) -> (tensor<2x7x6xf32>, tensor<2xi32>)
  return
}

// -----

func.func @transform_c2(%p: tensor<2x4x7xf32>, %l: tensor<2x28xf32>, %a: tensor<1x7x4xf32>) {
  // expected-error@+2 {{variances is [0.1], not four numbers (C2)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0:2 = relay.vision.multibox_transform_loc %p, %l, %a {variances = array<f64: 0.1>} : (tensor<2x4x7xf32>, tensor<2x28xf32>, tensor<1x7x4xf32>) -> (tensor<2x7x6xf32>, tensor<2xi32>)
  return
}

// -----

func.func @proposal_c1(%p: tensor<2x8x4x5xf32>, %m: tensor<2x16x4x5xf32>, %i: tensor<2x3xf32>) {
  // expected-error@+2 {{do not fit (C1)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.vision.proposal %p, %m, %i : (tensor<2x8x4x5xf32>, tensor<2x16x4x5xf32>, tensor<2x3xf32>) -> tensor<600x5xf32>
  return
}

// -----

func.func @proposal_c2(%p: tensor<2x8x4x5xf32>, %m: tensor<2x16x4x5xf32>, %i: tensor<2x3xf32>) {
  // expected-error@+2 {{feature_stride is 0, not at least 1 (C2)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.vision.proposal %p, %m, %i {scales = array<f64: 1.0, 2.0>, ratios = array<f64: 0.5, 2.0>, feature_stride = 0 : i64} : (tensor<2x8x4x5xf32>, tensor<2x16x4x5xf32>, tensor<2x3xf32>) -> tensor<600x5xf32>
  return
}
