"""Samples of digits, a metric, and ONNX Runtime's accuracy beside that of a report."""

import json
import pathlib
import sys

import numpy as np
import onnx
import onnxruntime
from onnx import TensorProto, helper, numpy_helper

METRIC = """
import sys, numpy
outputs, data = (numpy.load(path) for path in sys.argv[1:])
guesses = outputs["probabilities"].argmax(axis=1)
print("some words before the number")
print((guesses == data["labels"][: len(guesses)]).mean())
"""


def perceptron():
    """Two layers with random weights."""
    random = np.random.default_rng(0)
    weights = [random.standard_normal(shape).astype(np.float32) for shape in ((64, 128), (128, 10))]
    nodes = [
        helper.make_node("MatMul", ["x", "w0"], ["h"], "first"),
        helper.make_node("Relu", ["h"], ["r"]),
        helper.make_node("MatMul", ["r", "w1"], ["y"], "second"),
    ]
    graph = helper.make_graph(
        nodes,
        "perceptron",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, ["rows", 64])],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, ["rows", 10])],
        [numpy_helper.from_array(weight, f"w{place}") for place, weight in enumerate(weights)],
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)


def make(digits, folder):
    folder.mkdir()
    data = np.load(digits / "heldout.npz")
    images = data["images"].astype(np.float32)
    np.savez(folder / "samples.npz", image=images, labels=data["labels"])
    for name, part in ("a", slice(0, 40)), ("b", slice(40, 60)):
        np.savez(folder / f"{name}.npz", image=images[part])
    onnx.save(perceptron(), folder / "perceptron.onnx")
    np.savez(folder / "rows.npz", x=images.reshape(len(images), -1)[:, :64])
    (folder / "accuracy.py").write_text(METRIC)
    (folder / "silent.py").write_text("print('nothing')")
    (folder / "failing.py").write_text("raise KeyError('labels')")


def check(digits, folder):
    report = json.loads((folder / "report.json").read_text())
    data = np.load(folder / "samples.npz")
    session = onnxruntime.InferenceSession(digits / "digits.onnx")
    rows = [session.run(["probabilities"], {"image": image[None]})[0] for image in data["image"]]
    expected = (np.concatenate(rows).argmax(axis=1) == data["labels"]).mean()
    accuracy = report["accuracy"]
    assert accuracy["float"] == expected, (accuracy, expected)
    assert accuracy["quantized"] >= 0.99 * expected, (accuracy, expected)
    errors = [layer["alone"]["output_error"] for layer in report["layers"]]
    assert errors == sorted(errors, reverse=True) and 0 < errors[0] < 0.1, errors
    print("as accurate as floats")


def compare(_, folder):
    errors = {name: json.loads((folder / f"{name}.json").read_text())["accuracy"]["output_error"] for name in ("shifted", "corrected")}
    assert 0 < errors["corrected"] < errors["shifted"], errors
    print("corrected biases are closer")


if __name__ == "__main__":
    command, digits, folder = sys.argv[1], *map(pathlib.Path, sys.argv[2:])
    {"make": make, "check": check, "compare": compare}[command](digits, folder)
