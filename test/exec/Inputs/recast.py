"""Inputs and the expected results of recast.mlir, by numpy in double precision."""

import sys

import numpy as np

from one_node import standard_normal


def to_bf16(numbers):
    """The nearest numbers of bf16, halves to even."""
    bits = numbers.view(np.uint32)
    bits = bits + 0x7FFF + ((bits >> 16) & 1)
    return (bits & 0xFFFF0000).astype(np.uint32).view(np.float32)


command, given, *results = sys.argv[1:]
if command == "inputs":
    np.savez(given, **standard_normal(x=(7, 40), w=(5, 40)))
else:
    inputs = np.load(given)
    x, w = inputs["x"], inputs["w"]
    wide, narrow = (np.load(path)["y"] for path in results)
    # The sum of f64 is rounded once, to f32. That of bf16 may be rounded to bf16 or stay as it is computed, in f32: the cast that follows
    # is a part of the same kernel.
    exact = x.astype(np.float64) @ w.astype(np.float64).T
    np.testing.assert_allclose(wide[:, :5], exact, rtol=2**-23)
    rounded = to_bf16(x).astype(np.float64) @ to_bf16(w).astype(np.float64).T
    np.testing.assert_allclose(narrow[:, :5], rounded, rtol=2**-8, atol=1e-5)
    assert np.array_equal(wide[:, 5:], x) and np.array_equal(narrow[:, 5:], x)
