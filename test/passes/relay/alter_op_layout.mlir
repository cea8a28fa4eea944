// RUN: relay-opt %s --alter-op-layout --split-input-file | FileCheck %s
// RUN: relay-opt %s --target=x86-64-v3 --alter-op-layout --split-input-file | FileCheck %s --check-prefix=NARROW
// RUN: relay-opt %s --alter-op-layout='winograd=false' --split-input-file | FileCheck %s --check-prefix=PLAIN

// Transforms stay at the edges: in front of the first convolution and behind the last operator.
// CHECK-LABEL: func.func @chain
// CHECK-DAG: %[[X:.*]] = relay.reshape %arg0 {newshape = array<i64: 1, 3, 8, 8, 1>}
// CHECK-DAG: %[[W:.*]] = relay.layout_transform %arg1 {dst_layout = "OIHW1i16o", src_layout = "OIHW"}
// CHECK: %[[C:.*]] = relay.nn.contrib_conv2d_NCHWc %[[X]], %[[W]]{{.*}}data_layout = "NCHW1c"{{.*}}kernel_layout = "OIHW1i16o"
// CHECK-SAME: -> tensor<1x2x8x8x16xf32>
// CHECK: %[[B:.*]] = relay.reshape %arg2 {newshape = array<i64: 1, 2, 1, 1, 16>}
// CHECK: %[[S:.*]] = relay.add %[[C]], %[[B]]
// CHECK: %[[R:.*]] = relay.nn.relu %[[S]]
// CHECK: %[[D:.*]] = relay.nn.contrib_depthwise_conv2d_NCHWc %[[R]], %{{[0-9]+}} {{.*}} -> tensor<1x2x8x8x16xf32>
// CHECK: %[[A:.*]] = relay.add %[[D]], %[[R]]
// CHECK: %[[P:.*]] = relay.nn.global_avg_pool2d %[[A]] {layout = "NCHW16c"}
// CHECK: %[[G:.*]] = relay.multiply %[[A]], %[[P]] : (tensor<1x2x8x8x16xf32>, tensor<1x2x1x1x16xf32>)
// CHECK: %[[N:.*]] = relay.concatenate %[[G]], %[[R]] {axis = 1 : i64}
// CHECK: %[[O:.*]] = relay.layout_transform %[[N]] {dst_layout = "NCHW", src_layout = "NCHW16c"}
// CHECK-NEXT: return %[[O]]
// NARROW-LABEL: func.func @chain
// NARROW: kernel_layout = "OIHW1i8o"{{.*}} -> tensor<1x4x8x8x8xf32>
func.func @chain(%x: tensor<1x3x8x8xf32>, %w: tensor<32x3x3x3xf32>, %b: tensor<32x1x1xf32>,
                 %v: tensor<32x1x3x3xf32>) -> tensor<1x64x8x8xf32> {
  %0 = relay.nn.conv2d %x, %w {strides = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>, dilation = array<i64: 1, 1>, groups = 1 : i64}
    : (tensor<1x3x8x8xf32>, tensor<32x3x3x3xf32>) -> tensor<1x32x8x8xf32>
  %1 = relay.add %0, %b : (tensor<1x32x8x8xf32>, tensor<32x1x1xf32>) -> tensor<1x32x8x8xf32>
  %2 = relay.nn.relu %1 : (tensor<1x32x8x8xf32>) -> tensor<1x32x8x8xf32>
  %3 = relay.nn.conv2d %2, %v {strides = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>, dilation = array<i64: 1, 1>, groups = 32 : i64}
    : (tensor<1x32x8x8xf32>, tensor<32x1x3x3xf32>) -> tensor<1x32x8x8xf32>
  %4 = relay.add %3, %2 : (tensor<1x32x8x8xf32>, tensor<1x32x8x8xf32>) -> tensor<1x32x8x8xf32>
  %5 = relay.nn.global_avg_pool2d %4 {layout = "NCHW"} : (tensor<1x32x8x8xf32>) -> tensor<1x32x1x1xf32>
  %6 = relay.multiply %4, %5 : (tensor<1x32x8x8xf32>, tensor<1x32x1x1xf32>) -> tensor<1x32x8x8xf32>
  %7 = relay.concatenate %6, %2 {axis = 1 : i64} : (tensor<1x32x8x8xf32>, tensor<1x32x8x8xf32>) -> tensor<1x64x8x8xf32>
  return %7 : tensor<1x64x8x8xf32>
}

