"""The backend as people call it; onnx_backend.py has onnx's test runner drive it."""

import numpy as np
import onnx
import pytest
from conftest import add_model, make_model
from onnx import TensorProto, helper

from relay_mlir import backend


def random(*shape):
    return np.random.default_rng(0).uniform(-1, 1, shape).astype(np.float32)


def test_models_and_nodes_run():
    x = random(2, 3)
    prepared = backend.prepare(add_model((2, 3)), threads=1)
    result = prepared.run([x, x])
    np.testing.assert_array_equal(result.s, x + x)
    np.testing.assert_array_equal(backend.run_model(add_model((2, 3)), [x, x])[0], x + x)
    node = helper.make_node("Relu", ["x"], ["y"])
    (y,) = backend.run_node(node, [x], outputs_info=[(np.float32, (2, 3))], opset_version=17)
    np.testing.assert_array_equal(y, np.maximum(x, 0))
    assert backend.supports_device("CPU") and not backend.supports_device("CUDA")
    assert backend.is_compatible(add_model((2, 3)))


def test_other_devices_are_refused():
    model, x = add_model((2, 3)), random(2, 3)
    for device in ["CUDA", "CUDA:1", "TPU", "CPU:x", ""]:
        assert not backend.supports_device(device) and not backend.is_compatible(model, device)
        for call in (lambda: backend.prepare(model, device), lambda: backend.run_model(model, [x, x], device)):
            with pytest.raises(backend.NotSupported, match=f"the device is '{device}', but models run on the processor"):
                call()
    assert backend.supports_device("CPU:0") and backend.is_compatible(model, "CPU:0")


def test_shapes_and_constants_are_those_that_are_given():
    model = make_model(
        [helper.make_node("Reshape", ["x", "shape"], ["y"])],
        [("x", TensorProto.FLOAT, ("n", 4)), ("shape", TensorProto.INT64, (2,))],
        [("y", TensorProto.FLOAT, None)],
    )
    prepared = backend.prepare(model)
    for rows, shape in [(2, (4, 2)), (2, (2, 4)), (3, (2, 6)), (2, (4, 2))]:
        x = random(rows, 4)
        (y,) = prepared.run([x, np.array(shape, np.int64)])
        np.testing.assert_array_equal(y, x.reshape(shape))


def test_old_models_are_read():
    model = onnx.ModelProto()
    model.CopyFrom(add_model((2, 3)))
    model.opset_import[0].version = 6
    x = random(2, 3)
    np.testing.assert_array_equal(backend.run_model(model, [x, x])[0], x + x)


def test_what_the_compiler_refuses_is_said():
    strings = [helper.make_node("StringNormalizer", ["x"], ["y"])]
    model = make_model(strings, [("x", TensorProto.FLOAT, (2, 3))], [("y", TensorProto.FLOAT, (2, 3))])
    assert not backend.is_compatible(model)
    with pytest.raises(backend.NotSupported, match="StringNormalizer"):
        backend.prepare(model)
    with pytest.raises(backend.NotSupported, match="expected an array"):
        backend.prepare(add_model((2, 3))).run([[1], [2]])
