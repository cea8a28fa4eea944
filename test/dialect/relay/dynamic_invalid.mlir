// RUN: relay-opt %s --split-input-file --verify-diagnostics

func.func @shape_of_c1(%x: tensor<2xf32>) {
  // expected-error@+2 {{dtype is f32, no type of integers (C1)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.shape_of %x {dtype = f32} : (tensor<2xf32>) -> tensor<1xf32>
  return
}

// -----

func.func @reshape_c1(%x: tensor<2xf32>, %s: tensor<1xf32>) {
  // expected-error@+2 {{newshape is of tensor<1xf32>, no vector of integers of a known extent up to 64 (C1)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.dyn.reshape %x, %s : (tensor<2xf32>, tensor<1xf32>) -> tensor<?xf32>
  return
}

// -----

func.func @reshape_c1_open(%x: tensor<2xf32>, %s: tensor<?xi32>) {
  // expected-error@+2 {{newshape is of tensor<?xi32>, no vector of integers of a known extent up to 64 (C1)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.dyn.reshape %x, %s : (tensor<2xf32>, tensor<?xi32>) -> tensor<?xf32>
  return
}

// -----

func.func @reshape_c1_extreme(%x: tensor<2xf32>, %s: tensor<9223372036854775807xi32>) {
  // expected-error@+2 {{newshape is of tensor<9223372036854775807xi32>, no vector of integers of a known extent up to 64 (C1)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.dyn.reshape %x, %s : (tensor<2xf32>, tensor<9223372036854775807xi32>) -> tensor<?xf32>
  return
}

// -----

func.func @squeeze_c1(%x: tensor<1xf32>, %s: tensor<i64>) {
  // expected-error@+2 {{axis is of tensor<i64>, no vector of integers of a known extent up to 64 (C1)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.dyn.squeeze %x, %s : (tensor<1xf32>, tensor<i64>) -> tensor<f32>
  return
}

// -----

func.func @squeeze_c2(%x: tensor<1xf32>, %s: tensor<2xi64>) {
  // expected-error@+2 {{2 axes are more than 1 dimensions (C2)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.dyn.squeeze %x, %s : (tensor<1xf32>, tensor<2xi64>) -> tensor<f32>
  return
}

// -----

func.func @expand_dims_c1(%x: tensor<1xf32>, %s: tensor<1xi64>) {
  // expected-error@+2 {{axis is of tensor<1xi64>, no integer of rank 0 (C1)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.dyn.expand_dims %x, %s : (tensor<1xf32>, tensor<1xi64>) -> tensor<?x?xf32>
  return
}

// -----

func.func @expand_dims_c2(%x: tensor<1xf32>, %s: tensor<i64>) {
  // expected-error@+2 {{num_newaxis 65 is not from 0 to 64 (C2)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.dyn.expand_dims %x, %s {num_newaxis = 65 : i64} : (tensor<1xf32>, tensor<i64>) -> tensor<?x?xf32>
  return
}

// -----

func.func @tile_c1(%x: tensor<1xf32>, %s: tensor<1x1xi64>) {
  // expected-error@+2 {{reps is of tensor<1x1xi64>, no vector of integers of a known extent up to 64 (C1)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.dyn.tile %x, %s : (tensor<1xf32>, tensor<1x1xi64>) -> tensor<?xf32>
  return
}

// -----

func.func @broadcast_to_c1(%x: tensor<1xf32>, %s: tensor<1xi1>) {
  // expected-error@+2 {{shape is of tensor<1xi1>, no vector of integers of a known extent up to 64 (C1)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.dyn.broadcast_to %x, %s : (tensor<1xf32>, tensor<1xi1>) -> tensor<?xf32>
  return
}

// -----

func.func @broadcast_to_c2(%x: tensor<1x1xf32>, %s: tensor<1xi64>) {
  // expected-error@+2 {{shape has 1 dimensions, fewer than the data's 2 (C2)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.dyn.broadcast_to %x, %s : (tensor<1x1xf32>, tensor<1xi64>) -> tensor<?xf32>
  return
}

// -----

func.func @zeros_c1(%s: tensor<f32>) {
  // expected-error@+2 {{shape is of tensor<f32>, no vector of integers of a known extent up to 64 (C1)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.dyn.zeros %s {dtype = f32} : (tensor<f32>) -> tensor<?xf32>
  return
}

// -----

func.func @ones_c2(%s: tensor<1xi64>) {
  // expected-error@+2 {{dtype is index, no element type (C2)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.dyn.ones %s {dtype = index} : (tensor<1xi64>) -> tensor<?xf32>
  return
}

