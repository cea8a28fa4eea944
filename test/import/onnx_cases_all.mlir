// All of onnx's own backend test cases of the operators that the importer reads pass; all others are refused.
// REQUIRES: release
// RUN: %package
// RUN: %python %S/../oracle/onnx_node_cases.py %t > %t.log 2>&1
// RUN: %python %S/../../python/tests/onnx_backend.py %t | FileCheck %s
// RUN: rm -rf %t
// CHECK: 1964 cases of the suite: 1964 passed, 0 differ
