// For machines that multiply tiles, the inputs of a dense layer's constant weight lie in pairs, and zeros fill up
// the last tiles.
// RUN: relay-opt %s --target=sapphirerapids --alter-op-layout | FileCheck %s
// RUN: relay-opt %s --alter-op-layout | FileCheck %s --check-prefix=VECTORS --implicit-check-not=2c

// CHECK-LABEL: func.func @dense
// CHECK: %[[P:.*]] = relay.nn.pad {{.*}}pad_width = array<i64: 0, 4, 0, 0>
// CHECK: %[[W:.*]] = relay.layout_transform %[[P]] {dst_layout = "NC16n2c", src_layout = "NC"} : (tensor<64x48xbf16>) -> tensor<4x24x16x2xbf16>
// CHECK: %[[D:.*]] = relay.nn.contrib_dense_pack %arg0, %[[W]] {{.*}}weight_layout = "NC16n2c"
// CHECK: relay.strided_slice %[[D]] {{.*}} -> tensor<8x60xbf16>
// VECTORS-LABEL: func.func @dense
// VECTORS: relay.layout_transform {{.*}}dst_layout = "NC16n",
func.func @dense(%x: tensor<8x48xbf16>) -> tensor<8x60xbf16> {
  %w = relay.constant dense<1.0> : tensor<60x48xbf16>
  %0 = relay.nn.dense %x, %w : (tensor<8x48xbf16>, tensor<60x48xbf16>) -> tensor<8x60xbf16>
  return %0 : tensor<8x60xbf16>
}

// Not f32, an odd number of inputs, one row, or a weight that only the caller knows.
// CHECK-LABEL: func.func @others
// CHECK-NOT: 2c
// CHECK: return
func.func @others(%x: tensor<8x48xf32>, %y: tensor<8x33xbf16>, %z: tensor<1x48xbf16>, %v: tensor<32x33xbf16>, %w: tensor<32x48xbf16>)
    -> (tensor<8x32xf32>, tensor<8x32xbf16>, tensor<1x32xbf16>, tensor<1x32xbf16>) {
  %f = relay.constant dense<1.0> : tensor<32x48xf32>
  %o = relay.constant dense<1.0> : tensor<32x33xbf16>
  %n = relay.constant dense<1.0> : tensor<32x48xbf16>
  %0 = relay.nn.dense %x, %f : (tensor<8x48xf32>, tensor<32x48xf32>) -> tensor<8x32xf32>
  %1 = relay.nn.dense %y, %o : (tensor<8x33xbf16>, tensor<32x33xbf16>) -> tensor<8x32xbf16>
  %2 = relay.nn.dense %z, %n : (tensor<1x48xbf16>, tensor<32x48xbf16>) -> tensor<1x32xbf16>
  %3 = relay.nn.dense %z, %w : (tensor<1x48xbf16>, tensor<32x48xbf16>) -> tensor<1x32xbf16>
  return %0, %1, %2, %3 : tensor<8x32xf32>, tensor<8x32xbf16>, tensor<1x32xbf16>, tensor<1x32xbf16>
}

// So do the input channels of a convolution, in blocks of 32; Winograd's algorithm is for vectors.
// CHECK-LABEL: func.func @convolutions
// CHECK: relay.layout_transform {{.*}}dst_layout = "OIHW16i32o2i", {{.*}} -> tensor<2x1x1x1x16x32x2xbf16>
// CHECK: relay.nn.contrib_conv2d_NCHWc {{.*}}kernel_layout = "OIHW16i32o2i"{{.*}} : (tensor<1x1x{{[0-9]+x[0-9]+}}x32xbf16>, tensor<2x1x1x1x16x32x2xbf16>)
// CHECK: relay.nn.contrib_conv2d_NCHWc {{.*}}tensor<2x2x3x3x16x32x2xbf16>
// CHECK: relay.nn.contrib_conv2d_NCHWc {{.*}}strides = array<i64: 2, 2>{{.*}}tensor<2x2x3x3x16x32x2xbf16>
// CHECK-NOT: winograd
// VECTORS-LABEL: func.func @convolutions
// VECTORS: winograd
func.func @convolutions(%x: tensor<1x32x28x28xbf16>) -> tensor<1x64x14x14xbf16> {
  %v = relay.constant dense<1.0> : tensor<64x32x1x1xbf16>
  %w = relay.constant dense<1.0> : tensor<64x64x3x3xbf16>
  %0 = relay.nn.conv2d %x, %v {strides = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>, dilation = array<i64: 1, 1>, groups = 1 : i64}
    : (tensor<1x32x28x28xbf16>, tensor<64x32x1x1xbf16>) -> tensor<1x64x28x28xbf16>
  %1 = relay.nn.conv2d %0, %w {strides = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>, dilation = array<i64: 1, 1>, groups = 1 : i64}
    : (tensor<1x64x28x28xbf16>, tensor<64x64x3x3xbf16>) -> tensor<1x64x28x28xbf16>
  %2 = relay.nn.conv2d %1, %w {strides = array<i64: 2, 2>, padding = array<i64: 1, 1, 1, 1>, dilation = array<i64: 1, 1>, groups = 1 : i64}
    : (tensor<1x64x28x28xbf16>, tensor<64x64x3x3xbf16>) -> tensor<1x64x14x14xbf16>
  return %2 : tensor<1x64x14x14xbf16>
}

