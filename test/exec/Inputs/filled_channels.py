"""Chains of convolutions of channels that no vector divides, with what may stand between them."""

import sys

import numpy as np
from onnx import TensorProto, helper, numpy_helper

import several_nodes

# Channels, rows and columns, and what stands between two convolutions.
BETWEEN = [
    "relu", "clip", "sigmoid", "exp", "log", "shortcut", "gate", "shift", "pool", "window", "depthwise",
    "greatest logarithm",
]  # fmt: skip
CHAINS = [(200, 7, between) for between in BETWEEN] + [(30, 3, "relu"), (17, 5, "shortcut"), (24, 12, "window")]


class Chain:
    """Two convolutions of the input x<number> and what is between them."""

    def __init__(self, number, rng):
        self.number, self.rng, self.nodes, self.weights = number, rng, [], []

    def constant(self, array):
        name = f"w{self.number}_{len(self.weights)}"
        self.weights.append(numpy_helper.from_array(np.asarray(array, np.float32), name))
        return name

    def node(self, kind, *inputs, **attributes):
        name = f"n{self.number}_{len(self.nodes)}"
        self.nodes.append(helper.make_node(kind, inputs, [name], **attributes))
        return name

    def conv(self, value, channels, kernel=1, groups=1):
        shape = (channels, channels // groups, kernel, kernel)
        weight = self.rng.standard_normal(shape) / np.sqrt(np.prod(shape[1:]))
        bias = self.constant(self.rng.standard_normal(channels))
        return self.node("Conv", value, self.constant(weight), bias, pads=[kernel // 2] * 4, group=groups)

    def between(self, kind, value, channels):
        """Some of these keep zeros, others make ones, infinities or shifts of them."""
        match kind:
            case "relu":
                return self.node("Relu", value)
            case "clip":
                return self.node("Clip", value, self.constant(0.5), self.constant(2))
            case "sigmoid":
                return self.node("Sigmoid", value)
            case "exp":
                return self.node("Exp", value)
            case "log":
                return self.node("Log", self.node("Add", self.node("Relu", value), self.constant(1)))
            case "shortcut":
                return self.node("Add", self.conv(self.node("Relu", value), channels), value)
            case "gate":
                mean = self.node("GlobalAveragePool", value)
                return self.node("Mul", value, self.node("Sigmoid", self.conv(mean, channels)))
            case "shift":
                return self.node("Add", value, self.constant(3))
            case "pool":
                pads = {"pads": [1, 1, 1, 1], "strides": [1, 1]}
                return self.node("MaxPool", value, kernel_shape=[3, 3], **pads)
            case "greatest logarithm":
                logarithm = self.node("Log", self.node("Abs", value))
                return self.node("MaxPool", logarithm, kernel_shape=[2, 2])
            case "window":
                return self.node("Relu", self.conv(value, channels, 3))
            case "depthwise":
                return self.node("Relu", self.conv(value, channels, 3, channels))


def model():
    """All chains side by side; the input of each is x<number>, its output y<number>."""
    rng = np.random.default_rng(0)
    nodes, inputs, outputs, weights, arrays = [], [], [], [], {}
    for number, (channels, extent, kind) in enumerate(CHAINS):
        chain, shape = Chain(number, rng), (1, channels, extent, extent)
        value = chain.between(kind, chain.conv(f"x{number}", channels), channels)
        last = chain.conv(value, channels)
        chain.nodes.append(helper.make_node("Identity", [last], [f"y{number}"]))
        nodes, weights = nodes + chain.nodes, weights + chain.weights
        arrays[f"x{number}"] = rng.standard_normal(shape, np.float32)
        inputs.append(helper.make_tensor_value_info(f"x{number}", TensorProto.FLOAT, shape))
        outputs.append(helper.make_tensor_value_info(f"y{number}", TensorProto.FLOAT, None))
    return helper.make_graph(nodes, "chains", inputs, outputs, weights), arrays


command, path, inputs, *results = sys.argv[1:]
if command == "make":
    several_nodes.save(path, inputs, *model())
else:
    expected = several_nodes.expected(path, inputs)
    for actual in map(np.load, results):
        for name in expected:
            magnitude = np.abs(expected[name]).max()
            np.testing.assert_allclose(
                actual[name], expected[name], rtol=1e-4, atol=1e-5 * magnitude, err_msg=name
            )