// -----

func.func @full_c1(%x: tensor<f32>, %s: tensor<i64>) {
  // expected-error@+2 {{shape is of tensor<i64>, no vector of integers of a known extent up to 64 (C1)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.dyn.full %x, %s : (tensor<f32>, tensor<i64>) -> tensor<?xf32>
  return
}

// -----

func.func @full_c2(%x: tensor<f32>, %s: tensor<1xi64>) {
  // expected-error@+2 {{dtype is index, no element type (C2)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.dyn.full %x, %s {dtype = index} : (tensor<f32>, tensor<1xi64>) -> tensor<?xf32>
  return
}

// -----

func.func @full_c3(%x: tensor<1xf32>, %s: tensor<1xi64>) {
  // expected-error@+2 {{fill_value has rank 1, expected 0 (C3)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.dyn.full %x, %s : (tensor<1xf32>, tensor<1xi64>) -> tensor<?xf32>
  return
}

// -----

func.func @strided_slice_c1(%x: tensor<4x4xf32>, %s: tensor<1xi64>, %t: tensor<2xi64>) {
  // expected-error@+2 {{begin, end and strides differ in length (C1)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.dyn.strided_slice %x, %s, %s, %t : (tensor<4x4xf32>, tensor<1xi64>, tensor<1xi64>, tensor<2xi64>) -> tensor<?x4xf32>
  return
}

// -----

func.func @strided_slice_c2(%x: tensor<4xf32>, %s: tensor<2xi64>) {
  // expected-error@+2 {{axis 1 is out of range for rank 1 (C2)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.dyn.strided_slice %x, %s, %s, %s : (tensor<4xf32>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<?xf32>
  return
}

// -----

func.func @strided_slice_c2_count(%x: tensor<4xf32>, %s: tensor<1xi64>) {
  // expected-error@+2 {{axes [] are not 1 (C2)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.dyn.strided_slice %x, %s, %s, %s {axes = array<i64>} : (tensor<4xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?xf32>
  return
}

// -----

func.func @strided_slice_c2_twice(%x: tensor<4xf32>, %s: tensor<2xi64>) {
  // expected-error@+2 {{axis 0 is given twice (C2)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.dyn.strided_slice %x, %s, %s, %s {axes = array<i64: 0, -1>} : (tensor<4xf32>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<?xf32>
  return
}

// -----

func.func @strided_slice_c3(%x: tensor<4xf32>, %s: tensor<1xi64>) {
  // expected-error@+2 {{slice_mode 'all' is none of end, size (C3)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.dyn.strided_slice %x, %s, %s, %s {slice_mode = "all"} : (tensor<4xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?xf32>
  return
}

// -----

func.func @pad_c1(%x: tensor<4xf32>, %w: tensor<2x2xi64>, %v: tensor<f32>) {
  // expected-error@+2 {{pad_width is of tensor<2x2xi64>, no matrix of integers of 1 rows and 2 columns (C1)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.dyn.nn.pad %x, %w, %v : (tensor<4xf32>, tensor<2x2xi64>, tensor<f32>) -> tensor<?xf32>
  return
}

// -----

func.func @pad_c2(%x: tensor<4xf32>, %w: tensor<1x2xi64>, %v: tensor<f64>) {
  // expected-error@+2 {{pad_value is of tensor<f64>, expected rank 0 and f32 (C2)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.dyn.nn.pad %x, %w, %v : (tensor<4xf32>, tensor<1x2xi64>, tensor<f64>) -> tensor<?xf32>
  return
}

// -----

func.func @pad_c3(%x: tensor<4xf32>, %w: tensor<1x2xi64>, %v: tensor<f32>) {
  // expected-error@+2 {{pad_mode 'wrap' is none of constant, edge, reflect (C3)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.dyn.nn.pad %x, %w, %v {pad_mode = "wrap"} : (tensor<4xf32>, tensor<1x2xi64>, tensor<f32>) -> tensor<?xf32>
  return
}

// -----

func.func @upsampling_c1(%x: tensor<1x1x4x4xf32>, %s: tensor<i32>) {
  // expected-error@+2 {{a scale is of tensor<i32>, no float of rank 0 (C1)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.dyn.nn.upsampling %x, %s, %s : (tensor<1x1x4x4xf32>, tensor<i32>, tensor<i32>) -> tensor<1x1x?x?xf32>
  return
}

// -----

