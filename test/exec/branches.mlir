// Models that choose a branch when they run, beside ONNX Runtime. A run that takes a branch that does not fit the shapes ends with an error.
// REQUIRES: time
// RUN: %package
// RUN: %python %S/Inputs/branches.py %t relayc
