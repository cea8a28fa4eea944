"""Writes convolutions of volumes, and what numpy computes of them, as network.py does.

    volumes.py FOLDER KERNEL DEPTH HEIGHT WIDTH STRIDE CHANNELS [CHANNELS ...]

The kernels are cubes, with as much padding as keeps the size of a volume. The first one has the stride.
"""

import sys

import numpy as np
from files import Network, rounded

folder = sys.argv[1]
side, depth, height, width, stride, *sizes = map(int, sys.argv[2:])
random = np.random.default_rng(7)
network = Network()
node, weight = network.node, network.weight
data = random.standard_normal((1, sizes[0], depth, height, width)).astype(np.float32)
name, expected = "x", data.astype(np.float64)
before_and_after = ((side - 1) // 2, side - 1 - (side - 1) // 2)
for inputs, outputs in zip(sizes, sizes[1:]):
    kernel = random.standard_normal((outputs, inputs, side, side, side)) / np.sqrt(inputs * side**3)
    kernel = kernel.astype(np.float32)
    bias = random.standard_normal(outputs).astype(np.float32)
    name = node(
        "Conv",
        name,
        weight(kernel),
        weight(bias),
        strides=[stride] * 3,
        pads=[before_and_after[0]] * 3 + [before_and_after[1]] * 3,
    )
    padded = np.pad(rounded(expected), [(0, 0), (0, 0), *[before_and_after] * 3])
    windows = np.lib.stride_tricks.sliding_window_view(padded, (side, side, side), (2, 3, 4))
    windows = windows[:, :, ::stride, ::stride, ::stride]
    expected = np.einsum("oidhw,nizyxdhw->nozyx", rounded(kernel), windows, optimize=True)
    # What follows a filled-up block: of its zeros sigmoid makes a half.
    name = node("Sigmoid", node("Add", name, weight(bias[:, None, None, None])))
    expected = 1 / (1 + np.exp(-(expected + 2 * bias[:, None, None, None])))
    stride = 1
network.write(folder, data, name, expected, len(sizes) - 1)
