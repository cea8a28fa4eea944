// Convolutions of one and three dimensions become those of two.
// RUN: relay-opt %s --alter-op-layout | FileCheck %s

// A line is one row; what follows element by element stays on it.
// CHECK-LABEL: func.func @line
// CHECK: relay.nn.contrib_conv2d_NCHWc
// CHECK-SAME: padding = array<i64: 0, 4, 0, 3>
// CHECK-SAME: strides = array<i64: 1, 2>
// CHECK-SAME: -> tensor<1x4x1x20x16xf32>
// CHECK-NOT: relay.reshape {{.*}}tensor<1x64x20xf32>
// CHECK: relay.nn.relu %{{.*}} : (tensor<1x4x1x20x16xf32>)
// CHECK: relay.reshape %{{.*}} -> tensor<1x64x20xf32>
func.func @line(%x: tensor<1x32x40xf32>, %w: tensor<64x32x9xf32>, %b: tensor<64x1xf32>) -> tensor<1x64x20xf32> {
  %0 = relay.nn.conv1d %x, %w {strides = array<i64: 2>, padding = array<i64: 4, 3>, dilation = array<i64: 1>} : (tensor<1x32x40xf32>, tensor<64x32x9xf32>) -> tensor<1x64x20xf32>
  %1 = relay.add %0, %b : (tensor<1x64x20xf32>, tensor<64x1xf32>) -> tensor<1x64x20xf32>
  %2 = relay.nn.relu %1 : (tensor<1x64x20xf32>) -> tensor<1x64x20xf32>
  return %2 : tensor<1x64x20xf32>
}

// The planes that each plane of the result meets are its channels.
// CHECK-LABEL: func.func @volume
// CHECK: %[[P:.*]] = relay.nn.pad %arg0
// CHECK-SAME: pad_width = array<i64: 0, 0, 0, 0, 1, 0, 0, 0, 0, 0>
// CHECK: %[[A:.*]] = relay.strided_slice %[[P]] {axes = array<i64: 2>, begin = array<i64: 0>, end = array<i64: 5>, strides = array<i64: 2>}
// CHECK: %[[B:.*]] = relay.strided_slice %[[P]] {axes = array<i64: 2>, begin = array<i64: 1>, end = array<i64: 6>, strides = array<i64: 2>}
// CHECK: relay.concatenate %[[A]], %[[B]] {axis = 1 : i64}
// CHECK: relay.nn.contrib_conv2d_NCHWc
// CHECK-SAME: -> tensor<6x2x6x5x16xf32>
// CHECK: relay.transpose %{{.*}} {axes = array<i64: 0, 2, 1, 3, 4>} : (tensor<2x3x32x6x5xf32>) -> tensor<2x32x3x6x5xf32>
func.func @volume(%x: tensor<2x32x5x8x7xf32>, %w: tensor<32x32x2x3x3xf32>) -> tensor<2x32x3x6x5xf32> {
  %0 = relay.nn.conv3d %x, %w {strides = array<i64: 2, 1, 1>, padding = array<i64: 1, 0, 0, 0, 0, 0>, dilation = array<i64: 1, 1, 1>} : (tensor<2x32x5x8x7xf32>, tensor<32x32x2x3x3xf32>) -> tensor<2x32x3x6x5xf32>
  return %0 : tensor<2x32x3x6x5xf32>
}

// CHECK-LABEL: func.func @pixels
// CHECK: relay.nn.batch_matmul %{{.*}} : (tensor<1x20x16xf32>, tensor<2x16x60xf32>) -> tensor<2x20x60xf32>
// CHECK-NEXT: relay.nn.relu %{{.*}} : (tensor<2x20x60xf32>)
func.func @pixels(%x: tensor<2x16x3x4x5xf32>, %w: tensor<20x16x1x1x1xf32>) -> tensor<2x20x3x4x5xf32> {
  %0 = relay.nn.conv3d %x, %w {strides = array<i64: 1, 1, 1>, padding = array<i64: 0, 0, 0, 0, 0, 0>, dilation = array<i64: 1, 1, 1>} : (tensor<2x16x3x4x5xf32>, tensor<20x16x1x1x1xf32>) -> tensor<2x20x3x4x5xf32>
  %1 = relay.nn.relu %0 : (tensor<2x20x3x4x5xf32>) -> tensor<2x20x3x4x5xf32>
  return %1 : tensor<2x20x3x4x5xf32>
}

// Planes are the rows of an image, of as many columns as a plane has pixels.
// CHECK-LABEL: func.func @over_planes
// CHECK: relay.nn.contrib_conv2d_NCHWc
// CHECK-SAME: padding = array<i64: 1, 0, 1, 0>
// CHECK-SAME: -> tensor<1x2x8x20x16xf32>
// CHECK: relay.nn.relu %{{.*}} : (tensor<1x2x8x20x16xf32>)
func.func @over_planes(%x: tensor<1x32x8x4x5xf32>, %w: tensor<32x32x3x1x1xf32>) -> tensor<1x32x8x4x5xf32> {
  %0 = relay.nn.conv3d %x, %w {strides = array<i64: 1, 1, 1>, padding = array<i64: 1, 0, 0, 1, 0, 0>, dilation = array<i64: 1, 1, 1>} : (tensor<1x32x8x4x5xf32>, tensor<32x32x3x1x1xf32>) -> tensor<1x32x8x4x5xf32>
  %1 = relay.nn.relu %0 : (tensor<1x32x8x4x5xf32>) -> tensor<1x32x8x4x5xf32>
  return %1 : tensor<1x32x8x4x5xf32>
}

