"""Runs a network with each file of weights beside it, and compares it with what PyTorch computed with those weights.

weights.py FOLDER OUT
"""

import subprocess
import sys
from pathlib import Path

import numpy as np
from programs import difference

FILES = ["model.safetensors", "model.safetensors.index.json", "state.pth", "checkpoint.pth"]


def main():
    folder, out = Path(sys.argv[1]), sys.argv[2]
    (expected,) = np.load(folder / "outputs.npz").values()
    good = 0
    runs = [(model, file) for model in ("model.pt2", "shapes.pt2", "model.pt") for file in FILES]
    for model, file in runs:
        said = ["--shape", "x=2,2,6,6"] if model == "model.pt" else []
        # What has only shapes does not say that two weights are one.
        if model == "shapes.pt2" and file.startswith("model."):
            continue
        options = ["--params", folder / file, "--inputs", folder / "inputs.npz", "--outputs", out]
        command = ["relayc", "run", folder / model, *said, *options]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            print(f"{model}, {file}: {done.stderr}")
            continue
        (found,) = np.load(out).values()
        wrong = difference(found, expected)
        print(f"{model}, {file}: {wrong or 'agrees'}")
        good += not wrong
    print(f"{good} agree")


if __name__ == "__main__":
    main()
