// Programs mean the same after printing and after lambda lifting: all are printed and lifted, and each fourth one runs.
// programs_everywhere.mlir runs all.
// REQUIRES: time
// RUN: %python -B %S/../programs/check.py --executor interpreter --by printed --run-each 4 | FileCheck %s
// RUN: %python -B %S/../programs/check.py --executor interpreter --by lifted --run-each 4 | FileCheck %s

// CHECK: [[COUNT:[0-9]+]] programs, [[COUNT]] agree
