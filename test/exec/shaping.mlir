// Elements moved to other places, sums up to each element, and places in lists, against numpy.
// RUN: %python %S/Inputs/shaping.py inputs %t.in.npz
// RUN: relayc run %s --inputs %t.in.npz --outputs %t.out.npz
// RUN: %python %S/Inputs/shaping.py check %t.in.npz %t.out.npz

func.func @main(%x: tensor<2x3x4xf32> {relay.name = "x"}, %i: tensor<2x3xi64> {relay.name = "i"},
                %n: tensor<3xi32> {relay.name = "n"}, %nd: tensor<2x5xi64> {relay.name = "nd"},
                %m: tensor<2x4x5xf32> {relay.name = "m"}, %d: tensor<2x4xf32> {relay.name = "d"},
                %band: tensor<2x3x4xf32> {relay.name = "band"}, %image: tensor<1x8x4x6xf32> {relay.name = "image"},
                %k: tensor<i64> {relay.name = "k"}, %flat: tensor<7xi64> {relay.name = "flat"},
                %shape: tensor<3xi64> {relay.name = "shape"}, %p: tensor<6xi32> {relay.name = "p"},
                %list: tensor<9xf32> {relay.name = "list"}, %lists: tensor<2x9xf32> {relay.name = "lists"},
                %v: tensor<2x5xf32> {relay.name = "v"}, %at: tensor<3x2xi32> {relay.name = "at"},
                %values: tensor<3xf32> {relay.name = "values"}, %f: tensor<f32> {relay.name = "f"},
                %buffer: tensor<2x7x4xf32> {relay.name = "buffer"})
    -> (tensor<2x3x4xf32> {relay.name = "reverse"}, tensor<2x9x4xf32> {relay.name = "repeat"},
        tensor<2x3x5xi32> {relay.name = "one_hot"}, tensor<2x5x3xf32> {relay.name = "one_hot_inside"},
        tensor<5x4xf32> {relay.name = "gather_nd"}, tensor<2x3x4xf32> {relay.name = "reverse_sequence"},
        tensor<2x3x4xf32> {relay.name = "sequence_mask"}, tensor<2x3x4xf32> {relay.name = "slice_like"},
        tensor<2x3x2x2xf32> {relay.name = "reshape_like"}, tensor<2x3x4xf32> {relay.name = "broadcast_to_like"},
        tensor<2x3xf32> {relay.name = "cast_like"}, tensor<i32> {relay.name = "ndarray_size"},
        tensor<2x4x5xf32> {relay.name = "upper"}, tensor<2x4x5xf32> {relay.name = "lower"},
        tensor<3x7xi64> {relay.name = "unravel"}, tensor<2x4x5xf32> {relay.name = "set_diag"},
        tensor<2x4x5xf32> {relay.name = "set_band"}, tensor<3x3x7xf32> {relay.name = "dilate"},
        tensor<2x6x9xf32> {relay.name = "symmetric"}, tensor<2x4x7xf32> {relay.name = "reflect"},
        tensor<1x32x2x3xf32> {relay.name = "space_to_depth"}, tensor<1x32x2x3xf32> {relay.name = "reorg"},
        tensor<2x7x4xf32> {relay.name = "fifo"}, tensor<2x2x2x2x3xf32> {relay.name = "windows"},
        tensor<9x3xf32> {relay.name = "grid_a"}, tensor<9x3xf32> {relay.name = "grid_b"},
        tensor<2x3x4xf32> {relay.name = "cumsum"}, tensor<2x3x4xf64> {relay.name = "cumprod"},
        tensor<6xi32> {relay.name = "inverse"}, tensor<2x5xi32> {relay.name = "searched"},
        tensor<2x5xi64> {relay.name = "searched_right"}, tensor<3x4xf32> {relay.name = "dense"}) {
  %reverse = relay.reverse %x {axis = -1 : i64} : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  %repeat = relay.repeat %x {repeats = 3 : i64, axis = 1 : i64} : (tensor<2x3x4xf32>) -> tensor<2x9x4xf32>
  %one = relay.constant dense<7.0> : tensor<f32>
  %zero = relay.constant dense<-2.0> : tensor<f32>
  %one_hot = relay.one_hot %i, %one, %zero {depth = 5 : i64, dtype = i32} : (tensor<2x3xi64>, tensor<f32>, tensor<f32>) -> tensor<2x3x5xi32>
  %one_hot_inside = relay.one_hot %i, %one, %zero {depth = 5 : i64, axis = 1 : i64, dtype = f32} : (tensor<2x3xi64>, tensor<f32>, tensor<f32>) -> tensor<2x5x3xf32>
  %gather_nd = relay.gather_nd %x, %nd : (tensor<2x3x4xf32>, tensor<2x5xi64>) -> tensor<5x4xf32>
  %reverse_sequence = relay.reverse_sequence %x, %n {seq_axis = 2 : i64, batch_axis = 1 : i64} : (tensor<2x3x4xf32>, tensor<3xi32>) -> tensor<2x3x4xf32>
  %sequence_mask = relay.sequence_mask %x, %n {mask_value = -1.0} : (tensor<2x3x4xf32>, tensor<3xi32>) -> tensor<2x3x4xf32>
  %slice_like = relay.slice_like %m, %x {axes = array<i64>} : (tensor<2x4x5xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  %like = relay.zeros {shape = array<i64: 2, 2>, dtype = f32} : () -> tensor<2x2xf32>
  %reshape_like = relay.reshape_like %x, %like {lhs_begin = 2 : i64} : (tensor<2x3x4xf32>, tensor<2x2xf32>) -> tensor<2x3x2x2xf32>
  %row = relay.strided_slice %x {begin = array<i64: 1>, end = array<i64: 2>, strides = array<i64: 1>, axes = array<i64: 1>} : (tensor<2x3x4xf32>) -> tensor<2x1x4xf32>
  %broadcast_to_like = relay.broadcast_to_like %row, %x : (tensor<2x1x4xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  %cast_like = relay.cast_like %i, %x : (tensor<2x3xi64>, tensor<2x3x4xf32>) -> tensor<2x3xf32>
  %ndarray_size = relay.ndarray_size %x {dtype = i32} : (tensor<2x3x4xf32>) -> tensor<i32>
  %upper = relay.trilu %m, %k : (tensor<2x4x5xf32>, tensor<i64>) -> tensor<2x4x5xf32>
  %lower = relay.trilu %m, %k {upper = false} : (tensor<2x4x5xf32>, tensor<i64>) -> tensor<2x4x5xf32>
  %unravel = relay.unravel_index %flat, %shape : (tensor<7xi64>, tensor<3xi64>) -> tensor<3x7xi64>
  %set_diag = relay.matrix_set_diag %m, %d : (tensor<2x4x5xf32>, tensor<2x4xf32>) -> tensor<2x4x5xf32>
  %set_band = relay.matrix_set_diag %m, %band {k1 = -1 : i64, k2 = 1 : i64} : (tensor<2x4x5xf32>, tensor<2x3x4xf32>) -> tensor<2x4x5xf32>
  %dilate = relay.nn.dilate %x {strides = array<i64: 2, 1, 2>, dilation_value = 0.5} : (tensor<2x3x4xf32>) -> tensor<3x3x7xf32>
  %symmetric = relay.nn.mirror_pad %x {pad_width = array<i64: 0, 0, 1, 2, 4, 1>} : (tensor<2x3x4xf32>) -> tensor<2x6x9xf32>
  %reflect = relay.nn.mirror_pad %x {pad_width = array<i64: 0, 0, 1, 0, 0, 3>, mode = "REFLECT"} : (tensor<2x3x4xf32>) -> tensor<2x4x7xf32>
  %space_to_depth = relay.nn.space_to_depth %image {block_size = 2 : i64} : (tensor<1x8x4x6xf32>) -> tensor<1x32x2x3xf32>
  %reorg = relay.vision.yolo_reorg %image {stride = 2 : i64} : (tensor<1x8x4x6xf32>) -> tensor<1x32x2x3xf32>
  %fifo = relay.nn.fifo_buffer %x, %buffer {axis = 1 : i64} : (tensor<2x3x4xf32>, tensor<2x7x4xf32>) -> tensor<2x7x4xf32>
  %windows = relay.sliding_window %m {axis = 1 : i64, window_shape = array<i64: 2, 3>, strides = array<i64: 2, 2>} : (tensor<2x4x5xf32>) -> tensor<2x2x2x2x3xf32>
  %grid_a, %grid_b = relay.meshgrid %values, %list {indexing = "xy"} : (tensor<3xf32>, tensor<9xf32>) -> (tensor<9x3xf32>, tensor<9x3xf32>)
  %cumsum = relay.cumsum %x {axis = 1 : i64} : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  %cumprod = relay.cumprod %x {axis = -1 : i64, dtype = f64, exclusive = true} : (tensor<2x3x4xf32>) -> tensor<2x3x4xf64>
  %inverse = relay.invert_permutation %p : (tensor<6xi32>) -> tensor<6xi32>
  %searched = relay.searchsorted %list, %v {dtype = i32} : (tensor<9xf32>, tensor<2x5xf32>) -> tensor<2x5xi32>
  %searched_right = relay.searchsorted %lists, %v {right = true, dtype = i64} : (tensor<2x9xf32>, tensor<2x5xf32>) -> tensor<2x5xi64>
  %dense = relay.sparse_to_dense %at, %values, %f {output_shape = array<i64: 3, 4>} : (tensor<3x2xi32>, tensor<3xf32>, tensor<f32>) -> tensor<3x4xf32>
  return %reverse, %repeat, %one_hot, %one_hot_inside, %gather_nd, %reverse_sequence, %sequence_mask, %slice_like, %reshape_like,
         %broadcast_to_like, %cast_like, %ndarray_size, %upper, %lower, %unravel, %set_diag, %set_band, %dilate, %symmetric, %reflect,
         %space_to_depth, %reorg, %fifo, %windows, %grid_a, %grid_b, %cumsum, %cumprod, %inverse, %searched, %searched_right, %dense
    : tensor<2x3x4xf32>, tensor<2x9x4xf32>, tensor<2x3x5xi32>, tensor<2x5x3xf32>, tensor<5x4xf32>, tensor<2x3x4xf32>,
      tensor<2x3x4xf32>, tensor<2x3x4xf32>, tensor<2x3x2x2xf32>, tensor<2x3x4xf32>, tensor<2x3xf32>, tensor<i32>, tensor<2x4x5xf32>,
      tensor<2x4x5xf32>, tensor<3x7xi64>, tensor<2x4x5xf32>, tensor<2x4x5xf32>, tensor<3x3x7xf32>, tensor<2x6x9xf32>,
      tensor<2x4x7xf32>, tensor<1x32x2x3xf32>, tensor<1x32x2x3xf32>, tensor<2x7x4xf32>, tensor<2x2x2x2x3xf32>, tensor<9x3xf32>,
      tensor<9x3xf32>, tensor<2x3x4xf32>, tensor<2x3x4xf64>, tensor<6xi32>, tensor<2x5xi32>, tensor<2x5xi64>, tensor<3x4xf32>
}
