// RUN: %roundtrip | FileCheck %s

// CHECK-LABEL: func.func @pools(
func.func @pools(%g: tensor<2x3x3x5xf32>, %x: tensor<2x3x6x5xf32>) {
  // CHECK: relay.nn.max_pool2d_grad {{.*}} -> tensor<2x3x6x5xf32>
  %0 = relay.nn.max_pool2d_grad %g, %x {pool_size = array<i64: 3, 2>, strides = array<i64: 2, 1>, padding = array<i64: 1, 0, 1, 1>} : (tensor<2x3x3x5xf32>, tensor<2x3x6x5xf32>) -> tensor<2x3x6x5xf32>
  // CHECK: relay.nn.avg_pool2d_grad {{.*}}count_include_pad = true
  %1 = relay.nn.avg_pool2d_grad %g, %x {pool_size = array<i64: 3, 2>, strides = array<i64: 2, 1>, padding = array<i64: 1, 0, 1, 1>, count_include_pad = true} : (tensor<2x3x3x5xf32>, tensor<2x3x6x5xf32>) -> tensor<2x3x6x5xf32>
  return
}

// CHECK-LABEL: func.func @weight(
func.func @weight(%g: tensor<2x6x4x5xf32>, %x: tensor<2x4x9x7xf32>) {
  // CHECK: relay.nn.conv2d_backward_weight {{.*}} -> tensor<6x2x3x3xf32>
  %0 = relay.nn.conv2d_backward_weight %g, %x {kernel_size = array<i64: 3, 3>, strides = array<i64: 2, 1>, padding = array<i64: 1, 0, 0, 2>, dilation = array<i64: 1, 2>, groups = 2 : i64} : (tensor<2x6x4x5xf32>, tensor<2x4x9x7xf32>) -> tensor<6x2x3x3xf32>
  return
}
