"""Writes models of which dimensions must be equal that have different names."""

import pathlib
import sys

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper


def node(op, reads, gives, **attributes):
    """A node named after its first output."""
    return helper.make_node(op, reads.split(), gives.split(), name=f"{gives.split()[0]}_node", **attributes)


def write(path, inputs, nodes, constants=()):
    """Writes a model of floats; its output is called y."""
    ports = [helper.make_tensor_value_info(name, TensorProto.FLOAT, dims) for name, dims in inputs.items()]
    tensors = [numpy_helper.from_array(value, name) for name, value in dict(constants).items()]
    graph = helper.make_graph(nodes, "checks", ports, [onnx.ValueInfoProto(name="y")], tensors)
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8), path)


def main():
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(exist_ok=True)
    two = {"a": ["n", 4], "b": ["m", 4]}
    write(folder / "names.onnx", two, [node("Add", "a b", "s"), node("Mul", "s a", "t"), node("Softmax", "t", "y", axis=0)])
    numbers = {"zero": np.array([0]), "one": np.array([1]), "two": np.array([2])}
    table = {**numbers, "table": np.ones((16, 8), np.float32)}
    sliced = [node("Shape", "x", "of"), node("Slice", "of one two", "length"), node("Slice", "table zero length zero", "rows")]
    write(folder / "table.onnx", {"x": ["n", "seq", 8]}, [*sliced, node("Add", "x rows", "y")], table)
    write(folder / "fixed.onnx", {"a": ["n", 4], "b": [3, 4]}, [node("Add", "a b", "y")])
    write(folder / "halves.onnx", {"a": ["n", 4]}, [node("Split", "a", "y z", axis=0)])
    joined = [node("Concat", "a b", "d", axis=0), node("Add", "d c", "y")]
    write(folder / "joined.onnx", {**two, "c": ["k", 4]}, joined)
    never = [node("Concat", "a r", "d", axis=0), node("Add", "d a", "y")]
    write(folder / "never.onnx", {"a": ["n", 4]}, never, {"r": np.ones((1, 4), np.float32)})


main()
