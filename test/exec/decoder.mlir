// A language model with caches, whose steps update the caches in place, beside ONNX Runtime.
// RUN: %package
// RUN: %python %S/Inputs/decoder.py %t relayc
