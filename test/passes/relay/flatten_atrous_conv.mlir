// RUN: relay-opt %s --flatten-atrous-conv | FileCheck %s

// CHECK-LABEL: func.func @block_shape_2
// CHECK-NEXT: %[[CONV:.+]] = relay.nn.conv2d %arg0, %arg1 {
// CHECK-SAME: data_layout = "NHWC", dilation = array<i64: 2, 2>, groups = 4 : i64, kernel_layout = "HWOI", padding = array<i64: 2, 2, 2, 2>}
// CHECK-SAME: (tensor<1x5x5x4xf32>, tensor<3x3x4x1xf32>) -> tensor<1x5x5x4xf32>
// CHECK-NEXT: return %[[CONV]]
func.func @block_shape_2(%x: tensor<1x5x5x4xf32>, %w: tensor<3x3x4x1xf32>) -> tensor<1x5x5x4xf32> {
  %0 = relay.nn.space_to_batch_nd %x {block_shape = array<i64: 2, 2>, paddings = array<i64: 2, 3, 2, 3>} : (tensor<1x5x5x4xf32>) -> tensor<4x5x5x4xf32>
  %1 = relay.nn.conv2d %0, %w {groups = 4 : i64, data_layout = "NHWC", kernel_layout = "HWOI"} : (tensor<4x5x5x4xf32>, tensor<3x3x4x1xf32>) -> tensor<4x3x3x4xf32>
  %2 = relay.nn.batch_to_space_nd %1 {block_shape = array<i64: 2, 2>, crops = array<i64: 0, 1, 0, 1>} : (tensor<4x3x3x4xf32>) -> tensor<1x5x5x4xf32>
  return %2 : tensor<1x5x5x4xf32>
}

// One after the other, with other operators around them.
// CHECK-LABEL: func.func @several
// CHECK: %[[SUM:.+]] = relay.add %arg0
// CHECK-NEXT: %[[FIRST:.+]] = relay.nn.conv2d %[[SUM]], %arg1 {{.*}}dilation = array<i64: 2, 2>{{.*}}padding = array<i64: 2, 2, 2, 2>
// CHECK-NEXT: %[[SECOND:.+]] = relay.nn.conv2d %[[FIRST]], %arg1 {{.*}}dilation = array<i64: 4, 4>{{.*}}padding = array<i64: 4, 4, 4, 4>
// CHECK-NEXT: relay.add %[[SECOND]]
func.func @several(%x: tensor<1x5x5x4xf32>, %w: tensor<3x3x4x1xf32>) -> tensor<1x5x5x4xf32> {
  %one = relay.constant dense<1.0> : tensor<f32>
  %x1 = relay.add %x, %one : (tensor<1x5x5x4xf32>, tensor<f32>) -> tensor<1x5x5x4xf32>
  %0 = relay.nn.space_to_batch_nd %x1 {block_shape = array<i64: 2, 2>, paddings = array<i64: 2, 3, 2, 3>} : (tensor<1x5x5x4xf32>) -> tensor<4x5x5x4xf32>
  %1 = relay.nn.conv2d %0, %w {groups = 4 : i64, data_layout = "NHWC", kernel_layout = "HWOI"} : (tensor<4x5x5x4xf32>, tensor<3x3x4x1xf32>) -> tensor<4x3x3x4xf32>
  %2 = relay.nn.batch_to_space_nd %1 {block_shape = array<i64: 2, 2>, crops = array<i64: 0, 1, 0, 1>} : (tensor<4x3x3x4xf32>) -> tensor<1x5x5x4xf32>
  %3 = relay.nn.space_to_batch_nd %2 {block_shape = array<i64: 4, 4>, paddings = array<i64: 4, 7, 4, 7>} : (tensor<1x5x5x4xf32>) -> tensor<16x4x4x4xf32>
  %4 = relay.nn.conv2d %3, %w {groups = 4 : i64, data_layout = "NHWC", kernel_layout = "HWOI"} : (tensor<16x4x4x4xf32>, tensor<3x3x4x1xf32>) -> tensor<16x2x2x4xf32>
  %5 = relay.nn.batch_to_space_nd %4 {block_shape = array<i64: 4, 4>, crops = array<i64: 0, 3, 0, 3>} : (tensor<16x2x2x4xf32>) -> tensor<1x5x5x4xf32>
  %6 = relay.add %5, %one : (tensor<1x5x5x4xf32>, tensor<f32>) -> tensor<1x5x5x4xf32>
  return %6 : tensor<1x5x5x4xf32>
}

