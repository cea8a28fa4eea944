"""A sum of three inputs that leave the number of rows open: by a name, and by -1."""

import sys

import onnx
from onnx import TensorProto, helper

ports = [
    helper.make_tensor_value_info(name, TensorProto.FLOAT, [rows, 3])
    for name, rows in [("x", "N"), ("y", "N"), ("z", -1), ("sum", None)]
]
nodes = [helper.make_node("Add", ["x", "y"], ["xy"]), helper.make_node("Add", ["xy", "z"], ["sum"])]
graph = helper.make_graph(nodes, "sum", ports[:3], ports[3:])
opsets = [helper.make_opsetid("", 17)]
onnx.save(helper.make_model(graph, opset_imports=opsets, ir_version=8), sys.argv[1])
