"""A network as ONNX, and an input with the output as a C header."""

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper


def rounded(values):
    """Numbers rounded to bf16, ties to even, in f64."""
    bits = values.astype(np.float32).view(np.uint32)
    bits += 0x7FFF + ((bits >> 16) & 1)
    return (bits & 0xFFFF0000).view(np.float32).astype(np.float64)


class Network:
    """Operators one after the other."""

    def __init__(self):
        self.nodes, self.weights = [], []

    def weight(self, values):
        """The name of a constant."""
        name = f"w{len(self.weights)}"
        self.weights.append(numpy_helper.from_array(values.astype(np.float32), name))
        return name

    def node(self, op, *inputs, **attributes):
        """The name of an operator's result."""
        name = f"n{len(self.nodes)}"
        self.nodes.append(helper.make_node(op, inputs, [name], name=name, **attributes))
        return name

    def write(self, folder, data, result, expected, layers):
        """Writes network.onnx and data.h: the input x is `data`, and the value `result` should be `expected`.

        The result of a layer may be rounded, by half of a bf16's last place, and a sum in another order may be
        rounded the other way: as much again.
        """
        value = helper.make_tensor_value_info
        graph = helper.make_graph(
            self.nodes,
            "network",
            [value("x", TensorProto.FLOAT, data.shape)],
            [value(result, TensorProto.FLOAT, expected.shape)],
            self.weights,
        )
        opsets = [helper.make_opsetid("", 17)]
        model = helper.make_model(graph, opset_imports=opsets, ir_version=9)
        onnx.checker.check_model(model)
        onnx.save(model, f"{folder}/network.onnx")
        tolerance = float(np.abs(expected).max()) * 2**-8 * layers
        with open(f"{folder}/data.h", "w", encoding="ascii") as header:
            header.write(f"enum {{ OUTPUTS = {expected.size} }};\n")
            header.write(f"static const double TOLERANCE = {tolerance!r};\n")
            header.write(_array("input", data))
            header.write(_array("expected", expected.astype(np.float32)))


def _array(name, values):
    numbers = ", ".join(float(value).hex() + "f" for value in values.ravel())
    return f"static const float {name}[{values.size}] = {{{numbers}}};\n"
