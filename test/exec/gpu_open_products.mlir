// Products with open numbers of rows, columns, samples and pixels on a GPU, in the emulated driver, against numpy: tiles of a known size, one
// library for all sizes, the same bits in each order of threads.
// RUN: %python %S/Inputs/gpu_open_products.py model %t.mlir
// RUN: relayc compile %t.mlir --target "nvidia/h100 -emulated" --emit te | FileCheck %s
// RUN: relayc compile %t.mlir --target "nvidia/h100 -emulated" -o %t.so
// RUN: sh -ec 'for size in "1 1" "7 33" "65 20" "0 5"; do %python %S/Inputs/gpu_open_products.py inputs $size %t.in.npz; for order in forward shuffled:5; do RELAY_EMULATOR_ORDER=$order relayc run %t.so --inputs %t.in.npz --outputs %t.$order.npz; done; %python %S/Inputs/gpu_open_products.py check %t.in.npz %t.forward.npz %t.shuffled:5.npz; done'
// RUN: relayc compile %t.mlir --target "amd/mi300x -emulated" -o %t.amd.so
// RUN: sh -ec 'for size in "1 40" "37 70"; do %python %S/Inputs/gpu_open_products.py inputs $size %t.in.npz; RELAY_EMULATOR_ORDER=backward relayc run %t.amd.so --inputs %t.in.npz --outputs %t.amd.npz; %python %S/Inputs/gpu_open_products.py check %t.in.npz %t.amd.npz; done'

// CHECK-DAG: te.knobs = "gpu/product threads=
// CHECK-DAG: te.knobs = "gpu/matrix warps=
// CHECK-NOT: te.knobs = "gpu/reduce
