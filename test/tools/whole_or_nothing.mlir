// Signals, full disks and full devices: outputs are whole or not at all, and nothing else is left.
// REQUIRES: time
// RUN: rm -rf %t
// RUN: %python %S/Inputs/whole_or_nothing.py %t | FileCheck %s
// CHECK: signals: whole or not at all
// CHECK-NEXT: ignored signals: ignored
// CHECK-NEXT: full disks: whole or not at all
// CHECK-NEXT: full devices: errors
