// Each program of test/programs against what it has to give, compiled; each second one by the other executors, too.
// programs_everywhere.mlir runs all by each.
// REQUIRES: time
// RUN: %python -B %S/../programs/check.py --executor aot | FileCheck %s
// RUN: %python -B %S/../programs/check.py --executor interpreter vm --run-each 2 | FileCheck %s

// CHECK: [[COUNT:[0-9]+]] programs, [[COUNT]] agree
