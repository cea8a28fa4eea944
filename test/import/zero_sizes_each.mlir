// As zero_sizes.mlir, each operator as a kernel of its own. What ONNX Runtime refuses has been seen there.
// REQUIRES: time
// RUN: %python %S/../oracle/zero_sizes.py %t --taken --options="--opt-level 0"
