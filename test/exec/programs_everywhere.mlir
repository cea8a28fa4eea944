// All programs run by each executor; after printing, after lambda lifting, and placed on a device.
// REQUIRES: release
// RUN: %python -B %S/../programs/check.py --executor interpreter aot vm | FileCheck %s
// RUN: %python -B %S/../programs/check.py --executor interpreter --by printed | FileCheck %s
// RUN: %python -B %S/../programs/check.py --executor interpreter --by lifted | FileCheck %s
// RUN: %python -B %S/../programs/check.py --executor interpreter --by planned | FileCheck %s

// CHECK: [[COUNT:[0-9]+]] programs, [[COUNT]] agree