// So few channels are not worth moving, nor are long rows of somewhat more.
// CHECK-LABEL: func.func @in_place
// CHECK-NEXT: relay.nn.conv3d %arg0
// CHECK-NEXT: relay.nn.conv3d %arg1
// CHECK-NEXT: return
func.func @in_place(%x: tensor<1x4x5x8x8xf32>, %y: tensor<1x32x64x64x66xf32>, %w: tensor<4x4x3x3x3xf32>, %v: tensor<32x32x3x3x3xf32>) -> (tensor<1x4x3x6x6xf32>, tensor<1x32x62x62x64xf32>) {
  %0 = relay.nn.conv3d %x, %w {strides = array<i64: 1, 1, 1>, padding = array<i64: 0, 0, 0, 0, 0, 0>, dilation = array<i64: 1, 1, 1>} : (tensor<1x4x5x8x8xf32>, tensor<4x4x3x3x3xf32>) -> tensor<1x4x3x6x6xf32>
  %1 = relay.nn.conv3d %y, %v {strides = array<i64: 1, 1, 1>, padding = array<i64: 0, 0, 0, 0, 0, 0>, dilation = array<i64: 1, 1, 1>} : (tensor<1x32x64x64x66xf32>, tensor<32x32x3x3x3xf32>) -> tensor<1x32x62x62x64xf32>
  return %0, %1 : tensor<1x4x3x6x6xf32>, tensor<1x32x62x62x64xf32>
}

// Groups, few products to a result, an unknown extent.
// CHECK-LABEL: func.func @left_alone
// CHECK-NEXT: relay.nn.conv1d %arg0
// CHECK-NEXT: relay.nn.conv1d %arg1
// CHECK-NEXT: relay.nn.conv1d %arg2
// CHECK-NEXT: return
func.func @left_alone(%x: tensor<1x8x9xf32>, %y: tensor<1x1x9xf32>, %z: tensor<?x8x9xf32>, %w: tensor<8x4x9xf32>, %v: tensor<16x1x9xf32>, %u: tensor<8x8x9xf32>) -> (tensor<1x8x1xf32>, tensor<1x16x1xf32>, tensor<?x8x1xf32>) {
  %0 = relay.nn.conv1d %x, %w {groups = 2 : i64, strides = array<i64: 1>, padding = array<i64: 0, 0>, dilation = array<i64: 1>} : (tensor<1x8x9xf32>, tensor<8x4x9xf32>) -> tensor<1x8x1xf32>
  %1 = relay.nn.conv1d %y, %v {strides = array<i64: 1>, padding = array<i64: 0, 0>, dilation = array<i64: 1>} : (tensor<1x1x9xf32>, tensor<16x1x9xf32>) -> tensor<1x16x1xf32>
  %2 = relay.nn.conv1d %z, %u {strides = array<i64: 1>, padding = array<i64: 0, 0>, dilation = array<i64: 1>} : (tensor<?x8x9xf32>, tensor<8x8x9xf32>) -> tensor<?x8x1xf32>
  return %0, %1, %2 : tensor<1x8x1xf32>, tensor<1x16x1xf32>, tensor<?x8x1xf32>
}

// Of one sample, the planes stay samples of an image until something else than a convolution reads the volume, and
// channels stay in blocks.
// CHECK-LABEL: func.func @volumes
// CHECK: relay.transpose %arg0
// CHECK: relay.nn.contrib_conv2d_NCHWc
// CHECK-SAME: -> tensor<4x2x8x8x16xf32>
// CHECK-NOT: transpose %{{[0-9]}}
// CHECK: relay.add %{{.*}} : (tensor<4x2x8x8x16xf32>, tensor<1x2x1x1x16xf32>)
// CHECK-NOT: transpose %{{[0-9]}}
// CHECK: %[[RELU:.*]] = relay.nn.relu
// CHECK-NOT: transpose %{{[0-9]}}
// CHECK: %[[PAD:.*]] = relay.nn.pad %[[RELU]]
// CHECK-SAME: -> tensor<6x2x8x8x16xf32>
// CHECK-COUNT-3: relay.strided_slice %[[PAD]]
// CHECK: relay.concatenate
// CHECK-SAME: -> tensor<4x6x8x8x16xf32>
// CHECK: relay.nn.contrib_conv2d_NCHWc
// CHECK-SAME: -> tensor<4x2x8x8x16xf32>
// CHECK: relay.transpose %{{.*}} -> tensor<1x32x4x8x8xf32>
func.func @volumes(%x: tensor<1x32x4x8x8xf32>, %v: tensor<32x32x3x3x3xf32>, %w: tensor<32x32x3x3x3xf32>, %b: tensor<32x1x1x1xf32>) -> tensor<1x32x4x8x8xf32> {
  %0 = relay.nn.conv3d %x, %v {padding = array<i64: 1, 1, 1, 1, 1, 1>} : (tensor<1x32x4x8x8xf32>, tensor<32x32x3x3x3xf32>) -> tensor<1x32x4x8x8xf32>
  %1 = relay.add %0, %b : (tensor<1x32x4x8x8xf32>, tensor<32x1x1x1xf32>) -> tensor<1x32x4x8x8xf32>
  %2 = relay.nn.relu %1 : (tensor<1x32x4x8x8xf32>) -> tensor<1x32x4x8x8xf32>
  %3 = relay.nn.conv3d %2, %w {padding = array<i64: 1, 1, 1, 1, 1, 1>} : (tensor<1x32x4x8x8xf32>, tensor<32x32x3x3x3xf32>) -> tensor<1x32x4x8x8xf32>
  return %3 : tensor<1x32x4x8x8xf32>
}
