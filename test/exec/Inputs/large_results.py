"""large_results.py inputs FILE.npz | check INPUTS.npz OUTPUTS.npz...: products of two inputs, the second one with a bias and ReLU."""

import sys

import numpy as np

SHAPES = {"batch": ((3, 130, 32), (3, 32, 611)), "one": ((517, 20), (20, 1009))}


def write_inputs(file):
    rng = np.random.default_rng(0)
    draw = lambda shape: rng.standard_normal(shape).astype(np.float32)
    inputs = {"bias": draw(1009)}
    for name, (first, second) in SHAPES.items():
        inputs |= {f"{name}_a": draw(first), f"{name}_b": draw(second)}
    np.savez(file, **inputs)


def check(inputs, first, *others):
    inputs, found = np.load(inputs), np.load(first)
    for name in SHAPES:
        wanted = inputs[f"{name}_a"].astype(np.float64) @ inputs[f"{name}_b"].astype(np.float64)
        if name == "one":
            wanted = np.maximum(wanted + inputs["bias"], 0)
        np.testing.assert_allclose(found[name], wanted, rtol=1e-5, atol=1e-5, err_msg=name)
        for other in map(np.load, others):
            np.testing.assert_array_equal(found[name], other[name], err_msg=name)


if sys.argv[1] == "inputs":
    write_inputs(sys.argv[2])
else:
    check(*sys.argv[2:])
