// RUN: relay-opt %s --relay-to-te | FileCheck %s

// A schedule knows a stage by its role, not by what it is called.

// The padding that a convolution asks for is computed for some rows of its result at a time.
// CHECK-LABEL: func.func private @own_padding
// CHECK: %[[PAD:.+]] = te.compute "pad" ({{.*}}) as pad {
// CHECK: te.schedule
// CHECK: %[[P:.+]] = te.stage %[[PAD]]
// CHECK: te.compute_at %[[P]],
func.func private @own_padding(%x: tensor<1x4x56x56x16xf32>, %w: tensor<4x1x3x3x1x16xf32>) -> tensor<1x4x56x56x16xf32> attributes {relay.primitive} {
  %0 = relay.nn.contrib_depthwise_conv2d_NCHWc %x, %w {data_layout = "NCHW16c", dilation = array<i64: 1, 1>, groups = 64 : i64, kernel_layout = "OIHW1i16o", padding = array<i64: 1, 1, 1, 1>, strides = array<i64: 1, 1>} : (tensor<1x4x56x56x16xf32>, tensor<4x1x3x3x1x16xf32>) -> tensor<1x4x56x56x16xf32>
  return %0 : tensor<1x4x56x56x16xf32>
}

// The operator of that name is a stage as any other, though its stage is called the same.
// CHECK-LABEL: func.func private @operator
// CHECK: %[[PAD:.+]] = te.compute "pad" ({{.*}}) {
// CHECK: te.schedule
// CHECK: %[[P:.+]] = te.stage %[[PAD]]
// CHECK-NOT: te.compute_at %[[P]],
// CHECK: return
func.func private @operator(%x: tensor<1x4x56x56x16xf32>, %v: tensor<f32>, %w: tensor<4x1x3x3x1x16xf32>) -> tensor<1x4x56x56x16xf32> attributes {relay.primitive} {
  %0 = relay.nn.pad %x, %v {pad_mode = "constant", pad_width = array<i64: 0, 0, 0, 0, 1, 1, 1, 1, 0, 0>} : (tensor<1x4x56x56x16xf32>, tensor<f32>) -> tensor<1x4x58x58x16xf32>
  %1 = relay.nn.contrib_depthwise_conv2d_NCHWc %0, %w {data_layout = "NCHW16c", dilation = array<i64: 1, 1>, groups = 64 : i64, kernel_layout = "OIHW1i16o", padding = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x4x58x58x16xf32>, tensor<4x1x3x3x1x16xf32>) -> tensor<1x4x56x56x16xf32>
  return %1 : tensor<1x4x56x56x16xf32>
}