func.func @upsampling_c2(%x: tensor<1x4x4xf32>, %s: tensor<f32>) {
  // expected-error@+2 {{expected rank 4 for operand 0, got 3 (C2)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.dyn.nn.upsampling %x, %s, %s : (tensor<1x4x4xf32>, tensor<f32>, tensor<f32>) -> tensor<1x?x?xf32>
  return
}

// -----

func.func @upsampling3d_c2(%x: tensor<1x1x4x4xf32>, %s: tensor<f32>) {
  // expected-error@+2 {{layout NCHW does not have 3 whole spatial dimensions (C2)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.dyn.nn.upsampling3d %x, %s, %s, %s {layout = "NCHW"} : (tensor<1x1x4x4xf32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<1x1x?x?xf32>
  return
}

// -----

func.func @resize2d_c1(%x: tensor<1x1x4x4xf32>, %s: tensor<3xi32>, %r: tensor<4xf32>) {
  // expected-error@+2 {{size has 3 numbers, expected 2 (C1)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.dyn.image.resize2d %x, %s, %r : (tensor<1x1x4x4xf32>, tensor<3xi32>, tensor<4xf32>) -> tensor<1x1x?x?xf32>
  return
}

// -----

func.func @one_hot_c2(%i: tensor<4xi64>, %on: tensor<f32>, %off: tensor<f32>, %d: tensor<f32>) {
  // expected-error@+2 {{on and off value are not of rank 0, or depth is no integer (C2)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.dyn.one_hot %i, %on, %off, %d {dtype = f32} : (tensor<4xi64>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<4x?xf32>
  return
}

// -----

func.func @one_hot_c3(%i: tensor<4xi64>, %on: tensor<f32>, %off: tensor<f32>, %d: tensor<i64>) {
  // expected-error@+2 {{axis 2 is not from -1 to 1 (C3)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.dyn.one_hot %i, %on, %off, %d {axis = 2 : i64, dtype = f32} : (tensor<4xi64>, tensor<f32>, tensor<f32>, tensor<i64>) -> tensor<4x?xf32>
  return
}

// -----

func.func @topk_c3(%x: tensor<3x8xf32>, %k: tensor<2xi64>) {
  // expected-error@+2 {{k is of tensor<2xi64>, no integer (C3)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0:2 = relay.dyn.topk %x, %k {dtype = i32} : (tensor<3x8xf32>, tensor<2xi64>) -> (tensor<3x?xf32>, tensor<3x?xi32>)
  return
}

// -----

func.func @topk_c4(%x: tensor<3x8xf32>, %k: tensor<i64>) {
  // expected-error@+2 {{ret_type 'all' is none of both, values, indices (C4)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0:2 = relay.dyn.topk %x, %k {dtype = i32, ret_type = "all"} : (tensor<3x8xf32>, tensor<i64>) -> (tensor<3x?xf32>, tensor<3x?xi32>)
  return
}

// -----

func.func @sparse_to_dense_c1(%i: tensor<2x2xi64>, %v: tensor<2xf32>, %f: tensor<f32>, %s: tensor<2xf32>) {
  // expected-error@+2 {{output_shape is of tensor<2xf32>, no vector of integers of a known extent up to 64 (C1)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.dyn.sparse_to_dense %i, %v, %f, %s : (tensor<2x2xi64>, tensor<2xf32>, tensor<f32>, tensor<2xf32>) -> tensor<?x?xf32>
  return
}

// -----

func.func @sparse_to_dense_c2(%i: tensor<2x2xi64>, %v: tensor<2xf32>, %f: tensor<f64>, %s: tensor<2xi64>) {
  // expected-error@+2 {{subscripts are of i64, values of f32, and the default is f64 (C2)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.dyn.sparse_to_dense %i, %v, %f, %s : (tensor<2x2xi64>, tensor<2xf32>, tensor<f64>, tensor<2xi64>) -> tensor<?x?xf32>
  return
}

// -----

func.func @vm_shape_of_c1(%x: tensor<2x3xf32>) {
  // expected-error@+2 {{dtype is f32, no type of integers (C1)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.vm.shape_of %x {dtype = f32} : (tensor<2x3xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @vm_reshape_c2(%x: tensor<2x3xf32>, %s: tensor<2xi64>) {
  // expected-error@+2 {{[2, 3] does not reshape to [4, 2] (C2)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.vm.reshape_tensor %x, %s {newshape = array<i64: 4, 2>} : (tensor<2x3xf32>, tensor<2xi64>) -> tensor<4x2xf32>
  return
}
