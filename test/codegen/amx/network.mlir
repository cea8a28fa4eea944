// Dense layers and convolutions on tiles (AMX), run under an emulator of the instructions, compute what numpy does.
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
// RUN: bash %S/Inputs/run.sh %python %t convolutions 14 14 1 64 96 96 | FileCheck %s --check-prefix=CONVOLUTIONS
// RUN: bash %S/Inputs/run.sh %python %t convolutions 9 7 2 48 32 64 | FileCheck %s --check-prefix=STRIDE

// CONVOLUTIONS: 18816 of 18816 elements are right, {{.*}} 960 products of tiles
// STRIDE: 1280 of 1280 elements are right, {{.*}} {{[1-9][0-9]*}} products of tiles
// WHOLE: 98304 of 98304 elements are right, {{.*}} 9216 products of tiles
// NETWORK: 1813 of 1813 elements are right, {{.*}} 264 products of tiles
// FEW: 15 of 15 elements are right, {{.*}} 10 products of tiles
// ODD: 1023 of 1023 elements are right
// ONE: 32 of 32 elements are right, {{.*}} 0 products of tiles
// VECTORS: 1320 of 1320 elements are right, {{.*}} 0 products of tiles
