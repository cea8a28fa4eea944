// Taps of windows that meet padding are not multiplied.
// RUN: relay-opt %s --alter-op-layout="winograd=false" --canonicalize | FileCheck %s

// All but the one in the middle are outside, wherever the window is.
// CHECK-LABEL: func.func @all_outside
// CHECK-NOT: relay.nn.pad
// CHECK: relay.nn.contrib_conv2d_NCHWc
// CHECK-SAME: {dilation = array<i64: {{[0-9, ]+}}>} :
// CHECK-SAME: tensor<2x2x1x1x16x16xf32>
// CHECK-NOT: relay.nn.contrib_conv2d_NCHWc
func.func @all_outside(%x: tensor<1x32x16x16xf32>, %w: tensor<32x32x3x3xf32>) -> tensor<1x32x16x16xf32> {
  %0 = relay.nn.conv2d %x, %w {strides = array<i64: 1, 1>, padding = array<i64: 24, 24, 24, 24>, dilation = array<i64: 24, 24>, groups = 1 : i64} : (tensor<1x32x16x16xf32>, tensor<32x32x3x3xf32>) -> tensor<1x32x16x16xf32>
  return %0 : tensor<1x32x16x16xf32>
}

// The first row of the window is always above the data; the padding that the others meet stays.
// CHECK-LABEL: func.func @one_side
// CHECK: relay.nn.contrib_conv2d_NCHWc
// CHECK-SAME: padding = array<i64: 1, 1, 1, 1>
// CHECK-SAME: tensor<1x1x2x3x16x16xf32>
func.func @one_side(%x: tensor<1x16x4x9xf32>, %w: tensor<16x16x3x3xf32>) -> tensor<1x16x3x9xf32> {
  %0 = relay.nn.conv2d %x, %w {strides = array<i64: 1, 1>, padding = array<i64: 4, 1, 1, 1>, dilation = array<i64: 3, 1>, groups = 1 : i64} : (tensor<1x16x4x9xf32>, tensor<16x16x3x3xf32>) -> tensor<1x16x3x9xf32>
  return %0 : tensor<1x16x3x9xf32>
}

// On vectors of f32 the schedule leaves out what meets padding.
// CHECK-LABEL: func.func @on_vectors
// CHECK: relay.nn.contrib_conv2d_NCHWc
// CHECK-SAME: padding = array<i64: 12, 12, 12, 12>
// CHECK-NOT: relay.nn.contrib_conv2d_NCHWc
// CHECK: return
func.func @on_vectors(%x: tensor<1x512x16x16xf32>) -> tensor<1x256x16x16xf32> {
  %w = relay.constant dense<0.5> : tensor<256x512x3x3xf32>
  %0 = relay.nn.conv2d %x, %w {strides = array<i64: 1, 1>, padding = array<i64: 12, 12, 12, 12>, dilation = array<i64: 12, 12>, groups = 1 : i64} : (tensor<1x512x16x16xf32>, tensor<256x512x3x3xf32>) -> tensor<1x256x16x16xf32>
  return %0 : tensor<1x256x16x16xf32>
}

// Other types: parts of the result, of packed slices of the data.
// CHECK-LABEL: func.func @by_parts
// CHECK: relay.strided_slice %{{.*}} : (tensor<1x4x33x33x16xbf16>) -> tensor<1x4x24x33x16xbf16>
// CHECK-COUNT-9: relay.nn.contrib_conv2d_NCHWc
// CHECK: relay.concatenate %{{.*}} {axis = 2 : i64} : (tensor<1x4x12x33x16xbf16>, tensor<1x4x9x33x16xbf16>, tensor<1x4x12x33x16xbf16>) -> tensor<1x4x33x33x16xbf16>
func.func @by_parts(%x: tensor<1x64x33x33xbf16>, %v: tensor<64x64x1x1xbf16>) -> tensor<1x64x33x33xbf16> {
  %w = relay.constant dense<0.5> : tensor<64x64x3x3xbf16>
  %0 = relay.nn.conv2d %x, %v {strides = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>, dilation = array<i64: 1, 1>, groups = 1 : i64} : (tensor<1x64x33x33xbf16>, tensor<64x64x1x1xbf16>) -> tensor<1x64x33x33xbf16>
  %1 = relay.nn.conv2d %0, %w {strides = array<i64: 1, 1>, padding = array<i64: 12, 12, 12, 12>, dilation = array<i64: 12, 12>, groups = 1 : i64} : (tensor<1x64x33x33xbf16>, tensor<64x64x3x3xbf16>) -> tensor<1x64x33x33xbf16>
  return %1 : tensor<1x64x33x33xbf16>
}

// A weight that is not known is not cut in nine, and a small dilation saves little.
// CHECK-LABEL: func.func @left_whole
// CHECK-COUNT-2: relay.nn.contrib_conv2d_NCHWc
// CHECK-NOT: relay.nn.contrib_conv2d_NCHWc
// CHECK: return
func.func @left_whole(%x: tensor<1x64x33x33xbf16>, %w: tensor<64x64x3x3xbf16>) -> (tensor<1x64x33x33xbf16>, tensor<1x64x33x33xbf16>) {
  %0 = relay.nn.conv2d %x, %w {strides = array<i64: 1, 1>, padding = array<i64: 12, 12, 12, 12>, dilation = array<i64: 12, 12>, groups = 1 : i64} : (tensor<1x64x33x33xbf16>, tensor<64x64x3x3xbf16>) -> tensor<1x64x33x33xbf16>
  %v = relay.constant dense<0.5> : tensor<64x64x3x3xbf16>
  %1 = relay.nn.conv2d %x, %v {strides = array<i64: 1, 1>, padding = array<i64: 2, 2, 2, 2>, dilation = array<i64: 2, 2>, groups = 1 : i64} : (tensor<1x64x33x33xbf16>, tensor<64x64x3x3xbf16>) -> tensor<1x64x33x33xbf16>
  return %0, %1 : tensor<1x64x33x33xbf16>, tensor<1x64x33x33xbf16>
}
