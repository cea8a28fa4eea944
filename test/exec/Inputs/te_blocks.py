"""Inputs and the expected results of te_blocks.mlir, by numpy."""

import sys

import numpy as np

command, inputs, *results = sys.argv[1:]
if command == "inputs":
    rng = np.random.default_rng(0)
    shapes = {"data": (3, 10), "weight": (4, 3, 3)}
    np.savez(inputs, **{name: rng.standard_normal(shape, np.float32) for name, shape in shapes.items()})
else:
    x = np.load(inputs)
    windows = np.lib.stride_tricks.sliding_window_view(np.pad(x["data"], ((0, 0), (1, 1))), 3, axis=1)
    conv = np.einsum("cxk,ock->ox", windows, x["weight"])
    for path in results:
        y = np.load(path)
        np.testing.assert_allclose(y["conv"], conv, rtol=1e-5, atol=1e-5)
        np.testing.assert_array_equal(y["largest"], y["conv"].max(axis=1))
        np.testing.assert_array_equal(y["value"], y["conv"].max(axis=1))
        np.testing.assert_array_equal(y["place"], y["conv"].argmax(axis=1))
