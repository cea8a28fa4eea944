"""Inputs and the expected results of fold_explicit_padding.mlir, by numpy in double precision."""

import sys

import numpy as np

from one_node import standard_normal

command, given, *results = sys.argv[1:]
EXPLICIT = [(0, 0), (0, 0), (1, 2), (2, 1)]


def windows(data, size, stride):
    """All windows of a size over the last two dimensions, which become four."""
    view = np.lib.stride_tricks.sliding_window_view(data, size, (2, 3))
    return view[:, :, ::stride, ::stride]


def expected(x):
    data, weight = (x[name].astype(np.float64) for name in "xw")
    zeros = np.pad(data, EXPLICIT)
    least = np.pad(data, EXPLICIT, constant_values=-np.inf)
    own = np.pad(zeros, [(0, 0), (0, 0), (1, 0), (0, 2)])
    yield "conv", np.einsum("nchwij,ocij->nohw", windows(own, (3, 3), 2), weight)
    own = np.pad(least, [(0, 0), (0, 0), (1, 0), (0, 0)], constant_values=-np.inf)
    yield "max", windows(own, (3, 3), 2).max((4, 5))
    yield "mean", windows(zeros, (2, 3), 1).mean((4, 5))


if command == "inputs":
    np.savez(given, **standard_normal(x=(1, 4, 9, 10), w=(5, 4, 3, 3)))
else:
    for name, value in expected(np.load(given)):
        for path in results:
            np.testing.assert_allclose(np.load(path)[name], value, rtol=1e-4, atol=1e-5, err_msg=f"{path} {name}")
