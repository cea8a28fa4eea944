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

// The sums of a block, for each byte of the data, are made where they are added up.
// CHECK-LABEL: func.func @few_bits(
// CHECK: %[[SUMS:.+]] = te.compute "block" (%{{.+}}: 3, %{{.+}}: 4, %{{.+}}: 8, %{{.+}}: 64) sum (%{{.+}}: 4, %{{.+}}: 2) as block_sums
// CHECK: tir.dot_bytes
// CHECK: te.compute "dense" (%{{.+}}: 4, %{{.+}}: 64) sum (%{{.+}}: 8) as dense_blocks
// CHECK-COUNT-3: arith.sitofp
// CHECK: %[[STAGE:.+]] = te.stage %[[SUMS]]
// CHECK: te.compute_at %[[STAGE]]
func.func @few_bits(%x: tensor<3x4x64xi32>, %a: tensor<4x8xf32>, %b: tensor<4x8xf32>, %w: tensor<4x32x16xi32>, %s: tensor<4x8x16xf32>, %z: tensor<ui8>) -> tensor<4x64xf32> attributes {relay.primitive} {
  %0 = relay.nn.contrib_dense_digits_pack %x, %a, %b, %w, %s, %z {bits = 4 : i64} : (tensor<3x4x64xi32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x32x16xi32>, tensor<4x8x16xf32>, tensor<ui8>) -> tensor<4x64xf32>
  return %0 : tensor<4x64xf32>
}

// CHECK-LABEL: func.func @matmul(
// CHECK: te.compute "words"
// CHECK: te.compute "matmul" {{.*}} as matmul
// CHECK: tir.dot_bytes
// CHECK: te.compute_inline
func.func @matmul(%x: tensor<2x32x64xui8>, %w: tensor<2x16x32xi32>) -> tensor<2x32x32xi32> attributes {relay.primitive} {
  %0 = relay.qnn.contrib_batch_matmul_pack %x, %w : (tensor<2x32x64xui8>, tensor<2x16x32xi32>) -> tensor<2x32x32xi32>
  return %0 : tensor<2x32x32xi32>
}
