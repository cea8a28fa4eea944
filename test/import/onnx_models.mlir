// Whole networks, with the outputs that onnx ships, at one and two threads.
// REQUIRES: release
// RUN: %python %S/../oracle/light_models.py %t > %t.log 2>&1
// RUN: %python %S/../oracle/check_models.py %t --relayc relayc
// RUN: rm -rf %t
