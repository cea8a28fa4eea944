// What a call from Python costs over one from C; printed with `-s`.
// RUN: %package
// RUN: %pytest/test_overhead.py -s
