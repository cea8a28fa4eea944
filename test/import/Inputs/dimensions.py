"""Writes models whose inputs name dimensions: by arithmetic on other names, and by what stands for any size."""

import pathlib
import sys

import onnx
from onnx import TensorProto, helper


def write(path, inputs, nodes, output):
    """Writes a model of inputs, given by their dimensions, with one output."""
    ports = [helper.make_tensor_value_info(name, TensorProto.FLOAT, dims) for name, dims in inputs.items()]
    outputs = [helper.make_tensor_value_info(output, TensorProto.FLOAT, None)]
    graph = helper.make_graph([helper.make_node(*node[:3], **node[3]) for node in nodes], "dims", ports, outputs)
    opsets = [helper.make_opsetid("", 17)]
    onnx.save(helper.make_model(graph, opset_imports=opsets, ir_version=8), path)


def main():
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(exist_ok=True)
    # As the mask and the caches of a language model.
    joined = [("Concat", ["x", "y"], ["c"], {"axis": 0}), ("Add", ["c", "m"], ["z"], {})]
    inputs = {"x": ["past", 4], "y": ["seq", 4], "m": ["past + seq", 4]}
    write(folder / "sum.onnx", inputs, joined, "z")
    inputs = {"x": ["n", 4], "y": ["2*(n - 1) // 3", 4], "m": ["n+(2*n - 2)//3", 4]}
    write(folder / "more.onnx", inputs, joined, "z")
    write(folder / "negative.onnx", {"x": ["n", 4], "y": ["n - 9", 4]}, joined[:1], "c")
    # No input says what `batch` and `size` are, so that this is a name.
    write(folder / "hyphen.onnx", {"x": ["batch-size", 4], "y": ["batch-size", 4]}, [("Add", ["x", "y"], ["z"], {})], "z")
    for index, name in enumerate(["?", "", "-1", "None"]):
        write(folder / f"open{index}.onnx", {"x": [name, 3, name, name]}, [("Relu", ["x"], ["y"], {})], "y")


main()
