"""Writes dense layers, and what numpy computes of them.

In f64, with what `--precision bf16` rounds rounded: the operands of products, and so what lies between layers. What
follows a product is computed before that is rounded.

    network.py FOLDER ROWS UNITS [UNITS ...]
"""

import sys

import numpy as np
from files import Network, rounded

folder, (rows, *sizes) = sys.argv[1], map(int, sys.argv[2:])
random = np.random.default_rng(7)
network = Network()
node, weight = network.node, network.weight
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
network.write(folder, data, name, expected, len(sizes) - 1)
