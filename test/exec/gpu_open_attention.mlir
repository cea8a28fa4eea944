// Attentions with open numbers of queries and of keys on a GPU, in the emulated driver, against numpy: one library for all sizes, one kernel
// for each attention, the same bits in each order of threads.
// RUN: %python %S/Inputs/open_attention.py model %t.mlir
// RUN: relayc compile %t.mlir --target "nvidia/h100 -emulated" --emit te | FileCheck %s
// RUN: relayc compile %t.mlir --target "nvidia/h100 -emulated" -o %t.so
// RUN: sh -ec 'for size in "1 1" "1 300" "5 127" "70 128" "33 65" "3 0" "0 3"; do %python %S/Inputs/open_attention.py inputs $size %t.in.npz; for order in forward shuffled:5; do RELAY_EMULATOR_ORDER=$order relayc run %t.so --inputs %t.in.npz --outputs %t.$order.npz; done; %python %S/Inputs/open_attention.py check %t.in.npz %t.forward.npz; %python %S/Inputs/open_attention.py same %t.forward.npz %t.shuffled:5.npz; done'

// AMD's warps have 64 lanes, and other matrices.
// RUN: relayc compile %t.mlir --target "amd/mi300x -emulated" -o %t.amd.so
// RUN: sh -ec 'for size in "1 40" "37 70"; do %python %S/Inputs/open_attention.py inputs $size %t.in.npz; RELAY_EMULATOR_ORDER=backward relayc run %t.amd.so --inputs %t.in.npz --outputs %t.amd.npz; %python %S/Inputs/open_attention.py check %t.in.npz %t.amd.npz; done'

// CHECK-DAG: te.knobs = "gpu/attention threads={{[0-9]+x[0-9]+}} results=
// CHECK-DAG: te.knobs = "gpu/attention warps={{[0-9]x[0-9]}}"
// CHECK-NOT: te.knobs = "gpu/reduce
// CHECK-NOT: te.knobs = "gpu/rows
// CHECK-NOT: te.knobs = "gpu/product
