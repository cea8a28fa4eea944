// Relay's programs, tensor expressions and patterns written in Python.
// REQUIRES: time
// RUN: %package
// RUN: %pytest/test_relay.py
// RUN: %pytest/test_te.py
// RUN: %pytest/test_autotvm.py
// RUN: %pytest/test_operators.py
