// RUN: relay-opt %s --split-input-file --verify-diagnostics

func.func @reshape_c1(%x: tensor<2x3xf32>) {
  // expected-error@+2 {{newshape [-1, -1] has more than one -1, or a negative dimension (C1)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.reshape %x {newshape = array<i64: -1, -1>} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @reshape_c1_negative(%x: tensor<2x3xf32>) {
  // expected-error@+2 {{newshape [-9223372036854775808, 3] has more than one -1, or a negative dimension (C1)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.reshape %x {newshape = array<i64: -9223372036854775808, 3>} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @reshape_c2(%x: tensor<2x3xf32>) {
  // expected-error@+2 {{[2, 3] does not reshape to [4] (C2)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.reshape %x {newshape = array<i64: 4>} : (tensor<2x3xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @reshape_c2_rest(%x: tensor<2x3xf32>) {
  // expected-error@+2 {{[2, 3] does not reshape to [-1, 4] (C2)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.reshape %x {newshape = array<i64: -1, 4>} : (tensor<2x3xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @reshape_c2_zero(%x: tensor<2x3xf32>) {
  // expected-error@+2 {{[2, 3] does not reshape to [-1, 0] (C2)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.reshape %x {newshape = array<i64: -1, 0>} : (tensor<2x3xf32>) -> tensor<1x0xf32>
  return
}

// -----

func.func @reshape_c2_unknown(%x: tensor<?x0xf32>) {
  // expected-error@+2 {{[?, 0] does not reshape to [2] (C2)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.reshape %x {newshape = array<i64: 2>} : (tensor<?x0xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @reshape_overflow(%x: tensor<2x3xf32>) {
  // expected-error@+2 {{a dimension of 9223372036854775807 * 2 exceeds 64 bits}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.reshape %x {newshape = array<i64: 9223372036854775807, 2>} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @transpose_c1(%x: tensor<2x3xf32>) {
  // expected-error@+2 {{axes [0, 0] are not an order of 2 dimensions (C1)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.transpose %x {axes = array<i64: 0, 0>} : (tensor<2x3xf32>) -> tensor<2x2xf32>
  return
}

// -----

func.func @transpose_c1_negative(%x: tensor<2x3xf32>) {
  // expected-error@+2 {{axes [0, -1] are not an order of 2 dimensions (C1)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.transpose %x {axes = array<i64: 0, -1>} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @squeeze_c1(%x: tensor<1x2x1xf32>) {
  // expected-error@+2 {{axis 3 is out of range for rank 3 (C1)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.squeeze %x {axis = array<i64: 3>} : (tensor<1x2x1xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @squeeze_c1_twice(%x: tensor<1x2x1xf32>) {
  // expected-error@+2 {{axis 2 is given twice (C1)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.squeeze %x {axis = array<i64: 2, -1>} : (tensor<1x2x1xf32>) -> tensor<1x2xf32>
  return
}

// -----

func.func @squeeze_c2(%x: tensor<1x2x1xf32>) {
  // expected-error@+2 {{dimension 1 is 2, not 1 (C2)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.squeeze %x {axis = array<i64: 1>} : (tensor<1x2x1xf32>) -> tensor<1x1xf32>
  return
}

// -----

func.func @expand_dims_c1(%x: tensor<2x3xf32>) {
  // expected-error@+2 {{axis 3 is out of range for rank 3 (C1)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.expand_dims %x {axis = 3 : i64} : (tensor<2x3xf32>) -> tensor<2x3x1xf32>
  return
}

// -----

func.func @expand_dims_c2(%x: tensor<2x3xf32>) {
  // expected-error@+2 {{num_newaxis -1 is not from 0 to 64 (C2)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.expand_dims %x {axis = 0 : i64, num_newaxis = -1 : i64} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @expand_dims_c2_extreme(%x: tensor<2x3xf32>) {
  // expected-error@+2 {{num_newaxis 9223372036854775807 is not from 0 to 64 (C2)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.expand_dims %x {axis = 0 : i64, num_newaxis = 9223372036854775807 : i64} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @concatenate_c1() {
  // expected-error@+2 {{takes at least one operand (C1)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.concatenate  {axis = 0 : i64} : () -> tensor<2x3xf32>
  return
}

// -----

func.func @concatenate_c2(%x: tensor<2x3xf32>, %y: tensor<2x3xf32>) {
  // expected-error@+2 {{axis 2 is out of range for rank 2 (C2)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.concatenate %x, %y {axis = 2 : i64} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @concatenate_c3(%x: tensor<2x3xf32>, %y: tensor<3x3xf32>) {
  // expected-error@+2 {{[2, 3] and [3, 3] differ beside axis 1 (C3)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.concatenate %x, %y {axis = 1 : i64} : (tensor<2x3xf32>, tensor<3x3xf32>) -> tensor<2x6xf32>
  return
}

// -----

