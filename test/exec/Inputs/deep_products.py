"""deep_products.py inputs FILE.npz | check INPUTS.npz OUTPUTS.npz...: products whose second operand has blocks of eight columns."""

import sys

import numpy as np

SHAPES = {"parts": (100, 1024, 256), "odd": (61, 2035, 104), "wide": (37, 4096, 512)}
BLOCK = 8


def write_inputs(file):
    rng = np.random.default_rng(0)
    draw = lambda *shape: rng.standard_normal(shape).astype(np.float32)
    inputs = {"bias": draw(256)}
    for name, (rows, depth, columns) in SHAPES.items():
        inputs |= {f"{name}_a": draw(rows, depth), f"{name}_b": draw(columns // BLOCK, depth, BLOCK)}
    np.savez(file, **inputs)


def check(inputs, first, *others):
    inputs, found = np.load(inputs), np.load(first)
    for name, (rows, depth, columns) in SHAPES.items():
        matrix = inputs[f"{name}_b"].transpose(1, 0, 2).reshape(depth, columns)
        wanted = inputs[f"{name}_a"].astype(np.float64) @ matrix.astype(np.float64)
        if name == "parts":
            wanted = np.maximum(wanted + inputs["bias"], 0)
        np.testing.assert_allclose(found[name], wanted, rtol=1e-5, atol=1e-6 * depth, err_msg=name)
        for other in map(np.load, others):
            np.testing.assert_array_equal(found[name], other[name], err_msg=name)


if sys.argv[1] == "inputs":
    write_inputs(sys.argv[2])
else:
    check(*sys.argv[2:])
