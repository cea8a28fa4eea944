// Sequences, optionals, and what is known while importing, beside ONNX Runtime.
// REQUIRES: time
// RUN: %python %S/Inputs/sequences.py %t
// RUN: %python %S/../oracle/check_cases.py %t --relayc relayc
