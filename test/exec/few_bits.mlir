// Products with weights of 2, 4 and 8 bits in blocks give what numpy computes in doubles, as nearly as f32 does, at all levels of the
// processor; and the same bits for any number of threads and of rows at a time.
// REQUIRES: time
// RUN: %python %S/Inputs/few_bits.py %t | FileCheck %s

// CHECK-NOT: differs
// CHECK: products are right
