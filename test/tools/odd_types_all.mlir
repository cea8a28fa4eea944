// All types that no pass computes with, as odd_types.mlir.
// REQUIRES: release
// RUN: %python %S/Inputs/odd_types.py %t
