// On machines that multiply tiles of bytes, a product whose weight lies in words is one intrinsic. It reads the data in bytes, or in
// words where padding or an operator before has made words. Elsewhere, and where tiles do not fit, vectors compute it.
// RUN: relay-opt %s --target=sapphirerapids --relay-to-te | FileCheck %s
// RUN: relay-opt %s --target=x86-64-v4 --relay-to-te | FileCheck %s --check-prefix=VECTORS --implicit-check-not=tensorize --implicit-check-not=te.tensor_intrin
// RUN: relay-opt %s --target=sapphirerapids --relay-to-te --lower-te --erase-signs | FileCheck %s --check-prefix=LOOPS

// Four loads of bytes are a word of the description. The weight of later columns is prefetched.
// CHECK: te.tensor_intrin @amx_bytes_32x32x256by64 attributes {whole}
// CHECK-COUNT-4: tensor.extract %{{.+}} : tensor<32x256xui8>
// CHECK: tensor.extract %{{.+}} : tensor<2x64x16xi32>
// CHECK: tir.dot_bytes
// CHECK: implementation
// CHECK: scf.for
// CHECK-COUNT-8: memref.prefetch %{{.+}}, read, locality<2>, data : memref<2x64x16xi32>
// CHECK-COUNT-2: amx.tile_load %{{.+}} : memref<32x256xui8> into !amx.tile<16x64xi8>
// CHECK-COUNT-2: amx.tile_load %{{.+}} : memref<2x64x16xi32> into !amx.tile<16x64xi8>
// CHECK-COUNT-4: amx.tile_muli %{{.+}} zext, %{{.+}} : !amx.tile<16x64xi8>, !amx.tile<16x64xi8>, !amx.tile<16x16xi32>

// CHECK-LABEL: func.func private @product
// CHECK: %[[WORDS:.+]] = te.compute "words"
// CHECK: te.compute_inline
// CHECK: te.tensorize %{{.+}} {intrin = @amx_bytes_32x32x256by64}
// VECTORS-LABEL: func.func private @product
// VECTORS: te.vectorize
// LOOPS-LABEL: func.func private @product
// LOOPS: amx.tile_load %arg0{{.+}} : memref<64x256xi8> into !amx.tile<16x64xi8>
// LOOPS: amx.tile_load %arg1{{.+}} : memref<4x64x16xi32> into !amx.tile<16x64xi8>
func.func private @product(%x: tensor<64x256xui8>, %w: tensor<4x64x16xi32>) -> tensor<64x64xi32> attributes {relay.primitive} {
  %0 = relay.qnn.contrib_dense_pack %x, %w : (tensor<64x256xui8>, tensor<4x64x16xi32>) -> tensor<64x64xi32>
  return %0 : tensor<64x64xi32>
}

// One row, words that no step of four or more divides, and an odd number of tiles of columns are for vectors.
// CHECK-LABEL: func.func private @row
// CHECK-NOT: te.tensorize
// CHECK-LABEL: func.func private @conv
func.func private @row(%x: tensor<1x256xui8>, %w: tensor<4x64x16xi32>) -> tensor<1x64xi32> attributes {relay.primitive} {
  %0 = relay.qnn.contrib_dense_pack %x, %w : (tensor<1x256xui8>, tensor<4x64x16xi32>) -> tensor<1x64xi32>
  return %0 : tensor<1x64xi32>
}
func.func private @prime(%x: tensor<64x68xui8>, %w: tensor<4x17x16xi32>) -> tensor<64x64xi32> attributes {relay.primitive} {
  %0 = relay.qnn.contrib_dense_pack %x, %w : (tensor<64x68xui8>, tensor<4x17x16xi32>) -> tensor<64x64xi32>
  return %0 : tensor<64x64xi32>
}
func.func private @odd(%x: tensor<64x256xui8>, %w: tensor<3x64x16xi32>) -> tensor<64x48xi32> attributes {relay.primitive} {
  %0 = relay.qnn.contrib_dense_pack %x, %w : (tensor<64x256xui8>, tensor<3x64x16xi32>) -> tensor<64x48xi32>
  return %0 : tensor<64x48xi32>
}

