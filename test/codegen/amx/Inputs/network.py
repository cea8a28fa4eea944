"""Writes dense layers as ONNX, and an input with the output as a C header.

The output is numpy's, in f64, with what `--precision bf16` rounds rounded: the operands of products, and what
lies between layers. What follows a product is computed before that is rounded.

    network.py FOLDER ROWS UNITS [UNITS ...]
"""

import sys

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

folder, (rows, *sizes) = sys.argv[1], map(int, sys.argv[2:])
random = np.random.default_rng(7)
nodes, weights = [], []


def rounded(values):
    """Numbers rounded to bf16, ties to even."""
    bits = values.astype(np.float32).view(np.uint32)
    bits += 0x7FFF + ((bits >> 16) & 1)
    return (bits & 0xFFFF0000).view(np.float32).astype(np.float64)


def weight(values):
    name = f"w{len(weights)}"
    weights.append(numpy_helper.from_array(values.astype(np.float32), name))
    return name


def node(op, *inputs):
    name = f"n{len(nodes)}"
    nodes.append(helper.make_node(op, inputs, [name], name=name))
    return name


data = random.standard_normal((rows, sizes[0])).astype(np.float32)
name, expected = "x", data.astype(np.float64)
for layer, (inputs, units) in enumerate(zip(sizes, sizes[1:])):
    matrix = (random.standard_normal((inputs, units)) / np.sqrt(inputs)).astype(np.float32)
    bias = random.standard_normal(units).astype(np.float32)
    before, known = name, rounded(expected)
    name = node("Add", node("MatMul", name, weight(matrix)), weight(bias))
    expected = known @ rounded(matrix) + bias
    if inputs == units:
        # A residual connection.
        name, expected = node("Add", name, before), expected + known
    if layer + 2 < len(sizes):
        name, expected = node("Relu", name), np.maximum(expected, 0)

graph = helper.make_graph(
    nodes,
    "network",
    [helper.make_tensor_value_info("x", TensorProto.FLOAT, [rows, sizes[0]])],
    [helper.make_tensor_value_info(name, TensorProto.FLOAT, [rows, sizes[-1]])],
    weights,
)
model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)
onnx.checker.check_model(model)
onnx.save(model, f"{folder}/network.onnx")


def array(name, values):
    numbers = ", ".join(float(value).hex() + "f" for value in values.ravel())
    return f"static const float {name}[{values.size}] = {{{numbers}}};\n"


# The result of a layer may be rounded, by half of a bf16's last place, and a sum in another order may be rounded
# the other way: as much again.
tolerance = float(np.abs(expected).max()) * 2**-8 * (len(sizes) - 1)
with open(f"{folder}/data.h", "w", encoding="ascii") as header:
    header.write(f"enum {{ OUTPUTS = {expected.size} }};\n")
    header.write(f"static const double TOLERANCE = {tolerance!r};\n")
    header.write(array("input", data) + array("expected", expected.astype(np.float32)))
