// On machines that multiply tiles, a product of bf16 whose weight lies in pairs is one intrinsic; elsewhere, and
// where tiles do not fit, it is a loop of vectors.
// RUN: relay-opt %s --target=sapphirerapids --relay-to-te | FileCheck %s
// RUN: relay-opt %s --relay-to-te | FileCheck %s --check-prefix=VECTORS --implicit-check-not=tensorize --implicit-check-not=te.tensor_intrin
// RUN: relay-opt %s --target=sapphirerapids --relay-to-te --lower-te | FileCheck %s --check-prefix=LOOPS

// CHECK: te.tensor_intrin @amx_26x32x144by24 attributes {whole}
// CHECK: te.compute "c" ({{.*}}) sum (%{{.+}}: 72, %{{.+}}: 2)
// CHECK: implementation
// CHECK: scf.for
// CHECK-COUNT-2: amx.tile_load %{{.+}} into !amx.tile<13x24xbf16>
// CHECK-COUNT-2: amx.tile_load %{{.+}} into !amx.tile<12x32xbf16>
// CHECK-COUNT-4: amx.tile_mulf
// CHECK-COUNT-4: amx.tile_store
// CHECK-NOT: te.tensor_intrin

// Both operands are read as they lie; 49 rows are two blocks of 26, of which the second lies over the first.
// CHECK-LABEL: func.func private @product
// CHECK: %[[DATA:.+]] = te.compute "widen" (
// CHECK: %[[WEIGHT:.+]] = te.compute "widen" (
// CHECK: te.schedule
// CHECK-DAG: %[[X:.+]] = te.stage %[[DATA]]
// CHECK-DAG: te.compute_inline %[[X]]
// CHECK-DAG: %[[W:.+]] = te.stage %[[WEIGHT]]
// CHECK-DAG: te.compute_inline %[[W]]
// CHECK: te.split %{{.+}} {factor = 26 : i64, shift_inwards}
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

// The second operand of a product of two parameters is put in pairs of rows first, for each tile of columns.
// CHECK-LABEL: func.func private @two_parameters
// CHECK: %[[COPY:.+]] = te.cache_read %arg1
// CHECK: te.compute_at {{.*}}
// CHECK: te.tensorize %{{.+}} {intrin = @amx_32x32x32by32_of_pairs}
// CHECK: te.transform_layout %[[COPY]]
// CHECK: te.tensorize %{{.+}} {intrin = @amx_pairs_of_rows}
// LOOPS-LABEL: func.func private @two_parameters
// LOOPS: %[[PAIRS:.+]] = tir.alloc_buffer : memref<1x2x16x32xbf16, #tir.scope<local>>
// LOOPS-COUNT-2: vector.load %arg1
// LOOPS: vector.interleave
// LOOPS: vector.store %{{.+}}, %[[PAIRS]]
// LOOPS: amx.tile_load %arg0
// LOOPS: amx.tile_load %[[PAIRS]]
// LOOPS: amx.tile_mulf
func.func private @two_parameters(%x: tensor<2x64x32xbf16>, %y: tensor<2x32x96xbf16>) -> tensor<2x64x96xbf16> attributes {relay.primitive} {
  %0 = relay.nn.batch_matmul %x, %y {transpose_a = false, transpose_b = false} : (tensor<2x64x32xbf16>, tensor<2x32x96xbf16>) -> tensor<2x64x96xbf16>
  return %0 : tensor<2x64x96xbf16>
}

// Not of columns that whole tiles do not divide, or of one row.
// CHECK-LABEL: func.func private @columns
// CHECK-NOT: te.tensorize
// LOOPS-LABEL: func.func private @columns
// LOOPS-NOT: amx
func.func private @columns(%x: tensor<2x64x32xbf16>, %y: tensor<2x32x80xbf16>) -> tensor<2x64x80xbf16> attributes {relay.primitive} {
  %0 = relay.nn.batch_matmul %x, %y {transpose_a = false, transpose_b = false} : (tensor<2x64x32xbf16>, tensor<2x32x80xbf16>) -> tensor<2x64x80xbf16>
  return %0 : tensor<2x64x80xbf16>
}
func.func private @row(%x: tensor<2x1x32xbf16>, %y: tensor<2x32x96xbf16>) -> tensor<2x1x96xbf16> attributes {relay.primitive} {
  %0 = relay.nn.batch_matmul %x, %y {transpose_a = false, transpose_b = false} : (tensor<2x1x32xbf16>, tensor<2x32x96xbf16>) -> tensor<2x1x96xbf16>
  return %0 : tensor<2x1x96xbf16>
}

