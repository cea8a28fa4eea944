"""Inputs and the expected results of combine_parallel.mlir, by numpy in double precision."""

import sys

import numpy as np

from one_node import standard_normal

command, given, *results = sys.argv[1:]


def convolution(data, weight):
    """A 3 x 3 convolution with stride 2 and one row and column of zeros around the data."""
    padded = np.pad(data, [(0, 0), (0, 0), (1, 1), (1, 1)])
    windows = np.lib.stride_tricks.sliding_window_view(padded, (3, 3), (2, 3))[:, :, ::2, ::2]
    return np.einsum("nchwij,ocij->nohw", windows, weight)


def expected(x):
    x = {name: value.astype(np.float64) for name, value in x.items()}
    yield "conv_v", convolution(x["x"], x["v"]) * x["s"]
    yield "conv_w", convolution(x["x"], x["w"]) * x["t"]
    yield "dense_a", x["d"] @ x["a"].T + x["p"]
    yield "dense_b", x["d"] @ x["b"].T + x["q"]
    yield "dense_c", x["d"] @ x["c"].T + x["r"]
    yield "batch_k", np.tanh(x["m"] @ x["k"])
    yield "batch_l", np.tanh(x["m"] @ x["l"])


if command == "inputs":
    images = standard_normal(x=(1, 4, 9, 9), v=(5, 4, 3, 3), w=(8, 4, 3, 3), s=(5, 1, 1), t=(8, 1, 1))
    rows = standard_normal(d=(3, 20), a=(5, 20), b=(5, 20), c=(7, 20), p=5, q=(), r=7)
    np.savez(given, **images, **rows, **standard_normal(m=(2, 3, 4), k=(2, 4, 6), l=(2, 4, 5)))
else:
    for name, value in expected(np.load(given)):
        for path in results:
            np.testing.assert_allclose(np.load(path)[name], value, rtol=1e-4, atol=1e-5, err_msg=f"{path} {name}")
