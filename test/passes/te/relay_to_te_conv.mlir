// RUN: relay-opt %s --relay-to-te | FileCheck %s

// Seven columns are few for a vector of the weight, which does not fit the cache: a block of input channels
// meets all pixels before the next one, and the sums of two blocks of the result wait in a local buffer.
// CHECK-LABEL: func.func private @short_rows
// CHECK: %[[CONV:.+]] = te.compute "conv2d" ({{.*}}) sum (%{{.+}}: 8, %{{.+}}: 3, %{{.+}}: 3, %{{.+}}: 16)
// CHECK: te.schedule
// CHECK: %[[LAST:.+]] = te.stage %[[CONV]]
// CHECK: %[[SUMS:.+]] = te.cache_write %[[LAST]] in local
// CHECK: %[[BLOCKS:.+]] = te.fuse
// CHECK-NEXT: te.parallel %[[BLOCKS]]
// CHECK: te.compute_at %[[SUMS]], %[[LAST]], %[[BLOCKS]]
// CHECK: %{{.+}}, %{{.+}}, %[[Y:.+]], %{{.+}}, %{{.+}}, %rc, %ry, %rx, %rc.block = te.axes %[[SUMS]]
// CHECK: te.reorder %rc, %[[Y]],
func.func private @short_rows(%x: tensor<1x8x15x15x16xf32>, %w: tensor<16x8x3x3x16x16xf32>) -> tensor<1x16x7x7x16xf32> attributes {relay.primitive} {
  %0 = relay.nn.contrib_conv2d_NCHWc %x, %w {data_layout = "NCHW16c", kernel_layout = "OIHW16i16o", strides = array<i64: 2, 2>, padding = array<i64: 0, 0, 0, 0>, dilation = array<i64: 1, 1>} : (tensor<1x8x15x15x16xf32>, tensor<16x8x3x3x16x16xf32>) -> tensor<1x16x7x7x16xf32>
  return %0 : tensor<1x16x7x7x16xf32>
}

// A row of 14 has enough multiply-adds for each: only the sums of one row's tile wait, in registers.
// CHECK-LABEL: func.func private @long_rows
// CHECK: %[[SUMS:.+]] = te.cache_write
// CHECK: te.parallel
// CHECK: %rc, %ry, %rx, %rc.block = te.axes %[[SUMS]]
// CHECK: te.reorder %rc, %ry,
func.func private @long_rows(%x: tensor<1x8x16x16x16xf32>, %w: tensor<16x8x3x3x16x16xf32>) -> tensor<1x16x14x14x16xf32> attributes {relay.primitive} {
  %0 = relay.nn.contrib_conv2d_NCHWc %x, %w {data_layout = "NCHW16c", kernel_layout = "OIHW16i16o", strides = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>, dilation = array<i64: 1, 1>} : (tensor<1x8x16x16x16xf32>, tensor<16x8x3x3x16x16xf32>) -> tensor<1x16x14x14x16xf32>
  return %0 : tensor<1x16x14x14x16xf32>
}

// The padding has the names of the operator's axes, and what follows, too, where a dimension has one element only.
// CHECK-LABEL: func.func private @named
// CHECK: te.compute "pad" (%n: 1, %c: 1, %y: 10, %x: 10, %c.block: 16) as pad
// CHECK: te.compute "conv2d" (%n: 1, %c: 1, %y: 8, %x: 8, %c.block: 16)
// CHECK: te.compute "add" (%n: 1, %c: 1, %y: 8, %x: 8, %c.block: 16)
func.func private @named(%x: tensor<1x1x8x8x16xf32>, %w: tensor<1x1x3x3x16x16xf32>, %b: tensor<1x1x1x1x16xf32>) -> tensor<1x1x8x8x16xf32> attributes {relay.primitive} {
  %0 = relay.nn.contrib_conv2d_NCHWc %x, %w {padding = array<i64: 1, 1, 1, 1>} : (tensor<1x1x8x8x16xf32>, tensor<1x1x3x3x16x16xf32>) -> tensor<1x1x8x8x16xf32>
  %1 = relay.add %0, %b : (tensor<1x1x8x8x16xf32>, tensor<1x1x1x1x16xf32>) -> tensor<1x1x8x8x16xf32>
  return %1 : tensor<1x1x8x8x16xf32>
}

func.func @main() {
  return
}

// A tile holds several blocks of channels also where their number is a prime: the last tile lies over the one before.
// CHECK-LABEL: func.func private @thirteen_blocks
// CHECK: te.split %c {factor = {{[2-4]}} : i64, shift_inwards}
// CHECK: te.parallel
func.func private @thirteen_blocks(%x: tensor<1x13x7x7x16xf32>, %w: tensor<13x13x1x1x16x16xf32>) -> tensor<1x13x7x7x16xf32> attributes {relay.primitive} {
  %0 = relay.nn.contrib_conv2d_NCHWc %x, %w {data_layout = "NCHW16c", kernel_layout = "OIHW16i16o"} : (tensor<1x13x7x7x16xf32>, tensor<13x13x1x1x16x16xf32>) -> tensor<1x13x7x7x16xf32>
  return %0 : tensor<1x13x7x7x16xf32>
}

// Of groups, of which each reads other data, a tile holds blocks of one.
// CHECK-LABEL: func.func private @groups_of_three_blocks
// CHECK: te.split %c {factor = {{[13]}} : i64, shift_inwards}
func.func private @groups_of_three_blocks(%x: tensor<1x6x7x7x16xf32>, %w: tensor<6x3x1x1x16x16xf32>) -> tensor<1x6x7x7x16xf32> attributes {relay.primitive} {
  %0 = relay.nn.contrib_conv2d_NCHWc %x, %w {data_layout = "NCHW16c", groups = 2 : i64, kernel_layout = "OIHW16i16o"} : (tensor<1x6x7x7x16xf32>, tensor<6x3x1x1x16x16xf32>) -> tensor<1x6x7x7x16xf32>
  return %0 : tensor<1x6x7x7x16xf32>
}

