// onnx's own test runner, driving our onnx.backend, passes the cases that test/import/onnx_cases.mlir runs: here each
// sixth, others every day. docs/guide/python.md has the command that runs all of them.
// REQUIRES: time
// RUN: %package
// RUN: %pytest/test_backend.py
// RUN: %python %examples/../test/oracle/onnx_node_cases.py %t > %t.log 2>&1
// RUN: %python %examples/../python/tests/onnx_backend.py %t --every 6 | FileCheck %s
// RUN: rm -rf %t
// CHECK: cases of the suite: {{[0-9]+}} passed, 0 differ
