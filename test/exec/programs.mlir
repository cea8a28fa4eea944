// Each program of test/programs against what it has to give.
// RUN: %python -B %S/../programs/check.py --executor interpreter aot vm | FileCheck %s
// RUN: %python -B %S/../programs/check.py --executor interpreter --by printed | FileCheck %s
// RUN: %python -B %S/../programs/check.py --executor interpreter --by lifted | FileCheck %s

// CHECK: [[COUNT:[0-9]+]] programs, [[COUNT]] agree
