"""Writes models whose names hold what terminals obey: one that compiles, and one with an operator that nobody knows."""

import pathlib
import sys

import onnx
from onnx import TensorProto, helper

NAME = "\x1b[31mred\x1b[2J\x07"


def write(path, operator, domain):
    """Writes a model of one node."""
    node = helper.make_node(operator, [NAME], ["y"], name="no\u009bde\u202e", domain=domain)
    ports = [helper.make_tensor_value_info(name, TensorProto.FLOAT, [4]) for name in (NAME, "y")]
    graph = helper.make_graph([node], "g", ports[:1], ports[1:])
    opsets = [helper.make_opsetid("", 17), helper.make_opsetid("test", 1)]
    onnx.save(helper.make_model(graph, opset_imports=opsets, ir_version=8), path)


folder = pathlib.Path(sys.argv[1])
folder.mkdir(exist_ok=True)
write(folder / "right.onnx", "Relu", "")
write(folder / "wrong.onnx", "Whirl", "test")
