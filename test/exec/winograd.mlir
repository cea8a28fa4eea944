// Winograd's convolutions of odd extents, in a batch, padded unevenly, with an epilogue; in tiles of
// 2, 4 and 6. Against a plain sum in double precision, within the bounds that docs/rationale/0007-winograd.md states.
// RUN: %python %S/Inputs/winograd.py inputs %t.in.npz
// RUN: relayc run %s --inputs %t.in.npz --outputs %t.out.npz
// RUN: %python %S/Inputs/winograd.py check %t.in.npz %t.out.npz

func.func @main(%x: tensor<2x48x13x30xf32> {relay.name = "x"}, %w: tensor<64x48x3x3xf32> {relay.name = "w"},
                %b: tensor<1x4x1x1x16xf32> {relay.name = "b"})
    -> (tensor<2x64x14x29xf32> {relay.name = "two"}, tensor<2x64x14x29xf32> {relay.name = "four"}, tensor<2x64x14x29xf32> {relay.name = "six"}) {
  %p = relay.layout_transform %x {src_layout = "NCHW", dst_layout = "NCHW16c"} : (tensor<2x48x13x30xf32>) -> tensor<2x3x13x30x16xf32>
  %two0 = relay.nn.contrib_conv2d_winograd_weight_transform %w {tile_size = 2 : i64} : (tensor<64x48x3x3xf32>) -> tensor<4x4x64x48xf32>
  %two1 = relay.layout_transform %two0 {src_layout = "HWOI", dst_layout = "HWOI16o"} : (tensor<4x4x64x48xf32>) -> tensor<4x4x4x48x16xf32>
  %two2 = relay.nn.contrib_conv2d_winograd_without_weight_transform %p, %two1 {tile_size = 2 : i64, strides = array<i64: 1, 1>, padding = array<i64: 1, 0, 2, 1>, dilation = array<i64: 1, 1>}
    : (tensor<2x3x13x30x16xf32>, tensor<4x4x4x48x16xf32>) -> tensor<2x4x14x29x16xf32>
  %two3 = relay.add %two2, %b : (tensor<2x4x14x29x16xf32>, tensor<1x4x1x1x16xf32>) -> tensor<2x4x14x29x16xf32>
  %two = relay.layout_transform %two3 {src_layout = "NCHW16c", dst_layout = "NCHW"} : (tensor<2x4x14x29x16xf32>) -> tensor<2x64x14x29xf32>
  %four0 = relay.nn.contrib_conv2d_winograd_weight_transform %w {tile_size = 4 : i64} : (tensor<64x48x3x3xf32>) -> tensor<6x6x64x48xf32>
  %four1 = relay.layout_transform %four0 {src_layout = "HWOI", dst_layout = "HWOI16o"} : (tensor<6x6x64x48xf32>) -> tensor<6x6x4x48x16xf32>
  %four2 = relay.nn.contrib_conv2d_winograd_without_weight_transform %p, %four1 {tile_size = 4 : i64, strides = array<i64: 1, 1>, padding = array<i64: 1, 0, 2, 1>, dilation = array<i64: 1, 1>}
    : (tensor<2x3x13x30x16xf32>, tensor<6x6x4x48x16xf32>) -> tensor<2x4x14x29x16xf32>
  %four3 = relay.add %four2, %b : (tensor<2x4x14x29x16xf32>, tensor<1x4x1x1x16xf32>) -> tensor<2x4x14x29x16xf32>
  %four = relay.layout_transform %four3 {src_layout = "NCHW16c", dst_layout = "NCHW"} : (tensor<2x4x14x29x16xf32>) -> tensor<2x64x14x29xf32>
  %six0 = relay.nn.contrib_conv2d_winograd_weight_transform %w {tile_size = 6 : i64} : (tensor<64x48x3x3xf32>) -> tensor<8x8x64x48xf32>
  %six1 = relay.layout_transform %six0 {src_layout = "HWOI", dst_layout = "HWOI16o"} : (tensor<8x8x64x48xf32>) -> tensor<8x8x4x48x16xf32>
  %six2 = relay.nn.contrib_conv2d_winograd_without_weight_transform %p, %six1 {tile_size = 6 : i64, strides = array<i64: 1, 1>, padding = array<i64: 1, 0, 2, 1>, dilation = array<i64: 1, 1>}
    : (tensor<2x3x13x30x16xf32>, tensor<8x8x4x48x16xf32>) -> tensor<2x4x14x29x16xf32>
  %six3 = relay.add %six2, %b : (tensor<2x4x14x29x16xf32>, tensor<1x4x1x1x16xf32>) -> tensor<2x4x14x29x16xf32>
  %six = relay.layout_transform %six3 {src_layout = "NCHW16c", dst_layout = "NCHW"} : (tensor<2x4x14x29x16xf32>) -> tensor<2x64x14x29xf32>
  return %two, %four, %six : tensor<2x64x14x29xf32>, tensor<2x64x14x29xf32>, tensor<2x64x14x29xf32>
}
