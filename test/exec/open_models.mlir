// Models with open dimensions: one library of each, at several sizes, beside ONNX Runtime.
// REQUIRES: time
// RUN: %package
// RUN: %python %S/Inputs/open_models.py %t relayc
