// Compiled models, loaded and run from Python; and what the package says of itself.
// RUN: %package
// RUN: %pytest/test_runtime.py
// RUN: %pytest/test_stubs.py
