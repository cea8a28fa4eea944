// onnx's own backend test cases on an AMD GPU, in the emulated driver, by HIP. Machine code for a chip is made of others, which no machine here runs.
// REQUIRES: time
// RUN: %python %S/../oracle/onnx_node_cases.py %t > %t.log 2>&1
// RUN: env RELAY_EMULATOR_ORDER=backward %python %S/../oracle/check_cases.py %t --relayc relayc --every 60 --target "amd/mi300x -emulated" \
// RUN:   | FileCheck %s
// RUN: rm -rf %t
// CHECK: passed, 0 failed
