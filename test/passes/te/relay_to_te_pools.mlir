// RUN: relay-opt %s --relay-to-te | FileCheck %s

// Maxima of large windows are those of columns of maxima of rows.
// CHECK-LABEL: func.func private @large
// CHECK: %[[ROWS:.+]] = te.compute "max_pool2d" ({{.*}}) max (%{{.+}}: 13)
// CHECK: } : tensor<1x8x20x20xf32>
// CHECK: te.compute "pad"
// CHECK: tensor.extract %[[ROWS]]
// CHECK: te.compute "max_pool2d" ({{.*}}) max (%{{.+}}: 13)
// CHECK: } : tensor<1x8x20x20xf32>
// CHECK: te.schedule
func.func private @large(%x: tensor<1x8x20x20xf32>) -> tensor<1x8x20x20xf32> attributes {relay.primitive} {
  %0 = relay.nn.max_pool2d %x {pool_size = array<i64: 13, 13>, strides = array<i64: 1, 1>, dilation = array<i64: 1, 1>, padding = array<i64: 6, 6, 6, 6>} : (tensor<1x8x20x20xf32>) -> tensor<1x8x20x20xf32>
  return %0 : tensor<1x8x20x20xf32>
}

// Small windows, and those that do not overlap, are taken at once.
// CHECK-LABEL: func.func private @small
// CHECK: te.compute "max_pool2d" ({{.*}}) max (%{{.+}}: 3, %{{.+}}: 3)
// CHECK-LABEL: func.func private @apart
// CHECK: te.compute "max_pool2d" ({{.*}}) max (%{{.+}}: 5, %{{.+}}: 5)
func.func private @small(%x: tensor<1x8x20x20xf32>) -> tensor<1x8x18x18xf32> attributes {relay.primitive} {
  %0 = relay.nn.max_pool2d %x {pool_size = array<i64: 3, 3>, strides = array<i64: 1, 1>, dilation = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>} : (tensor<1x8x20x20xf32>) -> tensor<1x8x18x18xf32>
  return %0 : tensor<1x8x18x18xf32>
}
func.func private @apart(%x: tensor<1x8x20x20xf32>) -> tensor<1x8x4x4xf32> attributes {relay.primitive} {
  %0 = relay.nn.max_pool2d %x {pool_size = array<i64: 5, 5>, strides = array<i64: 5, 5>, dilation = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>} : (tensor<1x8x20x20xf32>) -> tensor<1x8x4x4xf32>
  return %0 : tensor<1x8x4x4xf32>
}
