// ONNX Runtime's own operators, beside ONNX Runtime.
// REQUIRES: time
// RUN: %python %S/Inputs/microsoft.py %t
// RUN: %python %S/../oracle/check_cases.py %t --relayc relayc
