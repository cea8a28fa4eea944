// On machines that multiply tiles, a product of bf16 whose weight lies in pairs is one intrinsic; elsewhere, and
// where tiles do not fit, it is a loop of vectors.
// RUN: relay-opt %s --relay-to-te=tiles=true | FileCheck %s
// RUN: relay-opt %s --relay-to-te | FileCheck %s --check-prefix=VECTORS --implicit-check-not=tensorize --implicit-check-not=te.tensor_intrin
// RUN: relay-opt %s --lower-te=tiles=true | FileCheck %s --check-prefix=LOOPS

// CHECK: te.tensor_intrin @amx_26x32x144by24 attributes {whole}
// CHECK: te.compute "c" reduce [72, 2] "sum"
// CHECK: implementation
// CHECK: scf.for
// CHECK-COUNT-2: amx.tile_load %{{.+}} into !amx.tile<13x24xbf16>
// CHECK-COUNT-2: amx.tile_load %{{.+}} into !amx.tile<12x32xbf16>
// CHECK-COUNT-4: amx.tile_mulf
// CHECK-COUNT-4: amx.tile_store
// CHECK-NOT: te.tensor_intrin

// Both operands are read as they lie; 49 rows are two blocks of 26, of which the second lies over the first.
// CHECK-LABEL: func.func private @product
// CHECK: %[[DATA:.+]] = te.compute "widen" reduce [] ""
// CHECK: %[[WEIGHT:.+]] = te.compute "widen" reduce [] ""
// CHECK: te.schedule
// CHECK-DAG: %[[X:.+]] = te.stage %[[DATA]]
// CHECK-DAG: te.compute_inline %[[X]]
// CHECK-DAG: %[[W:.+]] = te.stage %[[WEIGHT]]
// CHECK-DAG: te.compute_inline %[[W]]
// CHECK: te.split %{{.+}} {factor = 26 : i64}
// CHECK: te.split %{{.+}} {factor = 32 : i64}
// CHECK: te.tensorize %{{.+}} {intrin = @amx_26x32x144by24}

// VECTORS-LABEL: func.func private @product
// VECTORS: te.vectorize

// LOOPS-NOT: te.tensor_intrin
// LOOPS-LABEL: func.func private @product
// LOOPS: arith.minsi %{{.+}}, %c23
// LOOPS: amx.tile_mulf
func.func private @product(%x: tensor<49x144xbf16>, %w: tensor<4x72x16x2xbf16>) -> tensor<49x64xbf16> attributes {relay.primitive} {
  %0 = relay.nn.contrib_dense_pack %x, %w {weight_layout = "NC16n2c"} : (tensor<49x144xbf16>, tensor<4x72x16x2xbf16>) -> tensor<49x64xbf16>
  %1 = relay.nn.relu %0 : (tensor<49x64xbf16>) -> tensor<49x64xbf16>
  return %1 : tensor<49x64xbf16>
}

// An intrinsic is declared once.
// CHECK-LABEL: func.func private @another
// CHECK: te.tensorize %{{.+}} {intrin = @amx_26x32x144by24}
func.func private @another(%x: tensor<26x144xbf16>, %w: tensor<4x72x16x2xbf16>) -> tensor<26x64xbf16> attributes {relay.primitive} {
  %0 = relay.nn.contrib_dense_pack %x, %w {weight_layout = "NC16n2c"} : (tensor<26x144xbf16>, tensor<4x72x16x2xbf16>) -> tensor<26x64xbf16>
  return %0 : tensor<26x64xbf16>
}

// Weights in blocks of a vector are for vectors.
// CHECK-LABEL: func.func private @blocks
// CHECK-NOT: te.tensorize
// LOOPS-LABEL: func.func private @blocks
// LOOPS-NOT: amx
func.func private @blocks(%x: tensor<49x144xbf16>, %w: tensor<4x144x16xbf16>) -> tensor<49x64xbf16> attributes {relay.primitive} {
  %0 = relay.nn.contrib_dense_pack %x, %w {weight_layout = "NC16n"} : (tensor<49x144xbf16>, tensor<4x144x16xbf16>) -> tensor<49x64xbf16>
  return %0 : tensor<49x64xbf16>
}

