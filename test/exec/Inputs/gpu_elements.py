"""Inputs of gpu_elements.mlir, and the expected results by numpy."""

import sys

import numpy as np

SHAPES = {"x": (256, 1024), "y": (256, 1), "z": (1024,), "odd": (5, 7), "one": (1,), "none": (0, 8), "open": (11, 16)}
SHAPES |= {"plane": (8, 16, 32, 16), "bias": (16,)}


def expected(given):
    x, y, z = given["x"], given["y"], given["z"]
    yield "sum", x + y + z
    yield "tanh", np.tanh(x)
    yield "less", x < z
    yield "chosen", np.where(x < z, x, y)
    for name in ["odd", "one", "none"]:
        yield f"{name}_exp", np.exp(given[name])
    yield "half_twice", given["half"] * 2
    yield "half_wide", given["half"].astype(np.float32)
    yield "bytes_twice", given["bytes"] + given["bytes"]
    yield "open_relu", np.maximum(given["open"], 0)
    yield "plane_sum", given["plane"] + given["bias"][:, None, None]


command, first, *rest = sys.argv[1:]
if command == "inputs":
    rng = np.random.default_rng(0)
    made = {name: rng.standard_normal(shape, np.float32) for name, shape in SHAPES.items()}
    made["x"][2, 5] = np.nan
    made["half"] = rng.standard_normal((16, 16, 1024)).astype(np.float16)
    made["bytes"] = rng.integers(-128, 128, (64, 1024)).astype(np.int8)
    np.savez(first, **made)
else:
    given, actual = np.load(first), np.load(rest[0])
    for name, values in expected(given):
        assert actual[name].dtype == values.dtype, name
        np.testing.assert_allclose(actual[name], values, rtol=1e-5, atol=1e-6, err_msg=name)