// -----

// Small groups and few output channels keep their layout.
// CHECK-LABEL: func.func @stays
// CHECK-NOT: layout_transform
// CHECK: return
func.func @stays(%x: tensor<1x32x8x8xf32>, %w: tensor<32x4x1x1xf32>, %v: tensor<3x32x1x1xf32>)
    -> (tensor<1x32x8x8xf32>, tensor<1x3x8x8xf32>) {
  %0 = relay.nn.conv2d %x, %w {strides = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>, dilation = array<i64: 1, 1>, groups = 8 : i64}
    : (tensor<1x32x8x8xf32>, tensor<32x4x1x1xf32>) -> tensor<1x32x8x8xf32>
  %1 = relay.nn.conv2d %x, %v {strides = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>, dilation = array<i64: 1, 1>, groups = 1 : i64}
    : (tensor<1x32x8x8xf32>, tensor<3x32x1x1xf32>) -> tensor<1x3x8x8xf32>
  return %0, %1 : tensor<1x32x8x8xf32>, tensor<1x3x8x8xf32>
}

// -----

// Blocks of 16 and 8 meet in blocks of 8; a reshape reads the plain layout.
// CHECK-LABEL: func.func @meeting
// CHECK: %[[A:.*]] = relay.nn.contrib_conv2d_NCHWc {{.*}} -> tensor<1x1x1x1x16xf32>
// CHECK: %[[B:.*]] = relay.nn.contrib_conv2d_NCHWc {{.*}} -> tensor<1x1x1x1x8xf32>
// CHECK: %[[T:.*]] = relay.layout_transform %[[A]] {dst_layout = "NCHW8c", src_layout = "NCHW16c"}
// CHECK: %[[C:.*]] = relay.concatenate %[[T]], %[[B]]
// CHECK: %[[P:.*]] = relay.layout_transform %[[C]] {dst_layout = "NCHW", src_layout = "NCHW8c"}
// CHECK: relay.reshape %[[P]]
func.func @meeting(%x: tensor<1x16x1x1xf32>, %w: tensor<16x16x1x1xf32>, %v: tensor<8x16x1x1xf32>) -> tensor<1x24xf32> {
  %0 = relay.nn.conv2d %x, %w {strides = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>, dilation = array<i64: 1, 1>, groups = 1 : i64}
    : (tensor<1x16x1x1xf32>, tensor<16x16x1x1xf32>) -> tensor<1x16x1x1xf32>
  %1 = relay.nn.conv2d %x, %v {strides = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>, dilation = array<i64: 1, 1>, groups = 1 : i64}
    : (tensor<1x16x1x1xf32>, tensor<8x16x1x1xf32>) -> tensor<1x8x1x1xf32>
  %2 = relay.concatenate %0, %1 {axis = 1 : i64} : (tensor<1x16x1x1xf32>, tensor<1x8x1x1xf32>) -> tensor<1x24x1x1xf32>
  %3 = relay.reshape %2 {newshape = array<i64: 1, 24>} : (tensor<1x24x1x1xf32>) -> tensor<1x24xf32>
  return %3 : tensor<1x24xf32>
}

// -----

// One row takes the blocks that there are; several rows whole vectors, the last filled up with zeros.
// CHECK-LABEL: func.func @dense
// CHECK: %[[W:.*]] = relay.layout_transform %arg2 {dst_layout = "NC8n", src_layout = "NC"} : (tensor<24x8xf32>) -> tensor<3x8x8xf32>
// CHECK: relay.nn.contrib_dense_pack %arg0, %[[W]] {{.*}}weight_layout = "NC8n"
// CHECK: %[[P:.*]] = relay.nn.pad %arg2, %{{.*}}pad_width = array<i64: 0, 8, 0, 0>
// CHECK: %[[V:.*]] = relay.layout_transform %[[P]] {dst_layout = "NC16n", src_layout = "NC"}
// CHECK: %[[D:.*]] = relay.nn.contrib_dense_pack %arg1, %[[V]]
// CHECK: relay.strided_slice %[[D]] {{.*}} -> tensor<4x24xf32>
func.func @dense(%x: tensor<1x8xf32>, %y: tensor<4x8xf32>, %w: tensor<24x8xf32>) -> (tensor<1x24xf32>, tensor<4x24xf32>) {
  %0 = relay.nn.dense %x, %w : (tensor<1x8xf32>, tensor<24x8xf32>) -> tensor<1x24xf32>
  %1 = relay.nn.dense %y, %w : (tensor<4x8xf32>, tensor<24x8xf32>) -> tensor<4x24xf32>
  return %0, %1 : tensor<1x24xf32>, tensor<4x24xf32>
}

