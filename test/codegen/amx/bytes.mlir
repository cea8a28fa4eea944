// Dense layers and convolutions of bytes on tiles (AMX), run under an emulator of the instructions, have the bits that numpy computes.
// Where the processor has them, it runs the same kernels, too.
// REQUIRES: avx512_bf16, time
// RUN: rm -rf %t && mkdir %t
// Layers of whole tiles, one after the other.
// RUN: bash %S/Inputs/run.sh %python %t quantized dense 128 256 96 64 | FileCheck %s --check-prefix=WHOLE
// Rows that blocks of tiles do not divide; 25 words of inputs, in steps of 5; columns that zeros fill up.
// RUN: bash %S/Inputs/run.sh %python %t quantized dense 49 100 37 | FileCheck %s --check-prefix=RAGGED
// Products that vectors compute: one row; a prime number of words.
// RUN: bash %S/Inputs/run.sh %python %t quantized dense 1 64 32 | FileCheck %s --check-prefix=VECTORS
// RUN: bash %S/Inputs/run.sh %python %t quantized dense 40 68 32 | FileCheck %s --check-prefix=VECTORS
// Convolutions with a kernel of one pixel, with channels in blocks of 64, 32 and 16; with a stride.
// RUN: bash %S/Inputs/run.sh %python %t quantized conv 1 14 14 1 1 64 128 32 48 | FileCheck %s --check-prefix=ONE
// RUN: bash %S/Inputs/run.sh %python %t quantized conv 1 9 7 2 1 48 32 64 | FileCheck %s --check-prefix=STRIDE
// Kernels of several pixels, with padding: rows of 28; of 7; of 37 with a stride; with a dilation; of 5 x 5 and 2 x 2 pixels.
// RUN: bash %S/Inputs/run.sh %python %t quantized conv 3 28 28 1 1 32 64 | FileCheck %s --check-prefix=ROWS
// RUN: bash %S/Inputs/run.sh %python %t quantized conv 3 7 7 1 1 64 64 96 | FileCheck %s --check-prefix=SEVEN
// RUN: bash %S/Inputs/run.sh %python %t quantized conv 3 10 37 2 1 16 32 | FileCheck %s --check-prefix=WIDE
// RUN: bash %S/Inputs/run.sh %python %t quantized conv 3 9 9 1 2 64 32 | FileCheck %s --check-prefix=DILATION
// RUN: bash %S/Inputs/run.sh %python %t quantized conv 5 13 21 2 1 48 64 | FileCheck %s --check-prefix=FIVE
// RUN: bash %S/Inputs/run.sh %python %t quantized conv 2 8 8 1 1 32 32 | FileCheck %s --check-prefix=TWO
// An image of three channels, whose pixels are words; channels that blocks do not divide, and an odd number of blocks.
// RUN: bash %S/Inputs/run.sh %python %t quantized conv 7 32 32 2 1 3 64 | FileCheck %s --check-prefix=IMAGE
// RUN: bash %S/Inputs/run.sh %python %t quantized conv 3 7 7 1 1 33 20 48 | FileCheck %s --check-prefix=CHANNELS
// Groups of whole blocks, and of four channels.
// RUN: bash %S/Inputs/run.sh %python %t quantized conv --groups 2 3 14 14 1 1 64 64 | FileCheck %s --check-prefix=GROUPS

// WHOLE: 8192 of 8192 elements are right, the greatest error is 0, {{[1-9][0-9]*}} products of tiles
// RAGGED: 1813 of 1813 elements are right, the greatest error is 0, {{[1-9][0-9]*}} products of tiles
// VECTORS: elements are right, the greatest error is 0, 0 products of tiles
// ONE: 9408 of 9408 elements are right, the greatest error is 0, {{[1-9][0-9]*}} products of tiles
// STRIDE: 1280 of 1280 elements are right, the greatest error is 0, {{[1-9][0-9]*}} products of tiles
// ROWS: 50176 of 50176 elements are right, the greatest error is 0, {{[1-9][0-9]*}} products of tiles
// SEVEN: 4704 of 4704 elements are right, the greatest error is 0, {{[1-9][0-9]*}} products of tiles
// WIDE: 3040 of 3040 elements are right, the greatest error is 0, {{[1-9][0-9]*}} products of tiles
// DILATION: 2592 of 2592 elements are right, the greatest error is 0, {{[1-9][0-9]*}} products of tiles
// FIVE: 4928 of 4928 elements are right, the greatest error is 0, {{[1-9][0-9]*}} products of tiles
// TWO: 2048 of 2048 elements are right, the greatest error is 0, {{[1-9][0-9]*}} products of tiles
// IMAGE: 16384 of 16384 elements are right, the greatest error is 0, {{[1-9][0-9]*}} products of tiles
// CHANNELS: 2352 of 2352 elements are right, the greatest error is 0, {{[1-9][0-9]*}} products of tiles
// GROUPS: 12544 of 12544 elements are right, the greatest error is 0, {{[1-9][0-9]*}} products of tiles
