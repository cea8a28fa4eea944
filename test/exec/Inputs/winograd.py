"""Inputs of winograd.mlir, and a convolution summed plainly in double precision."""

import sys

import numpy as np

from one_node import standard_normal

command, inputs, *results = sys.argv[1:]
if command == "inputs":
    np.savez(inputs, **standard_normal(x=(2, 48, 13, 30), w=(64, 48, 3, 3), b=(1, 4, 1, 1, 16)))
else:
    given, actual = np.load(inputs), np.load(results[0])
    x, w = given["x"].astype(np.float64), given["w"].astype(np.float64)
    # Before and after: rows 1 and 2, columns 0 and 1.
    padded = np.pad(x, [(0, 0), (0, 0), (1, 2), (0, 1)])
    windows = np.lib.stride_tricks.sliding_window_view(padded, (3, 3), axis=(2, 3))
    expected = np.einsum("nchwyx,ocyx->nohw", windows, w) + given["b"].reshape(1, 64, 1, 1)
    for name, bound in {"two": 1e-5, "four": 1e-5, "six": 3e-5}.items():
        error = np.abs(actual[name] - expected).max() / np.abs(expected).max()
        assert error < bound, f"{name}: {error:.2e} of the largest result"
