"""Inputs and the expected results of change_batch.mlir, by numpy in double precision."""

import sys

import numpy as np

from one_node import standard_normal

command, *paths = sys.argv[1:]
if command == "inputs":
    given = standard_normal(x=(5, 3, 6, 6), w=(4, 3, 3, 3), v=(2, 64))
    np.savez(paths[0], **{**given, "x": given["x"][:1]})
    np.savez(paths[1], **given)
else:
    given, one, five = (np.load(path) for path in paths)
    x, w, v = (given[name].astype(np.float64) for name in "xwv")
    windows = np.lib.stride_tricks.sliding_window_view(x, (3, 3), (2, 3))
    hidden = np.maximum(np.einsum("nchwij,ocij->nohw", windows, w), 0).reshape(5, 64)
    expected = hidden @ v.T
    np.testing.assert_allclose(five["y"], expected, rtol=1e-4, atol=1e-5)
    np.testing.assert_allclose(one["y"], expected[:1], rtol=1e-4, atol=1e-5)
