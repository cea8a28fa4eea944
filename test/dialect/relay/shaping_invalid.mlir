// RUN: relay-opt %s --split-input-file --verify-diagnostics

func.func @reverse_c1(%x: tensor<2x3xf32>) {
  // expected-error@+2 {{axis 2 is out of range for rank 2 (C1)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.reverse %x {axis = 2 : i64} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @repeat_c1(%x: tensor<2x3xf32>) {
  // expected-error@+2 {{axis 2 is out of range for rank 2 (C1)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.repeat %x {axis = 2 : i64, repeats = 2 : i64} : (tensor<2x3xf32>) -> tensor<2x6xf32>
  return
}

// -----

func.func @repeat_c2(%x: tensor<2x3xf32>) {
  // expected-error@+2 {{repeats is 0, not at least 1 (C2)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.repeat %x {axis = 1 : i64, repeats = 0 : i64} : (tensor<2x3xf32>) -> tensor<2x0xf32>
  return
}

// -----

func.func @one_hot_c2(%i: tensor<2xi64>, %n: tensor<1xf32>) {
  // expected-error@+2 {{on_value and off_value are not of rank 0 (C2)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.one_hot %i, %n, %n {depth = 3 : i64, dtype = f32} : (tensor<2xi64>, tensor<1xf32>, tensor<1xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @one_hot_c3(%i: tensor<2xi64>, %n: tensor<f32>) {
  // expected-error@+2 {{axis 2 is not from -1 to 1 (C3)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.one_hot %i, %n, %n {depth = 3 : i64, axis = 2 : i64, dtype = f32} : (tensor<2xi64>, tensor<f32>, tensor<f32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @one_hot_c4(%i: tensor<2xi64>, %n: tensor<f32>) {
  // expected-error@+2 {{depth is 0, not at least 1 (C4)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.one_hot %i, %n, %n {depth = 0 : i64, dtype = f32} : (tensor<2xi64>, tensor<f32>, tensor<f32>) -> tensor<2x0xf32>
  return
}

// -----

func.func @one_hot_c5(%i: tensor<2xi64>, %n: tensor<f32>) {
  // expected-error@+2 {{dtype is index, no element type (C5)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.one_hot %i, %n, %n {depth = 3 : i64, dtype = index} : (tensor<2xi64>, tensor<f32>, tensor<f32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @gather_nd_c1(%x: tensor<2x3xf32>, %i: tensor<i64>) {
  // expected-error@+2 {{are no lists of integers (C1)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.gather_nd %x, %i : (tensor<2x3xf32>, tensor<i64>) -> tensor<2x3xf32>
  return
}

// -----

func.func @gather_nd_c2(%x: tensor<2x3xf32>, %i: tensor<3x2xi64>) {
  // expected-error@+2 {{indices [3, 2] do not fit data [2, 3] (C2)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.gather_nd %x, %i : (tensor<2x3xf32>, tensor<3x2xi64>) -> tensor<2xf32>
  return
}

// -----

func.func @gather_nd_c3(%x: tensor<0x3xf32>, %i: tensor<1x2xi64>) {
  // expected-error@+2 {{there are no elements in [0, 3] (C3)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.gather_nd %x, %i : (tensor<0x3xf32>, tensor<1x2xi64>) -> tensor<2x3xf32>
  return
}

// -----

func.func @reverse_sequence_c1(%x: tensor<2x3xf32>, %n: tensor<2xi64>) {
  // expected-error@+2 {{axis 0 is both of time and of the batch (C1)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.reverse_sequence %x, %n {seq_axis = 0 : i64} : (tensor<2x3xf32>, tensor<2xi64>) -> tensor<2x3xf32>
  return
}

// -----

func.func @reverse_sequence_c2(%x: tensor<2x3xf32>, %n: tensor<3xi64>) {
  // expected-error@+2 {{are not 2 integers (C2)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.reverse_sequence %x, %n : (tensor<2x3xf32>, tensor<3xi64>) -> tensor<2x3xf32>
  return
}

// -----

func.func @sequence_mask_c1(%x: tensor<2x3xf32>, %n: tensor<3xi64>) {
  // expected-error@+2 {{axis 2 of rank 2 is none of the first two (C1)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.sequence_mask %x, %n {axis = 2 : i64} : (tensor<2x3xf32>, tensor<3xi64>) -> tensor<2x3xf32>
  return
}

