"""Inputs of operators.mlir, and what it has to compute from them."""

import sys

import numpy as np

if sys.argv[1] == "inputs":
    x = np.random.default_rng(5).standard_normal((2, 4)).astype("f4")
    np.savez(sys.argv[2], x=x)
else:
    x, y = np.load(sys.argv[2])["x"], np.load(sys.argv[3])["y"]
    silu = x / (1 + np.exp(-0.5 * x)) * x
    np.testing.assert_allclose(y, np.sum(np.clip(silu, 0, 1) ** 2, axis=1), rtol=1e-5)
