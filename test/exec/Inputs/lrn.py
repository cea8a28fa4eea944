"""Inputs for lrn.mlir, and what it has to give, by the definition of ONNX's LRN."""

import sys

import numpy as np

SIZES = {"one": 1, "even": 4, "wide": 5, "huge": 2**31 - 1, "most": 2**63 - 1}


def expected(x, size):
    channels = x.shape[1]
    sums = np.zeros(x.shape, np.float64)
    for c in range(channels):
        first = max(0, c - (size - 1) // 2)
        last = min(channels - 1, c + size // 2)
        sums[:, c] = np.square(x[:, first : last + 1].astype(np.float64)).sum(1)
    return x / (2.0 + 0.5 / size * sums) ** 0.75


def main():
    what, given, *found = sys.argv[1:]
    if what == "inputs":
        x = np.random.default_rng(0).standard_normal((2, 6, 3, 5)).astype(np.float32)
        np.savez(given, x=x)
        return
    x = np.load(given)["x"]
    with np.load(found[0]) as results:
        for name, size in SIZES.items():
            np.testing.assert_allclose(results[name], expected(x, size), rtol=1e-5, atol=1e-6, err_msg=name)


main()
