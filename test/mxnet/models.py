"""Compares gluon's networks, with random weights, with MXNet: models.py [NAME...].

Each network is exported, compiled by relayc and run in a process of its own. Prints a row for each: the greatest difference, of the range
of the output.
"""

import re
import subprocess
import sys
import tempfile
from pathlib import Path

import mxnet as mx
import numpy as np
from mxnet.gluon.model_zoo import vision

RELAYC = Path(__file__).parents[2] / "target/debug/relayc"
NAMES = [
    "alexnet", "densenet121", "densenet201", "inceptionv3", "mobilenet0.25", "mobilenet1.0", "mobilenetv2_0.25",
    "mobilenetv2_1.0", "resnet18_v1", "resnet18_v2", "resnet34_v1", "resnet34_v2", "resnet50_v1", "resnet50_v2",
    "resnet101_v1", "resnet152_v2", "squeezenet1.0", "squeezenet1.1", "vgg11", "vgg16_bn",
]  # fmt: skip
# The greatest difference, of the range.
TOLERANCE = 1e-4


def compare(name, folder):
    """What comes of a network."""
    mx.random.seed(3)
    net = vision.get_model(name)
    net.initialize(mx.init.Xavier())
    net.hybridize(static_alloc=False)
    size = 299 if name.startswith("inception") else 224
    data = np.random.RandomState(1).uniform(-1, 1, (1, 3, size, size)).astype("f4")
    expected = net(mx.nd.array(data)).asnumpy()
    net.export(str(folder / "model"))
    np.savez(folder / "in.npz", data=data)
    command = [
        RELAYC,
        "run",
        folder / "model-symbol.json",
        "--shape",
        f"data=1,3,{size},{size}",
        "--inputs",
        folder / "in.npz",
    ]
    done = subprocess.run([*command, "--outputs", folder / "out.npz"], capture_output=True, text=True, check=False)
    if done.returncode:
        return f"refused: {done.stderr.strip()}"
    outputs = np.load(folder / "out.npz")
    (found,) = (outputs[key] for key in outputs.files)
    worst = np.abs(found - expected).max() / np.ptp(expected)
    return f"{'agrees' if worst <= TOLERANCE else 'DIFFERS'} ({worst:.1e})"


def main(names):
    for name in names or NAMES:
        with tempfile.TemporaryDirectory() as folder:
            print(f"| {name} | {re.sub(r'[|]', '/', compare(name, Path(folder)))} |", flush=True)


main(sys.argv[1:])
