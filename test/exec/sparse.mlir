// Products, convolutions, sums and transposes of sparse matrices, beside numpy on the same matrices written out.
// REQUIRES: time
// RUN: %python %S/Inputs/sparse.py %t

// The same operators in a program, by all that runs one.
// RUN: %python %S/Inputs/sparse.py %t programs

// Operators with dense weights, which the passes give their sparse forms.
// RUN: %python %S/Inputs/sparse.py %t passes
