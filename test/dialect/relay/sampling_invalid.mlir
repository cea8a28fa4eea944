// RUN: relay-opt %s --split-input-file --verify-diagnostics

func.func @affine_grid_c1(%x: tensor<2x3x3xf32>) {
  // expected-error@+2 {{data are [2, 3, 3], not [n, 2, 3] (C1)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.image.affine_grid %x {target_shape = array<i64: 4, 3>} : (tensor<2x3x3xf32>) -> tensor<2x2x4x3xf32>
  return
}

// -----

func.func @affine_grid_c2(%x: tensor<2x2x3xf32>) {
  // expected-error@+2 {{target_shape is [4, 1], not two numbers of at least 2 (C2)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.image.affine_grid %x {target_shape = array<i64: 4, 1>} : (tensor<2x2x3xf32>) -> tensor<2x2x4x1xf32>
  return
}

// -----

func.func @grid_sample_c1(%x: tensor<2x3x5x6xf32>, %g: tensor<2x3x4x3xf32>) {
  // expected-error@+2 {{does not fit data tensor<2x3x5x6xf32> (C1)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.image.grid_sample %x, %g : (tensor<2x3x5x6xf32>, tensor<2x3x4x3xf32>) -> tensor<2x3x4x3xf32>
  return
}

// -----

func.func @grid_sample_c2(%x: tensor<2x3x5x6xf32>, %g: tensor<2x2x4x3xf32>) {
  // expected-error@+2 {{method 'cubic' is none of bilinear, nearest (C2)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.image.grid_sample %x, %g {method = "cubic"} : (tensor<2x3x5x6xf32>, tensor<2x2x4x3xf32>) -> tensor<2x3x4x3xf32>
  return
}

// -----

func.func @grid_sample_c3(%x: tensor<2x3x5x6xf32>, %g: tensor<2x2x4x3xf32>) {
  // expected-error@+2 {{padding_mode 'wrap' is none of zeros, border (C3)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.image.grid_sample %x, %g {padding_mode = "wrap"} : (tensor<2x3x5x6xf32>, tensor<2x2x4x3xf32>) -> tensor<2x3x4x3xf32>
  return
}

// -----

func.func @crop_and_resize_c1(%x: tensor<2x3x5x6xf32>, %b: tensor<3x5xf32>, %o: tensor<3xi32>) {
  // expected-error@+2 {{do not fit data tensor<2x3x5x6xf32> (C1)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.image.crop_and_resize %x, %b, %o {crop_size = array<i64: 4, 3>} : (tensor<2x3x5x6xf32>, tensor<3x5xf32>, tensor<3xi32>) -> tensor<3x3x4x3xf32>
  return
}

// -----

func.func @crop_and_resize_c2(%x: tensor<2x3x5x6xf32>, %b: tensor<3x4xf32>, %o: tensor<3xi32>) {
  // expected-error@+2 {{crop_size is [4], not two numbers of at least 1 (C2)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.image.crop_and_resize %x, %b, %o {crop_size = array<i64: 4>} : (tensor<2x3x5x6xf32>, tensor<3x4xf32>, tensor<3xi32>) -> tensor<3x3x4x3xf32>
  return
}

// -----

func.func @crop_and_resize_c3(%x: tensor<2x3x5x6xf32>, %b: tensor<3x4xf32>, %o: tensor<3xi32>) {
  // expected-error@+2 {{method 'area' is none of bilinear, nearest_neighbor (C3)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.image.crop_and_resize %x, %b, %o {crop_size = array<i64: 4, 3>, method = "area"} : (tensor<2x3x5x6xf32>, tensor<3x4xf32>, tensor<3xi32>) -> tensor<3x3x4x3xf32>
  return
}

// -----

