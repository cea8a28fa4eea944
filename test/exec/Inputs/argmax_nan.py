"""Inputs and the expected results of argmax_nan.mlir, by numpy."""

import sys

import numpy as np

command, inputs, *results = sys.argv[1:]
if command == "inputs":
    nan, inf = np.nan, np.inf
    rows = [[nan] * 4, [1, nan, 3, nan], [-inf] * 4, [inf] * 4, [2, 5, 5, 2]]
    np.savez(inputs, x=np.array(rows, np.float32))
else:
    x, got = np.load(inputs)["x"], np.load(results[0])
    np.testing.assert_array_equal(got["argmax"], x.argmax(axis=1))
    np.testing.assert_array_equal(got["argmin"], x.argmin(axis=1))
