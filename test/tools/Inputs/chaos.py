"""Writes a quantised network that is chaotic.

A chain of layers between QuantizeLinear and DequantizeLinear multiplies by a matrix of large gain; bytes saturate, so that numbers
neither grow without bound nor die. The first layer's products lie in the middle of two steps: ONNX Runtime sums them up in floats, and rounds
them by the errors of the sums.

usage: chaos.py FOLDER
"""

import pathlib
import sys

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

SEED = 3
WIDTH, ROWS, LAYERS = 48, 4, 14

# By how much a layer makes a small difference greater: below 1 it dies.
GAIN = 3

# Steps of data and of weights. Neither has an end in binary, so sums of products have errors.
STEP, WEIGHT_STEP = np.float32(0.1), np.float32(0.01)

# The zero point of data.
ZERO = np.uint8(128)


def network():
    """The network, with its input."""
    random = np.random.default_rng(SEED)
    nodes, constants = [], []

    def constant(value):
        constants.append(numpy_helper.from_array(np.asarray(value), f"c{len(constants)}"))
        return constants[-1].name

    def node(kind, name, *inputs):
        nodes.append(helper.make_node(kind, inputs, [name], name))
        return name

    data = (constant(STEP), constant(ZERO))
    bytes_ = node("QuantizeLinear", "q", "x", *data)
    for layer in range(LAYERS):
        scale = np.float32(WEIGHT_STEP)
        weight = random.integers(-127, 128, (WIDTH, WIDTH))
        if layer == 0:
            # Half a step of the result for each: a sum that is odd lies in the middle of two steps.
            weight = np.eye(WIDTH, dtype=int) * 50 + 100 * random.integers(-1, 2, (WIDTH, WIDTH))
        else:
            # A difference in one number of a row grows by the norm of a row of the matrix.
            scale = np.float32(GAIN / np.linalg.norm(weight, axis=0).mean())
        floats = node("DequantizeLinear", f"d{layer}", bytes_, *data)
        of_weight = (constant(weight.astype(np.int8)), constant(scale), constant(np.int8(0)))
        weights = node("DequantizeLinear", f"w{layer}", *of_weight)
        product = node("MatMul", f"m{layer}", floats, weights)
        bytes_ = node("QuantizeLinear", f"q{layer}", product, *data)
    node("DequantizeLinear", "y", bytes_, *data)
    graph = helper.make_graph(
        nodes,
        "chaos",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, [ROWS, WIDTH])],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, [ROWS, WIDTH])],
        constants,
    )
    # Small numbers: the first layer does not saturate.
    x = random.integers(-4, 5, (ROWS, WIDTH)).astype(np.float32) * STEP
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8), x


def main():
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    model, x = network()
    onnx.save(model, folder / "model.onnx")
    np.savez(folder / "x.npz", x=x)


main()
