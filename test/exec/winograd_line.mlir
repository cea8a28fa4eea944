// Winograd's convolutions of kernels that have one row or one column, padded unevenly: against a plain sum in double
// precision.
// RUN: %python %S/Inputs/winograd_line.py inputs %t.in.npz
// RUN: relayc run %s --inputs %t.in.npz --outputs %t.out.npz
// RUN: %python %S/Inputs/winograd_line.py check %t.in.npz %t.out.npz

func.func @main(%x: tensor<2x48x13x30xf32> {relay.name = "x"}, %r: tensor<64x48x1x3xf32> {relay.name = "row"},
                %c: tensor<64x48x3x1xf32> {relay.name = "column"})
    -> (tensor<2x64x13x29xf32> {relay.name = "by_row"}, tensor<2x64x14x30xf32> {relay.name = "by_column"}) {
  %p = relay.layout_transform %x {src_layout = "NCHW", dst_layout = "NCHW16c"} : (tensor<2x48x13x30xf32>) -> tensor<2x3x13x30x16xf32>
  %r0 = relay.nn.contrib_conv2d_winograd_weight_transform %r {tile_size = 4 : i64} : (tensor<64x48x1x3xf32>) -> tensor<1x6x64x48xf32>
  %r1 = relay.layout_transform %r0 {src_layout = "HWOI", dst_layout = "HWOI16o"} : (tensor<1x6x64x48xf32>) -> tensor<1x6x4x48x16xf32>
  %r2 = relay.nn.contrib_conv2d_winograd_without_weight_transform %p, %r1 {tile_size = 4 : i64, padding = array<i64: 0, 0, 0, 1>}
    : (tensor<2x3x13x30x16xf32>, tensor<1x6x4x48x16xf32>) -> tensor<2x4x13x29x16xf32>
  %r3 = relay.layout_transform %r2 {src_layout = "NCHW16c", dst_layout = "NCHW"} : (tensor<2x4x13x29x16xf32>) -> tensor<2x64x13x29xf32>
  %c0 = relay.nn.contrib_conv2d_winograd_weight_transform %c {tile_size = 4 : i64} : (tensor<64x48x3x1xf32>) -> tensor<6x1x64x48xf32>
  %c1 = relay.layout_transform %c0 {src_layout = "HWOI", dst_layout = "HWOI16o"} : (tensor<6x1x64x48xf32>) -> tensor<6x1x4x48x16xf32>
  %c2 = relay.nn.contrib_conv2d_winograd_without_weight_transform %p, %c1 {tile_size = 4 : i64, padding = array<i64: 1, 0, 2, 0>}
    : (tensor<2x3x13x30x16xf32>, tensor<6x1x4x48x16xf32>) -> tensor<2x4x14x30x16xf32>
  %c3 = relay.layout_transform %c2 {src_layout = "NCHW16c", dst_layout = "NCHW"} : (tensor<2x4x14x30x16xf32>) -> tensor<2x64x14x30xf32>
  return %r3, %c3 : tensor<2x64x13x29xf32>, tensor<2x64x14x30xf32>
}
