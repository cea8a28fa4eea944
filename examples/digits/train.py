"""Trains a small convolutional network on scikit-learn's handwritten digits.

Writes, next to this file (or to --output):

  digits.onnx   the trained network: input "image" [1,1,8,8], output "probabilities" [1,10]
  heldout.npz   the images and labels that training did not see
  image.npz     the first of them, keyed as the model's input

The same versions (requirements.txt) on the same kind of processor write the same bytes.
"""

import argparse
import os
import pathlib

# One thread and one kind of kernel, so that sums are always made in the same order. The numeric
# libraries read these when they are loaded.
os.environ["OPENBLAS_NUM_THREADS"] = "1"
os.environ["OPENBLAS_CORETYPE"] = "Haswell"

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

from network import BATCH_NORM_EPSILON, Adam, Network, softmax

HERE = pathlib.Path(__file__).parent
SEED = 20240229
HELD_OUT = 360
BATCH = 64


def load_digits():
    """Images [n,1,8,8] in 0..1 and labels: those to train with, then those held out."""
    from sklearn.datasets import load_digits as load

    digits = load()
    images = (digits.images / 16).astype(np.float32)[:, None]
    labels = digits.target.astype(np.int64)
    order = np.random.default_rng(SEED).permutation(len(labels))
    seen, unseen = order[HELD_OUT:], order[:HELD_OUT]
    return images[seen], labels[seen], images[unseen], labels[unseen]


def shifted(images, rng):
    """Each image moved by up to one pixel both ways."""
    padded = np.pad(images, ((0, 0), (0, 0), (1, 1), (1, 1)))
    moved = np.empty_like(images)
    for index, (i, j) in enumerate(rng.integers(0, 3, (len(images), 2))):
        moved[index] = padded[index, :, i : i + 8, j : j + 8]
    return moved


def accuracy(network, images, labels):
    """The share of images whose most probable digit is the label."""
    return float((network.scores(images).argmax(axis=1) == labels).mean())


def train(images, labels, epochs, report):
    """A trained network; `report(epoch, loss, network)` is called after each epoch."""
    network = Network(SEED)
    optimiser = Adam(network.layers)
    rng = np.random.default_rng(SEED + 1)
    for epoch in range(epochs):
        rate = 3e-3 * 0.5 * (1 + np.cos(np.pi * epoch / epochs))
        order = rng.permutation(len(labels))
        losses = []
        for start in range(0, len(order) - BATCH + 1, BATCH):
            batch = order[start : start + BATCH]
            target = labels[batch]
            probability = softmax(network.scores(shifted(images[batch], rng), training=True))
            rows = np.arange(BATCH)
            losses.append(-np.log(probability[rows, target] + 1e-12).mean())
            gradient = probability
            gradient[rows, target] -= 1
            network.backward(gradient / np.float32(BATCH))
            optimiser.step(rate)
        report(epoch, float(np.mean(losses)), network)
    return network


def to_onnx(network):
    """The network as an ONNX model for one image."""
    nodes = []
    value = "image"
    for name, layer in network.layers.items():
        kind = type(layer).__name__
        parameters, attributes = [], {}
        if kind == "Conv":
            operator, parameters = "Conv", ["weight"]
            attributes = {"kernel_shape": [3, 3], "pads": [1, 1, 1, 1], "strides": [1, 1]}
        elif kind == "BatchNorm":
            operator, parameters = "BatchNormalization", ["scale", "bias", "mean", "variance"]
            attributes = {"epsilon": BATCH_NORM_EPSILON}
        elif kind == "MaxPool":
            operator, attributes = "MaxPool", {"kernel_shape": [2, 2], "strides": [2, 2]}
        elif kind == "Linear":
            operator, parameters = "Gemm", ["weight", "bias"]
            attributes = {"transB": 1}
        else:
            operator = kind
        inputs = [value] + [f"{name}.{parameter}" for parameter in parameters]
        nodes.append(helper.make_node(operator, inputs, [f"{name}.out"], name=name, **attributes))
        value = f"{name}.out"
    nodes.append(helper.make_node("Softmax", [value], ["probabilities"], name="softmax", axis=1))
    graph = helper.make_graph(
        nodes,
        "digits",
        [helper.make_tensor_value_info("image", TensorProto.FLOAT, [1, 1, 8, 8])],
        [helper.make_tensor_value_info("probabilities", TensorProto.FLOAT, [1, 10])],
        [numpy_helper.from_array(value, name) for name, value in network.state().items()],
    )
    model = helper.make_model(
        graph,
        producer_name="relay-mlir examples/digits",
        opset_imports=[helper.make_opsetid("", 17)],
        ir_version=8,
    )
    onnx.checker.check_model(model, full_check=True)
    return model


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--epochs", type=int, default=30, help="default: %(default)s")
    parser.add_argument("--output", type=pathlib.Path, default=HERE, help="folder to write to")
    parser.add_argument("--quiet", action="store_true", help="print the final accuracy only")
    options = parser.parse_args()

    images, labels, unseen_images, unseen_labels = load_digits()

    def report(epoch, loss, network):
        if not options.quiet:
            seen = accuracy(network, images, labels)
            print(f"epoch {epoch + 1:3}  loss {loss:.4f}  training accuracy {seen:.4f}")

    network = train(images, labels, options.epochs, report)
    correct = accuracy(network, unseen_images, unseen_labels)
    print(f"test accuracy {correct:.4f} on {len(unseen_labels)} held-out images")

    options.output.mkdir(parents=True, exist_ok=True)
    (options.output / "digits.onnx").write_bytes(
        to_onnx(network).SerializeToString(deterministic=True)
    )
    np.savez(options.output / "heldout.npz", images=unseen_images, labels=unseen_labels)
    np.savez(options.output / "image.npz", image=unseen_images[:1])


if __name__ == "__main__":
    main()
