// onnx's own backend test cases, driven by onnx's test runner, in one process for each core: two cases of each operator that the importer
// reads pass, and all cases of others are refused. onnx_cases_all.mlir runs all. The count changes only with onnx's version, or with the
// list of operators in test/oracle/onnx_operators.py.
// REQUIRES: time
// RUN: %package
// RUN: %python %S/../../python/tests/onnx_backend.py %t --export --most 2 | FileCheck %s
// RUN: %python %S/../oracle/check_cases.py %t --relayc relayc --every 85 | FileCheck %s --check-prefix=COMMAND
// RUN: %python %S/../oracle/check_cases.py %t --relayc relayc --op NonZero | FileCheck %s --check-prefix=NONZERO

// On GPUs, threads run in the emulated driver, in an order that is not that of their numbers.
// RUN: env RELAY_EMULATOR_ORDER=shuffled:1 %python %S/../oracle/check_cases.py %t --relayc relayc --every 40 --target "nvidia/h100 -emulated" \
// RUN:   | FileCheck %s --check-prefix=GPU
// Lists whose lengths are known at run time only are sorted in memory of the GPU.
// RUN: env RELAY_EMULATOR_ORDER=backward %python %S/../oracle/check_cases.py %t --relayc relayc --op Unique --target "nvidia/h100 -emulated" \
// RUN:   | FileCheck %s --check-prefix=UNIQUE
// By HIP, too. Machine code for a chip is made of others, which no machine here runs.
// RUN: env RELAY_EMULATOR_ORDER=backward %python %S/../oracle/check_cases.py %t --relayc relayc --every 100 --target "amd/mi300x -emulated" \
// RUN:   | FileCheck %s --check-prefix=ROCM
// RUN: rm -rf %t
// CHECK: {{[0-9]+}} cases of the suite: {{[0-9]+}} passed, 0 differ

// The command line runs some of them, too.
// COMMAND: 24 passed, 0 failed
// In NonZero's case a matrix has to be a constant, which the backend takes for an input.
// NONZERO: 1 passed, 0 failed
// GPU: 50 passed, 0 failed
// UNIQUE: 7 passed, 0 failed
// ROCM: 20 passed, 0 failed
