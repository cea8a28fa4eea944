// RUN: %roundtrip | FileCheck %s

// CHECK-LABEL: func.func @counts(
func.func @counts(%x: tensor<2x6x5xf32>, %t: tensor<f32>) {
  // CHECK: relay.vision.get_valid_counts %{{.*}}, %{{.*}} {id_index = -1 : i64, score_index = 0 : i64}
  %0:3 = relay.vision.get_valid_counts %x, %t {id_index = -1 : i64, score_index = 0 : i64} : (tensor<2x6x5xf32>, tensor<f32>) -> (tensor<2xi32>, tensor<2x6x5xf32>, tensor<2x6xi32>)
  return
}

// CHECK-LABEL: func.func @suppression(
func.func @suppression(%x: tensor<2x9x6xf32>, %n: tensor<2xi32>, %i: tensor<2x9xi32>, %most: tensor<i32>, %t: tensor<f32>) {
  // CHECK: relay.vision.non_max_suppression {{.*}} -> (tensor<2x9xi32>, tensor<2x1xi32>)
  %0:2 = relay.vision.non_max_suppression %x, %n, %i, %most, %t : (tensor<2x9x6xf32>, tensor<2xi32>, tensor<2x9xi32>, tensor<i32>, tensor<f32>) -> (tensor<2x9xi32>, tensor<2x1xi32>)
  // CHECK: relay.vision.non_max_suppression {{.*}}return_indices = false{{.*}} -> tensor<2x9x6xf32>
  %1 = relay.vision.non_max_suppression %x, %n, %i, %most, %t {return_indices = false} : (tensor<2x9x6xf32>, tensor<2xi32>, tensor<2x9xi32>, tensor<i32>, tensor<f32>) -> tensor<2x9x6xf32>
  return
}

// CHECK-LABEL: func.func @regular(
func.func @regular(%boxes: tensor<2x9x4xf32>, %scores: tensor<2x9x4xf32>) {
  // CHECK: relay.vision.regular_non_max_suppression {{.*}} -> (tensor<2x5x4xf32>, tensor<2x5xf32>, tensor<2x5xf32>, tensor<2xi32>)
  %0:4 = relay.vision.regular_non_max_suppression %boxes, %scores {max_detections_per_class = 3 : i64, max_detections = 5 : i64, num_classes = 3 : i64, iou_threshold = 0.5, score_threshold = 0.1} : (tensor<2x9x4xf32>, tensor<2x9x4xf32>) -> (tensor<2x5x4xf32>, tensor<2x5xf32>, tensor<2x5xf32>, tensor<2xi32>)
  return
}

// CHECK-LABEL: func.func @multibox(
func.func @multibox(%x: tensor<1x8x3x5xf32>, %p: tensor<2x4x7xf32>, %l: tensor<2x28xf32>, %a: tensor<1x7x4xf32>) {
  // CHECK: relay.vision.multibox_prior %{{.*}} {ratios = array<f64: 1.000000e+00, 2.000000e+00>, sizes = array<f64: 5.000000e-01, 2.500000e-01>} : {{.*}} -> tensor<1x45x4xf32>
  %0 = relay.vision.multibox_prior %x {sizes = array<f64: 0.5, 0.25>, ratios = array<f64: 1.0, 2.0>} : (tensor<1x8x3x5xf32>) -> tensor<1x45x4xf32>
  // CHECK: relay.vision.multibox_transform_loc {{.*}} -> (tensor<2x7x6xf32>, tensor<2xi32>)
  %1:2 = relay.vision.multibox_transform_loc %p, %l, %a : (tensor<2x4x7xf32>, tensor<2x28xf32>, tensor<1x7x4xf32>) -> (tensor<2x7x6xf32>, tensor<2xi32>)
  return
}

// CHECK-LABEL: func.func @proposal(
func.func @proposal(%p: tensor<2x8x4x5xf32>, %m: tensor<2x16x4x5xf32>, %i: tensor<2x3xf32>) {
  // CHECK: relay.vision.proposal {{.*}} -> tensor<12x5xf32>
  %0 = relay.vision.proposal %p, %m, %i {scales = array<f64: 1.0, 2.0>, ratios = array<f64: 0.5, 2.0>, rpn_post_nms_top_n = 6 : i64} : (tensor<2x8x4x5xf32>, tensor<2x16x4x5xf32>, tensor<2x3xf32>) -> tensor<12x5xf32>
  return
}
