// Arithmetic, orders, conversions and reductions of every number type, beside numpy.
// REQUIRES: time
// RUN: %python %S/Inputs/number_types.py relayc %t
