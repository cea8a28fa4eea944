// Numbers and windows at their ends: infinities, NaN, subnormal and odd numbers, windows in padding, and slices from beyond an axis. They
// are compared with ONNX Runtime and numpy.
// REQUIRES: time
// RUN: %python %S/Inputs/ends.py %t
// RUN: %python %S/../oracle/check_cases.py %t --relayc relayc
