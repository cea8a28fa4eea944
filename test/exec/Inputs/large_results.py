"""Inputs and expected results of large_results.mlir: products of two inputs, the second one with a bias and ReLU."""

import numpy as np

import threads_agree

SHAPES = {"batch": ((3, 130, 32), (3, 32, 611)), "one": ((517, 20), (20, 1009))}


def inputs():
    rng = np.random.default_rng(0)
    draw = lambda shape: rng.standard_normal(shape).astype(np.float32)
    drawn = {"bias": draw(1009)}
    for name, (first, second) in SHAPES.items():
        drawn |= {f"{name}_a": draw(first), f"{name}_b": draw(second)}
    return drawn


def expected(given):
    for name in SHAPES:
        wanted = given[f"{name}_a"].astype(np.float64) @ given[f"{name}_b"].astype(np.float64)
        if name == "one":
            wanted = np.maximum(wanted + given["bias"], 0)
        yield name, wanted, 1e-5


threads_agree.main(inputs, expected)
