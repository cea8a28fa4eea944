// Every imported operator against onnx's own backend test cases.
// REQUIRES: time
// RUN: %python %S/../oracle/onnx_node_cases.py %t > %t.log 2>&1
// RUN: %python %S/../oracle/check_cases.py %t --relayc relayc
