// What ONNX Runtime's optimisers and quantisers make of networks, beside ONNX Runtime.
// REQUIRES: time
// RUN: %python %S/Inputs/optimised.py %t
// RUN: %python %S/../oracle/check_cases.py %t --relayc relayc
