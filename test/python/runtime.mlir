// Compiled models, loaded and run from Python.
// RUN: %package
// RUN: %pytest/test_runtime.py
