"""Models whose shapes depend on data."""

import numpy as np
import pytest
from conftest import make_model
from onnx import TensorProto, helper

import relay_mlir


def random(shape):
    return np.random.default_rng(0).standard_normal(shape).astype(np.float32)


def test_shapes_may_depend_on_data(compiled):
    nodes = [helper.make_node("NonZero", ["x"], ["places"], name="find"), helper.make_node("Neg", ["x"], ["minus"])]
    model = make_model(
        nodes,
        [("x", TensorProto.FLOAT, (3, 4))],
        [("places", TensorProto.INT64, (2, "count")), ("minus", TensorProto.FLOAT, (3, 4))],
    )
    model = relay_mlir.load(compiled("computed", model), threads=1)
    assert model.outputs[0].shape == (2, "nonzero")
    for x in (random((3, 4)), np.zeros((3, 4), np.float32), np.eye(3, 4, dtype=np.float32)):
        places, minus = model(x)
        np.testing.assert_array_equal(places, np.array(np.nonzero(x)))
        np.testing.assert_array_equal(minus, -x)
        assert places.dtype == np.int64
        results = model.run({"x": x}, dlpack=True)
        np.testing.assert_array_equal(np.from_dlpack(results["places"]), places)
        target = np.empty((3, 4), np.float32)
        assert model.run({"x": x}, {"minus": target})["minus"] is target
    with pytest.raises(relay_mlir.InputError, match="the run computes its shape"):
        model.run({"x": x}, {"places": np.empty((2, 3), np.int64)})


def test_a_run_refuses_sizes_that_it_computes(compiled):
    node = helper.make_node("TopK", ["x", "k"], ["y", "at"], name="best")
    inputs = [("x", TensorProto.FLOAT, (5,)), ("k", TensorProto.INT64, (1,))]
    outputs = [("y", TensorProto.FLOAT, ("k",)), ("at", TensorProto.INT64, ("k",))]
    model = relay_mlir.load(compiled("top", make_model([node], inputs, outputs)), threads=1)
    x = random((5,))
    with pytest.raises(relay_mlir.RunError, match="'best' computes 6 for the extent 'k', which must be from 0 to 5"):
        model(x, np.array([6]))
    for k in (0, 2, 5):
        np.testing.assert_array_equal(model(x, np.array([k]))[0], np.sort(x)[::-1][:k])
