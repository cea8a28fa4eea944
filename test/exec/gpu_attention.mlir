// Attentions by blocks of keys, in the emulated driver, beside numpy: masked, causal, with queries that have no key, of f32, f16 and bf16.
// RUN: %python %S/Inputs/gpu_attention.py model %t.mlir %t.in.npz
// RUN: relayc compile %t.mlir --target "nvidia/h100 -emulated" --emit te | FileCheck %s
// RUN: relayc compile %t.mlir --target "nvidia/h100 -emulated" -o %t.so
// RUN: env RELAY_EMULATOR_ORDER=forward relayc run %t.so --inputs %t.in.npz --outputs %t.1.npz
// RUN: env RELAY_EMULATOR_ORDER=shuffled:5 relayc run %t.so --inputs %t.in.npz --outputs %t.2.npz
// RUN: %python %S/Inputs/gpu_attention.py check %t.in.npz %t.1.npz %t.2.npz

// Each is one kernel, by threads and by warps.
// CHECK-COUNT-6: te.knobs = "gpu/attention threads={{[0-9]+x[0-9]+}} results=
// CHECK-COUNT-4: te.knobs = "gpu/attention warps={{[0-9]x[0-9]}}"
// CHECK: te.knobs = "gpu/attention threads=
// CHECK: te.knobs = "gpu/attention warps=

// Several queries of a thread, and several warps along queries and columns.
// RUN: relay-opt %t.mlir --attach-target='target="nvidia/h100 -emulated"' --simplify-inference --fuse-ops --relay-to-te='knobs="gpu/attention threads=4x8 results=4"' -o %t.threads.mlir
// RUN: FileCheck %s --check-prefix=THREADS < %t.threads.mlir
// RUN: relayc compile %t.threads.mlir -o %t.threads.so --target "nvidia/h100 -emulated"
// RUN: env RELAY_EMULATOR_ORDER=backward relayc run %t.threads.so --inputs %t.in.npz --outputs %t.3.npz
// RUN: %python %S/Inputs/gpu_attention.py check %t.in.npz %t.3.npz
// THREADS: te.knobs = "gpu/attention threads=4x8 results=4"
// RUN: relay-opt %t.mlir --attach-target='target="nvidia/h100 -emulated"' --simplify-inference --fuse-ops --relay-to-te='knobs="gpu/attention warps=2x2"' -o %t.warps.mlir
// RUN: FileCheck %s --check-prefix=WARPS < %t.warps.mlir
// RUN: relayc compile %t.warps.mlir -o %t.warps.so --target "nvidia/h100 -emulated"
// RUN: env RELAY_EMULATOR_ORDER=shuffled:3 relayc run %t.warps.so --inputs %t.in.npz --outputs %t.4.npz
// RUN: %python %S/Inputs/gpu_attention.py check %t.in.npz %t.4.npz
// WARPS: te.knobs = "gpu/attention warps=2x2"

// AMD's warps have 64 lanes, and other matrices.
// RUN: relayc compile %t.mlir -o %t.amd.so --target "amd/mi300x -emulated"
// RUN: env RELAY_EMULATOR_ORDER=shuffled:2 relayc run %t.amd.so --inputs %t.in.npz --outputs %t.5.npz
// RUN: %python %S/Inputs/gpu_attention.py check %t.in.npz %t.5.npz