// -----

func.func @sequence_mask_c2(%x: tensor<2x3xf32>, %n: tensor<2xi64>) {
  // expected-error@+2 {{are not 3 integers (C2)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.sequence_mask %x, %n : (tensor<2x3xf32>, tensor<2xi64>) -> tensor<2x3xf32>
  return
}

// -----

func.func @slice_like_c1(%x: tensor<2x3xf32>, %y: tensor<2xf32>) {
  // expected-error@+2 {{ranks 2 and 1 differ (C1)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.slice_like %x, %y {axes = array<i64>} : (tensor<2x3xf32>, tensor<2xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @slice_like_c2(%x: tensor<2x3xf32>, %y: tensor<4x3xf32>) {
  // expected-error@+2 {{4 of 2 elements are taken along axis 0 (C2)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.slice_like %x, %y {axes = array<i64: 0>} : (tensor<2x3xf32>, tensor<4x3xf32>) -> tensor<4x3xf32>
  return
}

// -----

func.func @reshape_like_c1(%x: tensor<2x3xf32>, %y: tensor<6xf32>) {
  // expected-error@+2 {{lhs: 3 is not within rank 2 (C1)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.reshape_like %x, %y {lhs_begin = 3 : i64} : (tensor<2x3xf32>, tensor<6xf32>) -> tensor<6xf32>
  return
}

// -----

func.func @reshape_like_c2(%x: tensor<2x3xf32>, %y: tensor<5xf32>) {
  // expected-error@+2 {{[2, 3] does not reshape to [5] (C2)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.reshape_like %x, %y : (tensor<2x3xf32>, tensor<5xf32>) -> tensor<5xf32>
  return
}

// -----

func.func @broadcast_to_like_c1(%x: tensor<2x3xf32>, %y: tensor<2x4xf32>) {
  // expected-error@+2 {{[2, 3] does not broadcast to [2, 4] (C1)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.broadcast_to_like %x, %y : (tensor<2x3xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
  return
}

// -----

func.func @ndarray_size_c1(%x: tensor<2x3xf32>) {
  // expected-error@+2 {{dtype is index, no element type (C1)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.ndarray_size %x {dtype = index} : (tensor<2x3xf32>) -> tensor<i32>
  return
}

// -----

func.func @trilu_c1(%x: tensor<2xf32>, %k: tensor<i64>) {
  // expected-error@+2 {{data are of rank 1, not 2 at least (C1)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.trilu %x, %k : (tensor<2xf32>, tensor<i64>) -> tensor<2xf32>
  return
}

// -----

func.func @trilu_c2(%x: tensor<2x3xf32>, %k: tensor<1xi64>) {
  // expected-error@+2 {{no integer of rank 0 (C2)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.trilu %x, %k : (tensor<2x3xf32>, tensor<1xi64>) -> tensor<2x3xf32>
  return
}

// -----

func.func @unravel_index_c1(%x: tensor<2xi64>, %k: tensor<3xi32>) {
  // expected-error@+2 {{do not fit (C1)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.unravel_index %x, %k : (tensor<2xi64>, tensor<3xi32>) -> tensor<3x2xi64>
  return
}

// -----

func.func @matrix_set_diag_c1(%x: tensor<2xf32>, %k: tensor<2xf32>) {
  // expected-error@+2 {{input is of rank 1, not 2 at least (C1)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.matrix_set_diag %x, %k : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @matrix_set_diag_c2(%x: tensor<2x3xf32>, %k: tensor<2xf32>) {
  // expected-error@+2 {{diagonals 1 to 0 are not in matrices of 2 x 3 (C2)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.matrix_set_diag %x, %k {k1 = 1 : i64} : (tensor<2x3xf32>, tensor<2xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @matrix_set_diag_c3(%x: tensor<2x3xf32>, %k: tensor<3xf32>) {
  // expected-error@+2 {{diagonal is [3], expected [2] (C3)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.matrix_set_diag %x, %k : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @dilate_c1(%x: tensor<2x3xf32>) {
  // expected-error@+2 {{strides [2] are not one of at least 1 for each dimension (C1)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.nn.dilate %x {strides = array<i64: 2>} : (tensor<2x3xf32>) -> tensor<3x3xf32>
  return
}

// -----

