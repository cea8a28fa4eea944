// What a library computes of the sizes of its open dimensions: equal to Python's numbers, or refused.
// REQUIRES: time
// RUN: rm -rf %t && mkdir %t
// RUN: %python %S/Inputs/open_forms.py %t %runtime | FileCheck %s
// CHECK: 0 wrong of 12800, {{[0-9]+}} not known
