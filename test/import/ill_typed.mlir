// What is said of programs whose types contradict each other: where, and both facts.
// REQUIRES: time
// RUN: %python -B %S/../programs/ill_typed.py | FileCheck %s

// CHECK: [[COUNT:[0-9]+]] programs, [[COUNT]] messages as expected