func.func @concatenate_c3_rank(%x: tensor<2x3xf32>, %y: tensor<2xf32>) {
  // expected-error@+2 {{[2, 3] and [2] differ beside axis 1 (C3)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.concatenate %x, %y {axis = 1 : i64} : (tensor<2x3xf32>, tensor<2xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @concatenate_c3_unknown(%x: tensor<?x3xf32>, %y: tensor<2x3xf32>, %z: tensor<3x3xf32>) {
  // expected-error@+2 {{[2, 6] and [3, 3] differ beside axis 1 (C3)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.concatenate %x, %y, %z {axis = 1 : i64} : (tensor<?x3xf32>, tensor<2x3xf32>, tensor<3x3xf32>) -> tensor<?x9xf32>
  return
}

// -----

func.func @concatenate_c4(%x: tensor<2x3xf32>, %y: tensor<2x3xf64>) {
  // expected-error@+2 {{element types f32 and f64 differ (C4)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.concatenate %x, %y {axis = 1 : i64} : (tensor<2x3xf32>, tensor<2x3xf64>) -> tensor<2x6xf32>
  return
}

// -----

func.func @split_c1(%x: tensor<2x3xf32>) {
  // expected-error@+2 {{axis 2 is out of range for rank 2 (C1)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.split %x {indices = array<i64: 1>, axis = 2 : i64} : (tensor<2x3xf32>) -> tensor<2x1xf32>
  return
}

// -----

func.func @split_c2(%x: tensor<2x3xf32>) {
  // expected-error@+2 {{indices [4] do not ascend within dimension 1 (C2)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.split %x {indices = array<i64: 4>, axis = 1 : i64} : (tensor<2x3xf32>) -> tensor<2x2xf32>
  return
}

// -----

func.func @split_c2_order(%x: tensor<2x?xf32>) {
  // expected-error@+2 {{indices [2, 1] do not ascend within dimension 1 (C2)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.split %x {indices = array<i64: 2, 1>, axis = 1 : i64} : (tensor<2x?xf32>) -> tensor<2x2xf32>
  return
}

// -----

func.func @split_c2_negative(%x: tensor<2x3xf32>) {
  // expected-error@+2 {{indices [-1] do not ascend within dimension 1 (C2)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.split %x {indices = array<i64: -1>, axis = 1 : i64} : (tensor<2x3xf32>) -> tensor<2x2xf32>
  return
}

// -----

func.func @strided_slice_c1(%x: tensor<2x3xf32>) {
  // expected-error@+2 {{begin, end, strides and axes differ in length (C1)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.strided_slice %x {begin = array<i64: 0>, end = array<i64: 1, 2>, strides = array<i64: 1>, axes = array<i64: 0>} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @strided_slice_c2(%x: tensor<2x3xf32>) {
  // expected-error@+2 {{axis 2 is out of range for rank 2 (C2)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.strided_slice %x {begin = array<i64: 0>, end = array<i64: 1>, strides = array<i64: 1>, axes = array<i64: 2>} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @strided_slice_c2_twice(%x: tensor<2x3xf32>) {
  // expected-error@+2 {{axis 1 is given twice (C2)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.strided_slice %x {begin = array<i64: 0, 0>, end = array<i64: 1, 1>, strides = array<i64: 1, 1>, axes = array<i64: 1, -1>} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @strided_slice_c3(%x: tensor<2x3xf32>) {
  // expected-error@+2 {{a stride is 0 (C3)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.strided_slice %x {begin = array<i64: 0>, end = array<i64: 1>, strides = array<i64: 0>, axes = array<i64: 0>} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @take_c1(%x: tensor<2x3xf32>, %y: tensor<2xf32>) {
  // expected-error@+2 {{indices are of f32, expected integers (C1)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.take %x, %y {axis = 0 : i64} : (tensor<2x3xf32>, tensor<2xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @take_c2(%x: tensor<2x3xf32>, %y: tensor<2xi64>) {
  // expected-error@+2 {{axis 2 is out of range for rank 2 (C2)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.take %x, %y {axis = 2 : i64} : (tensor<2x3xf32>, tensor<2xi64>) -> tensor<2x3xf32>
  return
}

// -----

func.func @take_c3(%x: tensor<2x3xf32>, %y: tensor<2xi64>) {
  // expected-error@+2 {{mode 'raise' is none of clip, wrap, fast (C3)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.take %x, %y {axis = 0 : i64, mode = "raise"} : (tensor<2x3xf32>, tensor<2xi64>) -> tensor<2x3xf32>
  return
}

// -----

func.func @take_c4(%x: tensor<0x3xf32>, %y: tensor<2xi64>) {
  // expected-error@+2 {{there are no elements along axis 0 (C4)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.take %x, %y {axis = 0 : i64} : (tensor<0x3xf32>, tensor<2xi64>) -> tensor<2x3xf32>
  return
}

// -----

