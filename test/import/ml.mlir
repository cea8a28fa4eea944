// Operators of numbers of the domain ai.onnx.ml, beside ONNX Runtime.
// REQUIRES: time
// RUN: %python %S/Inputs/ml.py %t
// RUN: %python %S/../oracle/check_cases.py %t --relayc relayc
