// onnx's own backend test cases on a GPU: each kernel's threads run in the emulated driver, in an order that is not that of their numbers.
// REQUIRES: time
// RUN: %python %S/../oracle/onnx_node_cases.py %t > %t.log 2>&1
// RUN: env RELAY_EMULATOR_ORDER=shuffled:1 %python %S/../oracle/check_cases.py %t --relayc relayc --every 20 --target "nvidia/h100 -emulated" \
// RUN:   | FileCheck %s
// Lists whose lengths are known at run time only are sorted in memory of the GPU.
// RUN: env RELAY_EMULATOR_ORDER=backward %python %S/../oracle/check_cases.py %t --relayc relayc --op Unique --target "nvidia/h100 -emulated" \
// RUN:   | FileCheck %s --check-prefix=UNIQUE
// RUN: rm -rf %t
// CHECK: 99 passed, 0 failed
// UNIQUE: 7 passed, 0 failed
