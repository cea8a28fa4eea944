// RUN: relay-opt %s --pass-pipeline='builtin.module(func.func(legalize))' --split-input-file | FileCheck %s

// Channels last become channels first, around both operators once.
// CHECK-LABEL: func.func @last(
// CHECK-DAG: %[[X:.+]] = relay.layout_transform %arg0 {{.*}}dst_layout = "NCHW"{{.*}} -> tensor<1x3x8x8xf32>
// CHECK-DAG: %[[W:.+]] = relay.layout_transform %arg1 {{.*}}dst_layout = "OIHW"{{.*}} -> tensor<16x3x3x3xf32>
// CHECK: %[[C:.+]] = relay.nn.conv2d %[[X]], %[[W]] : (
// CHECK-NEXT: %[[R:.+]] = relay.nn.relu %[[C]]
// CHECK-NEXT: %[[B:.+]] = relay.layout_transform %[[R]] {{.*}} -> tensor<1x6x6x16xf32>
// CHECK-NEXT: return %[[B]]
func.func @last(%x: tensor<1x8x8x3xf32>, %w: tensor<3x3x3x16xf32>) -> tensor<1x6x6x16xf32> {
  %0 = relay.nn.conv2d %x, %w {data_layout = "NHWC", kernel_layout = "HWIO"} : (tensor<1x8x8x3xf32>, tensor<3x3x3x16xf32>) -> tensor<1x6x6x16xf32>
  %1 = relay.nn.relu %0 : (tensor<1x6x6x16xf32>) -> tensor<1x6x6x16xf32>
  return %1 : tensor<1x6x6x16xf32>
}

// -----

// A transposed convolution has inputs before outputs.
// CHECK-LABEL: func.func @transposed(
// CHECK: relay.layout_transform %arg1 {dst_layout = "IOHW", src_layout = "HWIO"}
// CHECK-NEXT: relay.nn.conv2d_transpose %{{.+}}, %{{.+}} : (
func.func @transposed(%x: tensor<1x4x4x2xf32>, %w: tensor<3x3x2x3xf32>) -> tensor<1x6x6x3xf32> {
  %0 = relay.nn.conv2d_transpose %x, %w {data_layout = "NHWC", kernel_layout = "HWIO"} : (tensor<1x4x4x2xf32>, tensor<3x3x2x3xf32>) -> tensor<1x6x6x3xf32>
  return %0 : tensor<1x6x6x3xf32>
}

// -----

// A weight in another order, with data that is legal.
// CHECK-LABEL: func.func @weight(
// CHECK-NEXT: relay.layout_transform %arg1
// CHECK-NEXT: relay.nn.conv1d %arg0
// CHECK-NEXT: return
func.func @weight(%x: tensor<1x4x8xf32>, %w: tensor<3x4x6xf32>) -> tensor<1x6x6xf32> {
  %0 = relay.nn.conv1d %x, %w {kernel_layout = "WIO"} : (tensor<1x4x8xf32>, tensor<3x4x6xf32>) -> tensor<1x6x6xf32>
  return %0 : tensor<1x6x6xf32>
}

// -----

// What is legal stays, and so does what has kernels for any layout.
// CHECK-LABEL: func.func @legal(
// CHECK-NEXT: relay.nn.conv2d
// CHECK-NEXT: return
func.func @legal(%x: tensor<1x3x8x8xf32>, %w: tensor<16x3x3x3xf32>) -> tensor<1x16x6x6xf32> {
  %0 = relay.nn.conv2d %x, %w : (tensor<1x3x8x8xf32>, tensor<16x3x3x3xf32>) -> tensor<1x16x6x6xf32>
  return %0 : tensor<1x16x6x6xf32>
}
// CHECK-LABEL: func.func @pool(
// CHECK-NEXT: relay.nn.max_pool2d
// CHECK-NEXT: return
func.func @pool(%x: tensor<1x8x8x3xf32>) -> tensor<1x7x7x3xf32> {
  %0 = relay.nn.max_pool2d %x {pool_size = array<i64: 2, 2>, layout = "NHWC"} : (tensor<1x8x8x3xf32>) -> tensor<1x7x7x3xf32>
  return %0 : tensor<1x7x7x3xf32>
}
