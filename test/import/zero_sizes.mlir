// Every imported operator where an extent of its operands is 0, with others that it is fused with, beside ONNX Runtime.
// REQUIRES: time
// RUN: %python %S/../oracle/zero_sizes.py %t --surrounded