// -----

// CHECK-LABEL: func.func @transposed
// CHECK: %[[T:.*]] = relay.transpose %arg1 {axes = array<i64: 0, 2, 1>}
// CHECK: relay.nn.batch_matmul %arg0, %[[T]]
func.func @transposed(%x: tensor<2x4x8xf32>, %y: tensor<2x20x8xf32>) -> tensor<2x4x20xf32> {
  %0 = relay.nn.batch_matmul %x, %y {transpose_b = true} : (tensor<2x4x8xf32>, tensor<2x20x8xf32>) -> tensor<2x4x20xf32>
  return %0 : tensor<2x4x20xf32>
}

// -----

// Resizes and pools to a given size work on blocks.
// CHECK-LABEL: func.func @sizes
// CHECK: %[[C:.*]] = relay.nn.contrib_conv2d_NCHWc
// CHECK: %[[U:.*]] = relay.nn.upsampling %[[C]] {{.*}}layout = "NCHW16c"{{.*}} -> tensor<1x2x16x16x16xf32>
// CHECK: %[[R:.*]] = relay.image.resize2d %[[U]] {{.*}}layout = "NCHW16c"{{.*}} -> tensor<1x2x5x7x16xf32>
// CHECK: %[[P:.*]] = relay.nn.adaptive_avg_pool2d %[[R]] {{.*}}layout = "NCHW16c"{{.*}} -> tensor<1x2x3x3x16xf32>
// CHECK: relay.layout_transform %[[P]] {dst_layout = "NCHW", src_layout = "NCHW16c"}
func.func @sizes(%x: tensor<1x3x8x8xf32>, %w: tensor<32x3x3x3xf32>) -> tensor<1x32x3x3xf32> {
  %0 = relay.nn.conv2d %x, %w {strides = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>, dilation = array<i64: 1, 1>, groups = 1 : i64}
    : (tensor<1x3x8x8xf32>, tensor<32x3x3x3xf32>) -> tensor<1x32x8x8xf32>
  %1 = relay.nn.upsampling %0 {scale_h = 2.0, scale_w = 2.0} : (tensor<1x32x8x8xf32>) -> tensor<1x32x16x16xf32>
  %2 = relay.image.resize2d %1 {size = array<i64: 5, 7>} : (tensor<1x32x16x16xf32>) -> tensor<1x32x5x7xf32>
  %3 = relay.nn.adaptive_avg_pool2d %2 {output_size = array<i64: 3>} : (tensor<1x32x5x7xf32>) -> tensor<1x32x3x3xf32>
  return %3 : tensor<1x32x3x3xf32>
}

// -----

// Sums that become integers have to be exact, so they stay direct.
// CHECK-LABEL: func.func @sums_of_integers
// CHECK-NOT: winograd
// CHECK: return
func.func @sums_of_integers(%x: tensor<1x64x56x56xf32>, %w: tensor<64x64x3x3xf32>) -> tensor<1x64x56x56xi32> {
  %0 = relay.nn.conv2d %x, %w {strides = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>, dilation = array<i64: 1, 1>, groups = 1 : i64} : (tensor<1x64x56x56xf32>, tensor<64x64x3x3xf32>) -> tensor<1x64x56x56xf32>
  %1 = relay.cast %0 {dtype = i32} : (tensor<1x64x56x56xf32>) -> tensor<1x64x56x56xi32>
  return %1 : tensor<1x64x56x56xi32>
}

// -----