// The pixels of a row, with channels in blocks of 16, by two blocks of channels of the result.
// CHECK-LABEL: func.func private @pixels
// CHECK: te.split %{{.+}} {factor = 2 : i64}
// CHECK: te.split %{{.+}} {factor = 28 : i64}
// CHECK: te.tensorize %{{.+}} {intrin = @amx_conv_1x1_by_1x1_1x1_of_4x7x28_to_2x1x28}
// LOOPS-LABEL: func.func private @pixels
// LOOPS: %[[LOCAL:.+]] = tir.alloc_buffer : memref<1x2x1x28x16xf32, #tir.scope<local>>
// LOOPS: scf.for
// LOOPS-COUNT-2: amx.tile_load %{{.+}}, %c16{{.*}} : memref<1x4x7x28x16xbf16> into !amx.tile<14x16xbf16>
// LOOPS-COUNT-2: amx.tile_load %{{.+}} : memref<8x4x1x1x8x16x2xbf16> into !amx.tile<8x32xbf16>
// LOOPS-COUNT-4: amx.tile_mulf
// LOOPS-COUNT-4: amx.tile_store %[[LOCAL]]
// LOOPS: vector
func.func private @pixels(%x: tensor<1x4x7x28x16xbf16>, %w: tensor<8x4x1x1x8x16x2xbf16>) -> tensor<1x8x7x28x16xbf16> attributes {relay.primitive} {
  %0 = relay.nn.contrib_conv2d_NCHWc %x, %w {data_layout = "NCHW16c", kernel_layout = "OIHW8i16o2i", strides = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>, dilation = array<i64: 1, 1>, groups = 1 : i64}
    : (tensor<1x4x7x28x16xbf16>, tensor<8x4x1x1x8x16x2xbf16>) -> tensor<1x8x7x28x16xbf16>
  return %0 : tensor<1x8x7x28x16xbf16>
}

// Data with padding lies in memory, in bf16. A row of the kernel is two steps of 24 numbers, which are those of one
// and a half pixels; so rows of a tile overlap, those of 24 numbers 16 apart.
// CHECK-LABEL: func.func private @padded
// CHECK: %[[PAD:.+]] = te.compute "pad" {{.*}} {
// CHECK: } : tensor<1x4x30x30x16xbf16>
// CHECK: te.compute "widen"
// CHECK: tensor.extract %[[PAD]]
// Its columns are a loop of their own, so that no pixel's place is computed by division.
// CHECK: te.schedule
// CHECK: %[[S:.+]] = te.stage %[[PAD]]
// CHECK: %n, %c, %y, %x, %c.block = te.axes %[[S]]
// CHECK: te.fuse %n, %y, %c{{$}}
// CHECK: te.tensorize %{{.+}} {intrin = @amx_conv_3x3_by_1x1_1x1_of_4x30x30_to_2x1x28}
// LOOPS-LABEL: func.func private @padded
// LOOPS: %[[PAD:.+]] = tir.alloc_buffer {{.*}}memref<1x4x30x30x16xbf16>
// LOOPS: scf.for %{{.+}} to %c4
// LOOPS: scf.for %{{.+}} to %c3
// LOOPS-COUNT-2: amx.tile_load %[[PAD]]{{.+}}, %c16{{.*}} into !amx.tile<14x24xbf16>
// LOOPS-COUNT-2: amx.tile_load %{{.+}} : memref<8x4x3x3x8x16x2xbf16> into !amx.tile<12x32xbf16>
// LOOPS-COUNT-4: amx.tile_mulf
// LOOPS-COUNT-4: amx.tile_load
// LOOPS-COUNT-4: amx.tile_mulf
// LOOPS: scf.yield
func.func private @padded(%x: tensor<1x4x28x28x16xbf16>, %w: tensor<8x4x3x3x8x16x2xbf16>) -> tensor<1x8x28x28x16xbf16> attributes {relay.primitive} {
  %0 = relay.nn.contrib_conv2d_NCHWc %x, %w {data_layout = "NCHW16c", kernel_layout = "OIHW8i16o2i", strides = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>, dilation = array<i64: 1, 1>, groups = 1 : i64}
    : (tensor<1x4x28x28x16xbf16>, tensor<8x4x3x3x8x16x2xbf16>) -> tensor<1x8x28x28x16xbf16>
  return %0 : tensor<1x8x28x28x16xbf16>
}