func.func @dilation2d_c1(%x: tensor<2x3x5x6xf32>, %w: tensor<2x2x3xf32>) {
  // expected-error@+2 {{do not fit data tensor<2x3x5x6xf32> (C1)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.image.dilation2d %x, %w {strides = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<2x3x5x6xf32>, tensor<2x2x3xf32>) -> tensor<2x3x4x4xf32>
  return
}

// -----

func.func @dilation2d_c2(%x: tensor<2x3x5x6xf32>, %w: tensor<3x2x3xf32>) {
  // expected-error@+2 {{strides is [1, 0], not two numbers of at least 1 (C2)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.image.dilation2d %x, %w {strides = array<i64: 1, 0>, padding = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<2x3x5x6xf32>, tensor<3x2x3xf32>) -> tensor<2x3x4x4xf32>
  return
}

// -----

func.func @dilation2d_c2_padding(%x: tensor<2x3x5x6xf32>, %w: tensor<3x2x3xf32>) {
  // expected-error@+2 {{padding is [0, 0], not four widths (C2)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.image.dilation2d %x, %w {strides = array<i64: 1, 1>, padding = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<2x3x5x6xf32>, tensor<3x2x3xf32>) -> tensor<2x3x4x4xf32>
  return
}

// -----

func.func @dilation2d_c3(%x: tensor<2x3x5x6xf32>, %w: tensor<3x2x3xf32>) {
  // expected-error@+2 {{a window of 6 does not fit into 5 (C3)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.image.dilation2d %x, %w {strides = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>, dilations = array<i64: 5, 1>} : (tensor<2x3x5x6xf32>, tensor<3x2x3xf32>) -> tensor<2x3x0x4xf32>
  return
}

// -----

func.func @correlation_c1(%x: tensor<2x3x5x6xf32>, %y: tensor<2x3x5x5xf32>) {
  // expected-error@+2 {{are not of one known type of rank 4 (C1)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.nn.correlation %x, %y : (tensor<2x3x5x6xf32>, tensor<2x3x5x5xf32>) -> tensor<2x9x3x4xf32>
  return
}

// -----

func.func @correlation_c2(%x: tensor<2x3x5x6xf32>) {
  // expected-error@+2 {{kernel_size is not odd, or a stride not at least 1 (C2)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.nn.correlation %x, %x {kernel_size = 2 : i64} : (tensor<2x3x5x6xf32>, tensor<2x3x5x6xf32>) -> tensor<2x9x3x4xf32>
  return
}

// -----

func.func @correlation_c3(%x: tensor<2x3x5x6xf32>) {
  // expected-error@+2 {{hold no patch with its displacements (C3)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.nn.correlation %x, %x {max_displacement = 3 : i64} : (tensor<2x3x5x6xf32>, tensor<2x3x5x6xf32>) -> tensor<2x49x0x0xf32>
  return
}

// -----

func.func @roi_pool_c1(%x: tensor<2x3x5x6xf32>, %r: tensor<4x4xf32>) {
  // expected-error@+2 {{do not fit data tensor<2x3x5x6xf32> (C1)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.vision.roi_pool %x, %r {pooled_size = array<i64: 2, 3>, spatial_scale = 1.0} : (tensor<2x3x5x6xf32>, tensor<4x4xf32>) -> tensor<4x3x2x3xf32>
  return
}

// -----

func.func @roi_pool_c2(%x: tensor<2x3x5x6xf32>, %r: tensor<4x5xf32>) {
  // expected-error@+2 {{pooled_size is [2, 0], not two numbers of at least 1 (C2)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.vision.roi_pool %x, %r {pooled_size = array<i64: 2, 0>, spatial_scale = 1.0} : (tensor<2x3x5x6xf32>, tensor<4x5xf32>) -> tensor<4x3x2x0xf32>
  return
}

// -----

