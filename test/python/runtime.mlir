// Compiled models, loaded and run from Python; and what the package says of itself.
// REQUIRES: time
// RUN: %package
// RUN: cd %examples/../python/tests && %pytest/test_runtime.py test_donation.py test_stubs.py
