// IR made, changed and run from Python.
// REQUIRES: time
// RUN: %package
// RUN: %pytest/test_ir.py