func.func @roi_align_c1(%x: tensor<2x4x6x5xf32>, %r: tensor<4x4xf32>) {
  // expected-error@+2 {{rois tensor<4x4xf32> do not fit data tensor<2x4x6x5xf32> (C1)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.vision.roi_align %x, %r {pooled_size = array<i64: 2, 3>, spatial_scale = 0.5} : (tensor<2x4x6x5xf32>, tensor<4x4xf32>) -> tensor<4x4x2x3xf32>
  return
}

// -----

func.func @roi_align_c2(%x: tensor<2x4x6x5xf32>, %r: tensor<4x5xf32>) {
  // expected-error@+2 {{pooled_size is [0, 3], not two numbers of at least 1 (C2)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.vision.roi_align %x, %r {pooled_size = array<i64: 0, 3>, spatial_scale = 0.5} : (tensor<2x4x6x5xf32>, tensor<4x5xf32>) -> tensor<4x4x0x3xf32>
  return
}

// -----

func.func @roi_align_c3(%x: tensor<2x4x6x5xf32>, %r: tensor<4x5xf32>) {
  // expected-error@+2 {{layout 'CHWN' is none of NCHW, NHWC (C3)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.vision.roi_align %x, %r {pooled_size = array<i64: 2, 3>, spatial_scale = 0.5, layout = "CHWN"} : (tensor<2x4x6x5xf32>, tensor<4x5xf32>) -> tensor<4x4x2x3xf32>
  return
}

// -----

func.func @roi_align_c4(%x: tensor<2x4x6x5xf32>, %r: tensor<4x5xf32>) {
  // expected-error@+2 {{mode 'sum' is none of avg, max (C4)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.vision.roi_align %x, %r {pooled_size = array<i64: 2, 3>, spatial_scale = 0.5, mode = "sum"} : (tensor<2x4x6x5xf32>, tensor<4x5xf32>) -> tensor<4x4x2x3xf32>
  return
}

// -----

func.func @deformable_c1(%x: tensor<2x4x6x5xf32>, %o: tensor<2x24x3x4xf32>, %w: tensor<6x2x3x2xf32>) {
  // expected-error@+2 {{layouts 'NHWC' and 'OIHW' are neither NCHW and OIHW nor NHWC and HWIO (C1)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.nn.deformable_conv2d %x, %o, %w {strides = array<i64: 2, 1>, padding = array<i64: 1, 0, 0, 0>, deformable_groups = 2 : i64, groups = 2 : i64, data_layout = "NHWC"} : (tensor<2x4x6x5xf32>, tensor<2x24x3x4xf32>, tensor<6x2x3x2xf32>) -> tensor<2x6x3x4xf32>
  return
}

// -----

func.func @deformable_c2(%x: tensor<2x4x6x5xf32>, %o: tensor<2x12x3x4xf32>, %w: tensor<6x2x3x2xf32>) {
  // expected-error@+2 {{tensor<2x12x3x4xf32>, tensor<6x2x3x2xf32> do not fit (C2)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.nn.deformable_conv2d %x, %o, %w {strides = array<i64: 2, 1>, padding = array<i64: 1, 0, 0, 0>, deformable_groups = 2 : i64, groups = 2 : i64} : (tensor<2x4x6x5xf32>, tensor<2x12x3x4xf32>, tensor<6x2x3x2xf32>) -> tensor<2x6x3x4xf32>
  return
}

// -----

func.func @deformable_c5(%x: tensor<2x4x6x5xf32>, %o: tensor<2x24x3x4xf32>, %w: tensor<6x2x3x2xf32>) {
  // expected-error@+2 {{4 and 6 channels are not 3 groups with offsets of 3 groups (C5)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.nn.deformable_conv2d %x, %o, %w {strides = array<i64: 2, 1>, padding = array<i64: 1, 0, 0, 0>, deformable_groups = 3 : i64, groups = 3 : i64} : (tensor<2x4x6x5xf32>, tensor<2x24x3x4xf32>, tensor<6x2x3x2xf32>) -> tensor<2x6x3x4xf32>
  return
}