func.func @mirror_pad_c1(%x: tensor<2x3xf32>) {
  // expected-error@+2 {{pad_width [2] are not two numbers for each dimension (C1)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.nn.mirror_pad %x {pad_width = array<i64: 2>} : (tensor<2x3xf32>) -> tensor<3x3xf32>
  return
}

// -----

func.func @mirror_pad_c2(%x: tensor<3xf32>) {
  // expected-error@+2 {{mode 'EDGE' is none of SYMMETRIC, REFLECT (C2)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.nn.mirror_pad %x {pad_width = array<i64: 1, 1>, mode = "EDGE"} : (tensor<3xf32>) -> tensor<5xf32>
  return
}

// -----

func.func @mirror_pad_c3(%x: tensor<3xf32>) {
  // expected-error@+2 {{a mirror shows 2 elements, not 3 (C3)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.nn.mirror_pad %x {pad_width = array<i64: 3, 0>, mode = "REFLECT"} : (tensor<3xf32>) -> tensor<6xf32>
  return
}

// -----

func.func @space_to_depth_c1(%x: tensor<4x4xf32>) {
  // expected-error@+2 {{data are of rank 2, not 4 (C1)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.nn.space_to_depth %x {block_size = 2 : i64} : (tensor<4x4xf32>) -> tensor<2x2xf32>
  return
}

// -----

func.func @space_to_depth_c2(%x: tensor<1x1x3x4xf32>) {
  // expected-error@+2 {{3 does not make blocks of 2 (C2)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.nn.space_to_depth %x {block_size = 2 : i64} : (tensor<1x1x3x4xf32>) -> tensor<1x4x1x2xf32>
  return
}

// -----

func.func @fifo_buffer_c1(%x: tensor<2x3xf32>) {
  // expected-error@+2 {{axis 2 is out of range for rank 2 (C1)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.nn.fifo_buffer %x, %x {axis = 2 : i64} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @fifo_buffer_c2(%x: tensor<2x3xf32>, %y: tensor<2x2xf32>) {
  // expected-error@+2 {{do not fit a buffer tensor<2x2xf32> (C2)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.nn.fifo_buffer %x, %y {axis = 1 : i64} : (tensor<2x3xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  return
}

// -----

func.func @sliding_window_c1(%x: tensor<2x3xf32>) {
  // expected-error@+2 {{axis 2 is out of range for rank 2 (C1)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.sliding_window %x {axis = 2 : i64, window_shape = array<i64: 2>, strides = array<i64: 1>} : (tensor<2x3xf32>) -> tensor<2x2x2xf32>
  return
}

// -----

func.func @sliding_window_c2(%x: tensor<2x3xf32>) {
  // expected-error@+2 {{are not 1 sizes each (C2)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.sliding_window %x {axis = 1 : i64, window_shape = array<i64: 2, 2>, strides = array<i64: 1>} : (tensor<2x3xf32>) -> tensor<2x2x2xf32>
  return
}

// -----

func.func @sliding_window_c3(%x: tensor<2x3xf32>) {
  // expected-error@+2 {{a window of 4 does not fit into 3 (C3)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.sliding_window %x {axis = 1 : i64, window_shape = array<i64: 4>, strides = array<i64: 1>} : (tensor<2x3xf32>) -> tensor<2x0x4xf32>
  return
}

// -----

func.func @meshgrid_c1(%x: tensor<2x3xf32>) {
  // expected-error@+2 {{the operands are not lists of one element type (C1)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.meshgrid %x : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @meshgrid_c2(%x: tensor<2xf32>) {
  // expected-error@+2 {{indexing 'ji' is none of ij, xy (C2)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.meshgrid %x {indexing = "ji"} : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @yolo_reorg_c1(%x: tensor<1x4x?x4xf32>) {
  // expected-error@+2 {{have open extents (C1)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.vision.yolo_reorg %x {stride = 2 : i64} : (tensor<1x4x?x4xf32>) -> tensor<1x16x?x2xf32>
  return
}

// -----

func.func @yolo_reorg_c2(%x: tensor<1x3x4x4xf32>) {
  // expected-error@+2 {{3 channels do not make blocks of 2 by 2 (C2)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.vision.yolo_reorg %x {stride = 2 : i64} : (tensor<1x3x4x4xf32>) -> tensor<1x12x2x2xf32>
  return
}
