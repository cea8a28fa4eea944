"""Writes a small network as ONNX, and an input with ONNX Runtime's output as a C header.

The weights, and what is computed, are of the type that is named, float32 or float16. Input and output are float32.
"""

import sys

import numpy as np
import onnx
import onnxruntime
from onnx import TensorProto, helper, numpy_helper

folder, element = sys.argv[1:]
random = np.random.default_rng(7)
nodes, weights = [], []


def weight(*shape):
    """Random weights that keep the size of what goes through them."""
    fan_in = max(int(np.prod(shape[1:])), 1)
    values = random.standard_normal(shape) / np.sqrt(fan_in)
    name = f"w{len(weights)}"
    weights.append(numpy_helper.from_array(values.astype(element), name))
    return name


def node(op, *inputs, **attributes):
    name = f"n{len(nodes)}"
    nodes.append(helper.make_node(op, inputs, [name], name=name, **attributes))
    return name


def conv(data, outputs, inputs, size, **attributes):
    kernel = weight(outputs, inputs, size, size)
    pads = [size // 2] * 4
    return node("Conv", data, kernel, weight(outputs), pads=pads, **attributes)


def cast(data, to):
    return node("Cast", data, to=helper.np_dtype_to_tensor_dtype(np.dtype(to)))


x = node("Relu", conv(cast("x", element), 32, 3, 3, strides=[2, 2]))
y = node("Relu", conv(x, 32, 32, 3))
x = node("Add", conv(y, 32, 32, 3), x)
x = node("Relu", conv(x, 32, 1, 3, group=32))
x = conv(x, 64, 32, 1)
x = node("MaxPool", x, kernel_shape=[3, 3], strides=[2, 2], pads=[1, 1, 1, 1])
x = node("Sigmoid", conv(x, 64, 64, 3, strides=[2, 2]))
x = node("Flatten", node("GlobalAveragePool", x))
x = node("Gemm", x, weight(37, 64), weight(37), transB=1)
x = cast(node("Softmax", x, axis=1), np.float32)

shape = [1, 3, 56, 56]
graph = helper.make_graph(
    nodes,
    "network",
    [helper.make_tensor_value_info("x", TensorProto.FLOAT, shape)],
    [helper.make_tensor_value_info(x, TensorProto.FLOAT, [1, 37])],
    weights,
)
model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)
onnx.checker.check_model(model)
onnx.save(model, f"{folder}/network.onnx")

data = random.standard_normal(shape).astype(np.float32)
session = onnxruntime.InferenceSession(
    model.SerializeToString(), providers=["CPUExecutionProvider"]
)
(expected,) = session.run(None, {"x": data})


def array(name, values):
    numbers = ", ".join(float(value).hex() + "f" for value in values.ravel())
    return f"static const float {name}[{values.size}] = {{{numbers}}};\n"


with open(f"{folder}/data.h", "w", encoding="ascii") as header:
    header.write(f"enum {{ OUTPUTS = {expected.size} }};\n")
    # Of f16, some units in the last place of an output, which is a 37th on average.
    tolerance = {"float32": "1e-5f", "float16": "2e-4f"}[element]
    header.write(f"static const float TOLERANCE = {tolerance};\n")
    header.write(array("input", data) + array("expected", expected))
