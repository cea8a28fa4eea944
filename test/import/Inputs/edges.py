"""Writes models of tensors that are empty, and of other edges, as check_cases.py reads them.

What they compute is what ONNX Runtime makes of them.
"""

import pathlib
import sys

import cases
import numpy as np
import onnx
from onnx import helper, numpy_helper

OPSET = 17


def ints(*values):
    """A list of sizes, axes or pads."""
    return np.array(values, np.int64)


def ramp(*shape):
    """Different numbers, none of them 0."""
    return np.arange(1, 1 + np.prod(shape, dtype=int), dtype=np.float32).reshape(shape)


# The operator, the shape of its input, its constants, its attributes.
CASES = {
    "unsqueeze_of_nothing": ("Unsqueeze", (0, 7), {"axes": ints(0)}, {}),
    "reshape_of_nothing": ("Reshape", (3, 0, 7), {"shape": ints(7, 0, 1)}, {"allowzero": 1}),
    "transposed_convolution_of_no_channels": ("ConvTranspose", (1, 0, 3, 3), {"w": ramp(0, 2, 3, 3)}, {}),
    "transposed_convolution_cut": ("ConvTranspose", (1, 1, 4, 4), {"w": ramp(1, 1, 1, 1)}, {"pads": [1, 1, 1, 1]}),
    "transposed_convolution_cut_before": (
        "ConvTranspose",
        (1, 2, 4, 5),
        {"w": ramp(2, 3, 2, 2)},
        {"pads": [2, 0, 0, 1], "strides": [2, 1], "output_padding": [1, 0]},
    ),
    "pad_of_nothing": ("Pad", (0,), {"pads": ints(-1, 3)}, {}),
    "pad_that_cuts_what_it_adds": ("Pad", (2, 2), {"pads": ints(-3, 0, 4, -1)}, {}),
    "concat_of_nothing": ("Concat", (2,), {"w": ramp(0)}, {"axis": 0}),
    "product_over_nothing": ("MatMul", (2, 0), {"w": ramp(0, 3)}, {}),
    "product_of_no_rows": ("MatMul", (0, 7), {"w": ramp(7, 33)}, {}),
    "product_of_no_columns": ("MatMul", (3, 7), {"w": ramp(7, 0)}, {}),
    "convolution_of_no_images": ("Conv", (0, 3, 5, 5), {"w": ramp(4, 3, 3, 3)}, {}),
}


def model(operator, shape, constants, attributes, outputs):
    """A model of one node."""
    values = [helper.make_tensor_value_info("x", onnx.TensorProto.FLOAT, shape)]
    node = helper.make_node(operator, ["x", *constants], ["y"], **attributes)
    graph = helper.make_graph(
        [node],
        operator,
        values,
        [helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, None) for name in outputs],
        [numpy_helper.from_array(array, name) for name, array in constants.items()],
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", OPSET)], ir_version=8)


def case(folder, name, made):
    """Writes a case; returns its entry of the index."""
    dims = made.graph.input[0].type.tensor_type.shape.dim
    inputs = {"x": ramp(*(dim.dim_value for dim in dims))}
    return cases.write(folder, name, made, inputs, rtol=1e-5)


def main():
    folder = pathlib.Path(sys.argv[1])
    entries = [case(folder, name, model(*of, ["y"])) for name, of in CASES.items()]
    entries.append(case(folder, "output_listed_twice", model("Relu", (2,), {}, {}, ["y", "y"])))
    cases.write_index(folder, entries)


main()
