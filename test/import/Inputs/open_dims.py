"""Writes models whose inputs leave dimensions open, under names and without."""

import pathlib
import sys

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper


def write(path, inputs, constants, nodes, dims=None):
    """Writes a model of floats; its output is called y."""
    ports = [helper.make_tensor_value_info(name, TensorProto.FLOAT, shape) for name, shape in inputs.items()]
    outputs = [helper.make_tensor_value_info("y", TensorProto.FLOAT, dims)]
    tensors = [numpy_helper.from_array(value, name) for name, value in constants.items()]
    graph = helper.make_graph(nodes, "open", ports, outputs, tensors)
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8), path)


def main():
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(exist_ok=True)
    weights = {"w": np.ones((4, 8), np.float32), "b": np.ones(8, np.float32)}
    layers = [
        helper.make_node("Gemm", ["x", "w", "b"], ["h"], name="gemm"),
        helper.make_node("Relu", ["h"], ["r"], name="relu"),
        helper.make_node("Softmax", ["r"], ["y"], name="softmax"),
    ]
    write(folder / "perceptron.onnx", {"x": ["batch", 4]}, weights, layers, ["batch", 8])
    # As the mask and the caches of a language model.
    joined = [helper.make_node("Concat", ["x", "z"], ["c"], axis=0), helper.make_node("Add", ["c", "m"], ["y"])]
    write(folder / "cache.onnx", {"x": ["past", 4], "z": ["seq", 4], "m": ["past + seq", 4]}, {}, joined)
    write(folder / "nameless.onnx", {"x": ["?", 3, None, "-1"]}, {}, [helper.make_node("Relu", ["x"], ["y"])])
    added = [helper.make_node("MatMul", ["x", "t"], ["p"]), helper.make_node("Concat", ["p", "y_in"], ["y"], axis=0)]
    names = {"x": ["batch size", 4], "y_in": ["batch-size", 4]}
    write(folder / "names.onnx", names, {"t": np.ones((4, 4), np.float32)}, added)
    axis = {"axis": np.array(1, np.int64)}
    write(folder / "lengths.onnx", {"x": [2, "s", 1]}, {}, [helper.make_node("DFT", ["x"], ["y"], name="dft", axis=1)])
    divided = [
        helper.make_node("Shape", ["x"], ["of"], name="shape"),
        helper.make_node("Gather", ["of", "axis"], ["n"], name="length"),
        helper.make_node("Cast", ["n"], ["f"], name="cast", to=1),
        helper.make_node("Div", ["x", "f"], ["y"], name="divide"),
    ]
    write(folder / "division.onnx", {"x": [2, "s"]}, axis, divided)


main()
