// Operators with open dimensions, each alone: one library at several sizes, beside ONNX Runtime.
// REQUIRES: time
// RUN: %package
// RUN: %python %S/Inputs/open_operators.py %t relayc