// A 3x3 kernel on many channels: fewer products in tiles of 4. Not with a weight that is not known,
// nor where the weight would be read for too few tiles.
// CHECK-LABEL: func.func @winograd
// CHECK: %[[U:.*]] = relay.nn.contrib_conv2d_winograd_weight_transform %{{.*}} {tile_size = 4 : i64}
// CHECK: %[[P:.*]] = relay.layout_transform %[[U]] {dst_layout = "HWOI16o", src_layout = "HWOI"}
// CHECK: relay.nn.contrib_conv2d_winograd_without_weight_transform %{{.*}}, %[[P]]
// CHECK: relay.nn.contrib_conv2d_NCHWc
// CHECK: relay.nn.contrib_conv2d_NCHWc
// PLAIN-LABEL: func.func @winograd
// PLAIN-NOT: winograd
func.func @winograd(%x: tensor<1x64x56x56xf32>, %y: tensor<1x64x2x2xf32>, %w: tensor<64x64x3x3xf32>)
    -> (tensor<1x64x56x56xf32>, tensor<1x64x56x56xf32>, tensor<1x64x2x2xf32>) {
  %k = relay.constant dense<1.0> : tensor<64x64x3x3xf32>
  %0 = relay.nn.conv2d %x, %k {strides = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>, dilation = array<i64: 1, 1>, groups = 1 : i64}
    : (tensor<1x64x56x56xf32>, tensor<64x64x3x3xf32>) -> tensor<1x64x56x56xf32>
  %1 = relay.nn.conv2d %x, %w {strides = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>, dilation = array<i64: 1, 1>, groups = 1 : i64}
    : (tensor<1x64x56x56xf32>, tensor<64x64x3x3xf32>) -> tensor<1x64x56x56xf32>
  %2 = relay.nn.conv2d %y, %k {strides = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>, dilation = array<i64: 1, 1>, groups = 1 : i64}
    : (tensor<1x64x2x2xf32>, tensor<64x64x3x3xf32>) -> tensor<1x64x2x2xf32>
  return %0, %1, %2 : tensor<1x64x56x56xf32>, tensor<1x64x56x56xf32>, tensor<1x64x2x2xf32>
}

// -----

// A kernel of one row has tiles of one row.
// CHECK-LABEL: func.func @kernel_of_a_row
// CHECK: relay.nn.contrib_conv2d_winograd_weight_transform %{{.*}} {tile_size = 4 : i64} {{.*}} -> tensor<1x6x256x256xf32>
// CHECK: relay.nn.contrib_conv2d_winograd_without_weight_transform
func.func @kernel_of_a_row(%x: tensor<1x256x1x1024xf32>) -> tensor<1x256x1x1024xf32> {
  %k = relay.constant dense<1.0> : tensor<256x256x1x3xf32>
  %0 = relay.nn.conv2d %x, %k {padding = array<i64: 0, 1, 0, 1>}
    : (tensor<1x256x1x1024xf32>, tensor<256x256x1x3xf32>) -> tensor<1x256x1x1024xf32>
  return %0 : tensor<1x256x1x1024xf32>
}

// -----

