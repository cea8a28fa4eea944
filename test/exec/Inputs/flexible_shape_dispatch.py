"""Runs the modules of flexible_shape_dispatch.mlir on inputs of several extents, and compares with numpy."""

import subprocess
import sys

import numpy as np

from one_node import standard_normal

relayc, folder = sys.argv[1:]


def run(module, inputs):
    """What a module gives for inputs."""
    given, results = f"{folder}/in.npz", f"{folder}/out.npz"
    np.savez(given, **inputs)
    command = [relayc, "run", f"{folder}/{module}.mlir", "--executor", "interpreter"]
    subprocess.run([*command, "--inputs", given, "--outputs", results], check=True)
    return np.load(results)["output0"]


weights = standard_normal(w=(4, 3, 3, 3), v=(2, 64))
samples = standard_normal(x=(6, 3, 6, 6))["x"]
for count in [1, 2, 3, 4, 6]:
    inputs = {"x": samples[:count], **weights}
    x, w, v = (inputs[name].astype(np.float64) for name in "xwv")
    windows = np.lib.stride_tricks.sliding_window_view(x, (3, 3), (2, 3))
    hidden = np.maximum(np.einsum("nchwij,ocij->nohw", windows, w), 0)
    expected = hidden.reshape(count, 64) @ v.T
    for module in ["padded", "exact"]:
        np.testing.assert_allclose(run(module, inputs), expected, rtol=1e-4, atol=1e-5)

generator = np.random.default_rng(3)
for count in [0, 1, 2, 3, 4, 5]:
    a, b = generator.integers(0, 256, (2, 3, count), dtype=np.uint8)
    np.testing.assert_array_equal(run("filled", {"a": a, "b": b}), a + b)
