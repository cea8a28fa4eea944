// Layouts that a tuner chose are found by what an operator computes.
// RUN: relay-opt %s --alter-op-layout='records=%S/Inputs/layouts.jsonl' | FileCheck %s
// RUN: relay-opt %s --alter-op-layout='records=%S/Inputs/layouts.jsonl tuned-for=this' | FileCheck %s
// RUN: relay-opt %s --alter-op-layout='records=%S/Inputs/layouts.jsonl tuned-for=another' | FileCheck %s --check-prefix=OTHER
// RUN: relay-opt %s --alter-op-layout='records=%S/Inputs/layouts.jsonl' --remarks-filter=records 2>&1 | FileCheck %s --check-prefix=SAID
// RUN: not relay-opt %s --alter-op-layout='records=%t.none' 2>&1 | FileCheck %s --check-prefix=NONE

// NONE: error: {{.*}}.none: there is no such file of records

// Where there is no record, an estimate chooses Winograd's algorithm.
// CHECK-LABEL: func.func @direct
// CHECK-NOT: winograd
// CHECK: relay.nn.contrib_conv2d_NCHWc {{.*}} -> tensor<1x8x56x56x8xf32>
// CHECK: return
// OTHER-LABEL: func.func @direct
// OTHER: winograd_without_weight_transform
// SAID-DAG: gets the layout of a record: block=8 direct
func.func @direct(%x: tensor<1x64x56x56xf32>) -> tensor<1x64x56x56xf32> {
  %k = relay.constant dense<1.0> : tensor<64x64x3x3xf32>
  %0 = relay.nn.conv2d %x, %k {strides = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>, dilation = array<i64: 1, 1>, groups = 1 : i64}
    : (tensor<1x64x56x56xf32>, tensor<64x64x3x3xf32>) -> tensor<1x64x56x56xf32>
  return %0 : tensor<1x64x56x56xf32>
}

// CHECK-LABEL: func.func @tiles
// CHECK: winograd_weight_transform {{.*}} {tile_size = 2 : i64}
func.func @tiles(%x: tensor<1x32x56x56xf32>) -> tensor<1x64x56x56xf32> {
  %k = relay.constant dense<1.0> : tensor<64x32x3x3xf32>
  %0 = relay.nn.conv2d %x, %k {strides = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>, dilation = array<i64: 1, 1>, groups = 1 : i64}
    : (tensor<1x32x56x56xf32>, tensor<64x32x3x3xf32>) -> tensor<1x64x56x56xf32>
  return %0 : tensor<1x64x56x56xf32>
}

// A 1 x 1 convolution sees its pixels in half as many rows.
// CHECK-LABEL: func.func @rows
// CHECK: relay.nn.contrib_conv2d_NCHWc {{.*}} -> tensor<1x4x7x28x16xf32>
func.func @rows(%x: tensor<1x64x14x14xf32>, %w: tensor<64x64x1x1xf32>) -> tensor<1x64x14x14xf32> {
  %0 = relay.nn.conv2d %x, %w {strides = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>, dilation = array<i64: 1, 1>, groups = 1 : i64}
    : (tensor<1x64x14x14xf32>, tensor<64x64x1x1xf32>) -> tensor<1x64x14x14xf32>
  return %0 : tensor<1x64x14x14xf32>
}

// The same, as a product of plain pixels.
// CHECK-LABEL: func.func @plain
// CHECK: relay.nn.batch_matmul {{.*}} : (tensor<1x32x64xf32>, tensor<1x64x196xf32>)
func.func @plain(%x: tensor<1x64x14x14xf32>, %w: tensor<32x64x1x1xf32>) -> tensor<1x32x14x14xf32> {
  %0 = relay.nn.conv2d %x, %w {strides = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>, dilation = array<i64: 1, 1>, groups = 1 : i64}
    : (tensor<1x64x14x14xf32>, tensor<32x64x1x1xf32>) -> tensor<1x32x14x14xf32>
  return %0 : tensor<1x32x14x14xf32>
}

// CHECK-LABEL: func.func @dense
// CHECK: %[[W:.*]] = relay.transpose
// CHECK: relay.nn.matmul %arg0, %[[W]]
// OTHER-LABEL: func.func @dense
// OTHER: relay.nn.contrib_dense_pack
func.func @dense(%x: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %w = relay.constant dense<1.0> : tensor<64x64xf32>
  %0 = relay.nn.dense %x, %w : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  return %0 : tensor<64x64xf32>
}

// CHECK-LABEL: func.func @dots
// CHECK: relay.nn.batch_matmul %arg0, %arg1 {transpose_b = true}
// OTHER-LABEL: func.func @dots
// OTHER: %[[T:.*]] = relay.transpose %arg1
// OTHER: relay.nn.batch_matmul %arg0, %[[T]]
func.func @dots(%x: tensor<2x64x8xf32>, %y: tensor<2x20x8xf32>) -> tensor<2x64x20xf32> {
  %0 = relay.nn.batch_matmul %x, %y {transpose_b = true} : (tensor<2x64x8xf32>, tensor<2x20x8xf32>) -> tensor<2x64x20xf32>
  return %0 : tensor<2x64x20xf32>
}

// A stride of two leaves Winograd's algorithm out.
// CHECK-LABEL: func.func @illegal
// CHECK: dst_layout = "OIHW16i16o"
// SAID-DAG: the layout of a record does not apply: block=16 winograd=4 is none of block=16 direct, block=8 direct
func.func @illegal(%x: tensor<1x64x56x56xf32>) -> tensor<1x64x28x28xf32> {
  %k = relay.constant dense<1.0> : tensor<64x64x3x3xf32>
  %0 = relay.nn.conv2d %x, %k {strides = array<i64: 2, 2>, padding = array<i64: 1, 1, 1, 1>, dilation = array<i64: 1, 1>, groups = 1 : i64}
    : (tensor<1x64x56x56xf32>, tensor<64x64x3x3xf32>) -> tensor<1x64x28x28xf32>
  return %0 : tensor<1x64x28x28xf32>
}

// The record is of the default.
// CHECK-LABEL: func.func @default
// CHECK: dst_layout = "OIHW16i16o"
func.func @default(%x: tensor<1x64x28x28xf32>) -> tensor<1x64x14x14xf32> {
  %k = relay.constant dense<1.0> : tensor<64x64x3x3xf32>
  %0 = relay.nn.conv2d %x, %k {strides = array<i64: 2, 2>, padding = array<i64: 1, 1, 1, 1>, dilation = array<i64: 1, 1>, groups = 1 : i64}
    : (tensor<1x64x28x28xf32>, tensor<64x64x3x3xf32>) -> tensor<1x64x14x14xf32>
  return %0 : tensor<1x64x14x14xf32>
}
