"""Inputs and the expected results of few_rows.mlir, by numpy in double precision."""

import sys

import numpy as np

# [batch,] rows, depth, columns.
SHAPES = {
    "one": (1, 1024, 1024),
    "three": (3, 1030, 1000),
    "four": (4, 700, 1536),
    "batch": (2, 2, 640, 1536),
}


def inputs():
    rng = np.random.default_rng(0)
    for name, (*batch, rows, depth, columns) in SHAPES.items():
        yield f"{name}_a", rng.standard_normal((*batch, rows, depth), np.float32)
        yield f"{name}_b", rng.standard_normal((*batch, depth, columns), np.float32)
    yield "bias", rng.standard_normal(1536, np.float32)
    yield "units_a", rng.standard_normal((4, 600), np.float32)
    yield "units_b", rng.standard_normal((1300, 600), np.float32)


def expected(x):
    x = {name: value.astype(np.float64) for name, value in x.items()}
    for name in ["one", "three", "batch"]:
        yield name, x[f"{name}_a"] @ x[f"{name}_b"]
    yield "relu", np.maximum(x["four_a"] @ x["four_b"] + x["bias"], 0)
    yield "units", x["units_a"] @ x["units_b"].T


command, first, *rest = sys.argv[1:]
if command == "inputs":
    np.savez(first, **dict(inputs()))
else:
    given, (one, two) = np.load(first), map(np.load, rest)
    for name, values in expected(given):
        np.testing.assert_allclose(one[name], values, rtol=1e-5, atol=1e-5 * np.abs(values).max(), err_msg=name)
        assert one[name].tobytes() == two[name].tobytes(), name
