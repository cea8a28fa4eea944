// Products of bytes beside ONNX Runtime: convolutions in one dimension, and batches of matrices that are data on both sides.
// REQUIRES: time
// RUN: %python %S/Inputs/quantised_products.py %t
// RUN: %python %S/../oracle/check_cases.py %t --relayc relayc
