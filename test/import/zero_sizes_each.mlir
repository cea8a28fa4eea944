// As zero_sizes.mlir, each operator as a kernel of its own.
// REQUIRES: time
// RUN: %python %S/../oracle/zero_sizes.py %t --options="--opt-level 0"
