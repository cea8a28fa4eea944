// RUN: relay-opt %s --attach-target=target=x86-64-v4 --relay-to-te | FileCheck %s

// The words of the data are read where they are multiplied: a load reads a word.
// CHECK-LABEL: func.func @conv2d(
// CHECK: %[[WORDS:.+]] = te.compute "words" (%{{.+}}: 1, %{{.+}}: 1, %{{.+}}: 8, %{{.+}}: 8, %{{.+}}: 4) as words
// CHECK-COUNT-4: tensor.extract
// CHECK: %[[CONV:.+]] = te.compute "conv2d" {{.*}} as packed_conv
// CHECK: tir.dot_bytes
// CHECK: %[[STAGE:.+]] = te.stage %[[WORDS]]
// CHECK-NEXT: te.compute_inline %[[STAGE]]
func.func @conv2d(%x: tensor<1x1x8x8x16xui8>, %w: tensor<2x1x1x1x4x16xi32>) -> tensor<1x2x8x8x16xi32> attributes {relay.primitive} {
  %0 = relay.qnn.contrib_conv2d_NCHWc %x, %w : (tensor<1x1x8x8x16xui8>, tensor<2x1x1x1x4x16xi32>) -> tensor<1x2x8x8x16xi32>
  return %0 : tensor<1x2x8x8x16xi32>
}

// CHECK-LABEL: func.func @dense(
// CHECK: te.compute "words"
// CHECK: te.compute "dense" {{.*}} as packed_dense
// CHECK: te.compute_inline
func.func @dense(%x: tensor<32x64xui8>, %w: tensor<2x16x16xi32>) -> tensor<32x32xi32> attributes {relay.primitive} {
  %0 = relay.qnn.contrib_dense_pack %x, %w : (tensor<32x64xui8>, tensor<2x16x16xi32>) -> tensor<32x32xi32>
  return %0 : tensor<32x32xi32>
}

// Padding makes a copy in words.
// CHECK-LABEL: func.func @padded(
// CHECK: te.compute "words"
// CHECK: te.compute "pad" {{.*}} as pad
// CHECK: te.compute "conv2d"
func.func @padded(%x: tensor<1x1x8x8x16xui8>, %w: tensor<2x1x3x3x4x16xi32>) -> tensor<1x2x8x8x16xi32> attributes {relay.primitive} {
  %0 = relay.qnn.contrib_conv2d_NCHWc %x, %w {padding = array<i64: 1, 1, 1, 1>} : (tensor<1x1x8x8x16xui8>, tensor<2x1x3x3x4x16xi32>) -> tensor<1x2x8x8x16xi32>
  return %0 : tensor<1x2x8x8x16xi32>
}
