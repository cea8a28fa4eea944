"""Writes convolutions, and what numpy computes of them, as network.py does.

    convolutions.py FOLDER [--groups GROUPS] KERNEL HEIGHT WIDTH STRIDE DILATION CHANNELS [CHANNELS ...]

The kernels are square, with as much padding as keeps the size of an image. The first one has the stride.
"""

import argparse

import numpy as np
from files import Network, rounded

parser = argparse.ArgumentParser()
parser.add_argument("folder")
parser.add_argument("--groups", type=int, default=1)
parser.add_argument("numbers", type=int, nargs="+")
options = parser.parse_args()
side, height, width, stride, dilation, *sizes = options.numbers
groups = options.groups
random = np.random.default_rng(7)
network = Network()
node, weight = network.node, network.weight
data = random.standard_normal((1, sizes[0], height, width)).astype(np.float32)
name, expected = "x", data.astype(np.float64)
reach = dilation * (side - 1)
before_and_after = (reach // 2, reach - reach // 2)
for inputs, outputs in zip(sizes, sizes[1:]):
    shape = (outputs, inputs // groups, side, side)
    kernel = (random.standard_normal(shape) / np.sqrt(inputs // groups * side**2)).astype(np.float32)
    bias = random.standard_normal(outputs).astype(np.float32)
    before, known = name, rounded(expected)
    name = node(
        "Conv",
        name,
        weight(kernel),
        weight(bias),
        strides=[stride, stride],
        dilations=[dilation, dilation],
        group=groups,
        pads=[before_and_after[0]] * 2 + [before_and_after[1]] * 2,
    )
    padded = np.pad(known, [(0, 0), (0, 0), before_and_after, before_and_after])
    windows = np.lib.stride_tricks.sliding_window_view(padded, (reach + 1, reach + 1), (2, 3))
    windows = windows[:, :, ::stride, ::stride, ::dilation, ::dilation]
    parts = zip(np.split(rounded(kernel), groups), np.split(windows, groups, axis=1))
    sums = [np.einsum("oihw,niyxhw->noyx", *part, optimize=True) for part in parts]
    expected = np.concatenate(sums, axis=1)
    expected = expected + bias[:, None, None]
    if (inputs, stride) == (outputs, 1):
        # A residual connection.
        name, expected = node("Add", name, before), expected + known
    name, expected = node("Relu", name), np.maximum(expected, 0)
    stride = 1
network.write(options.folder, data, name, expected, len(sizes) - 1)
