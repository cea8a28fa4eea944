// The measurements: bench/ beside ONNX Runtime, and what relayc says of nodes and of the machine.
// RUN: %python -B %S/../../bench/test_bench.py
// RUN: relayc bench %S/../../examples/tour/matmul.mlir --repeat 2 --explain --threads 1 | FileCheck %s
// RUN: relayc bench --machine --threads 1 | FileCheck %s --check-prefix=MACHINE
// RUN: not relayc bench 2>&1 | FileCheck %s --check-prefix=NOTHING
// RUN: not relayc bench --machine model.onnx 2>&1 | FileCheck %s --check-prefix=BOTH

// 32x64 by 64x48: 2 * 32 * 64 * 48 operations, and 4 * (32 * 64 + 64 * 48 + 32 * 48) bytes.
// CHECK: median
// CHECK: FMA peak: {{[1-9][0-9.]*}} GFLOP/s
// CHECK: memory: {{[0-9.]+}} GB/s
// CHECK: MFLOP KiB GFLOP/s GB/s % roof node (kernel): schedule
// CHECK: {{ }}0.197 26.0 {{.*}} matmul (matmul): parallel 8, 3, 64, unroll 4, vector 16

// MACHINE: FMA peak: {{[1-9][0-9.]*}} GFLOP/s
// MACHINE: memory: {{[0-9.]+}} GB/s

// NOTHING: required arguments were not provided
// BOTH: cannot be used with
