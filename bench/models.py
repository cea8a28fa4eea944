"""Builds the models that are measured, with random weights.

Those of onnx's light models get random weights (see test/oracle/random_weights.py); ResNet-18,
MobileNet-V2 and EfficientNet-B0 are built here, BERT in bert.py, a detector in detector.py. Each is written as OUTDIR/<model>.onnx with a random input
<model>.inputs.npz and ONNX Runtime's output <model>.outputs.npz.
"""

import argparse
import pathlib
import sys
import typing

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "test" / "oracle"))

from bert import bert_base, bert_inputs
from detector import detector
from light_models import light_model_path, light_models
from random_weights import randomize, save
from run_ort import session

SEED = 0


class Graph:
    """A graph that grows; values are passed as (name, channels)."""

    def __init__(self):
        self.nodes = []
        self.weights = []

    def node(self, kind, inputs, **attributes):
        """Adds a node and returns the name of its output."""
        name = f"{kind.lower()}_{len(self.nodes)}"
        self.nodes.append(helper.make_node(kind, inputs, [f"{name}_out"], name, **attributes))
        return f"{name}_out"

    def weight(self, *shape):
        """Adds a weight, to be filled later, and returns its name."""
        name = f"weight_{len(self.weights)}"
        self.weights.append(numpy_helper.from_array(np.zeros(shape, np.float32), name))
        return name

    def conv(self, value, channels, kernel, stride=1, groups=1):
        """A convolution that keeps the extent, and a batch normalization."""
        name, depth = value
        weight = self.weight(channels, depth // groups, kernel, kernel)
        out = self.node(
            "Conv",
            [name, weight],
            kernel_shape=[kernel] * 2,
            strides=[stride] * 2,
            pads=[kernel // 2] * 4,
            group=groups,
        )
        statistics = [self.weight(channels) for _ in range(4)]
        return self.node("BatchNormalization", [out, *statistics]), channels

    def relu(self, value):
        """max(x, 0)."""
        return self.node("Relu", [value[0]]), value[1]

    def relu6(self, value):
        """x cut to 0..6."""
        return self.node("Clip", [value[0], "zero", "six"]), value[1]

    def swish(self, value):
        """x sigmoid(x)."""
        return self.node("Mul", [value[0], self.node("Sigmoid", [value[0]])]), value[1]

    def pointwise(self, value, channels):
        """A convolution of single pixels, with a bias."""
        weights = [self.weight(channels, value[1], 1, 1), self.weight(channels)]
        return self.node("Conv", [value[0], *weights], kernel_shape=[1, 1]), channels

    def squeeze_excite(self, value, channels):
        """Scales channels by numbers that a small network computes from their averages."""
        average = self.node("GlobalAveragePool", [value[0]]), value[1]
        squeezed = self.swish(self.pointwise(average, channels))
        scale = self.node("Sigmoid", [self.pointwise(squeezed, value[1])[0]])
        return self.node("Mul", [value[0], scale]), value[1]

    def add(self, a, b):
        """A shortcut."""
        return self.node("Add", [a[0], b[0]]), a[1]

    def classify(self, value, classes):
        """Averages the image and scores the classes."""
        name, depth = value
        flat = self.node("Flatten", [self.node("GlobalAveragePool", [name])])
        weights = [self.weight(classes, depth), self.weight(classes)]
        return self.node("Gemm", [flat, *weights], transB=1)

    def model(self, name, output, classes, constants=()):
        """The model for one image of 224x224, with random weights."""
        self.nodes.append(helper.make_node("Softmax", [output], ["probabilities"], "softmax"))
        graph = helper.make_graph(
            self.nodes,
            name,
            [helper.make_tensor_value_info("image", TensorProto.FLOAT, [1, 3, 224, 224])],
            [helper.make_tensor_value_info("probabilities", TensorProto.FLOAT, [1, classes])],
            self.weights,
        )
        for key, number in constants:
            constant = numpy_helper.from_array(np.array(number, np.float32))
            graph.node.insert(0, helper.make_node("Constant", [], [key], key, value=constant))
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
        return randomize(model, SEED)


def resnet18():
    """ResNet-18 (He et al. 2015)."""
    graph = Graph()
    value = graph.relu(graph.conv(("image", 3), 64, 7, stride=2))
    pool = {"kernel_shape": [3, 3], "strides": [2, 2], "pads": [1, 1, 1, 1]}
    value = graph.node("MaxPool", [value[0]], **pool), 64
    blocks = [(64, 1), (64, 1), (128, 2), (128, 1), (256, 2), (256, 1), (512, 2), (512, 1)]
    for channels, stride in blocks:
        inner = graph.relu(graph.conv(value, channels, 3, stride))
        inner = graph.conv(inner, channels, 3)
        if stride != 1:
            value = graph.conv(value, channels, 1, stride)
        value = graph.relu(graph.add(inner, value))
    return graph.model("resnet18", graph.classify(value, 1000), 1000)


def mobilenet_v2():
    """MobileNet-V2 (Sandler et al. 2018), width 1."""
    graph = Graph()
    value = graph.relu6(graph.conv(("image", 3), 32, 3, stride=2))
    stages = [
        # expansion, channels, blocks, stride of the first
        (1, 16, 1, 1),
        (6, 24, 2, 2),
        (6, 32, 3, 2),
        (6, 64, 4, 2),
        (6, 96, 3, 1),
        (6, 160, 3, 2),
        (6, 320, 1, 1),
    ]
    for expansion, channels, blocks, first in stages:
        for block in range(blocks):
            stride = first if block == 0 else 1
            wide = value[1] * expansion
            inner = graph.relu6(graph.conv(value, wide, 1)) if expansion > 1 else value
            inner = graph.relu6(graph.conv(inner, wide, 3, stride, groups=wide))
            inner = graph.conv(inner, channels, 1)
            shortcut = stride == 1 and value[1] == channels
            value = graph.add(inner, value) if shortcut else inner
    value = graph.relu6(graph.conv(value, 1280, 1))
    constants = [("zero", 0), ("six", 6)]
    return graph.model("mobilenet_v2", graph.classify(value, 1000), 1000, constants)


def efficientnet_b0():
    """EfficientNet-B0 (Tan and Le 2019)."""
    graph = Graph()
    value = graph.swish(graph.conv(("image", 3), 32, 3, stride=2))
    stages = [
        # expansion, channels, blocks, stride of the first, kernel
        (1, 16, 1, 1, 3),
        (6, 24, 2, 2, 3),
        (6, 40, 2, 2, 5),
        (6, 80, 3, 2, 3),
        (6, 112, 3, 1, 5),
        (6, 192, 4, 2, 5),
        (6, 320, 1, 1, 3),
    ]
    for expansion, channels, blocks, first, kernel in stages:
        for block in range(blocks):
            stride = first if block == 0 else 1
            wide = value[1] * expansion
            inner = graph.swish(graph.conv(value, wide, 1)) if expansion > 1 else value
            inner = graph.swish(graph.conv(inner, wide, kernel, stride, groups=wide))
            inner = graph.squeeze_excite(inner, value[1] // 4)
            inner = graph.conv(inner, channels, 1)
            shortcut = stride == 1 and value[1] == channels
            value = graph.add(inner, value) if shortcut else inner
    value = graph.swish(graph.conv(value, 1280, 1))
    return graph.model("efficientnet_b0", graph.classify(value, 1000), 1000)


BUILT = {"efficientnet_b0": efficientnet_b0, "mobilenet_v2": mobilenet_v2, "resnet18": resnet18}
MODELS = sorted([*BUILT, *light_models(), "bert_base", "detector"])


class Files(typing.NamedTuple):
    """A model, inputs for it, and what ONNX Runtime returns for them."""

    model: pathlib.Path
    inputs: pathlib.Path
    outputs: pathlib.Path


def files(model, folder):
    """The files of a model whose data are in a folder."""
    return Files(
        model, folder / f"{model.stem}.inputs.npz", folder / f"{model.stem}.outputs.npz"
    )


def write_data(found, inputs):
    """Writes the data of a model."""
    np.savez(found.inputs, **inputs)
    runtime = session(found.model, threads=1)
    names = [value.name for value in runtime.get_outputs()]
    np.savez(found.outputs, **dict(zip(names, runtime.run(names, inputs))))


def find(name, folder):
    """The files of a model: one of those built here, or any ONNX file.

    The inputs of a file F.onnx are F.inputs.npz beside it, or else random.
    """
    if name in MODELS:
        return files(build(name, folder), folder)
    model = pathlib.Path(name).resolve()
    if not model.exists():
        raise FileNotFoundError(f"{name} is no file, and none of {', '.join(MODELS)}")
    folder.mkdir(parents=True, exist_ok=True)
    beside = model.with_suffix(".inputs.npz")
    if beside.exists():
        with np.load(beside) as stored:
            inputs = dict(stored)
    else:
        inputs = random_inputs(model)
    found = files(model, folder)
    write_data(found, inputs)
    return found


def random_inputs(model):
    """Normally distributed inputs for a file."""
    rng = np.random.default_rng(SEED)
    inputs = {}
    for value in session(model, threads=1).get_inputs():
        if value.type != "tensor(float)" or not all(isinstance(n, int) for n in value.shape):
            given = model.with_suffix(".inputs.npz")
            raise RuntimeError(
                f"{model}: input '{value.name}' is {value.type} {value.shape}; only floats of a "
                f"known shape are made up, give the inputs in {given}"
            )
        inputs[value.name] = rng.standard_normal(value.shape, np.float32)
    return inputs


def build(name, outdir, again=False):
    """The file of a model; made if it does not exist."""
    path = outdir / f"{name}.onnx"
    done = all(path.with_suffix(ending).exists() for ending in (".onnx", ".outputs.npz"))
    if again or not done:
        outdir.mkdir(parents=True, exist_ok=True)
        if name == "bert_base":
            onnx.save_model(bert_base(SEED), path)
            write_data(files(path, outdir), bert_inputs(SEED + 1))
        elif name == "detector":
            save(detector(SEED), path, SEED + 1)
        elif name in BUILT:
            save(BUILT[name](), path, SEED + 1)
        else:
            save(randomize(onnx.load(light_model_path(name)), SEED), path, SEED + 1)
    return path


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("outdir", type=pathlib.Path, help="folder to write to")
    parser.add_argument("--models", nargs="+", default=MODELS, choices=MODELS)
    options = parser.parse_args()
    for name in options.models:
        path = build(name, options.outdir, again=True)
        with np.load(path.with_suffix(".outputs.npz")) as outputs:
            ranges = [f"{k} {v.min():.3g} to {v.max():.3g}" for k, v in outputs.items()]
        print(f"{path}: {path.stat().st_size / 2**20:.1f} MiB, {', '.join(ranges)}")


if __name__ == "__main__":
    main()
