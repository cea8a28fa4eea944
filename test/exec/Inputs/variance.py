"""Inputs and the expected results of variance.mlir, by numpy."""

import sys

import numpy as np

from one_node import standard_normal

command, inputs, *results = sys.argv[1:]
if command == "inputs":
    np.savez(inputs, **standard_normal(x=(4, 5, 6)))
else:
    x, actual = np.load(inputs)["x"], np.load(results[0])
    expected = {
        "all": x.var(),
        "some": x.var(axis=1),
        "others": x.var(axis=(0, 2), keepdims=True, ddof=1),
        "unbiased": x.var(axis=2, keepdims=True, ddof=1),
    }
    for name, array in expected.items():
        np.testing.assert_allclose(actual[name], array, rtol=1e-5, err_msg=name)
        assert actual[name].shape == array.shape, name
