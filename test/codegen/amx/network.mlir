// Dense layers and convolutions on tiles (AMX), run under an emulator of the instructions, compute what numpy does.
// Where the processor has them, it runs the same kernels, too. All else in the code is not emulated.
// REQUIRES: avx512_bf16, time
// RUN: rm -rf %t && mkdir %t
// One layer of whole tiles.
// RUN: bash %S/Inputs/run.sh %python %t network 128 768 768 | FileCheck %s --check-prefix=WHOLE
// Layers with what follows them, residual connections too: rows that blocks of tiles do not divide, steps of 24
// inputs, columns that zeros fill up.
// RUN: bash %S/Inputs/run.sh %python %t network 49 144 96 96 37 | FileCheck %s --check-prefix=NETWORK
// Tiles of few rows; an odd number of rows; steps of 16, 18 and 20 inputs.
// RUN: bash %S/Inputs/run.sh %python %t network 3 100 5 | FileCheck %s --check-prefix=FEW
// RUN: bash %S/Inputs/run.sh %python %t network 31 48 90 16 33 | FileCheck %s --check-prefix=ODD
// Products that vectors compute: one row, an odd number of inputs, one without a step.
// RUN: bash %S/Inputs/run.sh %python %t network 1 768 32 | FileCheck %s --check-prefix=ONE
// RUN: bash %S/Inputs/run.sh %python %t network 40 27 58 33 | FileCheck %s --check-prefix=VECTORS
// Convolutions with a kernel of one pixel: rows of 14 by 14 pixels in parts, with a residual connection; a stride.
// RUN: bash %S/Inputs/run.sh %python %t convolutions 1 14 14 1 1 64 96 96 | FileCheck %s --check-prefix=CONVOLUTIONS
// RUN: bash %S/Inputs/run.sh %python %t convolutions 1 9 7 2 1 48 32 64 | FileCheck %s --check-prefix=STRIDE
// Kernels of several pixels, with padding: rows of 28; of 14 in pairs; of 7, seven of them; of 37, and one block
// of inputs; with strides; of 5 x 5 and 2 x 2 pixels; with a dilation.
// RUN: bash %S/Inputs/run.sh %python %t convolutions 3 28 28 1 1 32 32 | FileCheck %s --check-prefix=ROWS
// RUN: bash %S/Inputs/run.sh %python %t convolutions 3 14 14 1 1 32 32 32 | FileCheck %s --check-prefix=PAIRS
// RUN: bash %S/Inputs/run.sh %python %t convolutions 3 7 7 1 1 32 64 64 | FileCheck %s --check-prefix=SEVEN
// RUN: bash %S/Inputs/run.sh %python %t convolutions 3 10 37 1 1 16 32 | FileCheck %s --check-prefix=WIDE
// RUN: bash %S/Inputs/run.sh %python %t convolutions 3 15 30 2 1 32 64 64 | FileCheck %s --check-prefix=STRIDES
// RUN: bash %S/Inputs/run.sh %python %t convolutions 5 13 21 2 1 48 64 | FileCheck %s --check-prefix=FIVE
// RUN: bash %S/Inputs/run.sh %python %t convolutions 2 8 8 1 1 32 32 | FileCheck %s --check-prefix=TWO
// RUN: bash %S/Inputs/run.sh %python %t convolutions 3 9 9 2 2 32 32 | FileCheck %s --check-prefix=DILATION
// Channels that blocks of 16 do not divide, and an odd number of blocks of them.
// RUN: bash %S/Inputs/run.sh %python %t convolutions 3 7 7 1 1 33 20 48 | FileCheck %s --check-prefix=CHANNELS
// RUN: bash %S/Inputs/run.sh %python %t convolutions 1 14 14 1 1 58 58 58 | FileCheck %s --check-prefix=FILLED
// RUN: bash %S/Inputs/run.sh %python %t convolutions 3 28 28 1 1 16 16 16 | FileCheck %s --check-prefix=NARROW
// An image of three channels, whose pixels are two words.
// RUN: bash %S/Inputs/run.sh %python %t convolutions 5 20 20 2 1 3 32 | FileCheck %s --check-prefix=PIXELS
// Groups: of whole blocks of channels; of half of one, two together; of one and a half, and of four channels.
// RUN: bash %S/Inputs/run.sh %python %t convolutions --groups 2 3 14 14 1 1 64 64 64 | FileCheck %s --check-prefix=GROUPS
// RUN: bash %S/Inputs/run.sh %python %t convolutions --groups 4 3 9 9 2 1 32 32 64 | FileCheck %s --check-prefix=HALVES
// RUN: bash %S/Inputs/run.sh %python %t convolutions --groups 4 3 7 7 1 1 96 96 | FileCheck %s --check-prefix=PARTS
// RUN: bash %S/Inputs/run.sh %python %t convolutions --groups 8 1 14 14 1 1 32 64 | FileCheck %s --check-prefix=FOURS
// Volumes: planes of 16 channels, of channels that blocks do not divide, with a stride; of 2 x 2 x 2 pixels.
// RUN: bash %S/Inputs/run.sh %python %t volumes 3 5 8 14 1 16 16 16 | FileCheck %s --check-prefix=VOLUMES
// RUN: bash %S/Inputs/run.sh %python %t volumes 3 7 7 9 2 32 20 33 | FileCheck %s --check-prefix=ODD-VOLUMES
// RUN: bash %S/Inputs/run.sh %python %t volumes 2 4 6 6 1 20 24 | FileCheck %s --check-prefix=CUBES
// Guards and loops around the copies of planes, of which upstream's passes merge blocks of branches.
// RUN: bash %S/Inputs/run.sh %python %t volumes 3 8 8 8 1 24 24 | FileCheck %s --check-prefix=MERGED
// Products of two operands that no one knows before, as of attention: the rows of the second one are put in pairs.
// RUN: bash %S/Inputs/run.sh %python %t attention 2 64 32 | FileCheck %s --check-prefix=ATTENTION
// RUN: bash %S/Inputs/run.sh %python %t attention 1 96 64 | FileCheck %s --check-prefix=HEAD
// Of 40 positions the last tile of columns lies over the one before; with a mask; of 300, blocks of rows.
// RUN: bash %S/Inputs/run.sh %python %t attention 2 40 32 | FileCheck %s --check-prefix=POSITIONS
// RUN: bash %S/Inputs/run.sh %python %t attention 3 100 32 masked | FileCheck %s --check-prefix=MASKED
// RUN: bash %S/Inputs/run.sh %python %t attention 1 300 64 | FileCheck %s --check-prefix=BLOCKS
// Of 37 positions, which steps do not divide, scores and values are products of their own.
// RUN: bash %S/Inputs/run.sh %python %t attention 2 37 32 | FileCheck %s --check-prefix=APART
// Those that vectors compute: of images of three channels, one pixel wide, of groups that whole blocks do not hold.
// RUN: bash %S/Inputs/run.sh %python %t convolutions 3 14 14 2 1 3 32 | FileCheck %s --check-prefix=IMAGE
// RUN: bash %S/Inputs/run.sh %python %t convolutions --groups 3 3 7 7 1 1 24 24 | FileCheck %s --check-prefix=THREE
// RUN: bash %S/Inputs/run.sh %python %t convolutions 3 4 1 1 1 32 32 | FileCheck %s --check-prefix=LINE

