"""Inputs and the expected results of sink_transposes.mlir, by numpy."""

import sys

import numpy as np

from one_node import standard_normal

SCALES = [[[1, 2, 3, 4, 5]], [[-1, -2, 0.5, 0.25, 1.5]], [[7, 0, 1, -3, 2]], [[0.1, 0.2, 0.3, 0.4, 0.5]]]

command, given, *results = sys.argv[1:]


def expected(x, y):
    first, second = (one.astype("f8").transpose(0, 2, 3, 1) for one in (x, y))
    total = first * np.array(SCALES) - second + np.array([1, -2, 3, -4, 5])
    padded = np.pad(total, [(0, 0), (1, 2), (0, 1), (0, 0)], constant_values=0.5)
    part = padded[:, 0:5, 2:6]
    return {"all": np.concatenate([part, part], -1).transpose(0, 3, 1, 2), "means": part.mean((1, 2))}


if command == "inputs":
    np.savez(given, **standard_normal(x=(2, 5, 4, 6), y=(2, 5, 4, 6)))
else:
    for name, value in expected(**np.load(given)).items():
        for path in results:
            np.testing.assert_allclose(np.load(path)[name], value, rtol=1e-5, atol=1e-5, err_msg=f"{path} {name}")
