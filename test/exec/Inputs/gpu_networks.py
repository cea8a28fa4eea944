"""Whole networks on emulated GPUs beside ONNX Runtime: an encoder, a decoder with caches and open lengths, a residual network, and one of
depthwise convolutions. Each comes in three types of floats, and for three chips."""

import pathlib
import subprocess
import sys
import typing

import numpy as np
import onnx
import relay_mlir
from onnx import TensorProto, helper, numpy_helper

sys.path.append(str(pathlib.Path(__file__).parents[2] / "oracle"))
from decoder_model import Sizes, decoder
from run_ort import session

RANDOM = np.random.default_rng(7)

# Differences that agree, of the range of an output. ONNX Runtime computes f16 in f32, so it rounds elsewhere; bf16 is compared with f32.
TOLERANCES = {"f32": 1e-5, "f16": 8e-3, "bf16": 5e-2}

TARGETS = ["cuda -arch=sm_80", "cuda -arch=sm_90", "rocm -arch=gfx942"]


class Graph:
    """A graph that grows; values are names."""

    def __init__(self):
        self.nodes, self.weights = [], []

    def node(self, kind, *inputs, **attributes):
        """Adds a node; its output."""
        name = f"{kind.lower()}{len(self.nodes)}"
        self.nodes.append(helper.make_node(kind, inputs, [name], name, **attributes))
        return name

    def constant(self, value):
        """Adds a constant; its name."""
        name = f"constant{len(self.weights)}"
        self.weights.append(numpy_helper.from_array(np.asarray(value), name))
        return name

    def weight(self, *shape, mean=0.0):
        """Adds a random weight that keeps the size of what it is multiplied by; its name."""
        deviation = 1 / np.sqrt(np.prod(shape[1:])) if len(shape) > 1 else 0.1
        return self.constant((mean + deviation * RANDOM.standard_normal(shape)).astype(np.float32))

    def model(self, inputs, outputs):
        """The model. Ports are element types and shapes by name."""
        ports = [
            [helper.make_tensor_value_info(name, *port) for name, port in ports.items()] for ports in (inputs, outputs)
        ]
        graph = helper.make_graph(self.nodes, "network", *ports, self.weights)
        return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=8)

    # Attention and what belongs to it.

    def linear(self, value, inputs, outputs):
        """x W + b."""
        return self.node("Add", self.node("MatMul", value, self.weight(inputs, outputs)), self.weight(outputs))

    def norm(self, value, features):
        """Normalised features."""
        return self.node(
            "LayerNormalization", value, self.weight(features, mean=1), self.weight(features), epsilon=1e-5
        )

    def heads(self, value, features, heads, order):
        """The features of each head by themselves."""
        split = self.node(
            "Reshape", self.linear(value, features, features), self.constant(np.array([0, 0, heads, features // heads]))
        )
        return self.node("Transpose", split, perm=order)

    def attention(self, value, mask, features, heads):
        """What each token takes from the others."""
        query, values = (self.heads(value, features, heads, [0, 2, 1, 3]) for _ in range(2))
        scores = self.node("MatMul", query, self.heads(value, features, heads, [0, 2, 3, 1]))
        scores = self.node("Mul", scores, self.constant(np.float32(1 / np.sqrt(features / heads))))
        shares = self.node("Softmax", self.node("Add", scores, mask), axis=-1)
        mixed = self.node("Transpose", self.node("MatMul", shares, values), perm=[0, 2, 1, 3])
        return self.linear(self.node("Reshape", mixed, self.constant(np.array([0, 0, features]))), features, features)

    def gelu(self, value):
        """x (1 + erf(x / sqrt 2)) / 2."""
        erf = self.node("Erf", self.node("Mul", value, self.constant(np.float32(np.sqrt(0.5)))))
        both = self.node("Mul", value, self.node("Add", erf, self.constant(np.float32(1))))
        return self.node("Mul", both, self.constant(np.float32(0.5)))

    # Convolutions.

    def conv(self, value, inputs, outputs, extent=3, stride=1, groups=1):
        """A convolution that keeps the extents, and its normalisation."""
        weight = self.weight(outputs, inputs // groups, extent, extent)
        value = self.node(
            "Conv", value, weight, kernel_shape=[extent] * 2, strides=[stride] * 2, pads=[extent // 2] * 4, group=groups
        )
        variance = self.constant(RANDOM.uniform(0.5, 1.5, outputs).astype(np.float32))
        return self.node(
            "BatchNormalization",
            value,
            self.weight(outputs, mean=1),
            *(self.weight(outputs) for _ in range(2)),
            variance,
        )

    def classify(self, value, channels, classes):
        """The scores of the classes of an image."""
        flat = self.node("Flatten", self.node("GlobalAveragePool", value))
        weights = self.weight(classes, channels), self.weight(classes)
        self.nodes.append(helper.make_node("Gemm", [flat, *weights], ["y"], "y", transB=1))


def encoder():
    """A BERT of 2 layers, and two sentences, one of which is shorter."""
    tokens, features, heads, inner, words = 16, 64, 4, 128, 97
    graph = Graph()
    hidden = graph.node("Sub", graph.constant(np.float32(1)), graph.node("Cast", "mask", to=TensorProto.FLOAT))
    mask = graph.node(
        "Unsqueeze", graph.node("Mul", hidden, graph.constant(np.float32(-1e4))), graph.constant(np.array([1, 2]))
    )
    value = graph.node(
        "Add", graph.node("Gather", graph.weight(words, features), "ids"), graph.weight(tokens, features)
    )
    value = graph.norm(value, features)
    for _ in range(2):
        value = graph.norm(graph.node("Add", value, graph.attention(value, mask, features, heads)), features)
        forward = graph.linear(graph.gelu(graph.linear(value, features, inner)), inner, features)
        value = graph.norm(graph.node("Add", value, forward), features)
    first = graph.node("Gather", value, graph.constant(np.array(0)), axis=1)
    graph.nodes.append(helper.make_node("Tanh", [graph.linear(first, features, features)], ["y"], "y"))
    ports = {name: (TensorProto.INT64, (2, tokens)) for name in ("ids", "mask")}
    lengths = np.array([[tokens], [11]])
    inputs = {"ids": RANDOM.integers(0, words, (2, tokens)), "mask": (np.arange(tokens) < lengths).astype(np.int64)}
    return graph.model(ports, {"y": (TensorProto.FLOAT, (2, features))}), [inputs]


def residual():
    """A residual network of four blocks, and an image of 32 x 32 pixels."""
    graph = Graph()
    value, channels = graph.node("Relu", graph.conv("x", 3, 16, 7, 2)), 16
    value = graph.node("MaxPool", value, kernel_shape=[3, 3], strides=[2, 2], pads=[1] * 4)
    for wide, stride in [(16, 1), (32, 2), (64, 2), (64, 1)]:
        inner = graph.conv(graph.node("Relu", graph.conv(value, channels, wide, 3, stride)), wide, wide)
        short = value if (channels, stride) == (wide, 1) else graph.conv(value, channels, wide, 1, stride)
        value, channels = graph.node("Relu", graph.node("Add", inner, short)), wide
    graph.classify(value, channels, 10)
    return images(graph)


def depthwise():
    """A MobileNet-V2 of six blocks, and an image of 32 x 32 pixels."""
    graph = Graph()

    def relu6(value):
        return graph.node("Clip", value, graph.constant(np.float32(0)), graph.constant(np.float32(6)))

    value, channels = relu6(graph.conv("x", 3, 8, 3, 2)), 8
    for wide, stride in [(8, 1), (12, 2), (12, 1), (20, 2), (20, 1), (40, 2)]:
        inner = relu6(graph.conv(value, channels, 6 * channels, 1))
        inner = relu6(graph.conv(inner, 6 * channels, 6 * channels, 3, stride, groups=6 * channels))
        inner = graph.conv(inner, 6 * channels, wide, 1)
        value = graph.node("Add", inner, value) if (channels, stride) == (wide, 1) else inner
        channels = wide
    graph.classify(value, channels, 10)
    return images(graph)


def images(graph):
    """The model of one image, and an image."""
    inputs = {"x": RANDOM.standard_normal((1, 3, 32, 32), np.float32)}
    return graph.model({"x": (TensorProto.FLOAT, (1, 3, 32, 32))}, {"y": (TensorProto.FLOAT, (1, 10))}), [inputs]


def cached():
    """A Llama of 2 layers with grouped heads, and a conversation: a prompt, two tokens, and a longer text. The caches are those of the step before."""
    sizes = Sizes(capacity=48)
    steps, total = [], 0
    for count in (7, 1, 1, 17):
        total += count
        steps.append(
            {
                "input_ids": RANDOM.integers(0, sizes.vocabulary, (1, count)),
                "attention_mask": np.ones((1, total), np.int64),
            }
        )
    empty = {name: np.zeros((1, sizes.shared, sizes.capacity, sizes.size), np.float32) for name in sizes.past()}
    steps[0] |= empty
    return decoder(sizes), steps


class Row(typing.NamedTuple):
    """A row of the table: a network, the type of its floats, and the target's place in `TARGETS`."""

    network: typing.Callable
    type: str
    target: int


# Each network has each type and each target once.
TABLE = [
    Row(network, kind, (row + place) % 3)
    for row, network in enumerate([encoder, cached, residual, depthwise])
    for place, kind in enumerate(TOLERANCES)
]


def halved(model):
    """A model with f16 in the place of f32."""
    for weight in model.graph.initializer:
        if weight.data_type == TensorProto.FLOAT:
            weight.CopyFrom(numpy_helper.from_array(numpy_helper.to_array(weight).astype(np.float16), weight.name))
    for port in [*model.graph.input, *model.graph.output]:
        if port.type.tensor_type.elem_type == TensorProto.FLOAT:
            port.type.tensor_type.elem_type = TensorProto.FLOAT16
    for node in model.graph.node:
        for attribute in node.attribute:
            if node.op_type == "Cast" and attribute.i == TensorProto.FLOAT:
                attribute.i = TensorProto.FLOAT16
    return model


def chained(run, steps, narrow):
    """The outputs of a run of each step. What one step calls `present` is the next one's `past_key_values`."""
    caches, results = {}, []
    for step in steps:
        inputs = {
            name: value.astype(np.float16) if narrow and value.dtype == np.float32 else value
            for name, value in {**step, **caches}.items()
        }
        outputs = run(inputs)
        caches = {
            name.replace("present", "past_key_values"): value
            for name, value in outputs.items()
            if name.startswith("present")
        }
        results.append(outputs)
    return results


def library(relayc, model, row, folder):
    """The row's library, by the command."""
    source, path = folder / f"{row.network.__name__}.onnx", folder / f"{row.network.__name__}_{row.type}.so"
    onnx.save(model, source)
    dims = {"batch_size": "1", "sequence_length": "?", "total_sequence_length": "?", "past_sequence_length": "48"}
    options = (
        [option for name, size in dims.items() for option in ("--dim", f"{name}={size}")]
        if row.network is cached
        else []
    )
    precision = ["--precision", "bf16"] if row.type == "bf16" else []
    target = ["--target", f"{TARGETS[row.target]} -emulated"]
    subprocess.run([relayc, "compile", "--quiet", source, "-o", path, *target, *precision, *options], check=True)
    return path


def difference(found, expected):
    """The greatest difference of outputs, of the range of each."""
    worst = 0.0
    for step, wanted in zip(found, expected):
        for name, value in wanted.items():
            assert step[name].shape == value.shape, f"{name} is {step[name].shape}, and not {value.shape}"
            apart = (
                np.abs(step[name].astype(np.float64) - value.astype(np.float64))
                / np.abs(value.astype(np.float64)).max()
            )
            worst = max(worst, float(np.nan_to_num(apart, nan=np.inf).max()))
    return worst


def apart(relayc, row, folder):
    """The greatest difference between the library of a row and ONNX Runtime, of the range."""
    model, steps = row.network()
    is_narrow = row.type == "f16"
    model = halved(model) if is_narrow else model
    oracle = session(model.SerializeToString(), 1)
    names = [output.name for output in oracle.get_outputs()]
    expected = chained(lambda inputs: dict(zip(names, oracle.run(names, inputs))), steps, is_narrow)
    compiled = relay_mlir.load(library(relayc, model, row, folder), threads=1)
    return difference(chained(compiled.run, steps, is_narrow), expected)


def main():
    folder, relayc = pathlib.Path(sys.argv[1]), sys.argv[2]
    folder.mkdir(parents=True, exist_ok=True)
    for row in TABLE:
        found = apart(relayc, row, folder)
        verdict = "agrees" if found <= TOLERANCES[row.type] else "DIFFERS"
        print(
            f"{row.network.__name__} {row.type} {TARGETS[row.target]}: {verdict}, {found:.1e} of the range", flush=True
        )


if __name__ == "__main__":
    main()
