// As zero_sizes.mlir, each operator as a kernel of its own.
// RUN: %python %S/../oracle/zero_sizes.py %t --options="--opt-level 0"
