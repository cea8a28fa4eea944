"""Writes convolutions with kernels of one pixel, and what numpy computes of them, as network.py does.

    convolutions.py FOLDER HEIGHT WIDTH STRIDE CHANNELS [CHANNELS ...]

The first one has the stride.
"""

import sys

import numpy as np
from files import Network, rounded

folder, (height, width, stride, *sizes) = sys.argv[1], map(int, sys.argv[2:])
random = np.random.default_rng(7)
network = Network()
node, weight = network.node, network.weight
data = random.standard_normal((1, sizes[0], height, width)).astype(np.float32)
name, expected = "x", data.astype(np.float64)
for inputs, outputs in zip(sizes, sizes[1:]):
    kernel = (random.standard_normal((outputs, inputs, 1, 1)) / np.sqrt(inputs)).astype(np.float32)
    bias = random.standard_normal(outputs).astype(np.float32)
    before, known = name, rounded(expected)[:, :, ::stride, ::stride]
    strides = [stride, stride]
    name = node("Conv", name, weight(kernel), weight(bias), strides=strides)
    expected = np.einsum("oi,niyx->noyx", rounded(kernel)[:, :, 0, 0], known)
    expected = expected + bias[:, None, None]
    if (inputs, stride) == (outputs, 1):
        # A residual connection.
        name, expected = node("Add", name, before), expected + known
    name, expected = node("Relu", name), np.maximum(expected, 0)
    stride = 1
network.write(folder, data, name, expected, len(sizes) - 1)
