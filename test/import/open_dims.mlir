// Dimensions that stay open: --dim and --shape name or bound them, and the module says their symbols.
// REQUIRES: time
// RUN: %python %S/Inputs/open_dims.py %t
// RUN: relayc compile %t/perceptron.onnx --emit relay --dim batch=? 2>&1 | FileCheck %s --check-prefix=BATCH
// RUN: relayc compile %t/perceptron.onnx --emit relay --dim batch=1..64 2>&1 | FileCheck %s --check-prefix=BOUNDS
// RUN: relayc compile %t/perceptron.onnx --emit relay --dim batch=16..500:16 2>&1 | FileCheck %s --check-prefix=MULTIPLES
// RUN: relayc compile %t/perceptron.onnx --emit relay --shape x=?,4 2>&1 | FileCheck %s --check-prefix=BATCH
// RUN: relayc compile %t/perceptron.onnx --emit relay --shape x=n,4 2>&1 | FileCheck %s --check-prefix=NAMED
// RUN: relayc compile %t/perceptron.onnx --emit relay --dim batch=3 2>&1 | FileCheck %s --check-prefix=FIXED
// RUN: relayc compile %t/perceptron.onnx --emit relay 2>&1 | FileCheck %s --check-prefix=BATCH
// RUN: relay-translate --import-onnx %t/perceptron.onnx 2>&1 | FileCheck %s --check-prefix=TRANSLATED
// RUN: relayc inspect %t/perceptron.onnx --dim batch=? --nodes 2>&1 | FileCheck %s --check-prefix=INSPECT
// RUN: not relayc compile %t/perceptron.onnx --dim batch=20..3 2>&1 | FileCheck %s --check-prefix=EMPTY
// RUN: not relayc compile %t/perceptron.onnx --shape x=?,? 2>&1 | FileCheck %s --check-prefix=KNOWN
// RUN: not relayc compile %t/perceptron.onnx --shape x=3,4 --dim batch=? 2>&1 | FileCheck %s --check-prefix=TWICE
// RUN: relayc compile %t/cache.onnx --emit relay --dim past=? --dim seq=? 2>&1 | FileCheck %s --check-prefix=SUM
// RUN: relayc compile %t/cache.onnx --emit relay --shape m=?,4 2>&1 | FileCheck %s --check-prefix=SUM
// RUN: relayc compile %t/cache.onnx --emit relay --dim past=? --dim seq=2 2>&1 | FileCheck %s --check-prefix=HALF
// RUN: relayc compile %t/nameless.onnx --emit relay --shape x=?,3,?,? 2>&1 | FileCheck %s --check-prefix=FRESH
// RUN: relayc compile %t/names.onnx --emit relay --shape x=?,4 --shape y_in=?,4 2>&1 | FileCheck %s --check-prefix=NAMES
// RUN: not relayc inspect %t/lengths.onnx --dim s=? 2>&1 | FileCheck %s --check-prefix=NUMBER
// RUN: relayc inspect %t/lengths.onnx 2>&1 | FileCheck %s --check-prefix=INSTEAD
// RUN: relayc compile %t/lengths.onnx -o %t/lengths.so 2>&1 | FileCheck %s --check-prefix=INSTEAD
// RUN: relayc inspect %t/division.onnx --dim s=? --nodes 2>&1 | FileCheck %s --check-prefix=DATA

// BATCH-NOT: WARN
// BATCH: relay.symbols = {batch = array<i64: 0, 9223372036854775807, 1, 64>}
// BATCH: @main(%arg0: tensor<?x4xf32, ["batch"]> {{.*}}) -> (tensor<?x8xf32, ["batch"]>
// BATCH: relay.nn.{{.*}} -> tensor<?x8xf32, ["batch"]>

// BOUNDS: relay.symbols = {batch = array<i64: 1, 64, 1, 64>}
// MULTIPLES: relay.symbols = {batch = array<i64: 16, 500, 16, 496>}
// NAMED: relay.symbols = {n = array<i64: 0, 9223372036854775807, 1, 64>}
// NAMED: @main(%arg0: tensor<?x4xf32, ["n"]> {{.*}}) -> (tensor<?x8xf32, ["n"]>

// FIXED-NOT: relay.symbols
// FIXED: @main(%arg0: tensor<3x4xf32> {{.*}}) -> (tensor<3x8xf32>
// TRANSLATED: @main(%arg0: tensor<?x4xf32, ["batch"]>

// INSPECT: x: float[batch, 4] -> f32[batch, 4]
// INSPECT: y: float[batch, 8] -> f32[batch, 8]
// INSPECT: gemm: nn.dense -> f32[batch, 8]

// EMPTY: input 'x': there is no size from 20 to 3
// KNOWN: input 'x': the shape given, [?, ?], is not one of float[batch, 4]
// TWICE: input 'x': dimension 'batch' is given as 3 and as open

// Arithmetic is of symbols, if each is a dimension of its own elsewhere.
// SUM: relay.symbols = {past = array<i64: 0, 9223372036854775807, 1, 64>, seq = array<i64: 0, 9223372036854775807, 1, 64>}
// SUM: %arg0: tensor<?x4xf32, ["past"]> {{.*}}%arg1: tensor<?x4xf32, ["seq"]> {{.*}}%arg2: tensor<?x4xf32, ["past + seq"]>
// HALF: %arg0: tensor<?x4xf32, ["past"]> {{.*}}%arg1: tensor<2x4xf32> {{.*}}%arg2: tensor<?x4xf32, ["past + 2"]>

// FRESH: %arg0: tensor<?x3x?x?xf32, ["x_0", "x_2", "x_3"]>
// What is no name becomes one, and no two dimensions share it.
// NAMES: %arg0: tensor<?x4xf32, ["batch_size"]> {{.*}}%arg1: tensor<?x4xf32, ["batch_size_1"]>

// NUMBER: node 'dft' (DFT): dimension 's' is open, and this operator needs a number here; give the size with --dim or --shape

// If nobody asked for an open dimension, it is 1.
// INSTEAD: WARN open dimensions cannot stay open: {{.*}}node 'dft' (DFT): dimension 's' is open

// A size that is used as data is computed when the model runs.
// DATA: divide: shape_of -> i64[2]
// DATA: divide: take -> i64[]
// DATA: divide: divide -> f32[2, s]
