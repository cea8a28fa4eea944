// A value that each of 30 operators reads twice, at the same and at different indices, is not computed 2^30 times.
// REQUIRES: time
// RUN: %python %S/Inputs/shared.py model %t.in.npz > %t.mlir
// RUN: relayc run %t.mlir --inputs %t.in.npz --outputs %t.out.npz
// RUN: %python %S/Inputs/shared.py check %t.in.npz %t.out.npz