// Zeros fill up the last blocks of channels, of a result and of the data that the next convolution reads.
// CHECK-LABEL: func.func @filled_up
// CHECK: relay.nn.pad %arg0, {{.*}} -> tensor<1x32x8x8xbf16>
// CHECK: relay.layout_transform {{.*}} -> tensor<1x1x3x3x16x32x2xbf16>
// CHECK: %[[FIRST:.+]] = relay.nn.contrib_conv2d_NCHWc
// CHECK: %[[RELU:.+]] = relay.nn.relu %[[FIRST]]
// CHECK: relay.nn.pad {{.*}}pad_width = array<i64: 0, 0, 0, 12, 0, 0, 0, 0>
// CHECK: relay.nn.contrib_conv2d_NCHWc %[[RELU]]
func.func @filled_up(%x: tensor<1x24x8x8xbf16>) -> tensor<1x48x8x8xbf16> {
  %v = relay.constant dense<1.0> : tensor<20x24x3x3xbf16>
  %w = relay.constant dense<1.0> : tensor<48x20x3x3xbf16>
  %0 = relay.nn.conv2d %x, %v {strides = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>, dilation = array<i64: 1, 1>, groups = 1 : i64}
    : (tensor<1x24x8x8xbf16>, tensor<20x24x3x3xbf16>) -> tensor<1x20x8x8xbf16>
  %1 = relay.nn.relu %0 : (tensor<1x20x8x8xbf16>) -> tensor<1x20x8x8xbf16>
  %2 = relay.nn.conv2d %1, %w {strides = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>, dilation = array<i64: 1, 1>, groups = 1 : i64}
    : (tensor<1x20x8x8xbf16>, tensor<48x20x3x3xbf16>) -> tensor<1x48x8x8xbf16>
  return %2 : tensor<1x48x8x8xbf16>
}

// What follows a convolution may make infinities of those zeros: then they are cut off and filled up again.
// CHECK-LABEL: func.func @infinities
// CHECK: relay.nn.contrib_conv2d_NCHWc
// CHECK: %[[LOG:.+]] = relay.log
// CHECK: relay.nn.pad {{.*}} -> tensor<1x32x8x8xbf16>
// CHECK: relay.nn.contrib_conv2d_NCHWc
func.func @infinities(%x: tensor<1x32x8x8xbf16>) -> tensor<1x32x8x8xbf16> {
  %v = relay.constant dense<1.0> : tensor<20x32x3x3xbf16>
  %w = relay.constant dense<1.0> : tensor<32x20x3x3xbf16>
  %0 = relay.nn.conv2d %x, %v {strides = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>, dilation = array<i64: 1, 1>, groups = 1 : i64}
    : (tensor<1x32x8x8xbf16>, tensor<20x32x3x3xbf16>) -> tensor<1x20x8x8xbf16>
  %1 = relay.log %0 : (tensor<1x20x8x8xbf16>) -> tensor<1x20x8x8xbf16>
  %2 = relay.nn.conv2d %1, %w {strides = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>, dilation = array<i64: 1, 1>, groups = 1 : i64}
    : (tensor<1x20x8x8xbf16>, tensor<32x20x3x3xbf16>) -> tensor<1x32x8x8xbf16>
  return %2 : tensor<1x32x8x8xbf16>
}