func.func @broadcast_to_c1(%x: tensor<2x3xf32>) {
  // expected-error@+2 {{shape [-9223372036854775808, 3] has a negative dimension (C1)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.broadcast_to %x {shape = array<i64: -9223372036854775808, 3>} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @broadcast_to_c2(%x: tensor<2x3xf32>) {
  // expected-error@+2 {{[2, 3] does not broadcast to [4, 3] (C2)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.broadcast_to %x {shape = array<i64: 4, 3>} : (tensor<2x3xf32>) -> tensor<4x3xf32>
  return
}

// -----

func.func @broadcast_to_c2_rank(%x: tensor<2x3xf32>) {
  // expected-error@+2 {{[2, 3] does not broadcast to [3] (C2)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.broadcast_to %x {shape = array<i64: 3>} : (tensor<2x3xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @tile_c1(%x: tensor<2x3xf32>) {
  // expected-error@+2 {{reps [2] are not one count per dimension of [2, 3] (C1)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.tile %x {reps = array<i64: 2>} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @tile_c1_negative(%x: tensor<2x3xf32>) {
  // expected-error@+2 {{reps [2, -1] are not one count per dimension of [2, 3] (C1)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.tile %x {reps = array<i64: 2, -1>} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @tile_overflow(%x: tensor<2x3xf32>) {
  // expected-error@+2 {{a dimension of 2 * 9223372036854775807 exceeds 64 bits}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.tile %x {reps = array<i64: 9223372036854775807, 1>} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @tile_count(%x: tensor<2x3xf32>) {
  // expected-error@+2 {{the result of shape [2199023255552, 3298534883328] has more elements than 64 bits count}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.tile %x {reps = array<i64: 1099511627776, 1099511627776>} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @layout_c1(%x: tensor<1x32x7x7xf32>) {
  // expected-error@+2 {{layout 'NCHW16' ends in a number (C1)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.layout_transform %x {src_layout = "NCHW", dst_layout = "NCHW16"} : (tensor<1x32x7x7xf32>) -> tensor<1x32x7x7xf32>
  return
}

// -----

func.func @layout_c1_zero(%x: tensor<1x32x7x7xf32>) {
  // expected-error@+2 {{layout 'NCHW0c' is wrong at 'c' (C1)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.layout_transform %x {src_layout = "NCHW", dst_layout = "NCHW0c"} : (tensor<1x32x7x7xf32>) -> tensor<1x32x7x7xf32>
  return
}

// -----

func.func @layout_c2(%x: tensor<1x30x7x7xf32>) {
  // expected-error@+2 {{NCHW to NCHW16c: 16 does not divide dimension C of extent 30 (C2)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.layout_transform %x {src_layout = "NCHW", dst_layout = "NCHW16c"} : (tensor<1x30x7x7xf32>) -> tensor<1x2x7x7x16xf32>
  return
}

// -----

func.func @layout_c2_names(%x: tensor<1x30x7x7xf32>) {
  // expected-error@+2 {{NCHW to NHW: the layouts name different dimensions (C2)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.layout_transform %x {src_layout = "NCHW", dst_layout = "NHW"} : (tensor<1x30x7x7xf32>) -> tensor<1x7x7xf32>
  return
}

// -----

func.func @layout_c2_rank(%x: tensor<1x30x7xf32>) {
  // expected-error@+2 {{NCHW to NHWC: expected data rank 4, got 3 (C2)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.layout_transform %x {src_layout = "NCHW", dst_layout = "NHWC"} : (tensor<1x30x7xf32>) -> tensor<1x7x30xf32>
  return
}

// -----

func.func @layout_c2_blocks(%x: tensor<1x4x7x7x8xf32>) {
  // expected-error@+2 {{NCHW16c to NCHW: data has blocks of 8 along C, and its layout of 16 (C2)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.layout_transform %x {src_layout = "NCHW16c", dst_layout = "NCHW"} : (tensor<1x4x7x7x8xf32>) -> tensor<1x32x7x7xf32>
  return
}

// -----

func.func @layout_overflow(%x: tensor<1x4x0x7x4611686018427387904xf32>) {
  // expected-error@+2 {{NCHW4611686018427387904c to NCHW: a dimension of 4 * 4611686018427387904 exceeds 64 bits (C2)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.layout_transform %x {src_layout = "NCHW4611686018427387904c", dst_layout = "NCHW"} : (tensor<1x4x0x7x4611686018427387904xf32>) -> tensor<1x4x0x7xf32>
  return
}

// -----

func.func @operand_beyond_64_bits(%x: tensor<35184372088832x35184372088832xf32>) {
  // expected-error@+2 {{an operand of shape [35184372088832, 35184372088832] has more elements than 64 bits count}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.sum %x {axis = array<i64: 0, 1>} : (tensor<35184372088832x35184372088832xf32>) -> tensor<f32>
  return
}

// -----

func.func @view_as_c1(%x: tensor<4x6xf32>) {
  // expected-error@+2 {{newshape [-1, 6] has a negative dimension (C1)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.view_as %x {newshape = array<i64: -1, 6>} : (tensor<4x6xf32>) -> tensor<4x6xf32>
  return
}
