// Models whose shapes depend on data: one library of each, on several inputs, beside ONNX Runtime. What ONNX Runtime refuses ends with an
// error, too.
// REQUIRES: time
// RUN: %package
// RUN: %python %S/Inputs/computed_shapes.py %t relayc
