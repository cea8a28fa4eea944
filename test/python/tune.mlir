// Models tuned from Python.
// RUN: %package
// RUN: %pytest/test_tune.py