// Long kernels have tiles of at most 8 places if they have one row or one column, and of 6 otherwise. A kernel that leaves
// none is a direct sum, and so is one of unequal rows and columns.
// CHECK-LABEL: func.func @long_kernels
// CHECK: relay.nn.contrib_conv2d_winograd_weight_transform %{{.*}} {tile_size = 4 : i64} {{.*}} -> tensor<1x8x64x64xf32>
// CHECK: relay.nn.contrib_conv2d_winograd_without_weight_transform
// CHECK: relay.nn.contrib_conv2d_winograd_weight_transform %{{.*}} {tile_size = 2 : i64} {{.*}} -> tensor<8x1x64x64xf32>
// CHECK: relay.nn.contrib_conv2d_winograd_without_weight_transform
// CHECK: relay.nn.contrib_conv2d_winograd_weight_transform %{{.*}} {tile_size = 2 : i64} {{.*}} -> tensor<6x6x64x64xf32>
// CHECK: relay.nn.contrib_conv2d_winograd_without_weight_transform
// CHECK: relay.nn.contrib_conv2d_NCHWc
// CHECK: relay.nn.contrib_conv2d_NCHWc
func.func @long_kernels(%x: tensor<1x64x1x500xf32>, %y: tensor<1x64x500x1xf32>, %z: tensor<1x64x32x32xf32>)
    -> (tensor<1x64x1x496xf32>, tensor<1x64x494x1xf32>, tensor<1x64x28x28xf32>, tensor<1x64x30x28xf32>, tensor<1x64x1x492xf32>) {
  %row = relay.constant dense<1.0> : tensor<64x64x1x5xf32>
  %column = relay.constant dense<1.0> : tensor<64x64x7x1xf32>
  %square = relay.constant dense<1.0> : tensor<64x64x5x5xf32>
  %uneven = relay.constant dense<1.0> : tensor<64x64x3x5xf32>
  %long = relay.constant dense<1.0> : tensor<64x64x1x9xf32>
  %0 = relay.nn.conv2d %x, %row : (tensor<1x64x1x500xf32>, tensor<64x64x1x5xf32>) -> tensor<1x64x1x496xf32>
  %1 = relay.nn.conv2d %y, %column : (tensor<1x64x500x1xf32>, tensor<64x64x7x1xf32>) -> tensor<1x64x494x1xf32>
  %2 = relay.nn.conv2d %z, %square : (tensor<1x64x32x32xf32>, tensor<64x64x5x5xf32>) -> tensor<1x64x28x28xf32>
  %3 = relay.nn.conv2d %z, %uneven : (tensor<1x64x32x32xf32>, tensor<64x64x3x5xf32>) -> tensor<1x64x30x28xf32>
  %4 = relay.nn.conv2d %x, %long : (tensor<1x64x1x500xf32>, tensor<64x64x1x9xf32>) -> tensor<1x64x1x492xf32>
  return %0, %1, %2, %3, %4
    : tensor<1x64x1x496xf32>, tensor<1x64x494x1xf32>, tensor<1x64x28x28xf32>, tensor<1x64x30x28xf32>, tensor<1x64x1x492xf32>
}

// -----

// Of data of bf16, the weight is transformed before it is rounded, and not rounded after; a plain
// convolution's is bf16. So are packed units of a dense layer.
// CHECK-LABEL: func.func @narrow
// CHECK: %[[K:.*]] = relay.constant {{.*}} : tensor<64x64x3x3xf32>
// CHECK: relay.nn.contrib_conv2d_winograd_weight_transform %[[K]] {{.*}} -> tensor<6x6x64x64xf32>
// CHECK: relay.nn.contrib_conv2d_winograd_without_weight_transform {{.*}} : (tensor<1x4x56x56x16xbf16>, tensor<6x6x4x64x16xf32>) -> tensor<1x4x56x56x16xbf16>
// CHECK: relay.nn.contrib_conv2d_NCHWc {{.*}} : (tensor<1x4x56x56x16xbf16>, tensor<4x4x3x3x16x16xbf16>) -> tensor<1x4x28x28x16xbf16>
// CHECK: relay.nn.contrib_dense_pack {{.*}} : (tensor<8x32xbf16>, tensor<4x32x16xbf16>) -> tensor<8x64xbf16>
func.func @narrow(%x: tensor<1x64x56x56xbf16>, %y: tensor<8x32xbf16>, %w: tensor<64x32xbf16>)
    -> (tensor<1x64x56x56xbf16>, tensor<1x64x28x28xbf16>, tensor<8x64xbf16>) {
  %f = relay.constant dense<1.0> : tensor<64x64x3x3xf32>
  %k = relay.cast %f {dtype = bf16} : (tensor<64x64x3x3xf32>) -> tensor<64x64x3x3xbf16>
  %0 = relay.nn.conv2d %x, %k {strides = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>, dilation = array<i64: 1, 1>, groups = 1 : i64}
    : (tensor<1x64x56x56xbf16>, tensor<64x64x3x3xbf16>) -> tensor<1x64x56x56xbf16>
  %1 = relay.nn.conv2d %x, %k {strides = array<i64: 2, 2>, padding = array<i64: 1, 1, 1, 1>, dilation = array<i64: 1, 1>, groups = 1 : i64}
    : (tensor<1x64x56x56xbf16>, tensor<64x64x3x3xbf16>) -> tensor<1x64x28x28xbf16>
  %2 = relay.nn.dense %y, %w : (tensor<8x32xbf16>, tensor<64x32xbf16>) -> tensor<8x64xbf16>
  return %0, %1, %2 : tensor<1x64x56x56xbf16>, tensor<1x64x28x28xbf16>, tensor<8x64xbf16>
}

