// Every imported operator against onnx's own backend test cases. What fails is known by name: an
// entry that passes, or a failure that is not on the list, fails this test.
// RUN: %python %S/../oracle/onnx_node_cases.py %t > %t.log 2>&1
// RUN: %python %S/../oracle/check_cases.py %t --relayc relayc --known %S/Inputs/known_failures.txt
