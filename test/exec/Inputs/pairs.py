"""Inputs of pairs.mlir, and whether its outputs are what numpy computes of them.

    pairs.py make INPUTS | check INPUTS OUTPUTS
"""

import sys

import numpy as np


def convolution(data, weight, stride):
    padded = np.pad(data.astype(np.float64), [(0, 0), (0, 0), (1, 1), (1, 1)])
    windows = np.lib.stride_tricks.sliding_window_view(padded, (3, 3), (2, 3))
    return np.einsum("oihw,niyxhw->noyx", weight, windows[:, :, ::stride, ::stride], optimize=True)


if sys.argv[1] == "make":
    random = np.random.default_rng(7)
    shapes = {"x": (1, 64, 9, 11), "v": (32, 64, 3, 3), "w": (64, 32, 3, 3)}
    values = {name: random.standard_normal(shape).astype(np.float32) for name, shape in shapes.items()}
    np.savez(sys.argv[2], **values)
else:
    known, found = np.load(sys.argv[2]), np.load(sys.argv[3])
    x, v, w = known["x"], known["v"], known["w"]
    halves = [convolution(x[:, :32], w[:32], 2), convolution(x[:, 32:], w[32:], 2)]
    np.testing.assert_allclose(found["one"], convolution(x, v, 1), rtol=0, atol=2e-4)
    np.testing.assert_allclose(found["two"], np.concatenate(halves, 1), rtol=0, atol=2e-4)
    np.testing.assert_array_equal(found["back"], v)
