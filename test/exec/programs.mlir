// Each program of test/programs against what it has to give.
// RUN: %python %S/../programs/check.py --executor interpreter | FileCheck %s

// CHECK: [[COUNT:[0-9]+]] programs, [[COUNT]] agree
