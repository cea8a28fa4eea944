// RUN: relay-opt %s | relay-opt | FileCheck %s

// CHECK-LABEL: func.func @reverse(
func.func @reverse(%x: tensor<2x3x4xf32>) {
  // CHECK: relay.reverse {{.*}} -> tensor<2x3x4xf32>
  %reverse = relay.reverse %x {axis = -1 : i64} : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  return
}

// CHECK-LABEL: func.func @repeat(
func.func @repeat(%x: tensor<2x3x4xf32>) {
  // CHECK: relay.repeat {{.*}} -> tensor<2x9x4xf32>
  %repeat = relay.repeat %x {repeats = 3 : i64, axis = 1 : i64} : (tensor<2x3x4xf32>) -> tensor<2x9x4xf32>
  return
}

// CHECK-LABEL: func.func @one_hot(
func.func @one_hot(%i: tensor<2x3xi64>, %one: tensor<f32>, %zero: tensor<f32>) {
  // CHECK: relay.one_hot {{.*}} -> tensor<2x3x5xi32>
  %one_hot = relay.one_hot %i, %one, %zero {depth = 5 : i64, dtype = i32} : (tensor<2x3xi64>, tensor<f32>, tensor<f32>) -> tensor<2x3x5xi32>
  return
}

// CHECK-LABEL: func.func @one_hot_inside(
func.func @one_hot_inside(%i: tensor<2x3xi64>, %one: tensor<f32>, %zero: tensor<f32>) {
  // CHECK: relay.one_hot {{.*}} -> tensor<2x5x3xf32>
  %one_hot_inside = relay.one_hot %i, %one, %zero {depth = 5 : i64, axis = 1 : i64, dtype = f32} : (tensor<2x3xi64>, tensor<f32>, tensor<f32>) -> tensor<2x5x3xf32>
  return
}

// CHECK-LABEL: func.func @gather_nd(
func.func @gather_nd(%x: tensor<2x3x4xf32>, %nd: tensor<2x5xi64>) {
  // CHECK: relay.gather_nd {{.*}} -> tensor<5x4xf32>
  %gather_nd = relay.gather_nd %x, %nd : (tensor<2x3x4xf32>, tensor<2x5xi64>) -> tensor<5x4xf32>
  return
}

// CHECK-LABEL: func.func @reverse_sequence(
func.func @reverse_sequence(%x: tensor<2x3x4xf32>, %n: tensor<3xi32>) {
  // CHECK: relay.reverse_sequence {{.*}} -> tensor<2x3x4xf32>
  %reverse_sequence = relay.reverse_sequence %x, %n {seq_axis = 2 : i64, batch_axis = 1 : i64} : (tensor<2x3x4xf32>, tensor<3xi32>) -> tensor<2x3x4xf32>
  return
}

// CHECK-LABEL: func.func @sequence_mask(
func.func @sequence_mask(%x: tensor<2x3x4xf32>, %n: tensor<3xi32>) {
  // CHECK: relay.sequence_mask {{.*}} -> tensor<2x3x4xf32>
  %sequence_mask = relay.sequence_mask %x, %n {mask_value = -1.0} : (tensor<2x3x4xf32>, tensor<3xi32>) -> tensor<2x3x4xf32>
  return
}

