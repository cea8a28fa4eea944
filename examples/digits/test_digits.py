"""Checks the committed model: against numpy, and on the held-out images.

Run with `python test_digits.py`; with scikit-learn installed it also trains again and compares
the files byte by byte.
"""

import importlib.util
import pathlib
import subprocess
import sys
import tempfile
import unittest

import numpy as np
import onnx
import onnxruntime
from onnx import numpy_helper

from network import BatchNorm, Conv, Linear, MaxPool, Network, softmax

HERE = pathlib.Path(__file__).parent


def load_network():
    """The network with the weights of digits.onnx."""
    network = Network(seed=0)
    initializers = onnx.load(HERE / "digits.onnx").graph.initializer
    network.load({tensor.name: numpy_helper.to_array(tensor) for tensor in initializers})
    return network


class Model(unittest.TestCase):
    def setUp(self):
        heldout = np.load(HERE / "heldout.npz")
        self.images, self.labels = heldout["images"], heldout["labels"]
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        session = onnxruntime.InferenceSession(HERE / "digits.onnx", options)
        rows = [session.run(["probabilities"], {"image": image[None]})[0] for image in self.images]
        self.probabilities = np.concatenate(rows)

    def test_onnxruntime_agrees_with_numpy(self):
        expected = load_network().probabilities(self.images)
        np.testing.assert_allclose(self.probabilities, expected, rtol=1e-4, atol=1e-6)

    def test_accuracy_on_held_out_images(self):
        correct = (self.probabilities.argmax(axis=1) == self.labels).mean()
        self.assertGreater(correct, 0.97)

    def test_example_image_is_the_first_held_out_one(self):
        image = np.load(HERE / "image.npz")["image"]
        np.testing.assert_array_equal(image, self.images[:1])


class Gradients(unittest.TestCase):
    """Each layer's backward pass against differences of its forward pass."""

    def check(self, layer, shape):
        rng = np.random.default_rng(1)
        # Distinct values, so that no step changes which one is the maximum.
        x = rng.permutation(np.prod(shape)).reshape(shape).astype(np.float32) / 16
        direction = rng.standard_normal(shape).astype(np.float32)
        out = layer.forward(x, True)
        weight = rng.standard_normal(out.shape).astype(np.float32)
        slope = float((layer.backward(weight) * direction).sum())
        step = np.float32(1e-2)
        ahead, behind = (layer.forward(x + s * direction, True) for s in (step, -step))
        measured = float(((ahead - behind).astype(np.float64) * weight).sum() / (2 * step))
        self.assertAlmostEqual(slope, measured, delta=2e-2 * max(1, abs(measured)))

    def test_layers(self):
        rng = np.random.default_rng(2)
        for layer, shape in [
            (Conv(rng, 2, 3), (2, 2, 4, 4)),
            (BatchNorm(2), (3, 2, 4, 4)),
            (MaxPool(), (1, 2, 4, 4)),
            (Linear(rng, 6, 4), (3, 6)),
        ]:
            with self.subTest(layer=type(layer).__name__):
                self.check(layer, shape)

    def test_softmax_rows_sum_to_one(self):
        sums = softmax(np.array([[1, 2, 3], [80, -80, 0]], np.float32)).sum(axis=1)
        np.testing.assert_allclose(sums, 1, rtol=1e-6)


class Training(unittest.TestCase):
    @unittest.skipUnless(importlib.util.find_spec("sklearn"), "scikit-learn is not installed")
    def test_training_again_writes_the_same_bytes(self):
        with tempfile.TemporaryDirectory() as folder:
            command = [sys.executable, HERE / "train.py", "--quiet", "--output", folder]
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
            for name in ["digits.onnx", "heldout.npz", "image.npz"]:
                again = (pathlib.Path(folder) / name).read_bytes()
                self.assertEqual((HERE / name).read_bytes(), again, name)


if __name__ == "__main__":
    unittest.main()
