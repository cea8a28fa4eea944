"""A model of several outputs and its inputs, as files, and what ONNX Runtime makes of them."""

import numpy as np
import onnx
import onnxruntime
from onnx import helper


def save(path, inputs, graph, arrays):
    """Writes the model of a graph, with all shapes, and the arrays that it takes."""
    made = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    onnx.save(onnx.shape_inference.infer_shapes(made), path)
    np.savez(inputs, **arrays)


def expected(path, inputs):
    """The outputs by name, in the model's order."""
    session = onnxruntime.InferenceSession(path, providers=["CPUExecutionProvider"])
    names = [value.name for value in session.get_outputs()]
    return dict(zip(names, session.run(names, dict(np.load(inputs)))))
