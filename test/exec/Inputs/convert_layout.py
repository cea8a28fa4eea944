"""Inputs and the expected results of convert_layout.mlir, by ONNX Runtime."""

import sys

import numpy as np

from one_node import run, standard_normal

command, given, *results = sys.argv[1:]


def expected(x):
    bottom = run("Conv", [x["x"], x["w"], x["b"]], 17, pads=[1, 0, 0, 1])
    pooled = run("AveragePool", [bottom], 17, kernel_shape=[2, 2])
    wide = run("Conv", [pooled, x["d"]], 17, pads=[1, 1, 1, 1], group=6) * x["s"]
    yield "wide", wide
    yield "means", wide.mean((2, 3))
    shares = run("Softmax", [wide], 17, axis=1)
    yield "large", run("ConvTranspose", [shares, x["t"]], 17, strides=[2, 2])


if command == "inputs":
    shapes = dict(x=(2, 4, 9, 10), w=(6, 4, 3, 3), b=6, d=(6, 1, 3, 3), t=(6, 5, 2, 2), s=(6, 1, 1))
    np.savez(given, **standard_normal(**shapes))
else:
    for name, value in expected(np.load(given)):
        for path in results:
            actual = np.load(path)[name]
            np.testing.assert_allclose(actual, value, rtol=1e-4, atol=1e-5, err_msg=f"{path} {name}")
