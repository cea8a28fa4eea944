// Operators from quantised tensors to quantised tensors, against integers of any size and plain loops over their definitions. Relay's text has
// the calls.
// REQUIRES: time
// RUN: rm -rf %t && mkdir %t
// RUN: %python %S/Inputs/quantised.py relayc %t
