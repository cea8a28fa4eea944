// Products of f32 with weights of f16 and bf16, which are widened where they are read, against numpy: with one row and many, and without
// fusion.
// RUN: %python %S/Inputs/narrow_weights.py model %t.mlir %t.in.npz
// RUN: relayc run %t.mlir --inputs %t.in.npz --outputs %t.npz
// RUN: %python %S/Inputs/narrow_weights.py check %t.in.npz %t.npz
// RUN: relayc run %t.mlir --opt-level 0 --target x86-64-v3 --inputs %t.in.npz --outputs %t.npz
// RUN: %python %S/Inputs/narrow_weights.py check %t.in.npz %t.npz

// Weights stay as narrow as they are, in blocks, too.
// RUN: relayc compile %t.mlir --emit relay -o %t.relay.mlir
// RUN: FileCheck %s < %t.relay.mlir
// CHECK: contrib_dense_pack{{.*}}xf16>
// CHECK-NOT: relay.cast
