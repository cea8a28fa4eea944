// The measurements from end to end, and what relayc says of nodes and of the machine.
// REQUIRES: time
// RUN: %python -B %S/../../bench/bench.py --relayc relayc --models %S/../../examples/digits/digits.onnx --peers onnxruntime --threads 1 --rounds 2 --turn 0.01 --folder %t.folder --output %t.results | FileCheck %s --check-prefix=NETWORKS
// RUN: %python -B %S/../../bench/bench.py kernels --only 1x8x8 --relayc relayc --models %S/../../examples/digits/digits.onnx --peers onnxruntime --threads 1 --rounds 2 --folder %t.folder --output %t.results | FileCheck %s --check-prefix=KERNELS
// RUN: %python -B %S/../../bench/bench.py open --only recogniser --quick --relayc relayc --peers onnxruntime --threads 1 --rounds 2 --turn 0.01 --folder %t.folder --output %t.results | FileCheck %s --check-prefix=OPEN
// RUN: relayc bench %S/../../examples/tour/matmul.mlir --repeat 2 --explain --threads 1 | FileCheck %s
// RUN: relayc bench --machine --threads 1 | FileCheck %s --check-prefix=MACHINE
// RUN: not relayc bench 2>&1 | FileCheck %s --check-prefix=NOTHING
// RUN: not relayc bench --machine model.onnx 2>&1 | FileCheck %s --check-prefix=BOTH

// 32x64 by 64x48: 2 * 32 * 64 * 48 operations, and 4 * (32 * 64 + 64 * 48 + 32 * 48) bytes.
// CHECK: median
// CHECK: FMA peak: {{[1-9][0-9.]*}} GFLOP/s
// CHECK: memory: {{[0-9.]+}} GB/s
// CHECK: {{ms|µs}} predicted % MFLOP KiB GFLOP/s GB/s % roof node (kernel): schedule
// CHECK: {{ }}0.197 26.0 {{.*}} matmul (matmul): parallel 8, 3, 64, unroll 4, vector 16

// MACHINE: FMA peak: {{[1-9][0-9.]*}} GFLOP/s
// MACHINE: memory: {{[0-9.]+}} GB/s

// NOTHING: required arguments were not provided
// BOTH: cannot be used with

// NETWORKS: | digits | 1 | {{[0-9.]+ \([0-9.]+, [0-9.]+\)}} | {{[0-9.]+ \([0-9.]+, [0-9.]+\)}} | {{[0-9.]+}} |
// KERNELS: | conv 1x8x8 to 16, 3x3 pad 1 | 1 | {{.*}} | {{[0-9]+}} | {{[0-9]+}} |
// OPEN: | recogniser | width 32 | 1 | {{[0-9.]+}} | {{[0-9.]+}} | {{[0-9.]+}} | {{[0-9.]+}} | {{[0-9.]+}} |