// A block of 64 channels fills a row of a tile; those of the result are four tiles, of which two are computed together.
// CHECK: te.tensorize %{{.+}} {intrin = @amx_bytes_conv_1x1_by_1x1_1x1_of_4x14x28x16_to_2x1x28x64}
// LOOPS-LABEL: func.func private @conv
// LOOPS: %[[LOCAL:.+]] = tir.alloc_buffer : memref<1x1x1x28x32xi32, #tir.scope<local>>
// LOOPS-COUNT-2: amx.tile_load %arg0{{.+}} : memref<1x4x14x28x64xi8> into !amx.tile<14x64xi8>
// LOOPS-COUNT-2: amx.tile_load %arg1{{.+}}, %c64{{.*}} : memref<2x4x1x1x16x64xi32> into !amx.tile<16x64xi8>
// LOOPS-COUNT-4: amx.tile_store %[[LOCAL]]
func.func private @conv(%x: tensor<1x4x14x28x64xui8>, %w: tensor<2x4x1x1x16x64xi32>) -> tensor<1x2x14x28x64xi32> attributes {relay.primitive} {
  %0 = relay.qnn.contrib_conv2d_NCHWc %x, %w {kernel_layout = "OIHW16i64o", data_layout = "NCHW16c"}
    : (tensor<1x4x14x28x64xui8>, tensor<2x4x1x1x16x64xi32>) -> tensor<1x2x14x28x64xi32>
  return %0 : tensor<1x2x14x28x64xi32>
}

// Padding is a copy in words, of which tiles are read; blocks of 16 channels come in pairs.
// CHECK-LABEL: func.func private @padded
// CHECK: te.compute "pad"
// CHECK: te.tensorize %{{.+}} {intrin = @amx_words_conv_3x3_by_1x1_1x1_of_4x16x16x4_to_2x2x14x16}
// LOOPS-LABEL: func.func private @padded
// LOOPS: %[[PAD:.+]] = {{.*}} : memref<1x4x16x16x4xi32>
// LOOPS: amx.tile_load %[[PAD]]{{.+}} : memref<1x4x16x16x4xi32> into !amx.tile<14x48xi8>
func.func private @padded(%x: tensor<1x4x14x14x16xui8>, %w: tensor<2x4x3x3x4x16xi32>) -> tensor<1x2x14x14x16xi32> attributes {relay.primitive} {
  %0 = relay.qnn.contrib_conv2d_NCHWc %x, %w {kernel_layout = "OIHW4i16o", data_layout = "NCHW4c", padding = array<i64: 1, 1, 1, 1>}
    : (tensor<1x4x14x14x16xui8>, tensor<2x4x3x3x4x16xi32>) -> tensor<1x2x14x14x16xi32>
  return %0 : tensor<1x2x14x14x16xi32>
}

// An image in words.
// CHECK-LABEL: func.func private @image
// CHECK: te.tensorize %{{.+}} {intrin = @amx_words_conv_7x7_by_2x2_1x1_of_1x20x37x1_to_2x2x16x64}
func.func private @image(%x: tensor<1x1x20x37x1xi32>, %w: tensor<1x1x7x7x1x64xi32>) -> tensor<1x1x7x16x64xi32> attributes {relay.primitive} {
  %0 = relay.qnn.contrib_conv2d_NCHWc %x, %w {kernel_layout = "OIHW1i64o", data_layout = "NCHW1c", strides = array<i64: 2, 2>}
    : (tensor<1x1x20x37x1xi32>, tensor<1x1x7x7x1x64xi32>) -> tensor<1x1x7x16x64xi32>
  return %0 : tensor<1x1x7x16x64xi32>
}
