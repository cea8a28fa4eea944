"""Small networks of the kinds of work that the nine networks have little of.

A class is a list of cases of several shapes, each as it stands in networks: with its bias and activation, and
where engines keep channels in blocks, several in a row, so that what the edges cost is shared.
"""

import dataclasses
import math
import typing

from builder import Builder

SEED = 0


@dataclasses.dataclass(frozen=True)
class Case:
    """A model with the shapes of its inputs."""

    name: str
    inputs: dict
    build: typing.Callable[[Builder], object]
    """Adds the nodes; that of the result is the last one."""

    def model(self):
        """The model, with random weights."""
        graph = Builder(SEED, 1.0)
        self.build(graph)
        graph.nodes[-1].output[0] = "y"
        return graph.model("case", self.inputs, {"y": None})


def conv(graph, value, depth, channels, kernel, pads=None, groups=1, relu=True, **attributes):
    """A convolution with its bias and a rectifier; pads keep the extent unless they are given."""
    fan_in = depth // groups * math.prod(kernel)
    weight = graph.random(channels, depth // groups, *kernel, deviation=fan_in**-0.5)
    dilations = attributes.get("dilations", [1] * len(kernel))
    if pads is None:
        pads = [dilation * (size // 2) for dilation, size in zip(dilations, kernel)] * 2
    bias = graph.random(channels, deviation=0.1)
    out = graph.node(
        "Conv", value, weight, bias, kernel_shape=list(kernel), pads=pads, group=groups, **attributes
    )
    return graph.node("Relu", out) if relu else out


def chain(name, shape, count, kernel, groups=1, **attributes):
    """So many convolutions in a row that keep channels and extent."""
    depth = shape[1]

    def build(graph):
        value = "x"
        for _ in range(count):
            value = conv(graph, value, depth, depth, kernel, groups=groups, **attributes)
        return value

    return Case(name, {"x": shape}, build)


def pointwise(channels, size):
    """1x1 convolutions of channels that no vector's width divides, as ShuffleNet has them."""
    shape = [1, channels, size, size]
    return chain(f"4 x 1x1, {channels} channels, {size}x{size}", shape, 4, (1, 1))


def dilated(depth, channels, size, dilation):
    """A 3x3 convolution whose taps lie further apart than the image is wide, or nearly so."""

    def build(graph):
        return conv(graph, "x", depth, channels, (3, 3), dilations=[dilation] * 2)

    name = f"3x3 dilation {dilation}, {depth} to {channels} channels, {size}x{size}"
    return Case(name, {"x": [1, depth, size, size]}, build)


def pyramid(depth, channels, size, dilations):
    """Atrous spatial pyramid pooling (Chen et al. 2017) without its global branch."""

    def build(graph):
        branches = [conv(graph, "x", depth, channels, (1, 1))]
        for dilation in dilations:
            branches.append(conv(graph, "x", depth, channels, (3, 3), dilations=[dilation] * 2))
        joined = graph.node("Concat", *branches, axis=1)
        return conv(graph, joined, len(branches) * channels, channels, (1, 1))

    numbers = ", ".join(map(str, dilations))
    name = f"pyramid of dilations {numbers}, {depth} to {channels} channels, {size}x{size}"
    return Case(name, {"x": [1, depth, size, size]}, build)


def attention(heads, positions, width):
    """Scores, softmax and mixed values of all heads, of values that are there."""

    def build(graph):
        keys = graph.node("Transpose", "k", perm=[0, 1, 3, 2])
        scores = graph.node("MatMul", "q", keys)
        scores = graph.node("Mul", scores, graph.constant(width**-0.5))
        return graph.node("MatMul", graph.node("Softmax", scores, axis=-1), "v")

    shape = [1, heads, positions, width]
    name = f"{heads} heads of {width} over {positions} positions"
    return Case(name, {"q": shape, "k": shape, "v": shape}, build)


def softmax(*shape):
    """Softmax of rows."""

    def build(graph):
        return graph.node("Softmax", "x", axis=-1)

    return Case(f"softmax {'x'.join(map(str, shape))}", {"x": list(shape)}, build)


def grouped(group, groups, size):
    """3x3 convolutions of groups, as ResNeXt and RegNet have them."""
    channels = group * groups
    name = f"2 x 3x3, {groups} groups of {group} channels, {size}x{size}"
    return chain(name, [1, channels, size, size], 2, (3, 3), groups=groups)


def stem(depth, channels, length):
    """The two convolutions that Whisper begins with, the second with stride 2."""

    def build(graph):
        value = graph.gelu(conv(graph, "x", depth, channels, (3,), relu=False))
        value = conv(graph, value, channels, channels, (3,), relu=False, strides=[2])
        return graph.gelu(value)

    name = f"1-D 3 and 3 stride 2, {depth} to {channels} channels, {length}"
    return Case(name, {"x": [1, depth, length]}, build)


def chain_1d(channels, length, kernel, dilation=1):
    """Convolutions over time."""
    name = f"2 x 1-D {kernel}{f' dilation {dilation}' * (dilation > 1)}, {channels} channels, {length}"
    return chain(name, [1, channels, length], 2, (kernel,), dilations=[dilation])


def chain_3d(channels, extent, kernel):
    """Convolutions over volumes or clips."""
    name = f"2 x 3-D {'x'.join(map(str, kernel))}, {channels} channels, {'x'.join(map(str, extent))}"
    return chain(name, [1, channels, *extent], 2, kernel)


def mlp(rows, features, hidden):
    """Two dense layers with GELU by erf between them, as in every transformer."""

    def dense(graph, value, inputs, outputs):
        product = graph.node("MatMul", value, graph.random(inputs, outputs, deviation=inputs**-0.5))
        return graph.node("Add", product, graph.random(outputs, deviation=0.1))

    def build(graph):
        inner = graph.gelu(dense(graph, "x", features, hidden))
        return dense(graph, inner, hidden, features)

    name = f"{rows} rows, {features} to {hidden} and back"
    return Case(name, {"x": [1, rows, features]}, build)


CLASSES = {
    "channels": [
        pointwise(58, 28), pointwise(116, 14), pointwise(232, 7),
        pointwise(40, 28), pointwise(72, 14), pointwise(200, 7),
    ],
    "dilation": [
        dilated(512, 256, 16, 12), dilated(512, 256, 16, 24), dilated(512, 256, 16, 36),
        dilated(256, 256, 33, 12), dilated(256, 128, 20, 18),
        pyramid(512, 128, 16, (6, 12, 18)),
    ],
    "attention": [
        attention(8, 1500, 64), attention(12, 512, 64), attention(12, 128, 64),
        attention(8, 512, 32), attention(8, 256, 128), attention(6, 1500, 64),
        attention(16, 577, 64),
    ],
    "softmax": [softmax(1, 8, 1500, 1500), softmax(1, 12, 128, 128), softmax(64, 1500)],
    "grouped": [
        grouped(8, 32, 28), grouped(16, 32, 14), grouped(24, 16, 14), grouped(32, 32, 7),
        grouped(48, 5, 28), grouped(40, 8, 14),
    ],
    "1-D": [
        stem(80, 384, 3000), chain_1d(64, 4096, 9), chain_1d(256, 1024, 3), chain_1d(128, 2000, 3, 8),
    ],
    "3-D": [
        chain_3d(16, (32, 32, 32), (3, 3, 3)), chain_3d(64, (8, 28, 28), (3, 3, 3)),
        chain_3d(64, (8, 28, 28), (1, 3, 3)), chain_3d(64, (8, 28, 28), (3, 1, 1)),
        chain_3d(24, (16, 16, 16), (3, 3, 3)),
    ],
    "gelu": [mlp(197, 192, 768), mlp(128, 768, 3072), mlp(197, 384, 1536), mlp(1500, 512, 2048)],
}  # fmt: skip
