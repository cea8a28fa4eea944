// Programs mean the same on other devices. One is not there, for the interpreter; the other one is the processor's. Each fourth program
// runs; programs_everywhere.mlir runs all.
// REQUIRES: time
// RUN: %python -B %S/../programs/check.py --executor interpreter --by planned --run-each 4 | FileCheck %s
// RUN: %python -B %S/../programs/check.py --executor interpreter aot vm --by planned-processor devices closure_captures_tensor reference_to_function option_chain | FileCheck %s

// CHECK: [[COUNT:[0-9]+]] programs, [[COUNT]] agree
