"""Cases as check_cases.py reads them: models, their inputs, and what they should compute."""

import json

import numpy as np
import onnx.parser
import onnxruntime
from onnx import helper, numpy_helper


def outputs_of(made, inputs):
    """What ONNX Runtime computes, by the names of the model's outputs."""
    session = onnxruntime.InferenceSession(made.SerializeToString(), providers=["CPUExecutionProvider"])
    names = [output.name for output in made.graph.output]
    return dict(zip(names, session.run(None, inputs)))


def write(folder, name, made, inputs, outputs=None, rtol=1e-4, atol=1e-5):
    """Writes a case; returns its entry of the index. Outputs that are not given are those of ONNX Runtime."""
    here = folder / name
    here.mkdir(parents=True, exist_ok=True)
    (here / "model.onnx").write_bytes(made.SerializeToString())
    np.savez(here / "inputs.npz", **inputs)
    np.savez(here / "outputs.npz", **(outputs_of(made, inputs) if outputs is None else outputs))
    opset = made.opset_import[0].version
    return {"op": made.graph.node[0].op_type, "path": name, "opset": opset, "rtol": rtol, "atol": atol}


def model(nodes, inputs, constants, outputs, opset):
    """A model of some nodes, which may be of ONNX Runtime's operators, of inputs by name."""
    of = lambda name, array: helper.make_tensor_value_info(
        name, helper.np_dtype_to_tensor_dtype(array.dtype), array.shape
    )
    opsets = [helper.make_opsetid("", opset), helper.make_opsetid("com.microsoft", 1)]
    graph = helper.make_graph(
        nodes,
        "cases",
        [of(name, array) for name, array in inputs.items()],
        [onnx.ValueInfoProto(name=name) for name in outputs],
        [numpy_helper.from_array(array, name) for name, array in constants.items()],
    )
    return helper.make_model(graph, opset_imports=opsets, ir_version=8)


TYPES = {onnx.TensorProto.FLOAT: np.float32, onnx.TensorProto.INT64: np.int64, onnx.TensorProto.BOOL: bool}


def inputs_of(made):
    """Numbers of both signs; those whose names say so are true, false or 0."""
    random = np.random.default_rng(7)
    arrays = {}
    for value in made.graph.input:
        tensor = value.type.tensor_type
        shape = tuple(dim.dim_value for dim in tensor.shape.dim)
        dtype = TYPES[tensor.elem_type]
        if value.name in ("yes", "no"):
            arrays[value.name] = np.full(shape, value.name == "yes")
        elif value.name == "zeros":
            arrays[value.name] = np.zeros(shape, dtype)
        else:
            arrays[value.name] = np.asarray(random.standard_normal(shape) * 3, dtype)
    return arrays


def write_texts(folder, header, models, expected):
    """Writes models in ONNX's text syntax, by name, as cases. What they compute is what a function of the inputs says, or else ONNX Runtime."""
    entries = []
    for name, text in models.items():
        made = onnx.parser.parse_model(header + text)
        inputs = inputs_of(made)
        outputs = expected[name](**inputs) if name in expected else None
        entries.append(write(folder, name, made, inputs, outputs))
    write_index(folder, entries)


def write_index(folder, cases):
    """Writes what check_cases.py reads first."""
    (folder / "index.json").write_text(json.dumps({"cases": cases}))
