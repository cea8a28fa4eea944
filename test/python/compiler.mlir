// Models compiled from Python.
// RUN: %package
// RUN: %pytest/test_compiler.py
