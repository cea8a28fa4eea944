"""Inputs and expected results of deep_products.mlir: products whose second operand has blocks of eight columns."""

import numpy as np

import threads_agree

SHAPES = {"parts": (100, 1024, 256), "odd": (61, 2035, 104), "wide": (37, 4096, 512)}
BLOCK = 8


def inputs():
    rng = np.random.default_rng(0)
    draw = lambda *shape: rng.standard_normal(shape).astype(np.float32)
    drawn = {"bias": draw(256)}
    for name, (rows, depth, columns) in SHAPES.items():
        drawn |= {f"{name}_a": draw(rows, depth), f"{name}_b": draw(columns // BLOCK, depth, BLOCK)}
    return drawn


def expected(given):
    for name, (rows, depth, columns) in SHAPES.items():
        matrix = given[f"{name}_b"].transpose(1, 0, 2).reshape(depth, columns)
        wanted = given[f"{name}_a"].astype(np.float64) @ matrix.astype(np.float64)
        if name == "parts":
            wanted = np.maximum(wanted + given["bias"], 0)
        yield name, wanted, 1e-6 * depth


threads_agree.main(inputs, expected)
