// What operators that are composed of several of Relay's compute at their edges is compared with numpy and ONNX Runtime.
// REQUIRES: time
// RUN: %python %S/Inputs/composed.py %t
// RUN: %python %S/../oracle/check_cases.py %t --relayc relayc
