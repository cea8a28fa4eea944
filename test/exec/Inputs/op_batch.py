"""Inputs and the expected results of op_batch.mlir, by numpy in double precision."""

import sys

import numpy as np

from one_node import standard_normal

command, inputs, *results = sys.argv[1:]
if command == "inputs":
    np.savez(inputs, **standard_normal(x=(3, 4), a=(3, 4), b=(3, 4), c=(3, 5), d=(3, 5), p=(4,), q=(4,)))
else:
    x, a, b, c, d, p, q = (np.load(inputs)[name].astype(np.float64) for name in "xabcdpq")
    expected = {"less_a": (x - a) * p, "less_b": (x - b) * q, "by_c": x.T @ c, "by_d": x.T @ d}
    actual = np.load(results[0])
    assert sorted(actual.files) == sorted(expected)
    for name, array in expected.items():
        np.testing.assert_allclose(actual[name], array, rtol=1e-5, atol=1e-5, err_msg=name)
