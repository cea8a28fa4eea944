// onnx's own backend test cases, driven by onnx's test runner, in one process for each core. All cases of the operators
// that the importer reads pass; all others are refused. The count changes only with onnx's version, or with the list of
// operators in test/oracle/onnx_operators.py.
// REQUIRES: time
// RUN: %package
// RUN: %python %S/../oracle/onnx_node_cases.py %t > %t.log 2>&1
// RUN: %python %S/../../python/tests/onnx_backend.py %t | FileCheck %s
// RUN: %python %S/../oracle/check_cases.py %t --relayc relayc --every 85 | FileCheck %s --check-prefix=COMMAND
// RUN: %python %S/../oracle/check_cases.py %t --relayc relayc --op NonZero | FileCheck %s --check-prefix=NONZERO
// RUN: rm -rf %t
// CHECK: 1964 cases of the suite: 1964 passed, 0 differ

// The command line runs some of them, too.
// COMMAND: 24 passed, 0 failed
// In NonZero's case a matrix has to be a constant, which the backend takes for an input.
// NONZERO: 1 passed, 0 failed
