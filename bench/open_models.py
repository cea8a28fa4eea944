"""Networks with open dimensions, each with the sizes at which it is measured; random weights.

A residual network of any batch, an encoder of any batch and length, a recogniser of text lines of any width, and a detector of any image
with its non-maximum suppression.
"""

import dataclasses
import typing

import numpy as np
from onnx import TensorProto, helper

from bert import DEVIATION
from builder import Builder
from models import resnet18

SEED = 0


@dataclasses.dataclass(frozen=True)
class Network:
    """A network of open dimensions."""

    name: str
    build: typing.Callable[[], object]
    """The model."""
    sizes: list
    """The values of the dimensions by name, one after the other."""
    inputs: typing.Callable[[dict, np.random.Generator], dict]
    """Inputs of one choice of sizes."""


def conv(graph, value, depth, channels, kernel=3, stride=1, activation="Relu"):
    """A convolution that keeps the extent of stride 1, with bias and activation."""
    deviation = (2 / (depth * kernel * kernel)) ** 0.5
    weight = graph.random(channels, depth, kernel, kernel, deviation=deviation)
    value = graph.node(
        "Conv", value, weight, graph.random(channels, deviation=0.1),
        kernel_shape=[kernel] * 2, strides=[stride] * 2, pads=[kernel // 2] * 4,
    )  # fmt: skip
    if activation == "SiLU":
        return graph.node("Mul", value, graph.node("Sigmoid", value))
    return graph.node(activation, value) if activation else value


def named(graph, value, name):
    """Names a value, as an output of the model."""
    graph.nodes.append(helper.make_node("Identity", [value], [name], name))


def residual():
    """ResNet-18 of any batch."""
    model = resnet18()
    for port in [*model.graph.input, *model.graph.output]:
        port.type.tensor_type.shape.dim[0].dim_param = "batch"
    return model


LAYERS, HEADS, FEATURES, HIDDEN, VOCABULARY, LONGEST = 6, 12, 384, 1536, 8000, 512


class Encoder(Builder):
    """A transformer's encoder, as MiniLM has it, of any batch and length."""

    def norm(self, value):
        """A normalization of the features of each token."""
        scale, bias = self.random(FEATURES, mean=1.0), self.random(FEATURES)
        return self.node("LayerNormalization", value, scale, bias, axis=-1, epsilon=1e-12)

    def linear(self, value, inputs, outputs):
        """x W + b."""
        return self.node("Add", self.node("MatMul", value, self.random(inputs, outputs)), self.random(outputs))

    def heads(self, value, permutation):
        """The features of each head by themselves; 0 keeps an extent."""
        shape = self.constant([0, 0, HEADS, FEATURES // HEADS], np.int64)
        value = self.node("Reshape", self.linear(value, FEATURES, FEATURES), shape)
        return self.node("Transpose", value, perm=permutation)

    def layer(self, value, mask):
        """Attention and the feed-forward part, each with its shortcut."""
        scores = self.node("MatMul", self.heads(value, [0, 2, 1, 3]), self.heads(value, [0, 2, 3, 1]))
        scores = self.node("Div", scores, self.constant(np.sqrt(FEATURES / HEADS)))
        weights = self.node("Softmax", self.node("Add", scores, mask), axis=-1)
        mixed = self.node("MatMul", weights, self.heads(value, [0, 2, 1, 3]))
        mixed = self.node("Transpose", mixed, perm=[0, 2, 1, 3])
        mixed = self.node("Reshape", mixed, self.constant([0, 0, FEATURES], np.int64))
        value = self.norm(self.node("Add", self.linear(mixed, FEATURES, FEATURES), value))
        inner = self.gelu(self.linear(value, FEATURES, HIDDEN))
        return self.norm(self.node("Add", self.linear(inner, HIDDEN, FEATURES), value))

    def embed(self):
        """Tokens and positions, of which there are as many as tokens."""
        length = self.node("Shape", "ids", start=1, end=2)
        zero, axis = self.constant([0], np.int64), self.constant([0], np.int64)
        positions = self.node("Slice", self.random(LONGEST, FEATURES), zero, length, axis)
        return self.norm(self.node("Add", self.node("Gather", self.random(VOCABULARY, FEATURES), "ids"), positions))

    def mask(self):
        """0 for tokens to look at, a large negative number for others."""
        mask = self.node("Unsqueeze", "mask", self.constant([1, 2], np.int64))
        hidden = self.node("Sub", self.constant(1), self.node("Cast", mask, to=TensorProto.FLOAT))
        return self.node("Mul", hidden, self.constant(-1e9))


def encoder():
    """The encoder."""
    graph = Encoder(SEED, DEVIATION)
    mask, value = graph.mask(), graph.embed()
    for _ in range(LAYERS):
        value = graph.layer(value, mask)
    named(graph, value, "features")
    shape = ["batch", "length"]
    return graph.model("encoder", {"ids": shape, "mask": shape}, {"features": [*shape, FEATURES]}, TensorProto.INT64)


def encoder_inputs(sizes, rng):
    """Tokens, of which the last eighth is padding."""
    shape = sizes["batch"], sizes["length"]
    mask = np.arange(shape[1])[None] < shape[1] - shape[1] // 8
    return {
        "ids": rng.integers(0, VOCABULARY, shape),
        "mask": np.broadcast_to(mask, shape).astype(np.int64),
    }


STEPS, LETTERS = 128, 96


def recurrent(graph, value, depth):
    """A bidirectional LSTM over [length, batch, depth]."""
    scale = STEPS**-0.5
    weights = [graph.random(2, 4 * STEPS, size, deviation=scale) for size in (depth, STEPS)]
    bias = graph.random(2, 8 * STEPS, deviation=scale)
    both = graph.node("LSTM", value, *weights, bias, hidden_size=STEPS, direction="bidirectional")
    both = graph.node("Transpose", both, perm=[0, 2, 1, 3])
    return graph.node("Reshape", both, graph.constant([0, 0, 2 * STEPS], np.int64))


def recogniser():
    """A convolutional recurrent network (Shi et al. 2015) for lines of 32 pixels."""
    graph, value, depth = Builder(SEED, DEVIATION), "image", 1
    for channels, pool in [(64, (2, 2)), (128, (2, 2)), (256, None), (256, (2, 1)), (512, None), (512, (2, 1))]:
        value = conv(graph, value, depth, channels)
        depth = channels
        if pool:
            value = graph.node("MaxPool", value, kernel_shape=pool, strides=pool)
    value = graph.node("ReduceMean", value, axes=[2], keepdims=0)
    value = graph.node("Transpose", value, perm=[2, 0, 1])
    for _ in range(2):
        value = recurrent(graph, value, depth)
        depth = 2 * STEPS
    value = graph.node("MatMul", value, graph.random(depth, LETTERS, deviation=depth**-0.5))
    value = graph.node("Softmax", graph.node("Add", value, graph.random(LETTERS)), axis=-1)
    named(graph, value, "letters")
    return graph.model("recogniser", {"image": [1, 1, 32, "width"]}, {"letters": None})


CLASSES = 20


def stage(graph, value, depth, channels):
    """A strided convolution and two with a shortcut."""
    value = conv(graph, value, depth, channels, stride=2, activation="SiLU")
    inner = conv(graph, value, channels, channels // 2, 1, activation="SiLU")
    return graph.node("Add", conv(graph, inner, channels // 2, channels, activation="SiLU"), value)


def merged(graph, small, large, depths, channels):
    """A coarse map beside a finer one, and a convolution of both."""
    scales = graph.constant([1, 1, 2, 2])
    wide = graph.node("Resize", small, "", scales, mode="nearest")
    both = graph.node("Concat", wide, large, axis=1)
    return conv(graph, both, sum(depths), channels, activation="SiLU")


def scores(graph, maps):
    """Boxes and classes at each place of some maps: [1, 4 + classes, places]."""
    shape, rows = graph.constant([1, 4 + CLASSES, -1], np.int64), []
    for value, depth in maps:
        rows.append(graph.node("Reshape", conv(graph, value, depth, 4 + CLASSES, 1, activation=None), shape))
    return graph.node("Sigmoid", graph.node("Concat", *rows, axis=2))


def detector():
    """A pyramid of features in the manner of YOLO, with non-maximum suppression."""
    graph = Builder(SEED, DEVIATION)
    value = conv(graph, "image", 3, 16, stride=2, activation="SiLU")
    features, depth = [], 16
    for channels in (32, 64, 128, 256):
        value = stage(graph, value, depth, channels)
        features.append((value, channels))
        depth = channels
    coarse = features[3]
    middle = merged(graph, coarse[0], features[2][0], (256, 128), 128), 128
    fine = merged(graph, middle[0], features[1][0], (128, 64), 64), 64
    found = scores(graph, [fine, middle, coarse])
    cuts = graph.constant([4, CLASSES], np.int64)
    graph.nodes.append(helper.make_node("Split", [found, cuts], ["rows", "confidence"], "split", axis=1))
    named(graph, graph.node("Transpose", "rows", perm=[0, 2, 1]), "boxes")
    most, overlap = graph.constant([10], np.int64), graph.constant([0.5])
    kept = graph.node("NonMaxSuppression", "boxes", "confidence", most, overlap, graph.constant([0.6]))
    named(graph, kept, "kept")
    outputs = {"boxes": [1, "places", 4], "kept": ["count", 3]}
    model = graph.model("detector", {"image": [1, 3, "height", "width"]}, outputs)
    for port in model.graph.output:
        if port.name == "kept":
            port.type.tensor_type.elem_type = TensorProto.INT64
    return model


def image_inputs(name, channels, sizes, rng):
    """A random image."""
    shape = [sizes.get("batch", 1), channels, sizes.get("height", 32), sizes["width"]]
    return {name: rng.random(shape, np.float32)}


def choices(**dims):
    """Sizes by name: the first of each, the second of each ..."""
    return [dict(zip(dims, values)) for values in zip(*dims.values())]


NETWORKS = [
    Network(
        "residual", residual, choices(batch=[1, 2, 4, 8, 16]),
        lambda sizes, rng: image_inputs("image", 3, sizes | {"height": 224, "width": 224}, rng),
    ),
    Network("encoder", encoder, choices(batch=[1, 1, 1, 4, 8], length=[16, 64, 200, 32, 128]), encoder_inputs),
    Network(
        "recogniser", recogniser, choices(width=[32, 100, 240, 320, 640]),
        lambda sizes, rng: image_inputs("image", 1, sizes, rng),
    ),
    Network(
        "detector", detector, choices(height=[160, 320, 288, 480, 640], width=[160, 320, 512, 640, 640]),
        lambda sizes, rng: image_inputs("image", 3, sizes, rng),
    ),
]  # fmt: skip
