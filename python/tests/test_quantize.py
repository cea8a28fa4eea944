"""Quantising models in Python."""

import numpy as np
import onnxruntime
import pytest
from conftest import DIGITS, EXAMPLES
from onnx import TensorProto, helper, numpy_helper

import relay_mlir


@pytest.fixture(scope="module")
def heldout():
    """Images of digits that the model was not trained on, and their labels."""
    data = np.load(EXAMPLES / "digits/heldout.npz")
    return data["images"].astype(np.float32), data["labels"]


def test_bytes_read_digits(heldout):
    images, labels = heldout

    def accuracy(outputs):
        return (outputs["probabilities"].argmax(axis=1) == labels[100:]).mean()

    quantized = relay_mlir.quantize(DIGITS, {"image": images[:100]}, method="kl", threads=1)
    guesses = np.array([quantized.model(image[None]).argmax() for image in images[100:]])
    session = onnxruntime.InferenceSession(DIGITS)
    floats = np.concatenate([session.run(None, {"image": image[None]})[0] for image in images[100:]])
    exact = accuracy({"probabilities": floats})
    assert (guesses == labels[100:]).mean() >= 0.99 * exact
    layers = quantized.report.layers
    assert layers and all(layer["choice"] == "quantized" for layer in layers)
    assert quantized.report.accuracy is None

    measured = relay_mlir.quantize(DIGITS, {"image": images[100:]}, metric=accuracy, accuracy_drop="1%", threads=1)
    assert measured.report.accuracy["float"] == pytest.approx(exact)
    assert measured.report.accuracy["drop"] <= 0.01


def test_weights_of_few_bits():
    random = np.random.default_rng(0)
    weight = random.standard_normal((64, 128)).astype(np.float32)
    graph = helper.make_graph(
        [helper.make_node("MatMul", ["x", "w"], ["y"])],
        "product",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, [2, 64])],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, [2, 128])],
        [numpy_helper.from_array(weight, "w")],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    x = random.standard_normal((2, 64)).astype(np.float32)
    for weights, bound in ("int8", 0.01), ("int4:16", 0.1):
        quantized = relay_mlir.quantize(model, weights=weights)
        error = np.linalg.norm(quantized.model(x) - x @ weight) / np.linalg.norm(x @ weight)
        assert 0 < error < bound, (weights, error)
        assert quantized.report.bytes < 0.45 * quantized.report.float_bytes
    with pytest.raises(ValueError, match="'int5' is no type of weights"):
        relay_mlir.quantize(model, weights="int5")
    with pytest.raises(relay_mlir.CompileError, match="takes samples"):
        relay_mlir.quantize(model)


def gptq(weight, data, bits, block):
    """The numbers that GPTQ rounds the columns of a weight to, as its paper says it: the errors of a column go into the next ones, by the
    inverse of the second moments of the data."""
    moments = data.T @ data
    moments += 0.01 * np.diag(moments).mean() * np.eye(len(moments))
    factors = np.linalg.cholesky(np.linalg.inv(moments)).T
    left, found = weight.copy(), np.empty_like(weight)
    for row in range(len(weight)):
        part = weight[row // block * block :][:block]
        low, high = np.minimum(part.min(0), 0), np.maximum(part.max(0), 0)
        scale = (high - low) / (2**bits - 1)
        zero = np.round(-low / scale)
        found[row] = scale * (np.clip(np.round(left[row] / scale) + zero, 0, 2**bits - 1) - zero)
        left[row + 1 :] -= np.outer(factors[row, row + 1 :], (left[row] - found[row]) / factors[row, row])
    return found


def test_weights_are_rounded_by_data():
    random = np.random.default_rng(0)
    weight = random.standard_normal((64, 128))
    # Numbers of a row depend on 16 others, as those of networks do.
    mix = random.standard_normal((16, 64))
    data = (random.standard_normal((640, 16)) @ mix + 0.3 * random.standard_normal((640, 64))).astype(np.float32)
    samples, fresh = data[:512], data[512:]
    graph = helper.make_graph(
        [helper.make_node("MatMul", ["x", "w"], ["y"])],
        "product",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, ["rows", 64])],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, ["rows", 128])],
        [numpy_helper.from_array(weight.astype(np.float32), "w")],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    exact = fresh @ weight

    def error(found):
        return np.linalg.norm(found - exact) / np.linalg.norm(exact)

    found = {}
    for rounding in "nearest", "search", "gptq":
        quantized = relay_mlir.quantize(model, {"x": samples}, weights="int4", rounding=rounding)
        found[rounding] = error(quantized.model(fresh))
    assert found["gptq"] < 0.7 * found["search"] < 0.7 * found["nearest"], found
    assert found["gptq"] < error(fresh @ gptq(weight, samples, 4, 32)), found
    with pytest.raises(relay_mlir.CompileError, match="name some with --data"):
        relay_mlir.quantize(model, weights="int4", rounding="gptq")
    with pytest.raises(ValueError, match="'awq' is no rounding"):
        relay_mlir.quantize(model, weights="int4", rounding="awq")


def test_what_is_asked_for_wrongly(heldout, tmp_path):
    images, _ = heldout
    with pytest.raises(ValueError, match="'entropy' is no method"):
        relay_mlir.quantize(DIGITS, {"image": images}, method="entropy")
    with pytest.raises(relay_mlir.CompileError, match="no array 'image'"):
        relay_mlir.quantize(DIGITS, {"picture": images})
    with pytest.raises(relay_mlir.CompileError, match="kept float by keep, keep_first and keep_last"):
        relay_mlir.quantize(DIGITS, {"image": images[:1]}, keep="*")

    def failing(outputs):
        raise KeyError("labels")

    with pytest.raises(relay_mlir.CompileError, match="labels"):
        relay_mlir.quantize(DIGITS, {"image": images[:2]}, metric=failing)