// So are f32, one row, and an odd number of columns' tiles.
// CHECK-LABEL: func.func private @others
// CHECK-NOT: te.tensorize
// LOOPS-LABEL: func.func private @others
// LOOPS-NOT: amx
func.func private @others(%x: tensor<49x144xf32>, %w: tensor<4x72x16x2xf32>) -> tensor<49x64xf32> attributes {relay.primitive} {
  %0 = relay.nn.contrib_dense_pack %x, %w {weight_layout = "NC16n2c"} : (tensor<49x144xf32>, tensor<4x72x16x2xf32>) -> tensor<49x64xf32>
  return %0 : tensor<49x64xf32>
}
func.func private @one_row(%x: tensor<1x144xbf16>, %w: tensor<4x72x16x2xbf16>) -> tensor<1x64xbf16> attributes {relay.primitive} {
  %0 = relay.nn.contrib_dense_pack %x, %w {weight_layout = "NC16n2c"} : (tensor<1x144xbf16>, tensor<4x72x16x2xbf16>) -> tensor<1x64xbf16>
  return %0 : tensor<1x64xbf16>
}
func.func private @odd(%x: tensor<49x144xbf16>, %w: tensor<3x72x16x2xbf16>) -> tensor<49x48xbf16> attributes {relay.primitive} {
  %0 = relay.nn.contrib_dense_pack %x, %w {weight_layout = "NC16n2c"} : (tensor<49x144xbf16>, tensor<3x72x16x2xbf16>) -> tensor<49x48xbf16>
  return %0 : tensor<49x48xbf16>
}

// The pixels of a row, with channels in blocks of 16, by two blocks of channels of the result.
// CHECK-LABEL: func.func private @pixels
// CHECK: te.split %{{.+}} {factor = 2 : i64}
// CHECK: te.split %{{.+}} {factor = 28 : i64}
// CHECK: te.tensorize %{{.+}} {intrin = @amx_blocks_28x32x64by16}
// LOOPS-LABEL: func.func private @pixels
// LOOPS: %[[LOCAL:.+]] = tir.alloc_buffer "local" : memref<1x2x1x28x16xf32>
// LOOPS: scf.for
// LOOPS-COUNT-2: amx.tile_load %{{.+}} : memref<1x4x7x28x16xbf16> into !amx.tile<14x16xbf16>
// LOOPS-COUNT-2: amx.tile_load %{{.+}} : memref<8x32x1x1x16x2xbf16> into !amx.tile<8x32xbf16>
// LOOPS-COUNT-4: amx.tile_mulf
// LOOPS-COUNT-4: amx.tile_store %[[LOCAL]]
// LOOPS: vector
func.func private @pixels(%x: tensor<1x4x7x28x16xbf16>, %w: tensor<8x32x1x1x16x2xbf16>) -> tensor<1x8x7x28x16xbf16> attributes {relay.primitive} {
  %0 = relay.nn.contrib_conv2d_NCHWc %x, %w {data_layout = "NCHW16c", kernel_layout = "OIHW16o2i", strides = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>, dilation = array<i64: 1, 1>, groups = 1 : i64}
    : (tensor<1x4x7x28x16xbf16>, tensor<8x32x1x1x16x2xbf16>) -> tensor<1x8x7x28x16xbf16>
  return %0 : tensor<1x8x7x28x16xbf16>
}

// A stride skips pixels, which lie apart: that is for vectors.
// CHECK-LABEL: func.func private @skipped
// CHECK-NOT: te.tensorize
// LOOPS-LABEL: func.func private @skipped
// LOOPS-NOT: amx
func.func private @skipped(%x: tensor<1x4x14x28x16xbf16>, %w: tensor<8x32x1x1x16x2xbf16>) -> tensor<1x8x7x14x16xbf16> attributes {relay.primitive} {
  %0 = relay.nn.contrib_conv2d_NCHWc %x, %w {data_layout = "NCHW16c", kernel_layout = "OIHW16o2i", strides = array<i64: 2, 2>, padding = array<i64: 0, 0, 0, 0>, dilation = array<i64: 1, 1>, groups = 1 : i64}
    : (tensor<1x4x14x28x16xbf16>, tensor<8x32x1x1x16x2xbf16>) -> tensor<1x8x7x14x16xbf16>
  return %0 : tensor<1x8x7x14x16xbf16>
}
