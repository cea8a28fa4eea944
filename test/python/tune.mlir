// Models tuned from Python.
// REQUIRES: time
// RUN: %package
// RUN: %pytest/test_tune.py
