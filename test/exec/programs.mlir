// Each program of test/programs against what it has to give, by each executor.
// REQUIRES: time
// RUN: %python -B %S/../programs/check.py --executor interpreter aot vm | FileCheck %s

// CHECK: [[COUNT:[0-9]+]] programs, [[COUNT]] agree
