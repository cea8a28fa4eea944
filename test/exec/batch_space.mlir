// Places in blocks of space as batches, and back, of all kinds of elements, against numpy.
// RUN: %python %S/Inputs/batch_space.py inputs %t.in.npz
// RUN: relayc run %s --inputs %t.in.npz --outputs %t.out.npz
// RUN: %python %S/Inputs/batch_space.py check %t.in.npz %t.out.npz

func.func @main(
    %x: tensor<2x5x3x2xf32> {relay.name = "x"},
    %line: tensor<3x4xf32> {relay.name = "line"},
    %volume: tensor<1x2x3x4xf32> {relay.name = "volume"},
    %doubles: tensor<1x2x2xf64> {relay.name = "doubles"},
    %bytes: tensor<1x3x1xui8> {relay.name = "bytes"},
    %longs: tensor<1x3x1xi64> {relay.name = "longs"},
    %flags: tensor<1x3x1xi1> {relay.name = "flags"},
    %none: tensor<0x4xf32> {relay.name = "none"},
    %empty: tensor<1x0xf32> {relay.name = "empty"},
    %batches: tensor<12x4x3x2xf32> {relay.name = "batches"},
    %lines: tensor<6x2xf32> {relay.name = "lines"},
    %halves: tensor<6x1x1xf16> {relay.name = "halves"},
    %nothing: tensor<4x1xf32> {relay.name = "nothing"},
    %no_batch: tensor<0x2xf32> {relay.name = "no_batch"})
  -> (tensor<12x4x2x2xf32> {relay.name = "x_out"},
    tensor<6x2xf32> {relay.name = "line_out"},
    tensor<6x2x2x3xf32> {relay.name = "volume_out"},
    tensor<4x1x2xf64> {relay.name = "doubles_out"},
    tensor<2x2x1xui8> {relay.name = "bytes_out"},
    tensor<2x2x1xi64> {relay.name = "longs_out"},
    tensor<2x2x1xi1> {relay.name = "flags_out"},
    tensor<0x2xf32> {relay.name = "none_out"},
    tensor<2x1xf32> {relay.name = "empty_out"},
    tensor<2x5x5x2xf32> {relay.name = "batches_out"},
    tensor<3x4xf32> {relay.name = "lines_out"},
    tensor<1x1x1xf16> {relay.name = "halves_out"},
    tensor<1x0xf32> {relay.name = "nothing_out"},
    tensor<0x4xf32> {relay.name = "no_batch_out"}) {
  %x_out = relay.nn.space_to_batch_nd %x {block_shape = array<i64: 2, 3>, paddings = array<i64: 1, 2, 0, 3>}
    : (tensor<2x5x3x2xf32>) -> tensor<12x4x2x2xf32>
  %line_out = relay.nn.space_to_batch_nd %line {block_shape = array<i64: 2>, paddings = array<i64: 0, 0>}
    : (tensor<3x4xf32>) -> tensor<6x2xf32>
  %volume_out = relay.nn.space_to_batch_nd %volume {block_shape = array<i64: 1, 3, 2>, paddings = array<i64: 0, 0, 2, 1, 1, 1>, pad_value = -1.5 : f64}
    : (tensor<1x2x3x4xf32>) -> tensor<6x2x2x3xf32>
  %doubles_out = relay.nn.space_to_batch_nd %doubles {block_shape = array<i64: 2, 2>, paddings = array<i64: 0, 0, 2, 0>, pad_value = 0.1 : f64}
    : (tensor<1x2x2xf64>) -> tensor<4x1x2xf64>
  %bytes_out = relay.nn.space_to_batch_nd %bytes {block_shape = array<i64: 2>, paddings = array<i64: 0, 1>, pad_value = 255.0 : f64}
    : (tensor<1x3x1xui8>) -> tensor<2x2x1xui8>
  %longs_out = relay.nn.space_to_batch_nd %longs {block_shape = array<i64: 2>, paddings = array<i64: 1, 0>, pad_value = -7.0 : f64}
    : (tensor<1x3x1xi64>) -> tensor<2x2x1xi64>
  %flags_out = relay.nn.space_to_batch_nd %flags {block_shape = array<i64: 2>, paddings = array<i64: 1, 0>, pad_value = 1.0 : f64}
    : (tensor<1x3x1xi1>) -> tensor<2x2x1xi1>
  %none_out = relay.nn.space_to_batch_nd %none {block_shape = array<i64: 2>, paddings = array<i64: 0, 0>}
    : (tensor<0x4xf32>) -> tensor<0x2xf32>
  %empty_out = relay.nn.space_to_batch_nd %empty {block_shape = array<i64: 2>, paddings = array<i64: 1, 1>, pad_value = 4.0 : f64}
    : (tensor<1x0xf32>) -> tensor<2x1xf32>
  %batches_out = relay.nn.batch_to_space_nd %batches {block_shape = array<i64: 2, 3>, crops = array<i64: 1, 2, 0, 4>}
    : (tensor<12x4x3x2xf32>) -> tensor<2x5x5x2xf32>
  %lines_out = relay.nn.batch_to_space_nd %lines {block_shape = array<i64: 2>, crops = array<i64: 0, 0>}
    : (tensor<6x2xf32>) -> tensor<3x4xf32>
  %halves_out = relay.nn.batch_to_space_nd %halves {block_shape = array<i64: 2, 3>, crops = array<i64: 1, 0, 0, 2>}
    : (tensor<6x1x1xf16>) -> tensor<1x1x1xf16>
  %nothing_out = relay.nn.batch_to_space_nd %nothing {block_shape = array<i64: 4>, crops = array<i64: 3, 1>}
    : (tensor<4x1xf32>) -> tensor<1x0xf32>
  %no_batch_out = relay.nn.batch_to_space_nd %no_batch {block_shape = array<i64: 3>, crops = array<i64: 1, 1>}
    : (tensor<0x2xf32>) -> tensor<0x4xf32>
  return %x_out, %line_out, %volume_out, %doubles_out, %bytes_out, %longs_out, %flags_out, %none_out, %empty_out, %batches_out, %lines_out, %halves_out, %nothing_out, %no_batch_out
    : tensor<12x4x2x2xf32>, tensor<6x2xf32>, tensor<6x2x2x3xf32>, tensor<4x1x2xf64>, tensor<2x2x1xui8>, tensor<2x2x1xi64>, tensor<2x2x1xi1>, tensor<0x2xf32>, tensor<2x1xf32>, tensor<2x5x5x2xf32>, tensor<3x4xf32>, tensor<1x1x1xf16>, tensor<1x0xf32>, tensor<0x4xf32>
}
