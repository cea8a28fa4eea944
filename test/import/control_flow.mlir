// Branches, loops and functions of models, beside ONNX Runtime.
// REQUIRES: time
// RUN: %python %S/Inputs/control_flow.py %t
// RUN: %python %S/../oracle/check_cases.py %t --relayc relayc
