"""Inputs and the expected result of take.mlir, by numpy."""

import sys

import numpy as np

command, inputs, *results = sys.argv[1:]
if command == "inputs":
    x = np.arange(12, dtype=np.float32).reshape(4, 3)
    np.savez(inputs, x=x, i=np.array([0, 3, -1, 7, -6, 10**9], np.int64))
else:
    given = np.load(inputs)
    expected = np.take(given["x"], given["i"], axis=0, mode="wrap")
    np.testing.assert_array_equal(np.load(results[0])["out"], expected)