// CHECK-LABEL: func.func @slice_like(
func.func @slice_like(%m: tensor<2x4x5xf32>, %x: tensor<2x3x4xf32>) {
  // CHECK: relay.slice_like {{.*}} -> tensor<2x3x4xf32>
  %slice_like = relay.slice_like %m, %x {axes = array<i64>} : (tensor<2x4x5xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  return
}

// CHECK-LABEL: func.func @reshape_like(
func.func @reshape_like(%x: tensor<2x3x4xf32>, %like: tensor<2x2xf32>) {
  // CHECK: relay.reshape_like {{.*}} -> tensor<2x3x2x2xf32>
  %reshape_like = relay.reshape_like %x, %like {lhs_begin = 2 : i64} : (tensor<2x3x4xf32>, tensor<2x2xf32>) -> tensor<2x3x2x2xf32>
  return
}

// CHECK-LABEL: func.func @broadcast_to_like(
func.func @broadcast_to_like(%row: tensor<2x1x4xf32>, %x: tensor<2x3x4xf32>) {
  // CHECK: relay.broadcast_to_like {{.*}} -> tensor<2x3x4xf32>
  %broadcast_to_like = relay.broadcast_to_like %row, %x : (tensor<2x1x4xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  return
}

// CHECK-LABEL: func.func @cast_like(
func.func @cast_like(%i: tensor<2x3xi64>, %x: tensor<2x3x4xf32>) {
  // CHECK: relay.cast_like {{.*}} -> tensor<2x3xf32>
  %cast_like = relay.cast_like %i, %x : (tensor<2x3xi64>, tensor<2x3x4xf32>) -> tensor<2x3xf32>
  return
}

// CHECK-LABEL: func.func @ndarray_size(
func.func @ndarray_size(%x: tensor<2x3x4xf32>) {
  // CHECK: relay.ndarray_size {{.*}} -> tensor<i32>
  %ndarray_size = relay.ndarray_size %x {dtype = i32} : (tensor<2x3x4xf32>) -> tensor<i32>
  return
}

// CHECK-LABEL: func.func @upper(
func.func @upper(%m: tensor<2x4x5xf32>, %k: tensor<i64>) {
  // CHECK: relay.trilu {{.*}} -> tensor<2x4x5xf32>
  %upper = relay.trilu %m, %k : (tensor<2x4x5xf32>, tensor<i64>) -> tensor<2x4x5xf32>
  return
}

// CHECK-LABEL: func.func @lower(
func.func @lower(%m: tensor<2x4x5xf32>, %k: tensor<i64>) {
  // CHECK: relay.trilu {{.*}} -> tensor<2x4x5xf32>
  %lower = relay.trilu %m, %k {upper = false} : (tensor<2x4x5xf32>, tensor<i64>) -> tensor<2x4x5xf32>
  return
}

// CHECK-LABEL: func.func @unravel(
func.func @unravel(%flat: tensor<7xi64>, %shape: tensor<3xi64>) {
  // CHECK: relay.unravel_index {{.*}} -> tensor<3x7xi64>
  %unravel = relay.unravel_index %flat, %shape : (tensor<7xi64>, tensor<3xi64>) -> tensor<3x7xi64>
  return
}

// CHECK-LABEL: func.func @set_diag(
func.func @set_diag(%m: tensor<2x4x5xf32>, %d: tensor<2x4xf32>) {
  // CHECK: relay.matrix_set_diag {{.*}} -> tensor<2x4x5xf32>
  %set_diag = relay.matrix_set_diag %m, %d : (tensor<2x4x5xf32>, tensor<2x4xf32>) -> tensor<2x4x5xf32>
  return
}

// CHECK-LABEL: func.func @set_band(
func.func @set_band(%m: tensor<2x4x5xf32>, %band: tensor<2x3x4xf32>) {
  // CHECK: relay.matrix_set_diag {{.*}} -> tensor<2x4x5xf32>
  %set_band = relay.matrix_set_diag %m, %band {k1 = -1 : i64, k2 = 1 : i64} : (tensor<2x4x5xf32>, tensor<2x3x4xf32>) -> tensor<2x4x5xf32>
  return
}

// CHECK-LABEL: func.func @dilate(
func.func @dilate(%x: tensor<2x3x4xf32>) {
  // CHECK: relay.nn.dilate {{.*}} -> tensor<3x3x7xf32>
  %dilate = relay.nn.dilate %x {strides = array<i64: 2, 1, 2>, dilation_value = 0.5} : (tensor<2x3x4xf32>) -> tensor<3x3x7xf32>
  return
}

// CHECK-LABEL: func.func @symmetric(
func.func @symmetric(%x: tensor<2x3x4xf32>) {
  // CHECK: relay.nn.mirror_pad {{.*}} -> tensor<2x6x9xf32>
  %symmetric = relay.nn.mirror_pad %x {pad_width = array<i64: 0, 0, 1, 2, 4, 1>} : (tensor<2x3x4xf32>) -> tensor<2x6x9xf32>
  return
}

// CHECK-LABEL: func.func @reflect(
func.func @reflect(%x: tensor<2x3x4xf32>) {
  // CHECK: relay.nn.mirror_pad {{.*}} -> tensor<2x4x7xf32>
  %reflect = relay.nn.mirror_pad %x {pad_width = array<i64: 0, 0, 1, 0, 0, 3>, mode = "REFLECT"} : (tensor<2x3x4xf32>) -> tensor<2x4x7xf32>
  return
}

// CHECK-LABEL: func.func @space_to_depth(
func.func @space_to_depth(%image: tensor<1x8x4x6xf32>) {
  // CHECK: relay.nn.space_to_depth {{.*}} -> tensor<1x32x2x3xf32>
  %space_to_depth = relay.nn.space_to_depth %image {block_size = 2 : i64} : (tensor<1x8x4x6xf32>) -> tensor<1x32x2x3xf32>
  return
}

// CHECK-LABEL: func.func @reorg(
func.func @reorg(%image: tensor<1x8x4x6xf32>) {
  // CHECK: relay.vision.yolo_reorg {{.*}} -> tensor<1x32x2x3xf32>
  %reorg = relay.vision.yolo_reorg %image {stride = 2 : i64} : (tensor<1x8x4x6xf32>) -> tensor<1x32x2x3xf32>
  return
}

// CHECK-LABEL: func.func @fifo(
func.func @fifo(%x: tensor<2x3x4xf32>, %buffer: tensor<2x7x4xf32>) {
  // CHECK: relay.nn.fifo_buffer {{.*}} -> tensor<2x7x4xf32>
  %fifo = relay.nn.fifo_buffer %x, %buffer {axis = 1 : i64} : (tensor<2x3x4xf32>, tensor<2x7x4xf32>) -> tensor<2x7x4xf32>
  return
}

// CHECK-LABEL: func.func @windows(
func.func @windows(%m: tensor<2x4x5xf32>) {
  // CHECK: relay.sliding_window {{.*}} -> tensor<2x2x2x2x3xf32>
  %windows = relay.sliding_window %m {axis = 1 : i64, window_shape = array<i64: 2, 3>, strides = array<i64: 2, 2>} : (tensor<2x4x5xf32>) -> tensor<2x2x2x2x3xf32>
  return
}

// CHECK-LABEL: func.func @grid_a_grid_b(
func.func @grid_a_grid_b(%values: tensor<3xf32>, %list: tensor<9xf32>) {
  // CHECK: relay.meshgrid {{.*}} -> (tensor<9x3xf32>, tensor<9x3xf32>)
  %grid_a, %grid_b = relay.meshgrid %values, %list {indexing = "xy"} : (tensor<3xf32>, tensor<9xf32>) -> (tensor<9x3xf32>, tensor<9x3xf32>)
  return
}
