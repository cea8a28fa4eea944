"""Injects a fault into each node of a small network, and checks that `relayc diff --bisect` names the node.

usage: faults.py FOLDER [NODE...]
"""

import json
import pathlib
import subprocess
import sys

import numpy
import onnx
import onnxruntime
from onnx import TensorProto, helper, numpy_helper

SEED = 12
FUSED = ["conv1", "add0", "relu1", "conv2", "mul0", "conv4", "tanh0"]


def network():
    """A network of 20 nodes: residual connections, a gate, a depthwise convolution, a head."""
    random = numpy.random.default_rng(SEED)
    nodes, weights = [], []

    def weight(*shape):
        name = f"weight{len(weights)}"
        values = random.standard_normal(shape) / numpy.sqrt(numpy.prod(shape[1:]))
        weights.append(numpy_helper.from_array(values.astype(numpy.float32), name))
        return name

    def node(op, name, inputs, **attributes):
        nodes.append(helper.make_node(op, inputs, [f"{name}_result"], name=name, **attributes))
        return f"{name}_result"

    def conv(name, x, channels, of, size, group=1):
        inputs = [x, weight(channels, of // group, size, size), weight(channels)]
        pads = [size // 2] * 4
        return node("Conv", name, inputs, kernel_shape=[size, size], pads=pads, group=group)

    stem = node("Relu", "relu0", [conv("conv0", "x", 8, 3, 3)])
    sum0 = node("Add", "add0", [conv("conv1", stem, 8, 8, 3), stem])
    relu1 = node("Relu", "relu1", [sum0])
    pool = node("MaxPool", "pool0", [relu1], kernel_shape=[2, 2], strides=[2, 2])
    conv2 = conv("conv2", pool, 16, 8, 3)
    gate = node("Mul", "mul0", [conv2, node("Sigmoid", "sigmoid0", [conv2])])
    relu2 = node("Relu", "relu2", [conv("conv3", gate, 16, 16, 3, group=16)])
    sum1 = node("Add", "add1", [conv("conv4", relu2, 16, 16, 1), gate])
    leaky = node("LeakyRelu", "leaky0", [sum1], alpha=0.1)
    flat = node("Flatten", "flatten0", [node("GlobalAveragePool", "mean0", [leaky])])
    hidden = node("Tanh", "tanh0", [node("Gemm", "gemm0", [flat, weight(16, 12), weight(12)])])
    node("Abs", "abs0", [node("Gemm", "gemm1", [hidden, weight(12, 10), weight(10)])])
    value = helper.make_tensor_value_info
    graph = helper.make_graph(
        nodes,
        "faults",
        [value("x", TensorProto.FLOAT, [1, 3, 12, 12])],
        [value("abs0_result", TensorProto.FLOAT, [1, 10])],
        weights,
    )
    opsets = [helper.make_opsetid("", 17)]
    return helper.make_model(graph, opset_imports=opsets, ir_version=8), random


def main():
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    model, random = network()
    onnx.save(model, folder / "model.onnx")
    names = [node.name for node in model.graph.node]
    x = random.standard_normal([1, 3, 12, 12]).astype(numpy.float32)
    numpy.savez(folder / "x.npz", x=x)
    # ONNX Runtime computes every tensor once; relayc diff --ref onnxruntime has a test of its own.
    outputs = [node.output[0] for node in model.graph.node]
    del model.graph.output[:]
    model.graph.output.extend(onnx.ValueInfoProto(name=name) for name in outputs)
    session = onnxruntime.InferenceSession(
        model.SerializeToString(), providers=["CPUExecutionProvider"]
    )
    numpy.savez(folder / "expected.npz", **dict(zip(outputs, session.run(outputs, {"x": x}))))

    def first(*insert):
        words = ["relayc", "diff", "model.onnx", "--bisect", "--json", "--inputs", "x.npz"]
        words += ["--ref", "expected.npz", "--reproducer", "alone", *insert]
        done = subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False)
        try:
            found = json.loads(done.stdout)
        except json.JSONDecodeError:
            sys.exit(f"{words}: {done.stderr}")
        assert (done.returncode == 0) == (found["first"] is None), done
        return found

    assert first()["first"] is None, "without a fault nothing differs"
    wrong, alone = 0, 0
    cases = [("", name) for name in names] + [("fuse-ops:", name) for name in FUSED]
    for place, name in cases:
        found = first("--insert-pass", f"{place}inject-fault{{node={name}}}")
        named = found["first"] and found["first"]["node"]
        alone += found["reproduces"] is True
        if named != name:
            wrong += 1
            print(f"{place}{name}: {named}", found["first"])
    print(f"{len(cases) - wrong} of {len(cases)} faults are named, {alone} differ alone")


main()
