"""Damaged inputs: archives of arrays in which bytes, headers and names are changed. relayc reads them or says what is
wrong; what it reads, it computes with."""

import functools
import io
import warnings
import zipfile

import numpy as np
from onnx import TensorProto, helper

from models import damage, pick

SHAPES = ["(2, 3)", "(6,)", "()", "(2,)", "(3, 2)", "(2, 3, 1)", "(4294967296, 4294967296)", "(-2, -3)", "(2, 3", "None", "(0, 3)"]
TYPES = ["'<f4'", "'>f4'", "'<f8'", "'<i4'", "'<f2'", "'|u1'", "'<c8'", "'|O'", "'<U3'", "'|V4'", "None", "'<f99'"]


@functools.cache
def model():
    values = [helper.make_tensor_value_info(name, TensorProto.FLOAT, [2, 3]) for name in "xy"]
    graph = helper.make_graph([helper.make_node("Relu", ["x"], ["y"])], "relu", values[:1], values[1:])
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9).SerializeToString()


def array(rng):
    """A .npy file, of which one line of the header may be another."""
    file = io.BytesIO()
    np.save(file, (rng.integers(-8, 8, (2, 3)) / 4).astype(np.float32))
    data = file.getvalue()
    shape, kind = pick(rng, SHAPES), pick(rng, TYPES)
    what = rng.integers(5)
    if what == 0:
        data = data.replace(b"(2, 3)", shape.encode())
    elif what == 1:
        data = data.replace(b"'<f4'", kind.encode())
    elif what == 2:
        data = data.replace(b"False", b"True")
    elif what == 3:
        data = damage(rng, data)
    return data


def case(rng, folder, programs):
    """Damages an archive and runs a model on it."""
    path, inputs = folder / "model.onnx", folder / "inputs.npz"
    path.write_bytes(model())
    file = io.BytesIO()
    method = pick(rng, [zipfile.ZIP_STORED, zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2])
    with warnings.catch_warnings(), zipfile.ZipFile(file, "w", method) as archive:
        # Two arrays of one name are meant.
        warnings.simplefilter("ignore")
        for _ in range(pick(rng, [1, 1, 1, 0, 2])):
            archive.writestr(pick(rng, ["x.npy", "x.npy", "x.npy", "x", "../x.npy", "z.npy", "x\x01.npy"]), array(rng))
    data = file.getvalue()
    inputs.write_bytes(damage(rng, data) if rng.integers(2) else data)
    outcome = programs.relayc("run", path, "--inputs", inputs, "--outputs", folder / "outputs.npz")
    fault = outcome.fault()
    if fault:
        return "wrong", fault
    if outcome.refused:
        return "refused", outcome.errors
    try:
        with np.load(inputs) as given, np.load(folder / "outputs.npz") as results:
            x, y = given["x"], results["y"]
    except Exception:  # noqa: BLE001: numpy, zipfile and zlib refuse in many ways what we read
        return "agrees", "numpy does not read it"
    if not np.array_equal(np.maximum(x, 0).astype(y.dtype), y, equal_nan=True):
        return "wrong", f"relu of {x.tolist()} is {y.tolist()}"
    return "agrees", ""
