// Programs mean the same after printing and after lambda lifting.
// REQUIRES: time
// RUN: %python -B %S/../programs/check.py --executor interpreter --by printed | FileCheck %s
// RUN: %python -B %S/../programs/check.py --executor interpreter --by lifted | FileCheck %s

// CHECK: [[COUNT:[0-9]+]] programs, [[COUNT]] agree
