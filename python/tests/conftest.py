"""What the tests share. They need `relayc` on the PATH and the package on PYTHONPATH."""

import pathlib
import subprocess

import numpy as np
import onnx
import onnxruntime
import pytest
from onnx import TensorProto, helper

EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "examples"
DIGITS = EXAMPLES / "digits/digits.onnx"


@pytest.fixture(scope="session")
def image():
    """An image for the digits' model."""
    return np.load(EXAMPLES / "digits/image.npz")["image"]


@pytest.fixture(scope="session")
def expected(image):
    """What ONNX Runtime computes of it."""
    return onnxruntime.InferenceSession(DIGITS).run(None, {"image": image})[0]


@pytest.fixture(scope="session")
def compiled(tmp_path_factory):
    """Compiles a model by the command line; returns the library's path."""
    folder = tmp_path_factory.mktemp("models")

    def compile_model(name, model, *options):
        source, library = folder / f"{name}.onnx", folder / f"{name}.so"
        onnx.save(model, source)
        subprocess.run(["relayc", "compile", source, "-o", library, *options], check=True, capture_output=True)
        return library

    return compile_model


def make_model(nodes, inputs, outputs):
    """A model of nodes; inputs and outputs are (name, element type, shape)."""

    def infos(tensors):
        return [helper.make_tensor_value_info(name, dtype, shape) for name, dtype, shape in tensors]

    graph = helper.make_graph(nodes, "graph", infos(inputs), infos(outputs))
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)


def add_model(shape, dtype=TensorProto.FLOAT):
    """s = x + y."""
    tensors = [(name, dtype, shape) for name in ("x", "y", "s")]
    return make_model([helper.make_node("Add", ["x", "y"], ["s"])], tensors[:2], tensors[2:])