// -----

// Groups of whole blocks are packed; others of 1 x 1 kernels become products of the pixels in one
// dimension, and what follows works on that shape.
// CHECK-LABEL: func.func @groups
// CHECK: relay.nn.contrib_conv2d_NCHWc {{.*}}groups = 2 : i64{{.*}}tensor<4x1x3x3x16x16xf32>
// CHECK: %[[D:.*]] = relay.reshape %arg1 {newshape = array<i64: 2, 6, 49>}
// CHECK: %[[P:.*]] = relay.nn.batch_matmul %{{.*}}, %[[D]] : {{.*}} -> tensor<2x10x49xf32>
// CHECK: %[[B:.*]] = relay.reshape %arg4 {newshape = array<i64: 2, 10, 1>}
// CHECK: %[[S:.*]] = relay.add %[[P]], %[[B]]
// CHECK: %[[R:.*]] = relay.nn.relu %[[S]]
// CHECK: relay.reshape %[[R]] {newshape = array<i64: 1, 20, 7, 7>}
func.func @groups(%x: tensor<1x32x7x7xf32>, %y: tensor<1x12x7x7xf32>, %w: tensor<64x16x3x3xf32>, %v: tensor<20x6x1x1xf32>, %b: tensor<20x1x1xf32>)
    -> (tensor<1x64x7x7xf32>, tensor<1x20x7x7xf32>) {
  %0 = relay.nn.conv2d %x, %w {strides = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>, dilation = array<i64: 1, 1>, groups = 2 : i64}
    : (tensor<1x32x7x7xf32>, tensor<64x16x3x3xf32>) -> tensor<1x64x7x7xf32>
  %1 = relay.nn.conv2d %y, %v {strides = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>, dilation = array<i64: 1, 1>, groups = 2 : i64}
    : (tensor<1x12x7x7xf32>, tensor<20x6x1x1xf32>) -> tensor<1x20x7x7xf32>
  %2 = relay.add %1, %b : (tensor<1x20x7x7xf32>, tensor<20x1x1xf32>) -> tensor<1x20x7x7xf32>
  %3 = relay.nn.relu %2 : (tensor<1x20x7x7xf32>) -> tensor<1x20x7x7xf32>
  return %0, %3 : tensor<1x64x7x7xf32>, tensor<1x20x7x7xf32>
}

// -----

// Eight channels more make whole vectors of 1000; the result is cut to its own. A 1 x 1 convolution
// sees all pixels in a row, and so does what follows element by element.
// CHECK-LABEL: func.func @fills_up
// CHECK: %[[W:.*]] = relay.nn.pad %arg1, %{{.*}}pad_width = array<i64: 0, 8, 0, 0, 0, 0, 0, 0>
// CHECK: relay.layout_transform %[[W]] {dst_layout = "OIHW16i16o"
// CHECK: %[[C:.*]] = relay.nn.contrib_conv2d_NCHWc {{.*}} -> tensor<1x63x1x9x16xf32>
// CHECK: relay.nn.pad %arg2
// CHECK: %[[S:.*]] = relay.add %[[C]]
// CHECK: %[[R:.*]] = relay.reshape %[[S]] {newshape = array<i64: 1, 63, 3, 3, 16>}
// CHECK: %[[P:.*]] = relay.nn.global_avg_pool2d %[[R]]
// CHECK: %[[U:.*]] = relay.layout_transform %[[P]] {dst_layout = "NCHW", src_layout = "NCHW16c"} : {{.*}} -> tensor<1x1008x1x1xf32>
// CHECK: relay.strided_slice %[[U]] {{.*}} -> tensor<1x1000x1x1xf32>
func.func @fills_up(%x: tensor<1x32x3x3xf32>, %w: tensor<1000x32x1x1xf32>, %b: tensor<1000x1x1xf32>) -> tensor<1x1000x1x1xf32> {
  %0 = relay.nn.conv2d %x, %w {strides = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>, dilation = array<i64: 1, 1>, groups = 1 : i64}
    : (tensor<1x32x3x3xf32>, tensor<1000x32x1x1xf32>) -> tensor<1x1000x3x3xf32>
  %1 = relay.add %0, %b : (tensor<1x1000x3x3xf32>, tensor<1000x1x1xf32>) -> tensor<1x1000x3x3xf32>
  %2 = relay.nn.global_avg_pool2d %1 {layout = "NCHW"} : (tensor<1x1000x3x3xf32>) -> tensor<1x1000x1x1xf32>
  return %2 : tensor<1x1000x1x1xf32>
}

