// The shapes of models that are imported once, with open dimensions, beside ONNX Runtime's at several sizes.
// REQUIRES: time
// RUN: %python %S/Inputs/open_shapes.py %t relayc
