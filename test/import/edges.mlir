// Tensors without elements, pads that cut off more than there is, and an output that is listed twice, beside ONNX Runtime.
// REQUIRES: time
// RUN: %python %S/Inputs/edges.py %t
// RUN: %python %S/../oracle/check_cases.py %t --relayc relayc
