"""Inputs of gpu.mlir, and the comparison of its results on a GPU with those of a processor."""

import sys

import numpy as np

command, first, *others = sys.argv[1:]
if command == "inputs":
    rng = np.random.default_rng(0)
    shapes = {"x": (4, 3, 19, 23), "w": (24, 3, 3, 3), "p": (24, 37)}
    np.savez(first, **{name: rng.standard_normal(shape, np.float32) for name, shape in shapes.items()})
else:
    processor, forward, backward = (np.load(path) for path in [first, *others])
    for name in processor.files:
        np.testing.assert_allclose(forward[name], processor[name], rtol=1e-5, atol=1e-6, err_msg=name)
        assert (forward[name] == backward[name]).all(), f"{name} depends on the order of threads"