// -----

// A stride takes one pixel of four: they are put together, and a row holds all of them.
// CHECK-LABEL: func.func @strided_pointwise
// CHECK: %[[X:.*]] = relay.layout_transform %arg0 {dst_layout = "NCHW16c"
// CHECK: %[[S:.*]] = relay.strided_slice %[[X]] {axes = array<i64: 2, 3>, begin = array<i64: 0, 0>, end = array<i64: 13, 13>, strides = array<i64: 2, 2>} {{.*}} -> tensor<1x2x7x7x16xf32>
// CHECK: %[[R:.*]] = relay.reshape %[[S]] {newshape = array<i64: 1, 2, 1, 49, 16>}
// CHECK: %[[C:.*]] = relay.nn.contrib_conv2d_NCHWc %[[R]], %{{[0-9]+}} : {{.*}} -> tensor<1x32x1x49x16xf32>
// CHECK: relay.reshape %[[C]] {newshape = array<i64: 1, 32, 7, 7, 16>}
func.func @strided_pointwise(%x: tensor<1x32x13x13xf32>, %w: tensor<512x32x1x1xf32>) -> tensor<1x512x7x7xf32> {
  %0 = relay.nn.conv2d %x, %w {strides = array<i64: 2, 2>, padding = array<i64: 0, 0, 0, 0>, dilation = array<i64: 1, 1>, groups = 1 : i64}
    : (tensor<1x32x13x13xf32>, tensor<512x32x1x1xf32>) -> tensor<1x512x7x7xf32>
  return %0 : tensor<1x512x7x7xf32>
}

// A window of many products fills up its vectors; pairs of input channels are read where they are. Not
// where a result has few products.
// CHECK-LABEL: func.func @fills_up_window
// CHECK: relay.nn.pad %arg1
// CHECK-SAME: -> tensor<32x18x3x3xf32>
// CHECK: relay.nn.contrib_conv2d_NCHWc
// CHECK-SAME: data_layout = "NCHW1c"
// CHECK-SAME: kernel_layout = "OIHW1i16o"
// CHECK-NOT: relay.nn.contrib_conv2d_NCHWc
// CHECK: relay.nn.conv2d
func.func @fills_up_window(%x: tensor<1x18x9x9xf32>, %w: tensor<19x18x3x3xf32>, %v: tensor<9x19x2x2xf32>) -> tensor<1x9x3x3xf32> {
  %0 = relay.nn.conv2d %x, %w {strides = array<i64: 2, 2>, padding = array<i64: 0, 0, 0, 0>, dilation = array<i64: 1, 1>} : (tensor<1x18x9x9xf32>, tensor<19x18x3x3xf32>) -> tensor<1x19x4x4xf32>
  %1 = relay.nn.conv2d %0, %v {strides = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>, dilation = array<i64: 1, 1>} : (tensor<1x19x4x4xf32>, tensor<9x19x2x2xf32>) -> tensor<1x9x3x3xf32>
  return %1 : tensor<1x9x3x3xf32>
}

// -----