// Blocks, kernels and what is padded and cropped may differ from dimension to dimension, and the convolution may have dilation
// and padding of its own.
// CHECK-LABEL: func.func @nchw
// CHECK-NEXT: relay.nn.conv2d %arg0, %arg1 {dilation = array<i64: 4, 3>, padding = array<i64: 3, 0, 0, 5>}
func.func @nchw(%x: tensor<2x3x7x8xf32>, %w: tensor<5x3x2x3xf32>) -> tensor<2x5x6x7xf32> {
  %0 = relay.nn.space_to_batch_nd %x {block_shape = array<i64: 1, 2, 3>, paddings = array<i64: 0, 0, 1, 0, 1, 0>} : (tensor<2x3x7x8xf32>) -> tensor<12x3x4x3xf32>
  %1 = relay.nn.conv2d %0, %w {dilation = array<i64: 2, 1>, padding = array<i64: 1, 0, 0, 2>} : (tensor<12x3x4x3xf32>, tensor<5x3x2x3xf32>) -> tensor<12x5x3x3xf32>
  %2 = relay.nn.batch_to_space_nd %1 {block_shape = array<i64: 1, 2, 3>, crops = array<i64: 0, 0, 0, 0, 1, 1>} : (tensor<12x5x3x3xf32>) -> tensor<2x5x6x7xf32>
  return %2 : tensor<2x5x6x7xf32>
}

// CHECK-LABEL: func.func @parts
// CHECK-COUNT-2: relay.nn.space_to_batch_nd
// CHECK: relay.nn.batch_to_space_nd
// CHECK: relay.nn.conv2d {{.*}}tensor<4x5x5x4xf32>
// CHECK: relay.nn.conv2d
// CHECK: relay.nn.batch_to_space_nd
func.func @parts(%x: tensor<1x5x5x4xf32>, %y: tensor<4x5x5x4xf32>, %w: tensor<3x3x4x1xf32>)
    -> (tensor<4x5x5x4xf32>, tensor<1x10x10x4xf32>, tensor<4x3x3x4xf32>, tensor<1x5x5x4xf32>) {
  %0 = relay.nn.space_to_batch_nd %x {block_shape = array<i64: 2, 2>, paddings = array<i64: 2, 3, 2, 3>} : (tensor<1x5x5x4xf32>) -> tensor<4x5x5x4xf32>
  %only = relay.nn.space_to_batch_nd %x {block_shape = array<i64: 2, 2>, paddings = array<i64: 3, 2, 3, 2>} : (tensor<1x5x5x4xf32>) -> tensor<4x5x5x4xf32>
  %1 = relay.nn.batch_to_space_nd %y {block_shape = array<i64: 2, 2>, crops = array<i64: 0, 0, 0, 0>} : (tensor<4x5x5x4xf32>) -> tensor<1x10x10x4xf32>
  %2 = relay.nn.conv2d %0, %w {groups = 4 : i64, data_layout = "NHWC", kernel_layout = "HWOI"} : (tensor<4x5x5x4xf32>, tensor<3x3x4x1xf32>) -> tensor<4x3x3x4xf32>
  %3 = relay.nn.conv2d %y, %w {groups = 4 : i64, data_layout = "NHWC", kernel_layout = "HWOI"} : (tensor<4x5x5x4xf32>, tensor<3x3x4x1xf32>) -> tensor<4x3x3x4xf32>
  %4 = relay.nn.batch_to_space_nd %3 {block_shape = array<i64: 2, 2>, crops = array<i64: 0, 1, 0, 1>} : (tensor<4x3x3x4xf32>) -> tensor<1x5x5x4xf32>
  return %only, %1, %2, %4 : tensor<4x5x5x4xf32>, tensor<1x10x10x4xf32>, tensor<4x3x3x4xf32>, tensor<1x5x5x4xf32>
}

