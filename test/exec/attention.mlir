// Attentions of several shapes, scaled, masked and with what follows, against numpy; the same bits with one thread
// and with two.
// RUN: %python %S/Inputs/attention.py model %t.mlir %t.in.npz
// RUN: relayc run %t.mlir --threads 1 --inputs %t.in.npz --outputs %t.1.npz
// RUN: %python %S/Inputs/attention.py check %t.in.npz %t.1.npz
// RUN: relayc run %t.mlir --threads 2 --inputs %t.in.npz --outputs %t.2.npz
// RUN: %python %S/Inputs/attention.py same %t.1.npz %t.2.npz
// RUN: relay-opt %t.mlir --fuse-ops | FileCheck %s
// RUN: relay-opt %t.mlir --fuse-ops --relay-to-te | FileCheck %s --check-prefix=BLOCKS

// All of each case is one kernel.
// CHECK-COUNT-8: func.func private @{{.*}}softmax_batch_matmul
// CHECK-NOT: func.func private

// Of a prime number of rows, too many for the cache, a block holds many, and the last one lies over the one before.
// BLOCKS-LABEL: (%arg0: tensor<3x577x64xf32>
// BLOCKS-SAME: te.knobs = "attention rows={{[0-9][0-9]+}}"
// BLOCKS: te.split %{{.+}} {factor = {{[0-9][0-9]+}} : i64, shift_inwards}