// The next convolution takes what fills up a block, with zeros for it in the weight.
// CHECK-LABEL: func.func @stays_filled_up
// CHECK: relay.nn.contrib_conv2d_NCHWc {{.*}} -> tensor<1x13x{{[0-9]+x[0-9]+}}x16xf32>
// CHECK: relay.nn.relu
// CHECK-NOT: src_layout = "NCHW16c"
// CHECK: relay.nn.pad {{.*}} -> tensor<208x208x1x1xf32>
// CHECK: relay.nn.contrib_conv2d_NCHWc {{.*}} (tensor<1x13x{{[0-9]+x[0-9]+}}x16xf32>
func.func @stays_filled_up(%x: tensor<1x32x7x7xf32>, %w: tensor<200x32x1x1xf32>, %v: tensor<200x200x1x1xf32>) -> tensor<1x200x7x7xf32> {
  %0 = relay.nn.conv2d %x, %w {strides = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>, dilation = array<i64: 1, 1>, groups = 1 : i64} : (tensor<1x32x7x7xf32>, tensor<200x32x1x1xf32>) -> tensor<1x200x7x7xf32>
  %1 = relay.nn.relu %0 : (tensor<1x200x7x7xf32>) -> tensor<1x200x7x7xf32>
  %2 = relay.nn.conv2d %1, %v {strides = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>, dilation = array<i64: 1, 1>, groups = 1 : i64} : (tensor<1x200x7x7xf32>, tensor<200x200x1x1xf32>) -> tensor<1x200x7x7xf32>
  return %2 : tensor<1x200x7x7xf32>
}

// -----

// The logarithm of zero is infinite: what fills up is cut off before the next one.
// CHECK-LABEL: func.func @fill_is_cut_off
// CHECK: relay.log
// CHECK: relay.strided_slice {{.*}} -> tensor<1x200x7x7xf32>
// CHECK-NOT: tensor<208x208x1x1xf32>
// CHECK: return
func.func @fill_is_cut_off(%x: tensor<1x32x7x7xf32>, %w: tensor<200x32x1x1xf32>, %v: tensor<200x200x1x1xf32>) -> tensor<1x200x7x7xf32> {
  %0 = relay.nn.conv2d %x, %w {strides = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>, dilation = array<i64: 1, 1>, groups = 1 : i64} : (tensor<1x32x7x7xf32>, tensor<200x32x1x1xf32>) -> tensor<1x200x7x7xf32>
  %1 = relay.log %0 : (tensor<1x200x7x7xf32>) -> tensor<1x200x7x7xf32>
  %2 = relay.nn.conv2d %1, %v {strides = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>, dilation = array<i64: 1, 1>, groups = 1 : i64} : (tensor<1x200x7x7xf32>, tensor<200x200x1x1xf32>) -> tensor<1x200x7x7xf32>
  return %2 : tensor<1x200x7x7xf32>
}

// -----

// Of many pixels that lie plain, vectors of pixels take fewer cycles than blocks of four channels.
// CHECK-LABEL: func.func @odd_channels_of_many_pixels
// CHECK: relay.nn.batch_matmul {{.*}} -> tensor<1x116x196xf32>
// CHECK-NOT: relay.layout_transform
// CHECK: return
func.func @odd_channels_of_many_pixels(%x: tensor<1x116x14x14xf32>, %w: tensor<116x116x1x1xf32>) -> tensor<1x116x14x14xf32> {
  %0 = relay.nn.conv2d %x, %w {strides = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>, dilation = array<i64: 1, 1>, groups = 1 : i64} : (tensor<1x116x14x14xf32>, tensor<116x116x1x1xf32>) -> tensor<1x116x14x14xf32>
  return %0 : tensor<1x116x14x14xf32>
}

// -----

// Nobody knows how many blocks an unknown number of channels has.
// CHECK-LABEL: func.func @unknown_channels
// CHECK-NOT: relay.layout_transform
// CHECK: return
func.func @unknown_channels(%x: tensor<1x12x7x7xf32>, %w: tensor<?x6x1x1xf32>, %b: tensor<?x1x1xf32>) -> tensor<1x?x7x7xf32> {
  %0 = relay.nn.conv2d %x, %w {strides = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>, dilation = array<i64: 1, 1>, groups = 2 : i64} : (tensor<1x12x7x7xf32>, tensor<?x6x1x1xf32>) -> tensor<1x?x7x7xf32>
  %1 = relay.add %0, %b : (tensor<1x?x7x7xf32>, tensor<?x1x1xf32>) -> tensor<1x?x7x7xf32>
  %2 = relay.nn.relu %1 : (tensor<1x?x7x7xf32>) -> tensor<1x?x7x7xf32>
  return %2 : tensor<1x?x7x7xf32>
}