// CHECK-LABEL: func.func @something_between
// CHECK-COUNT-2: relay.nn.batch_to_space_nd
func.func @something_between(%x: tensor<1x5x5x4xf32>, %w: tensor<3x3x4x1xf32>) -> (tensor<1x5x5x4xf32>, tensor<1x5x5x4xf32>) {
  %one = relay.constant dense<1.0> : tensor<f32>
  %0 = relay.nn.space_to_batch_nd %x {block_shape = array<i64: 2, 2>, paddings = array<i64: 2, 3, 2, 3>} : (tensor<1x5x5x4xf32>) -> tensor<4x5x5x4xf32>
  %1 = relay.add %0, %one : (tensor<4x5x5x4xf32>, tensor<f32>) -> tensor<4x5x5x4xf32>
  %2 = relay.nn.conv2d %1, %w {groups = 4 : i64, data_layout = "NHWC", kernel_layout = "HWOI"} : (tensor<4x5x5x4xf32>, tensor<3x3x4x1xf32>) -> tensor<4x3x3x4xf32>
  %3 = relay.nn.batch_to_space_nd %2 {block_shape = array<i64: 2, 2>, crops = array<i64: 0, 1, 0, 1>} : (tensor<4x3x3x4xf32>) -> tensor<1x5x5x4xf32>
  %4 = relay.nn.conv2d %0, %w {groups = 4 : i64, data_layout = "NHWC", kernel_layout = "HWOI"} : (tensor<4x5x5x4xf32>, tensor<3x3x4x1xf32>) -> tensor<4x3x3x4xf32>
  %5 = relay.add %4, %one : (tensor<4x3x3x4xf32>, tensor<f32>) -> tensor<4x3x3x4xf32>
  %6 = relay.nn.batch_to_space_nd %5 {block_shape = array<i64: 2, 2>, crops = array<i64: 0, 1, 0, 1>} : (tensor<4x3x3x4xf32>) -> tensor<1x5x5x4xf32>
  return %3, %6 : tensor<1x5x5x4xf32>, tensor<1x5x5x4xf32>
}

// A convolution pads with 0, and not with less than nothing; strides leave results of blocks out; and what is read
// elsewhere would be computed twice.
// CHECK-LABEL: func.func @others
// CHECK-COUNT-4: relay.nn.batch_to_space_nd
// CHECK: return
func.func @others(%x: tensor<1x1x6x6xf32>, %w: tensor<1x1x3x3xf32>)
    -> (tensor<1x1x4x4xf32>, tensor<1x1x1x1xf32>, tensor<1x1x2x2xf32>, tensor<1x1x2x2xf32>, tensor<4x1x1x1xf32>) {
  %0 = relay.nn.space_to_batch_nd %x {block_shape = array<i64: 1, 2, 2>, paddings = array<i64: 0, 0, 1, 1, 1, 1>, pad_value = 1.0} : (tensor<1x1x6x6xf32>) -> tensor<4x1x4x4xf32>
  %1 = relay.nn.conv2d %0, %w : (tensor<4x1x4x4xf32>, tensor<1x1x3x3xf32>) -> tensor<4x1x2x2xf32>
  %2 = relay.nn.batch_to_space_nd %1 {block_shape = array<i64: 1, 2, 2>, crops = array<i64: 0, 0, 0, 0, 0, 0>} : (tensor<4x1x2x2xf32>) -> tensor<1x1x4x4xf32>
  %3 = relay.nn.space_to_batch_nd %x {block_shape = array<i64: 1, 2, 2>, paddings = array<i64: 0, 0, 0, 0, 0, 0>} : (tensor<1x1x6x6xf32>) -> tensor<4x1x3x3xf32>
  %4 = relay.nn.conv2d %3, %w : (tensor<4x1x3x3xf32>, tensor<1x1x3x3xf32>) -> tensor<4x1x1x1xf32>
  %5 = relay.nn.batch_to_space_nd %4 {block_shape = array<i64: 1, 2, 2>, crops = array<i64: 0, 0, 1, 0, 1, 0>} : (tensor<4x1x1x1xf32>) -> tensor<1x1x1x1xf32>
  %6 = relay.nn.conv2d %3, %w {strides = array<i64: 2, 2>} : (tensor<4x1x3x3xf32>, tensor<1x1x3x3xf32>) -> tensor<4x1x1x1xf32>
  %7 = relay.nn.batch_to_space_nd %6 {block_shape = array<i64: 1, 2, 2>, crops = array<i64: 0, 0, 0, 0, 0, 0>} : (tensor<4x1x1x1xf32>) -> tensor<1x1x2x2xf32>
  %8 = relay.nn.conv2d %3, %w : (tensor<4x1x3x3xf32>, tensor<1x1x3x3xf32>) -> tensor<4x1x1x1xf32>
  %9 = relay.nn.batch_to_space_nd %8 {block_shape = array<i64: 1, 2, 2>, crops = array<i64: 0, 0, 0, 0, 0, 0>} : (tensor<4x1x1x1xf32>) -> tensor<1x1x2x2xf32>
  return %2, %5, %7, %9, %8 : tensor<1x1x4x4xf32>, tensor<1x1x1x1xf32>, tensor<1x1x2x2xf32>, tensor<1x1x2x2xf32>, tensor<4x1x1x1xf32>
}
