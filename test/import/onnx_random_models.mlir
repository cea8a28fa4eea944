// Networks with seeded random weights, against ONNX Runtime, at one and two threads.
// REQUIRES: time
// RUN: %python %S/../oracle/check_models.py %t --relayc relayc --random resnet50 shufflenet squeezenet
// RUN: rm -rf %t
