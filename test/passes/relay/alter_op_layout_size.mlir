// What larger weights are chosen for.
// RUN: relay-opt %s --alter-op-layout --split-input-file | FileCheck %s --check-prefixes=ALL,SPEED
// RUN: relay-opt %s --alter-op-layout=optimize=balanced --split-input-file | FileCheck %s --check-prefixes=ALL,BALANCED
// RUN: relay-opt %s --alter-op-layout=optimize=size --split-input-file | FileCheck %s --check-prefixes=ALL,SIZE
// RUN: not relay-opt %s --alter-op-layout=optimize=both 2>&1 | FileCheck %s --check-prefix=BOTH
// BOTH: optimize is both, expected speed, balanced or size

// On many pixels, the saved time pays for a weight that is four times as large in Winograd's algorithm. On few pixels it does not pay
// for one of 16/9.
// ALL-LABEL: func.func @tiles
// SPEED: winograd_weight_transform {{.*}} {tile_size = 4 : i64}
// SPEED: winograd_weight_transform {{.*}} {tile_size = 2 : i64}
// BALANCED: winograd_weight_transform {{.*}} {tile_size = 4 : i64}
// BALANCED: contrib_conv2d_NCHWc
// SIZE-NOT: winograd
// SIZE-COUNT-2: contrib_conv2d_NCHWc
func.func @tiles(%x: tensor<1x256x56x56xf32>, %y: tensor<1x256x7x7xf32>) -> (tensor<1x256x56x56xf32>, tensor<1x256x7x7xf32>) {
  %k = relay.constant dense<1.0> : tensor<256x256x3x3xf32>
  %0 = relay.nn.conv2d %x, %k {padding = array<i64: 1, 1, 1, 1>}
    : (tensor<1x256x56x56xf32>, tensor<256x256x3x3xf32>) -> tensor<1x256x56x56xf32>
  %1 = relay.nn.conv2d %y, %k {padding = array<i64: 1, 1, 1, 1>}
    : (tensor<1x256x7x7xf32>, tensor<256x256x3x3xf32>) -> tensor<1x256x7x7xf32>
  return %0, %1 : tensor<1x256x56x56xf32>, tensor<1x256x7x7xf32>
}

// -----

// Nor do zeros fill up blocks of a small library.
// ALL-LABEL: func.func @zeros
// SPEED: contrib_conv2d_NCHWc {{.*}} tensor<2x1x3x3x16x16xf32>
// SPEED: contrib_dense_pack {{.*}} tensor<63x512x16xf32>
// BALANCED: contrib_conv2d_NCHWc {{.*}} tensor<2x1x3x3x16x16xf32>
// BALANCED: contrib_dense_pack {{.*}} tensor<63x512x16xf32>
// SIZE: contrib_conv2d_NCHWc {{.*}} tensor<5x1x3x3x4x4x4xf32>
// SIZE: nn.matmul {{.*}} tensor<512x1000xf32>
func.func @zeros(%x: tensor<1x16x28x28xf32>, %y: tensor<8x512xf32>) -> (tensor<1x20x14x14xf32>, tensor<8x1000xf32>) {
  %k = relay.constant dense<1.0> : tensor<20x16x3x3xf32>
  %w = relay.constant dense<1.0> : tensor<1000x512xf32>
  %0 = relay.nn.conv2d %x, %k {strides = array<i64: 2, 2>, padding = array<i64: 1, 1, 1, 1>}
    : (tensor<1x16x28x28xf32>, tensor<20x16x3x3xf32>) -> tensor<1x20x14x14xf32>
  %1 = relay.nn.dense %y, %w : (tensor<8x512xf32>, tensor<1000x512xf32>) -> tensor<8x1000xf32>
  return %0, %1 : tensor<1x20x14x14xf32>, tensor<8x1000xf32>
}