// Rows of 14 pixels come in pairs. A stride of two puts rows of a tile 32 numbers apart.
// CHECK-LABEL: func.func private @strided
// CHECK: te.tensorize %{{.+}} {intrin = @amx_conv_3x3_by_2x2_1x1_of_4x30x30_to_2x2x14}
// LOOPS-LABEL: func.func private @strided
// LOOPS: tir.alloc_buffer : memref<1x2x2x14x16xf32, #tir.scope<local>>
// LOOPS: amx.tile_load %{{.+}}, %c32{{.*}} : memref<1x4x30x30x16xbf16> into !amx.tile<14x24xbf16>
func.func private @strided(%x: tensor<1x4x28x28x16xbf16>, %w: tensor<8x4x3x3x8x16x2xbf16>) -> tensor<1x8x14x14x16xbf16> attributes {relay.primitive} {
  %0 = relay.nn.contrib_conv2d_NCHWc %x, %w {data_layout = "NCHW16c", kernel_layout = "OIHW8i16o2i", strides = array<i64: 2, 2>, padding = array<i64: 1, 1, 1, 1>, dilation = array<i64: 1, 1>, groups = 1 : i64}
    : (tensor<1x4x28x28x16xbf16>, tensor<8x4x3x3x8x16x2xbf16>) -> tensor<1x8x14x14x16xbf16>
  return %0 : tensor<1x8x14x14x16xbf16>
}

// Seven rows are four pairs, of which the last lies over the one before. Five columns of a kernel are four steps
// of 20 numbers; with a dilation, each is a step.
// CHECK-LABEL: func.func private @five
// CHECK: te.tensorize %{{.+}} {intrin = @amx_conv_5x5_by_1x1_1x1_of_4x11x11_to_2x2x7}
// LOOPS-LABEL: func.func private @five
// LOOPS: arith.minsi %{{.+}}, %c5
// LOOPS-COUNT-4: amx.tile_load %{{.+}} into !amx.tile<7x20xbf16>
func.func private @five(%x: tensor<1x4x7x7x16xbf16>, %w: tensor<8x4x5x5x8x16x2xbf16>) -> tensor<1x8x7x7x16xbf16> attributes {relay.primitive} {
  %0 = relay.nn.contrib_conv2d_NCHWc %x, %w {data_layout = "NCHW16c", kernel_layout = "OIHW8i16o2i", strides = array<i64: 1, 1>, padding = array<i64: 2, 2, 2, 2>, dilation = array<i64: 1, 1>, groups = 1 : i64}
    : (tensor<1x4x7x7x16xbf16>, tensor<8x4x5x5x8x16x2xbf16>) -> tensor<1x8x7x7x16xbf16>
  return %0 : tensor<1x8x7x7x16xbf16>
}
// CHECK-LABEL: func.func private @dilated
// CHECK: te.tensorize %{{.+}} {intrin = @amx_conv_3x3_by_1x1_2x2_of_4x11x11_to_2x2x7}
// LOOPS-LABEL: func.func private @dilated
// LOOPS-COUNT-3: amx.tile_load %{{.+}} into !amx.tile<7x16xbf16>
func.func private @dilated(%x: tensor<1x4x7x7x16xbf16>, %w: tensor<8x4x3x3x8x16x2xbf16>) -> tensor<1x8x7x7x16xbf16> attributes {relay.primitive} {
  %0 = relay.nn.contrib_conv2d_NCHWc %x, %w {data_layout = "NCHW16c", kernel_layout = "OIHW8i16o2i", strides = array<i64: 1, 1>, padding = array<i64: 2, 2, 2, 2>, dilation = array<i64: 2, 2>, groups = 1 : i64}
    : (tensor<1x4x7x7x16xbf16>, tensor<8x4x3x3x8x16x2xbf16>) -> tensor<1x8x7x7x16xbf16>
  return %0 : tensor<1x8x7x7x16xbf16>
}