// Groups of 8 channels are computed two together, with zeros in the weight; those of 16 as they are.
// CHECK-LABEL: func.func @groups
// CHECK: relay.concatenate {{.*}} -> tensor<2x2x8x16x9xbf16>
// CHECK: relay.nn.contrib_conv2d_NCHWc {{.*}}groups = 2 : i64{{.*}}tensor<2x1x3x3x8x16x2xbf16>
// CHECK: relay.nn.contrib_conv2d_NCHWc {{.*}}groups = 2 : i64{{.*}}tensor<2x1x3x3x8x16x2xbf16>
func.func @groups(%x: tensor<1x32x8x8xbf16>) -> tensor<1x32x8x8xbf16> {
  %v = relay.constant dense<1.0> : tensor<32x8x3x3xbf16>
  %w = relay.constant dense<1.0> : tensor<32x16x3x3xbf16>
  %0 = relay.nn.conv2d %x, %v {strides = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>, dilation = array<i64: 1, 1>, groups = 4 : i64}
    : (tensor<1x32x8x8xbf16>, tensor<32x8x3x3xbf16>) -> tensor<1x32x8x8xbf16>
  %1 = relay.nn.conv2d %0, %w {strides = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>, dilation = array<i64: 1, 1>, groups = 2 : i64}
    : (tensor<1x32x8x8xbf16>, tensor<32x16x3x3xbf16>) -> tensor<1x32x8x8xbf16>
  return %1 : tensor<1x32x8x8xbf16>
}

// An image's three channels are two words, of which a kernel of four columns or more fills a step.
// CHECK-LABEL: func.func @image
// CHECK: relay.nn.contrib_conv2d_NCHWc {{.*}}data_layout = "NCHW4c", kernel_layout = "OIHW2i32o2i"
func.func @image(%x: tensor<1x3x20x20xbf16>) -> tensor<1x32x16x16xbf16> {
  %w = relay.constant dense<1.0> : tensor<32x3x5x5xbf16>
  %0 = relay.nn.conv2d %x, %w {strides = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>, dilation = array<i64: 1, 1>, groups = 1 : i64}
    : (tensor<1x3x20x20xbf16>, tensor<32x3x5x5xbf16>) -> tensor<1x32x16x16xbf16>
  return %0 : tensor<1x32x16x16xbf16>
}

// Not those of an image's three channels by a narrow kernel, of three groups of 8 channels, of images one pixel wide, of f32, or of a
// weight that only the caller knows.
// CHECK-LABEL: func.func @other_convolutions
// CHECK-NOT: 2i
// CHECK: return
func.func @other_convolutions(%a: tensor<1x3x8x8xbf16>, %b: tensor<1x24x8x8xbf16>, %c: tensor<1x64x8x8xbf16>, %d: tensor<1x32x8x1xbf16>, %e: tensor<1x32x8x8xf32>, %u: tensor<32x64x3x3xbf16>)
    -> (tensor<1x32x8x8xbf16>, tensor<1x24x8x8xbf16>, tensor<1x32x8x1xbf16>, tensor<1x32x8x8xf32>, tensor<1x32x8x8xbf16>) {
  %wa = relay.constant dense<1.0> : tensor<32x3x3x3xbf16>
  %wb = relay.constant dense<1.0> : tensor<24x8x3x3xbf16>
  %wc = relay.constant dense<1.0> : tensor<32x32x3x3xbf16>
  %we = relay.constant dense<1.0> : tensor<32x32x3x3xf32>
  %0 = relay.nn.conv2d %a, %wa {strides = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>, dilation = array<i64: 1, 1>, groups = 1 : i64}
    : (tensor<1x3x8x8xbf16>, tensor<32x3x3x3xbf16>) -> tensor<1x32x8x8xbf16>
  %1 = relay.nn.conv2d %b, %wb {strides = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>, dilation = array<i64: 1, 1>, groups = 3 : i64}
    : (tensor<1x24x8x8xbf16>, tensor<24x8x3x3xbf16>) -> tensor<1x24x8x8xbf16>
  %2 = relay.nn.conv2d %d, %wc {strides = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>, dilation = array<i64: 1, 1>, groups = 1 : i64}
    : (tensor<1x32x8x1xbf16>, tensor<32x32x3x3xbf16>) -> tensor<1x32x8x1xbf16>
  %3 = relay.nn.conv2d %e, %we {strides = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>, dilation = array<i64: 1, 1>, groups = 1 : i64}
    : (tensor<1x32x8x8xf32>, tensor<32x32x3x3xf32>) -> tensor<1x32x8x8xf32>
  %4 = relay.nn.conv2d %c, %u {strides = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>, dilation = array<i64: 1, 1>, groups = 1 : i64}
    : (tensor<1x64x8x8xbf16>, tensor<32x64x3x3xbf16>) -> tensor<1x32x8x8xbf16>
  return %0, %1, %2, %3, %4 : tensor<1x32x8x8xbf16>, tensor<1x24x8x8xbf16>, tensor<1x32x8x1xbf16>, tensor<1x32x8x8xf32>, tensor<1x32x8x8xbf16>
}

