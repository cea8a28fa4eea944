"""Inputs and the expected result of thin_products.mlir, by numpy in double precision."""

import sys

import numpy as np

command, first, *rest = sys.argv[1:]
if command == "inputs":
    rng = np.random.default_rng(0)
    np.savez(first, **{name: rng.standard_normal((480, 6, size), np.float32) for name, size in (("a", 6), ("b", 1))})
else:
    given = np.load(first)
    expected = given["a"].astype(np.float64) @ given["b"].astype(np.float64)
    results = [np.load(path)["out"] for path in rest]
    np.testing.assert_allclose(results[0], expected, rtol=1e-5, atol=1e-5)
    assert all(result.tobytes() == results[0].tobytes() for result in results), "the bits depend on the threads"