// An odd number of blocks of channels has more tiles of rows: rows of 7 pixels come in fours. Of several groups, the
// blocks of a tile are of one, of which the data has four blocks.
// CHECK-LABEL: func.func private @blocks_of_outputs
// CHECK: te.tensorize %{{.+}} {intrin = @amx_conv_3x3_by_1x1_1x1_of_4x9x9_to_1x4x7}
// LOOPS-LABEL: func.func private @blocks_of_outputs
// LOOPS: scf.for
// LOOPS: amx.tile_load %{{.+}} into !amx.tile<12x32xbf16>
// LOOPS-COUNT-4: amx.tile_mulf
func.func private @blocks_of_outputs(%x: tensor<1x4x7x7x16xbf16>, %w: tensor<3x4x3x3x8x16x2xbf16>) -> tensor<1x3x7x7x16xbf16> attributes {relay.primitive} {
  %0 = relay.nn.contrib_conv2d_NCHWc %x, %w {data_layout = "NCHW16c", kernel_layout = "OIHW8i16o2i", strides = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>, dilation = array<i64: 1, 1>, groups = 1 : i64}
    : (tensor<1x4x7x7x16xbf16>, tensor<3x4x3x3x8x16x2xbf16>) -> tensor<1x3x7x7x16xbf16>
  return %0 : tensor<1x3x7x7x16xbf16>
}
// CHECK-LABEL: func.func private @groups
// CHECK: te.split %{{.+}} {factor = 4 : i64}
// CHECK: te.split %{{.+}} {factor = 2 : i64}
// CHECK: te.tensorize %{{.+}} {intrin = @amx_conv_3x3_by_1x1_1x1_of_4x9x9_to_2x2x7}
// LOOPS-LABEL: func.func private @groups
// LOOPS: amx.tile_load %{{.+}} : memref<1x8x9x9x16xbf16> into !amx.tile<7x24xbf16>
func.func private @groups(%x: tensor<1x8x7x7x16xbf16>, %w: tensor<8x4x3x3x8x16x2xbf16>) -> tensor<1x8x7x7x16xbf16> attributes {relay.primitive} {
  %0 = relay.nn.contrib_conv2d_NCHWc %x, %w {data_layout = "NCHW16c", kernel_layout = "OIHW8i16o2i", strides = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>, dilation = array<i64: 1, 1>, groups = 2 : i64}
    : (tensor<1x8x7x7x16xbf16>, tensor<8x4x3x3x8x16x2xbf16>) -> tensor<1x8x7x7x16xbf16>
  return %0 : tensor<1x8x7x7x16xbf16>
}

// Images one pixel wide are for vectors.
// CHECK-LABEL: func.func private @line
// CHECK-NOT: te.tensorize
// LOOPS-LABEL: func.func private @line
// LOOPS-NOT: amx
func.func private @line(%x: tensor<1x4x7x1x16xbf16>, %w: tensor<2x4x3x3x8x16x2xbf16>) -> tensor<1x2x7x1x16xbf16> attributes {relay.primitive} {
  %0 = relay.nn.contrib_conv2d_NCHWc %x, %w {data_layout = "NCHW16c", kernel_layout = "OIHW8i16o2i", strides = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>, dilation = array<i64: 1, 1>, groups = 1 : i64}
    : (tensor<1x4x7x1x16xbf16>, tensor<2x4x3x3x8x16x2xbf16>) -> tensor<1x2x7x1x16xbf16>
  return %0 : tensor<1x2x7x1x16xbf16>
}
