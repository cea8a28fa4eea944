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
    # The sum is rounded once, to f32, or to the 8 bits of bf16.
    exact = x.astype(np.float64) @ w.astype(np.float64).T
    np.testing.assert_allclose(wide[:, :5], exact, rtol=2**-23)
    rounded = to_bf16(x).astype(np.float64) @ to_bf16(w).astype(np.float64).T
    np.testing.assert_allclose(narrow[:, :5], rounded, rtol=2**-8, atol=1e-5)
    assert np.array_equal(narrow[:, :5], to_bf16(np.ascontiguousarray(narrow[:, :5]))), "the result is not of bf16"
    assert np.array_equal(wide[:, 5:], x) and np.array_equal(narrow[:, 5:], x)
