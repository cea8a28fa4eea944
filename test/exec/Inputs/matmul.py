"""Inputs and the expected result of matmul.mlir, by numpy."""

import sys

import numpy as np

command, inputs, *results = sys.argv[1:]
if command == "inputs":
    rng = np.random.default_rng(0)
    shapes = {"a": (33, 64), "b": (64, 48), "c": (48,)}
    np.savez(inputs, **{name: rng.standard_normal(shape, np.float32) for name, shape in shapes.items()})
else:
    x = np.load(inputs)
    expected = np.maximum(x["a"] @ x["b"] + x["c"], 0)
    outputs = [np.load(path)["out"] for path in results]
    np.testing.assert_allclose(outputs[0], expected, rtol=1e-4, atol=1e-4)
    assert all((outputs[0] == output).all() for output in outputs), "results depend on the threads"
