"""Writes a model whose second node divides by zero, and whose fourth one then computes what is no number."""

import sys

import numpy
from onnx import TensorProto, helper, numpy_helper, save

node = helper.make_node
nodes = [
    node("Relu", ["x"], ["relu_result"], name="relu"),
    node("Div", ["relu_result", "zero"], ["quotient_result"], name="quotient"),
    node("Abs", ["quotient_result"], ["size_result"], name="size"),
    node("Sub", ["size_result", "quotient_result"], ["y"], name="difference"),
]
value = helper.make_tensor_value_info
ports = [value(name, TensorProto.FLOAT, [4]) for name in ("x", "y")]
zero = numpy_helper.from_array(numpy.zeros([4], numpy.float32), "zero")
graph = helper.make_graph(nodes, "infinite", ports[:1], ports[1:], [zero])
save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8), sys.argv[1])
numpy.savez(sys.argv[2], x=numpy.float32([1, 2, 3, 4]))
