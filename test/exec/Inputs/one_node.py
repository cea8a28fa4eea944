"""One operator, as ONNX Runtime computes it."""

import numpy as np
import onnx
import onnxruntime
from onnx import helper


def run(operator, inputs, opset, **attributes):
    """The first output of an ONNX operator on arrays; None stands for an input left out."""
    names = [f"i{index}" if array is not None else "" for index, array in enumerate(inputs)]
    given = {name: array for name, array in zip(names, inputs) if name}
    values = [
        helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(array.dtype), array.shape)
        for name, array in given.items()
    ]
    output = helper.make_tensor_value_info("o", helper.np_dtype_to_tensor_dtype(inputs[0].dtype), None)
    node = helper.make_node(operator, names, ["o"], **attributes)
    model = helper.make_model(
        helper.make_graph([node], operator, values, [output]),
        opset_imports=[helper.make_opsetid("", opset)],
        ir_version=8,
    )
    session = onnxruntime.InferenceSession(
        model.SerializeToString(), providers=["CPUExecutionProvider"]
    )
    return session.run(None, given)[0]


def standard_normal(**shapes):
    """Arrays of these shapes, the same ones every time."""
    rng = np.random.default_rng(0)
    return {name: rng.standard_normal(shape, np.float32) for name, shape in shapes.items()}
