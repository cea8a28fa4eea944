// Convolutions whose weights have inputs in pairs, computed by vectors, beside numpy: in one group and in two, padded,
// with a stride. The layout, in which a dimension is split twice, is changed from and to others.
// RUN: %python %S/Inputs/pairs.py make %t.in.npz
// RUN: relayc run %s --inputs %t.in.npz --outputs %t.out.npz
// RUN: %python %S/Inputs/pairs.py check %t.in.npz %t.out.npz
func.func @main(%x: tensor<1x64x9x11xf32> {relay.name = "x"}, %v: tensor<32x64x3x3xf32> {relay.name = "v"}, %w: tensor<64x32x3x3xf32> {relay.name = "w"})
    -> (tensor<1x32x9x11xf32> {relay.name = "one"}, tensor<1x64x5x6xf32> {relay.name = "two"}, tensor<32x64x3x3xf32> {relay.name = "back"}) {
  %p = relay.layout_transform %x {src_layout = "NCHW", dst_layout = "NCHW16c"} : (tensor<1x64x9x11xf32>) -> tensor<1x4x9x11x16xf32>
  %v0 = relay.layout_transform %v {src_layout = "OIHW", dst_layout = "OIHW8i16o2i"} : (tensor<32x64x3x3xf32>) -> tensor<2x4x3x3x8x16x2xf32>
  %one0 = relay.nn.contrib_conv2d_NCHWc %p, %v0 {kernel_layout = "OIHW8i16o2i", strides = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>, dilation = array<i64: 1, 1>}
    : (tensor<1x4x9x11x16xf32>, tensor<2x4x3x3x8x16x2xf32>) -> tensor<1x2x9x11x16xf32>
  %one = relay.layout_transform %one0 {src_layout = "NCHW16c", dst_layout = "NCHW"} : (tensor<1x2x9x11x16xf32>) -> tensor<1x32x9x11xf32>
  %w0 = relay.layout_transform %w {src_layout = "OIHW", dst_layout = "OIHW8i16o2i"} : (tensor<64x32x3x3xf32>) -> tensor<4x2x3x3x8x16x2xf32>
  %two0 = relay.nn.contrib_conv2d_NCHWc %p, %w0 {kernel_layout = "OIHW8i16o2i", strides = array<i64: 2, 2>, padding = array<i64: 1, 1, 1, 1>, dilation = array<i64: 1, 1>, groups = 2 : i64}
    : (tensor<1x4x9x11x16xf32>, tensor<4x2x3x3x8x16x2xf32>) -> tensor<1x4x5x6x16xf32>
  %two = relay.layout_transform %two0 {src_layout = "NCHW16c", dst_layout = "NCHW"} : (tensor<1x4x5x6x16xf32>) -> tensor<1x64x5x6xf32>
  %back0 = relay.layout_transform %v0 {src_layout = "OIHW8i16o2i", dst_layout = "OIHW2i4o4i"} : (tensor<2x4x3x3x8x16x2xf32>) -> tensor<8x8x3x3x2x4x4xf32>
  %back = relay.layout_transform %back0 {src_layout = "OIHW2i4o4i", dst_layout = "OIHW"} : (tensor<8x8x3x3x2x4x4xf32>) -> tensor<32x64x3x3xf32>
  return %one, %two, %back : tensor<1x32x9x11xf32>, tensor<1x64x5x6xf32>, tensor<32x64x3x3xf32>
}
