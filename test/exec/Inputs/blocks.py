"""Inputs and the expected result of blocks.mlir, by numpy."""

import sys

import numpy as np

command, inputs, *results = sys.argv[1:]
if command == "inputs":
    rng = np.random.default_rng(0)
    np.savez(inputs, a=rng.standard_normal((6, 5), np.float32), b=rng.standard_normal((5, 8), np.float32))
else:
    x = np.load(inputs)
    np.testing.assert_allclose(np.load(results[0])["c"], x["a"] @ x["b"], rtol=1e-5, atol=1e-5)
