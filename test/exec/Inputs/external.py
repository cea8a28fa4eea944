"""A model with everything that the rules of external code generators name, and ONNX Runtime's results."""

import pathlib
import re
import sys

import numpy as np
import onnx
import onnxruntime
from onnx import TensorProto, helper, numpy_helper

RULES = pathlib.Path(__file__).parents[3] / "passes" / "rules"
INPUTS = {
    "image": (2, 6, 13, 11),
    "line": (2, 4, 17),
    "space": (1, 4, 5, 6, 7),
    "rows": (3, 5, 8),
    "other": (2, 6, 13, 11),
    "kernel": (6, 6, 3, 3),
}


class Graph:
    def __init__(self):
        self.rng = np.random.default_rng(0)
        self.nodes, self.weights, self.outputs = [], [], []

    def weight(self, *shape):
        name = f"w{len(self.weights)}"
        self.weights.append(numpy_helper.from_array(self.rng.standard_normal(shape).astype(np.float32) / 3, name))
        return name

    def number(self, value):
        name = f"w{len(self.weights)}"
        self.weights.append(numpy_helper.from_array(np.float32(value), name))
        return name

    def shape(self, *dims):
        name = f"w{len(self.weights)}"
        self.weights.append(numpy_helper.from_array(np.array(dims, np.int64), name))
        return name

    def node(self, kind, *inputs, **attributes):
        name = f"n{len(self.nodes)}"
        self.nodes.append(helper.make_node(kind, inputs, [name], name, **attributes))
        return name

    def output(self, value):
        self.outputs.append(value)
        return value


def convolutions(g):
    padded = dict(kernel_shape=[3, 3], pads=[1, 0, 1, 2])
    same = dict(kernel_shape=[3, 3], pads=[1, 1, 1, 1])
    # A convolution alone, and with relu; a kernel that is an input.
    g.output(g.node("Conv", "image", g.weight(5, 6, 3, 3), **padded))
    bare = g.node("Relu", g.node("Conv", "image", "kernel", **same))
    # A bias; a sum of what is read elsewhere, too; one of an input; one of itself.
    plain = g.node("Conv", bare, g.weight(6, 6, 3, 3), g.weight(6), **same)
    summed = g.node("Add", g.node("Conv", bare, g.weight(6, 6, 3, 3), g.weight(6), **same), plain)
    g.output(g.node("Relu", g.node("Add", "other", g.node("Conv", plain, g.weight(6, 6, 3, 3), g.weight(6), **same))))
    twice = g.node("Conv", plain, g.weight(6, 6, 3, 3), g.weight(6), **same)
    g.output(g.node("Add", twice, twice))
    # Groups, strides and dilation; each channel by itself; a sum of a constant.
    grouped = dict(kernel_shape=[3, 2], strides=[2, 1], dilations=[1, 2], group=3)
    few = g.node("Relu", g.node("Conv", summed, g.weight(9, 2, 3, 2), g.weight(9), **grouped))
    depthwise = g.node("Conv", few, g.weight(9, 1, 3, 3), g.weight(9), group=9, **same)
    g.output(g.node("Add", depthwise, g.weight(2, 9, 6, 9)))
    # One that is the last to read what is added: that is written over.
    left = g.node("Conv", few, g.weight(7, 9, 1, 1), g.weight(7), kernel_shape=[1, 1])
    right = g.node("Conv", few, g.weight(7, 9, 1, 1), g.weight(7), kernel_shape=[1, 1])
    tail = g.output(g.node("Relu", g.node("Add", left, right)))
    # Pools.
    for kind, attributes in [("MaxPool", {}), ("AveragePool", {}), ("AveragePool", {"count_include_pad": 1})]:
        g.output(g.node(kind, tail, kernel_shape=[3, 2], strides=[2, 1], pads=[1, 0, 1, 1], **attributes))
    g.output(g.node("Add", g.node("Relu", "other"), "image"))


def other_ranks(g):
    line = g.node("Conv", "line", g.weight(3, 4, 5), g.weight(3), kernel_shape=[5], strides=[2], pads=[2, 1])
    g.output(g.node("MaxPool", g.node("Relu", line), kernel_shape=[3], dilations=[2]))
    space = g.node("Conv", "space", g.weight(3, 4, 2, 3, 3), kernel_shape=[2, 3, 3], pads=[1, 0, 1, 0, 1, 1])
    g.output(g.node("AveragePool", space, kernel_shape=[2, 2, 2], strides=[1, 2, 1]))


def products(g):
    def linear(value, inputs, outputs):
        return g.node("Add", g.weight(outputs), g.node("MatMul", value, g.weight(inputs, outputs)))

    inner = linear("rows", 8, 12)
    bent = g.node("Erf", g.node("Div", inner, g.number(np.sqrt(2))))
    gelu = g.node("Mul", g.node("Mul", inner, g.node("Add", bent, g.number(1))), g.number(0.5))
    outer = g.output(g.node("Add", linear(gelu, 12, 8), "rows"))
    relu = g.output(g.node("Relu", linear(outer, 8, 5)))
    flat = g.node("Reshape", relu, g.shape(15, 5))
    g.output(g.node("Gemm", flat, g.weight(4, 5), g.weight(4), transB=1))
    g.output(g.node("MatMul", flat, g.weight(5, 3)))
    g.output(g.node("Softmax", g.node("Mul", linear(outer, 8, 6), linear(outer, 8, 6)), axis=1))
    turned = g.node("Transpose", outer, perm=[0, 2, 1])
    scores = g.node("Softmax", g.node("MatMul", outer, turned), axis=-1)
    g.output(g.node("MatMul", scores, outer))


PARTS = {"convolutions": convolutions, "other_ranks": other_ranks, "products": products}


def write(path, given, expected, *parts):
    """Writes a model of some parts, or of all."""
    g = Graph()
    for part in parts or PARTS:
        PARTS[part](g)
    read = {name for node in g.nodes for name in node.input}
    inputs = {name: shape for name, shape in INPUTS.items() if name in read}
    ports = [helper.make_tensor_value_info(name, TensorProto.FLOAT, shape) for name, shape in inputs.items()]
    outputs = [helper.make_tensor_value_info(name, TensorProto.FLOAT, None) for name in g.outputs]
    graph = helper.make_graph(g.nodes, "external", ports, outputs, g.weights)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    onnx.save(model, path)
    values = {name: g.rng.standard_normal(shape).astype(np.float32) for name, shape in inputs.items()}
    np.savez(given, **values)
    found = onnxruntime.InferenceSession(path).run(g.outputs, values)
    np.savez(expected, **dict(zip(g.outputs, found)))


def check(expected, *results):
    right = np.load(expected)
    for path in results:
        actual = np.load(path)
        for name in right.files:
            np.testing.assert_allclose(actual[name], right[name], rtol=1e-4, atol=1e-5, err_msg=f"{path} {name}")


def used(target, path):
    """Checks that every rule of a generator has made a composite."""
    rules = re.findall(r"^rule (\S+) {", (RULES / f"{target}.pat").read_text(), re.M)
    text = pathlib.Path(path).read_text()
    missing = [rule for rule in rules if f'Composite = "{rule}"' not in text]
    assert rules and not missing, f"nothing is for the rules {missing}"


{"write": write, "check": check, "used": used}[sys.argv[1]](*sys.argv[2:])
