"""Cases as check_cases.py reads them: models, their inputs, and what they should compute."""

import json

import numpy as np
import onnxruntime


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


def write_index(folder, cases):
    """Writes what check_cases.py reads first."""
    (folder / "index.json").write_text(json.dumps({"cases": cases}))
