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


# The input `past`, with a number written into it, is the output `next`.
CACHE = """
func.func @main(%past: tensor<4xf32> {relay.name = "past"}, %new: tensor<1xf32> {relay.name = "new"}, %at: tensor<i64> {relay.name = "at"})
    -> (tensor<4xf32> {relay.name = "next"}) {
  %0 = relay.cache_update %past, %new, %at {axis = 0 : i64} : (tensor<4xf32>, tensor<1xf32>, tensor<i64>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
"""

# y = x + x over loops: x has the dimensions n, from 2 to 64 and even, and m. No operator has open dimensions yet.
OPEN = """
module attributes {relay.symbols = {m = array<i64: 0, 9223372036854775807, 1, 8>, n = array<i64: 2, 64, 2, 4>}} {
  func.func private @double(%x: memref<f32>, %y: memref<f32>, %count: index) attributes {tir.kernel = #tir.kernel<generated>} {
    %from = memref.reinterpret_cast %x to offset: [0], sizes: [%count], strides: [1] : memref<f32> to memref<?xf32, strided<[1]>>
    %to = memref.reinterpret_cast %y to offset: [0], sizes: [%count], strides: [1] : memref<f32> to memref<?xf32, strided<[1]>>
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %i = %c0 to %count step %c1 {
      %a = memref.load %from[%i] : memref<?xf32, strided<[1]>>
      %b = arith.addf %a, %a : f32
      memref.store %b, %to[%i] : memref<?xf32, strided<[1]>>
    }
    return
  }
  func.func @main(%x: memref<f32> {relay.name = "x", relay.dims = ["n", "m"]},
                  %mask: memref<i8> {relay.name = "mask", relay.dims = ["2*n + 1"]},
                  %y: memref<f32> {relay.name = "y", relay.dims = ["n", "m"]}, %m: index, %n: index)
      attributes {relay.num_inputs = 2 : i64} {
    %count = arith.muli %n, %m : index
    call @double(%x, %y, %count) : (memref<f32>, memref<f32>, index) -> ()
    return
  }
}
"""


@pytest.fixture(scope="session")
def open_library(tmp_path_factory):
    """A compiled model with open dimensions."""
    folder = tmp_path_factory.mktemp("open")
    (folder / "open.mlir").write_text(OPEN)
    command = ["relayc", "compile", folder / "open.mlir", "-o", folder / "open.so"]
    subprocess.run(command, check=True, capture_output=True)
    return folder / "open.so"
