// Operators that are composed of several of Relay's, at their edges: beside numpy and ONNX Runtime.
// RUN: %python %S/Inputs/composed.py %t
// RUN: %python %S/../oracle/check_cases.py %t --relayc relayc
