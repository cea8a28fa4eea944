"""Inputs of winograd_kernels.mlir, and convolutions summed plainly in double precision."""

import sys

import numpy as np

from one_node import standard_normal

DATA = {"x": (2, 48, 13, 30), "line": (1, 32, 1, 776), "image": (1, 32, 43, 50)}

# The name of a kernel; its data, its shape, and what its convolution pads: rows before and after, columns before
# and after.
KERNELS = {
    "row": ("x", (64, 48, 1, 3), [(0, 0), (0, 1)]),
    "column": ("x", (64, 48, 3, 1), [(1, 2), (0, 0)]),
    "row5": ("x", (64, 48, 1, 5), [(0, 0), (0, 0)]),
    "column7": ("x", (64, 48, 7, 1), [(3, 2), (0, 0)]),
    "square5": ("x", (64, 48, 5, 5), [(2, 2), (1, 3)]),
    "long": ("line", (32, 32, 1, 5), [(0, 0), (0, 0)]),
    "wide": ("image", (48, 32, 3, 3), [(1, 1), (1, 1)]),
}


def check(given, actual):
    """Compares all results with sums in double precision."""
    for name, (data, _, pads) in KERNELS.items():
        w = given[f"w_{name}"].astype(np.float64)
        padded = np.pad(given[data].astype(np.float64), [(0, 0), (0, 0), *pads])
        windows = np.lib.stride_tricks.sliding_window_view(padded, w.shape[2:], axis=(2, 3))
        expected = np.einsum("nchwyx,ocyx->nohw", windows, w, optimize=True)
        error = np.abs(actual[f"by_{name}"] - expected).max() / np.abs(expected).max()
        assert error < 1e-5, f"{name}: {error:.2e} of the largest result"


command, first, *others = sys.argv[1:]
if command == "inputs":
    weights = {f"w_{name}": shape for name, (_, shape, _) in KERNELS.items()}
    np.savez(first, **standard_normal(**DATA, **weights))
elif command == "check":
    check(np.load(first), np.load(others[0]))
else:
    one, two = np.load(first), np.load(others[0])
    for name in one.files:
        np.testing.assert_array_equal(one[name], two[name], err_msg=name)
