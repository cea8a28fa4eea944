// RUN: relay-opt %s | relay-opt | FileCheck %s

// CHECK-LABEL: func.func @affine(
func.func @affine(%maps: tensor<2x2x3xf32>) {
  // CHECK: relay.image.affine_grid {{.*}} -> tensor<2x2x4x3xf32>
  %affine = relay.image.affine_grid %maps {target_shape = array<i64: 4, 3>} : (tensor<2x2x3xf32>) -> tensor<2x2x4x3xf32>
  return
}

// CHECK-LABEL: func.func @bilinear(
func.func @bilinear(%x: tensor<2x3x5x6xf32>, %grid: tensor<2x2x4x3xf32>) {
  // CHECK: relay.image.grid_sample {{.*}} -> tensor<2x3x4x3xf32>
  %bilinear = relay.image.grid_sample %x, %grid : (tensor<2x3x5x6xf32>, tensor<2x2x4x3xf32>) -> tensor<2x3x4x3xf32>
  return
}

// CHECK-LABEL: func.func @nearest(
func.func @nearest(%x: tensor<2x3x5x6xf32>, %grid: tensor<2x2x4x3xf32>) {
  // CHECK: relay.image.grid_sample {{.*}} -> tensor<2x3x4x3xf32>
  %nearest = relay.image.grid_sample %x, %grid {method = "nearest", align_corners = false} : (tensor<2x3x5x6xf32>, tensor<2x2x4x3xf32>) -> tensor<2x3x4x3xf32>
  return
}

// CHECK-LABEL: func.func @border(
func.func @border(%x: tensor<2x3x5x6xf32>, %grid: tensor<2x2x4x3xf32>) {
  // CHECK: relay.image.grid_sample {{.*}} -> tensor<2x3x4x3xf32>
  %border = relay.image.grid_sample %x, %grid {padding_mode = "border", align_corners = false} : (tensor<2x3x5x6xf32>, tensor<2x2x4x3xf32>) -> tensor<2x3x4x3xf32>
  return
}

// CHECK-LABEL: func.func @crop(
func.func @crop(%x: tensor<2x3x5x6xf32>, %boxes: tensor<3x4xf32>, %of: tensor<3xi32>) {
  // CHECK: relay.image.crop_and_resize {{.*}} -> tensor<3x3x4x3xf32>
  %crop = relay.image.crop_and_resize %x, %boxes, %of {crop_size = array<i64: 4, 3>, extrapolation_value = -9.0} : (tensor<2x3x5x6xf32>, tensor<3x4xf32>, tensor<3xi32>) -> tensor<3x3x4x3xf32>
  return
}

// CHECK-LABEL: func.func @crop_nearest(
func.func @crop_nearest(%x: tensor<2x3x5x6xf32>, %boxes: tensor<3x4xf32>, %of: tensor<3xi32>) {
  // CHECK: relay.image.crop_and_resize {{.*}} -> tensor<3x3x1x3xf32>
  %crop_nearest = relay.image.crop_and_resize %x, %boxes, %of {crop_size = array<i64: 1, 3>, method = "nearest_neighbor"} : (tensor<2x3x5x6xf32>, tensor<3x4xf32>, tensor<3xi32>) -> tensor<3x3x1x3xf32>
  return
}

// CHECK-LABEL: func.func @dilation(
func.func @dilation(%x: tensor<2x3x5x6xf32>, %w: tensor<3x2x3xf32>) {
  // CHECK: relay.image.dilation2d {{.*}} -> tensor<2x3x3x5xf32>
  %dilation = relay.image.dilation2d %x, %w {strides = array<i64: 2, 1>, padding = array<i64: 1, 0, 1, 1>, dilations = array<i64: 1, 1>} : (tensor<2x3x5x6xf32>, tensor<3x2x3xf32>) -> tensor<2x3x3x5xf32>
  return
}

// CHECK-LABEL: func.func @correlation(
func.func @correlation(%x: tensor<2x3x5x6xf32>, %y: tensor<2x3x5x6xf32>) {
  // CHECK: relay.nn.correlation {{.*}} -> tensor<2x25x5x6xf32>
  %correlation = relay.nn.correlation %x, %y {max_displacement = 2 : i64, padding = 2 : i64} : (tensor<2x3x5x6xf32>, tensor<2x3x5x6xf32>) -> tensor<2x25x5x6xf32>
  return
}

// CHECK-LABEL: func.func @difference(
func.func @difference(%x: tensor<2x3x5x6xf32>, %y: tensor<2x3x5x6xf32>) {
  // CHECK: relay.nn.correlation {{.*}} -> tensor<2x9x2x2xf32>
  %difference = relay.nn.correlation %x, %y {kernel_size = 3 : i64, max_displacement = 2 : i64, stride1 = 2 : i64, stride2 = 2 : i64, padding = 2 : i64, is_multiply = false} : (tensor<2x3x5x6xf32>, tensor<2x3x5x6xf32>) -> tensor<2x9x2x2xf32>
  return
}

// CHECK-LABEL: func.func @pool(
func.func @pool(%x: tensor<2x3x5x6xf32>, %rois: tensor<4x5xf32>) {
  // CHECK: relay.vision.roi_pool {{.*}} -> tensor<4x3x2x3xf32>
  %pool = relay.vision.roi_pool %x, %rois {pooled_size = array<i64: 2, 3>, spatial_scale = 0.5} : (tensor<2x3x5x6xf32>, tensor<4x5xf32>) -> tensor<4x3x2x3xf32>
  return
}

// CHECK-LABEL: func.func @align(
func.func @align(%x: tensor<2x3x5x6xf32>, %rois: tensor<4x5xf32>) {
  // CHECK: relay.vision.roi_align {{.*}} -> tensor<4x3x2x3xf32>
  %0 = relay.vision.roi_align %x, %rois {pooled_size = array<i64: 2, 3>, spatial_scale = 0.5} : (tensor<2x3x5x6xf32>, tensor<4x5xf32>) -> tensor<4x3x2x3xf32>
  return
}

// CHECK-LABEL: func.func @deformable(
func.func @deformable(%x: tensor<2x4x6x5xf32>, %o: tensor<2x24x3x4xf32>, %w: tensor<6x2x3x2xf32>) {
  // CHECK: relay.nn.deformable_conv2d {{.*}} -> tensor<2x6x3x4xf32>
  %0 = relay.nn.deformable_conv2d %x, %o, %w {strides = array<i64: 2, 1>, padding = array<i64: 1, 0, 0, 0>, deformable_groups = 2 : i64, groups = 2 : i64} : (tensor<2x4x6x5xf32>, tensor<2x24x3x4xf32>, tensor<6x2x3x2xf32>) -> tensor<2x6x3x4xf32>
  return
}
