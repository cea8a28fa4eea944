"""Inputs of winograd_line.mlir, and convolutions summed plainly in double precision."""

import sys

import numpy as np

from one_node import standard_normal

# The name of a kernel, and what its convolution pads: rows before and after, columns before and after.
KERNELS = {"row": [(0, 0), (0, 1)], "column": [(1, 2), (0, 0)]}

command, inputs, *results = sys.argv[1:]
if command == "inputs":
    made = standard_normal(x=(2, 48, 13, 30), row=(64, 48, 1, 3), column=(64, 48, 3, 1))
    np.savez(inputs, **made)
else:
    given, actual = np.load(inputs), np.load(results[0])
    for name, pads in KERNELS.items():
        w = given[name].astype(np.float64)
        padded = np.pad(given["x"].astype(np.float64), [(0, 0), (0, 0), *pads])
        windows = np.lib.stride_tricks.sliding_window_view(padded, w.shape[2:], axis=(2, 3))
        expected = np.einsum("nchwyx,ocyx->nohw", windows, w)
        error = np.abs(actual[f"by_{name}"] - expected).max() / np.abs(expected).max()
        assert error < 1e-5, f"{name}: {error:.2e} of the largest result"
