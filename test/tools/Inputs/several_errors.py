"""Writes a model in which several things are wrong: operators that nobody knows, and nodes that do not fit."""

import sys

import numpy
from onnx import TensorProto, helper, numpy_helper, save

value = helper.make_tensor_value_info
node = helper.make_node


def branch(name):
    """A branch with an operator that nobody knows."""
    whirl = node("Whirl", ["r"], [f"{name}_out"], name=name, domain="test")
    return helper.make_graph([whirl], name, [], [value(f"{name}_out", TensorProto.FLOAT, None)])


nodes = [
    node("Relu", ["x"], ["r"], name="first"),
    node("Whirl", ["r"], ["w0"], name="whirl0", domain="test", speed=2),
    node("Whirl", ["w0"], ["w1"], name="whirl1", domain="test", speed=3),
    node("Conv", ["r", "weight"], ["c"], name="too_few_channels"),
    node("Sin", ["c"], ["s"], name="after_what_is_wrong"),
    node("Transpose", ["r"], ["t"], name="turned", perm=[0, 1, 9, 3]),
    node("Whirl", ["t"], ["w2"], name="whirl2", domain="test", speed=2),
    # Of the branches nothing can be said but what their operators are: the condition depends on what is wrong.
    node("Sign", ["s"], ["positive"], name="condition"),
    node("If", ["positive"], ["i"], name="choice", then_branch=branch("inner"), else_branch=branch("other")),
]
graph = helper.make_graph(
    nodes,
    "wrong",
    [value("x", TensorProto.FLOAT, ["N", 3, 8, 8])],
    [value(name, TensorProto.FLOAT, None) for name in ("w1", "s", "w2", "i")],
    [numpy_helper.from_array(numpy.zeros([4, 5, 3, 3], numpy.float32), "weight")],
)
opsets = [helper.make_opsetid("", 18), helper.make_opsetid("test", 1)]
save(helper.make_model(graph, opset_imports=opsets), sys.argv[1])
