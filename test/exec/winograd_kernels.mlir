// Winograd's convolutions of kernels of several extents, padded unevenly; of so many tiles that they go through the stages
// in groups, which do not divide their number. Against a plain sum in double precision, with one thread and two.
// REQUIRES: time
// RUN: %python %S/Inputs/winograd_kernels.py inputs %t.in.npz
// RUN: relayc run %s --threads 1 --inputs %t.in.npz --outputs %t.1.npz
// RUN: %python %S/Inputs/winograd_kernels.py check %t.in.npz %t.1.npz
// RUN: relayc run %s --threads 2 --inputs %t.in.npz --outputs %t.2.npz
// RUN: %python %S/Inputs/winograd_kernels.py same %t.1.npz %t.2.npz

func.func @main(%x: tensor<2x48x13x30xf32> {relay.name = "x"},
                %line: tensor<1x32x1x776xf32> {relay.name = "line"},
                %image: tensor<1x32x43x50xf32> {relay.name = "image"},
                %row: tensor<64x48x1x3xf32> {relay.name = "w_row"},
                %column: tensor<64x48x3x1xf32> {relay.name = "w_column"},
                %row5: tensor<64x48x1x5xf32> {relay.name = "w_row5"},
                %column7: tensor<64x48x7x1xf32> {relay.name = "w_column7"},
                %square5: tensor<64x48x5x5xf32> {relay.name = "w_square5"},
                %long: tensor<32x32x1x5xf32> {relay.name = "w_long"},
                %wide: tensor<48x32x3x3xf32> {relay.name = "w_wide"})
    -> (tensor<2x64x13x29xf32> {relay.name = "by_row"},
                tensor<2x64x14x30xf32> {relay.name = "by_column"},
                tensor<2x64x13x26xf32> {relay.name = "by_row5"},
                tensor<2x64x12x30xf32> {relay.name = "by_column7"},
                tensor<2x64x13x30xf32> {relay.name = "by_square5"},
                tensor<1x32x1x772xf32> {relay.name = "by_long"},
                tensor<1x48x43x50xf32> {relay.name = "by_wide"}) {
  %x_p = relay.layout_transform %x {src_layout = "NCHW", dst_layout = "NCHW16c"} : (tensor<2x48x13x30xf32>) -> tensor<2x3x13x30x16xf32>
  %line_p = relay.layout_transform %line {src_layout = "NCHW", dst_layout = "NCHW16c"} : (tensor<1x32x1x776xf32>) -> tensor<1x2x1x776x16xf32>
  %image_p = relay.layout_transform %image {src_layout = "NCHW", dst_layout = "NCHW16c"} : (tensor<1x32x43x50xf32>) -> tensor<1x2x43x50x16xf32>
  %row_0 = relay.nn.contrib_conv2d_winograd_weight_transform %row {tile_size = 4 : i64} : (tensor<64x48x1x3xf32>) -> tensor<1x6x64x48xf32>
  %row_1 = relay.layout_transform %row_0 {src_layout = "HWOI", dst_layout = "HWOI16o"} : (tensor<1x6x64x48xf32>) -> tensor<1x6x4x48x16xf32>
  %row_2 = relay.nn.contrib_conv2d_winograd_without_weight_transform %x_p, %row_1 {tile_size = 4 : i64, padding = array<i64: 0, 0, 0, 1>}
    : (tensor<2x3x13x30x16xf32>, tensor<1x6x4x48x16xf32>) -> tensor<2x4x13x29x16xf32>
  %row_3 = relay.layout_transform %row_2 {src_layout = "NCHW16c", dst_layout = "NCHW"} : (tensor<2x4x13x29x16xf32>) -> tensor<2x64x13x29xf32>
  %column_0 = relay.nn.contrib_conv2d_winograd_weight_transform %column {tile_size = 4 : i64} : (tensor<64x48x3x1xf32>) -> tensor<6x1x64x48xf32>
  %column_1 = relay.layout_transform %column_0 {src_layout = "HWOI", dst_layout = "HWOI16o"} : (tensor<6x1x64x48xf32>) -> tensor<6x1x4x48x16xf32>
  %column_2 = relay.nn.contrib_conv2d_winograd_without_weight_transform %x_p, %column_1 {tile_size = 4 : i64, padding = array<i64: 1, 0, 2, 0>}
    : (tensor<2x3x13x30x16xf32>, tensor<6x1x4x48x16xf32>) -> tensor<2x4x14x30x16xf32>
  %column_3 = relay.layout_transform %column_2 {src_layout = "NCHW16c", dst_layout = "NCHW"} : (tensor<2x4x14x30x16xf32>) -> tensor<2x64x14x30xf32>
  %row5_0 = relay.nn.contrib_conv2d_winograd_weight_transform %row5 {tile_size = 4 : i64} : (tensor<64x48x1x5xf32>) -> tensor<1x8x64x48xf32>
  %row5_1 = relay.layout_transform %row5_0 {src_layout = "HWOI", dst_layout = "HWOI16o"} : (tensor<1x8x64x48xf32>) -> tensor<1x8x4x48x16xf32>
  %row5_2 = relay.nn.contrib_conv2d_winograd_without_weight_transform %x_p, %row5_1 {tile_size = 4 : i64, padding = array<i64: 0, 0, 0, 0>}
    : (tensor<2x3x13x30x16xf32>, tensor<1x8x4x48x16xf32>) -> tensor<2x4x13x26x16xf32>
  %row5_3 = relay.layout_transform %row5_2 {src_layout = "NCHW16c", dst_layout = "NCHW"} : (tensor<2x4x13x26x16xf32>) -> tensor<2x64x13x26xf32>
  %column7_0 = relay.nn.contrib_conv2d_winograd_weight_transform %column7 {tile_size = 2 : i64} : (tensor<64x48x7x1xf32>) -> tensor<8x1x64x48xf32>
  %column7_1 = relay.layout_transform %column7_0 {src_layout = "HWOI", dst_layout = "HWOI16o"} : (tensor<8x1x64x48xf32>) -> tensor<8x1x4x48x16xf32>
  %column7_2 = relay.nn.contrib_conv2d_winograd_without_weight_transform %x_p, %column7_1 {tile_size = 2 : i64, padding = array<i64: 3, 0, 2, 0>}
    : (tensor<2x3x13x30x16xf32>, tensor<8x1x4x48x16xf32>) -> tensor<2x4x12x30x16xf32>
  %column7_3 = relay.layout_transform %column7_2 {src_layout = "NCHW16c", dst_layout = "NCHW"} : (tensor<2x4x12x30x16xf32>) -> tensor<2x64x12x30xf32>
  %square5_0 = relay.nn.contrib_conv2d_winograd_weight_transform %square5 {tile_size = 2 : i64} : (tensor<64x48x5x5xf32>) -> tensor<6x6x64x48xf32>
  %square5_1 = relay.layout_transform %square5_0 {src_layout = "HWOI", dst_layout = "HWOI16o"} : (tensor<6x6x64x48xf32>) -> tensor<6x6x4x48x16xf32>
  %square5_2 = relay.nn.contrib_conv2d_winograd_without_weight_transform %x_p, %square5_1 {tile_size = 2 : i64, padding = array<i64: 2, 1, 2, 3>}
    : (tensor<2x3x13x30x16xf32>, tensor<6x6x4x48x16xf32>) -> tensor<2x4x13x30x16xf32>
  %square5_3 = relay.layout_transform %square5_2 {src_layout = "NCHW16c", dst_layout = "NCHW"} : (tensor<2x4x13x30x16xf32>) -> tensor<2x64x13x30xf32>
  %long_0 = relay.nn.contrib_conv2d_winograd_weight_transform %long {tile_size = 4 : i64} : (tensor<32x32x1x5xf32>) -> tensor<1x8x32x32xf32>
  %long_1 = relay.layout_transform %long_0 {src_layout = "HWOI", dst_layout = "HWOI16o"} : (tensor<1x8x32x32xf32>) -> tensor<1x8x2x32x16xf32>
  %long_2 = relay.nn.contrib_conv2d_winograd_without_weight_transform %line_p, %long_1 {tile_size = 4 : i64, padding = array<i64: 0, 0, 0, 0>}
    : (tensor<1x2x1x776x16xf32>, tensor<1x8x2x32x16xf32>) -> tensor<1x2x1x772x16xf32>
  %long_3 = relay.layout_transform %long_2 {src_layout = "NCHW16c", dst_layout = "NCHW"} : (tensor<1x2x1x772x16xf32>) -> tensor<1x32x1x772xf32>
  %wide_0 = relay.nn.contrib_conv2d_winograd_weight_transform %wide {tile_size = 4 : i64} : (tensor<48x32x3x3xf32>) -> tensor<6x6x48x32xf32>
  %wide_1 = relay.layout_transform %wide_0 {src_layout = "HWOI", dst_layout = "HWOI16o"} : (tensor<6x6x48x32xf32>) -> tensor<6x6x3x32x16xf32>
  %wide_2 = relay.nn.contrib_conv2d_winograd_without_weight_transform %image_p, %wide_1 {tile_size = 4 : i64, padding = array<i64: 1, 1, 1, 1>}
    : (tensor<1x2x43x50x16xf32>, tensor<6x6x3x32x16xf32>) -> tensor<1x3x43x50x16xf32>
  %wide_3 = relay.layout_transform %wide_2 {src_layout = "NCHW16c", dst_layout = "NCHW"} : (tensor<1x3x43x50x16xf32>) -> tensor<1x48x43x50xf32>
  return %row_3, %column_3, %row5_3, %column7_3, %square5_3, %long_3, %wide_3
    : tensor<2x64x13x29xf32>, tensor<2x64x14x30xf32>, tensor<2x64x13x26xf32>, tensor<2x64x12x30xf32>, tensor<2x64x13x30xf32>, tensor<1x32x1x772xf32>, tensor<1x48x43x50xf32>
}