// The planes of a volume are put in blocks, filled up with zeros, before those that a window meets are put beside each other:
// three times 32 channels. So are those of a result, which are in blocks already.
// CHECK-LABEL: func.func @volumes
// CHECK: relay.nn.pad {{.*}}pad_width = array<i64: 0, 0, 0, 8, 0, 0, 0, 0>{{.*}} -> tensor<4x32x8x8xbf16>
// CHECK: %[[BLOCKS:.+]] = relay.layout_transform {{.*}} -> tensor<4x2x8x8x16xbf16>
// CHECK: relay.nn.pad %[[BLOCKS]], {{.*}}pad_width = array<i64: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0>
// CHECK: relay.concatenate {{.*}} -> tensor<4x6x8x8x16xbf16>
// CHECK: relay.nn.pad {{.*}} -> tensor<20x3x32x9xbf16>
// CHECK: %[[FIRST:.+]] = relay.nn.contrib_conv2d_NCHWc {{.*}}tensor<2x6x3x3x8x16x2xbf16>) -> tensor<4x2x8x8x16xbf16>
// CHECK: relay.nn.pad %[[FIRST]], {{.*}}pad_width = array<i64: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0>
// CHECK: relay.concatenate {{.*}} -> tensor<4x6x8x8x16xbf16>
// CHECK: relay.nn.contrib_conv2d_NCHWc {{.*}} -> tensor<4x2x8x8x16xbf16>
// VECTORS-LABEL: func.func @volumes
func.func @volumes(%x: tensor<1x24x4x8x8xbf16>) -> tensor<1x24x4x8x8xbf16> {
  %v = relay.constant dense<1.0> : tensor<20x24x3x3x3xbf16>
  %w = relay.constant dense<1.0> : tensor<24x20x3x3x3xbf16>
  %0 = relay.nn.conv3d %x, %v {strides = array<i64: 1, 1, 1>, padding = array<i64: 1, 1, 1, 1, 1, 1>, dilation = array<i64: 1, 1, 1>, groups = 1 : i64}
    : (tensor<1x24x4x8x8xbf16>, tensor<20x24x3x3x3xbf16>) -> tensor<1x20x4x8x8xbf16>
  %1 = relay.nn.conv3d %0, %w {strides = array<i64: 1, 1, 1>, padding = array<i64: 1, 1, 1, 1, 1, 1>, dilation = array<i64: 1, 1, 1>, groups = 1 : i64}
    : (tensor<1x20x4x8x8xbf16>, tensor<24x20x3x3x3xbf16>) -> tensor<1x24x4x8x8xbf16>
  return %1 : tensor<1x24x4x8x8xbf16>
}

// As few channels as 16 are for AMX tiles, too; vectors compute them as they lie.
// CHECK-LABEL: func.func @few_channels
// CHECK: relay.nn.contrib_conv2d_NCHWc
// VECTORS-LABEL: func.func @few_channels
// VECTORS: relay.nn.conv3d
func.func @few_channels(%x: tensor<1x16x32x32x32xbf16>) -> tensor<1x16x32x32x32xbf16> {
  %v = relay.constant dense<1.0> : tensor<16x16x3x3x3xbf16>
  %0 = relay.nn.conv3d %x, %v {strides = array<i64: 1, 1, 1>, padding = array<i64: 1, 1, 1, 1, 1, 1>, dilation = array<i64: 1, 1, 1>, groups = 1 : i64}
    : (tensor<1x16x32x32x32xbf16>, tensor<16x16x3x3x3xbf16>) -> tensor<1x16x32x32x32xbf16>
  return %0 : tensor<1x16x32x32x32xbf16>
}
