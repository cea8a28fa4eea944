// Operators as they were in operator sets 1 to 6, beside numpy, and experiments of that time beside ONNX Runtime.
// REQUIRES: time
// RUN: %python %S/Inputs/old_operators.py %t
// RUN: %python %S/../oracle/check_cases.py %t --relayc relayc
