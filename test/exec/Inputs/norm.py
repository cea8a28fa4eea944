"""Inputs and the expected results of norm.mlir, by ONNX Runtime."""

import sys

import numpy as np

from one_node import run, standard_normal

command, inputs, *results = sys.argv[1:]
if command == "inputs":
    np.savez(inputs, **standard_normal(x=(2, 4, 5, 3), a=3, b=3, c=4, d=4))
else:
    given, actual = np.load(inputs), np.load(results[0])
    x, a, b, c, d = (given[name] for name in "xabcd")
    layer = run("LayerNormalization", [x, a, b], 17, axis=-1, epsilon=1e-2)
    instance = run("InstanceNormalization", [x, c, d], 17, epsilon=1e-3)
    np.testing.assert_allclose(actual["layer"], layer, rtol=1e-4, atol=1e-5)
    np.testing.assert_allclose(actual["instance"], instance, rtol=1e-4, atol=1e-5)