// ROWS: 25088 of 25088 elements are right, {{.*}} 1008 products of tiles
// PAIRS: 6272 of 6272 elements are right, {{.*}} 504 products of tiles
// SEVEN: 3136 of 3136 elements are right, {{.*}} 864 products of tiles
// WIDE: 11840 of 11840 elements are right, {{.*}} 480 products of tiles
// STRIDES: 7680 of 7680 elements are right, {{.*}} 864 products of tiles
// FIVE: 4928 of 4928 elements are right, {{.*}} 1920 products of tiles
// TWO: 2048 of 2048 elements are right, {{.*}} 64 products of tiles
// DILATION: 800 of 800 elements are right, {{.*}} 108 products of tiles
// IMAGE: 1568 of 1568 elements are right, {{.*}} 0 products of tiles
// CHANNELS: 2352 of 2352 elements are right, {{.*}} {{[1-9][0-9]*}} products of tiles
// FILLED: 11368 of 11368 elements are right, {{.*}} {{[1-9][0-9]*}} products of tiles
// NARROW: 12544 of 12544 elements are right, {{.*}} 672 products of tiles
// PIXELS: 3200 of 3200 elements are right, {{.*}} {{[1-9][0-9]*}} products of tiles
// GROUPS: 12544 of 12544 elements are right, {{.*}} {{[1-9][0-9]*}} products of tiles
// HALVES: 1600 of 1600 elements are right, {{.*}} {{[1-9][0-9]*}} products of tiles
// PARTS: 4704 of 4704 elements are right, {{.*}} {{[1-9][0-9]*}} products of tiles
// FOURS: 12544 of 12544 elements are right, {{.*}} {{[1-9][0-9]*}} products of tiles
// VOLUMES: 8960 of 8960 elements are right, {{.*}} {{[1-9][0-9]*}} products of tiles
// ODD-VOLUMES: 2640 of 2640 elements are right, {{.*}} {{[1-9][0-9]*}} products of tiles
// CUBES: 3456 of 3456 elements are right, {{.*}} {{[1-9][0-9]*}} products of tiles
// MERGED: 12288 of 12288 elements are right, {{.*}} {{[1-9][0-9]*}} products of tiles
// ATTENTION: 4096 of 4096 elements are right, {{.*}} 96 products of tiles
// HEAD: 6144 of 6144 elements are right, {{.*}} {{[1-9][0-9]*}} products of tiles
// MASKED: 9600 of 9600 elements are right, {{.*}} {{[1-9][0-9]*}} products of tiles
// BLOCKS: 19200 of 19200 elements are right, {{.*}} {{[1-9][0-9]*}} products of tiles
// APART: 2368 of 2368 elements are right
// POSITIONS: 2560 of 2560 elements are right, {{.*}} {{[1-9][0-9]*}} products of tiles
// THREE: 1176 of 1176 elements are right, {{.*}} 0 products of tiles
// LINE: 128 of 128 elements are right, {{.*}} 0 products of tiles
// CONVOLUTIONS: 18816 of 18816 elements are right, {{.*}} 420 products of tiles
// STRIDE: 1280 of 1280 elements are right, {{.*}} {{[1-9][0-9]*}} products of tiles
// WHOLE: 98304 of 98304 elements are right, {{.*}} 9216 products of tiles
// NETWORK: 1813 of 1813 elements are right, {{.*}} 264 products of tiles
// FEW: 15 of 15 elements are right, {{.*}} 10 products of tiles
// ODD: 1023 of 1023 elements are right
// ONE: 32 of 32 elements are right, {{.*}} 0 products of tiles
// VECTORS: 1320 of 1320 elements are right, {{.*}} 0 products of tiles
