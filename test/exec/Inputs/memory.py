"""The input and the expected results of memory.mlir, by numpy."""

import sys

import numpy as np

command, inputs, *results = sys.argv[1:]
if command == "inputs":
    np.savez(inputs, x=np.random.default_rng(0).standard_normal((1, 4, 8, 16), np.float32))
else:
    x, got = np.load(inputs)["x"], np.load(results[0])
    a = np.maximum(x, 0)
    b = a + a
    c = np.concatenate([a, b], 1)
    d = -c
    np.testing.assert_array_equal(got["nested"], np.concatenate([c, d], 1))
    np.testing.assert_array_equal(got["sum"], c + d + c + d)
    np.testing.assert_array_equal(got["again"], np.concatenate([b, a], 1))
