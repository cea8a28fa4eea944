// Attentions of several shapes, scaled, masked and with what follows, against numpy; the same bits with one thread
// and with two.
// RUN: %python %S/Inputs/attention.py model %t.mlir %t.in.npz
// RUN: relayc run %t.mlir --threads 1 --inputs %t.in.npz --outputs %t.1.npz
// RUN: %python %S/Inputs/attention.py check %t.in.npz %t.1.npz
// RUN: relayc run %t.mlir --threads 2 --inputs %t.in.npz --outputs %t.2.npz
// RUN: %python %S/Inputs/attention.py same %t.1.npz %t.2.npz
// RUN: relay-opt %t.mlir --fuse-ops | FileCheck %s

// All of each case is one kernel.
// CHECK-COUNT-7: func.func private @{{.*}}softmax_batch_matmul
// CHECK-NOT: func.func private
