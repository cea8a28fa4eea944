"""Inputs and the expected results of products.mlir, by numpy in double precision."""

import numpy as np

import threads_agree

# [batch,] rows, depth, columns.
SHAPES = {
    "vector": (1, 300, 520),
    "few": (4, 70, 33),
    "column": (50, 300, 1),
    "dot": (1, 5000, 1),
    "outer": (70, 1, 45),
    "narrow": (100, 60, 8),
    "five": (300, 30, 5),
    "copied": (130, 260, 512),
    "ragged": (224, 260, 500),
    "many": (300, 40, 21),
    "eight": (30, 8, 50, 8),
    "twelve": (7, 12, 40, 12),
    "four": (9, 4, 64, 4),
    "seven": (5, 7, 32, 7),
    "three": (6, 5, 20, 3),
    "strided": (2, 96, 40, 512),
    "scores": (2, 1000, 40, 1024),
}


def inputs():
    rng = np.random.default_rng(0)
    for name, (*batch, rows, depth, columns) in SHAPES.items():
        yield f"{name}_a", rng.standard_normal((*batch, rows, depth), np.float32)
        yield f"{name}_b", rng.standard_normal((*batch, depth, columns), np.float32)
    yield "keys_a", rng.standard_normal((12, 1, 64), np.float32)
    yield "keys_c", rng.standard_normal((1, 12, 100, 64), np.float32)


def expected(given):
    x = {name: value.astype(np.float64) for name, value in given.items()}
    products = {name: x[f"{name}_a"] @ x[f"{name}_b"] for name in SHAPES}
    products["keys"] = x["keys_a"] @ x["keys_c"][0].swapaxes(1, 2)
    for name, product in products.items():
        # The rounding errors of a sum grow with its terms.
        yield name, product, 1e-5 * np.abs(product).max()


threads_agree.main(lambda: dict(inputs()), expected)
