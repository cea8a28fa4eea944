"""Activations at NaN, at both zeros and far below zero."""

import sys

import numpy as np
import onnx
from onnx import TensorProto, helper

OPERATORS = {
    "Relu": lambda x: np.maximum(x, 0),
    "Sign": np.sign,
    "Softplus": lambda x: np.logaddexp(0, x),
    "LeakyRelu": lambda x: np.where(x < 0, np.float32(0.01) * x, x),
    "Tanh": np.tanh,
    "Sigmoid": lambda x: 1 / (1 + np.exp(-x)),
}

command, *files = sys.argv[1:]
if command == "make":
    # More than a vector, so that its elements and those of the end are both seen.
    numbers = np.array([np.nan, -0.0, 0.0, 1.5, -2, -17, -20, -80, 30, np.inf, -np.inf], np.float32)
    x = np.resize(numbers, 37)
    nodes = [helper.make_node(op, ["x"], [op]) for op in OPERATORS]
    ports = [helper.make_tensor_value_info(name, TensorProto.FLOAT, [37]) for name in ["x", *OPERATORS]]
    graph = helper.make_graph(nodes, "activations", ports[:1], ports[1:])
    opsets = [helper.make_opsetid("", 17)]
    onnx.save(helper.make_model(graph, opset_imports=opsets, ir_version=8), files[0])
    np.savez(files[1], x=x)
else:
    x, actual = np.load(files[0])["x"].astype(np.float64), np.load(files[1])
    for name, function in OPERATORS.items():
        with np.errstate(over="ignore", invalid="ignore"):
            expected = function(x)
        np.testing.assert_allclose(actual[name], expected, rtol=1e-6, atol=1e-38, err_msg=name)
