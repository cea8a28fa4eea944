// Models for GPUs from Python, run by the emulated driver.
// REQUIRES: time
// RUN: %package
// RUN: cd %examples/../python/tests && %pytest/test_gpu.py
