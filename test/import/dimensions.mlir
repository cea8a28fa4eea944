// Dimensions that are arithmetic on names have the value of it, and those without a name are one by one of any size.
// REQUIRES: time
// RUN: %python %S/Inputs/dimensions.py %t
// RUN: relayc compile %t/sum.onnx --emit relay --shape x=3,4 --shape y=2,4 2>&1 | FileCheck %s --check-prefix=SUM
// RUN: relayc compile %t/sum.onnx --emit relay --shape x=3,4 --shape m=5,4 2>&1 | FileCheck %s --check-prefix=SUM
// RUN: relayc bench %t/sum.onnx --repeat 1 2>&1 | FileCheck %s --check-prefix=ONES
// RUN: relayc compile %t/sum.onnx --emit relay 2>&1 | FileCheck %s --check-prefix=KEPT
// RUN: not relayc compile %t/sum.onnx --emit relay --shape x=3,4 --shape y=2,4 --shape m=6,4 2>&1 | FileCheck %s --check-prefix=OTHER
// RUN: relayc compile %t/sum.onnx --emit relay --dim past=3 --dim seq=2 2>&1 | FileCheck %s --check-prefix=SUM
// RUN: relayc compile %t/sum.onnx --emit relay --shape x=3,4 --dim 'past + seq=5' 2>&1 | FileCheck %s --check-prefix=SUM
// RUN: not relayc compile %t/sum.onnx --emit relay --shape x=3,4 --dim past=2 2>&1 | FileCheck %s --check-prefix=TWICE
// RUN: not relayc compile %t/sum.onnx --emit relay --dim batch=2 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not relayc compile %t/open0.onnx --emit relay --dim batch=2 2>&1 | FileCheck %s --check-prefix=NONE-NAMED
// RUN: not relayc compile %s --dim past=2 2>&1 | FileCheck %s --check-prefix=MLIR
// RUN: not relayc compile %t/sum.onnx --dim past=-2 2>&1 | FileCheck %s --check-prefix=SIZE
// RUN: relayc compile %t/more.onnx --emit relay --shape x=6,4 2>&1 | FileCheck %s --check-prefix=MORE
// RUN: not relayc compile %t/negative.onnx --emit relay --shape x=6,4 2>&1 | FileCheck %s --check-prefix=NEGATIVE
// RUN: relayc compile %t/hyphen.onnx --emit relay 2>&1 | FileCheck %s --check-prefix=HYPHEN
// RUN: relayc compile %t/open0.onnx --emit relay --shape x=2,3,48,192 2>&1 | FileCheck %s --check-prefix=ANY
// RUN: relayc compile %t/open1.onnx --emit relay --shape x=2,3,48,192 2>&1 | FileCheck %s --check-prefix=ANY
// RUN: relayc compile %t/open2.onnx --emit relay --shape x=2,3,48,192 2>&1 | FileCheck %s --check-prefix=ANY
// RUN: relayc compile %t/open3.onnx --emit relay --shape x=2,3,48,192 2>&1 | FileCheck %s --check-prefix=ANY
// RUN: relayc compile %t/open0.onnx --emit relay 2>&1 | FileCheck %s --check-prefix=OPEN

// SUM-NOT: WARN
// SUM: %arg0: tensor<3x4xf32> {{.*}}%arg1: tensor<2x4xf32> {{.*}}%arg2: tensor<5x4xf32>

// Each name is warned of once, all in one warning, and a sum of names is none.
// ONES: WARN input 'x': dimension 0 (past); input 'y': dimension 0 (seq) are unknown and taken to be 1; set them with --shape x=... --shape y=...
// ONES-NOT: WARN
// A library keeps them open.
// KEPT-NOT: WARN
// KEPT: %arg0: tensor<?x4xf32, ["past"]> {{.*}}%arg1: tensor<?x4xf32, ["seq"]> {{.*}}%arg2: tensor<?x4xf32, ["past + seq"]>

// OTHER: input 'm': dimension 'past + seq' is given as 6, but is 5 where past = 3 and seq = 2

// TWICE: input 'x': dimension 'past' is given as 3 and as 2
// NONE: a size is given for the dimension 'batch', which no input has; the dimensions with a name are past, seq, past + seq
// NONE-NAMED: a size is given for the dimension 'batch', which no input has; the inputs name no dimension
// MLIR: dimensions.mlir: the types of its function say the dimensions; --dim is for files of other frameworks
// SIZE: '-2' is no size: a whole number from 0 on

// MORE-NOT: WARN
// MORE: %arg0: tensor<6x4xf32> {{.*}}%arg1: tensor<3x4xf32> {{.*}}%arg2: tensor<9x4xf32>

// NEGATIVE: input 'y': dimension 'n - 9' is -3 where n = 6; no dimension is negative

// HYPHEN: %arg0: tensor<?x4xf32, ["batch_size"]> {{.*}}%arg1: tensor<?x4xf32, ["batch_size"]>

// ANY: %arg0: tensor<2x3x48x192xf32>
// OPEN: %arg0: tensor<?x3x?x?xf32, ["x_0", "x_2", "x_3"]>
