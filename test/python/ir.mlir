// IR made, changed and run from Python.
// RUN: %package
// RUN: %pytest/test_ir.py