// A dilation of a third of the row: one tap after the other, and none where it meets padding. The sums of a row wait.
// CHECK-LABEL: func.func private @dilated
// CHECK: %[[PAD:.+]] = te.stage %pad
// CHECK-NEXT: te.compute_inline %[[PAD]] {guards}
// CHECK: %[[ROWS:.+]] = te.fuse
// CHECK-NEXT: te.parallel %[[ROWS]]
// CHECK: te.compute_at %[[SUMS:.+]], %{{.+}}, %[[ROWS]]
// CHECK: %rc, %ry, %rx, %rc.block = te.axes %[[SUMS]]
// CHECK: te.reorder %ry, %rx, %{{.+}}, %rc, %rc.block
// CHECK-NEXT: te.unroll %rx
func.func private @dilated(%x: tensor<1x8x33x33x16xf32>, %w: tensor<8x8x3x3x16x16xf32>) -> tensor<1x8x33x33x16xf32> attributes {relay.primitive} {
  %0 = relay.nn.contrib_conv2d_NCHWc %x, %w {padding = array<i64: 12, 12, 12, 12>, dilation = array<i64: 12, 12>} : (tensor<1x8x33x33x16xf32>, tensor<8x8x3x3x16x16xf32>) -> tensor<1x8x33x33x16xf32>
  return %0 : tensor<1x8x33x33x16xf32>
}

// A small one saves less than it costs.
// CHECK-LABEL: func.func private @narrow_padding
// CHECK-NOT: guards
func.func private @narrow_padding(%x: tensor<1x8x112x112x16xf32>, %w: tensor<8x8x3x3x16x16xf32>) -> tensor<1x8x112x112x16xf32> attributes {relay.primitive} {
  %0 = relay.nn.contrib_conv2d_NCHWc %x, %w {padding = array<i64: 1, 1, 1, 1>} : (tensor<1x8x112x112x16xf32>, tensor<8x8x3x3x16x16xf32>) -> tensor<1x8x112x112x16xf32>
  return %0 : tensor<1x8x112x112x16xf32>
}

// The sums of a long row do not stay in the first cache.
// CHECK-LABEL: func.func private @long_row_of_one
// CHECK-NOT: guards
func.func private @long_row_of_one(%x: tensor<1x5x1x3000x16xf32>, %w: tensor<24x5x1x3x16x16xf32>) -> tensor<1x24x1x3000x16xf32> attributes {relay.primitive} {
  %0 = relay.nn.contrib_conv2d_NCHWc %x, %w {padding = array<i64: 0, 1, 0, 1>} : (tensor<1x5x1x3000x16xf32>, tensor<24x5x1x3x16x16xf32>) -> tensor<1x24x1x3000x16xf32>
  return %0 : tensor<1x24x1x3000x16xf32>
}

// Of 9,225 Winograd tiles, groups that no cache holds go through no stage together. Few lengths divide that number, so the last
// group begins earlier.
// CHECK-LABEL: func.func private @large_image
// CHECK-SAME: te.knobs = "winograd group=[[GROUP:[1-9][0-9]]] columns=
// CHECK: %[[GROUPS:.+]], %[[PLACE:.+]] = te.split %{{.+}} {factor = [[GROUP]] : i64, shift_inwards}
// CHECK: te.parallel %[[GROUPS]]
// CHECK-COUNT-2: te.compute_at %{{.+}}, %{{.+}}, %[[GROUPS]]
func.func private @large_image(%x: tensor<1x8x900x161x16xf32>, %w: tensor<6x6x8x128x16xf32>) -> tensor<1x8x900x161x16xf32> attributes {relay.primitive} {
  %0 = relay.nn.contrib_conv2d_winograd_without_weight_transform %x, %w {tile_size = 4 : i64, data_layout = "NCHW16c", padding = array<i64: 1, 1, 1, 1>} : (tensor<1x8x900x161x16xf32>, tensor<6x6x8x128x16xf32>) -> tensor<1x8x900x161x16xf32>
  return %0 : tensor<1x8x900x161x16xf32>
}

// Few tiles go through each stage together. A row of 14 ends inside a tile, and yet each tile transforms its own columns only:
// [tile's rows, alpha, 1, 1, block].
// CHECK-LABEL: func.func private @few_tiles
// CHECK-SAME: te.knobs = "winograd group=0 columns=
// CHECK: %[[COLUMNS:.+]] = te.compute "winograd_result_columns"
// CHECK: %[[RESULT:.+]] = te.compute "winograd_result"
// CHECK: %[[TILES:.+]] = te.fuse %n{{[_0-9]*}}, %c{{[_0-9]*}}, %y.outer{{[_0-9]*}}, %x.outer{{[_0-9]*}}
// CHECK: te.parallel %[[TILES]]
// CHECK: te.compute_at %{{.+}}, %{{.+}}, %[[TILES]]
func.func private @few_tiles(%x: tensor<1x8x14x14x16xf32>, %w: tensor<6x6x8x128x16xf32>) -> tensor<1x8x14x14x16xf32> attributes {relay.primitive} {
  %0 = relay.nn.contrib_conv2d_winograd_without_weight_transform %x, %w {tile_size = 4 : i64, data_layout = "NCHW16c", padding = array<i64: 1, 1, 1, 1>} : (tensor<1x8x14x14x16xf32>, tensor<6x6x8x128x16xf32>) -> tensor<1x8x14x14x16xf32>
  return %0 : tensor<1x8x14x14x16xf32>
}
