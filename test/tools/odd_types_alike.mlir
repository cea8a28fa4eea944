// As odd_types.mlir, of types that differ from those in their widths alone.
// REQUIRES: release
// RUN: %python %S/Inputs/odd_types.py %t --alike
