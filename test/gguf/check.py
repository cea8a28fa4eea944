"""Compares compiled models of GGUF with the logits of llama.cpp that lie beside them.

check.py FOLDER OUT: a prompt is read in one run, and the words behind it one at a time, into caches that stay in place.
"""

import subprocess
import sys
from pathlib import Path

import numpy as np
import relay_mlir

FOLLOWING = 20
# The greatest difference, of the greatest logit. llama.cpp looks GELU up in a table of f16.
TOLERANCE = 3e-4


def logits_of(model, words, prompt, room):
    """The logits behind each word."""
    caches = {}
    for port in model.inputs:
        if port.donated:
            caches[port.name] = np.zeros(
                [extent if isinstance(extent, int) else room for extent in port.shape], port.dtype
            )
    found, read = [], 0
    for now in [words[:prompt], *([word] for word in words[prompt:])]:
        inputs = {"input_ids": np.array([now]), "position": np.array(read), "logits_at": np.arange(len(now))}
        results = model.run({**inputs, **caches}, donate=True)
        found.append(results["logits"].copy())
        read += len(now)
    return np.concatenate(found)


def check(path, out):
    """What is wrong with a model, if anything."""
    subprocess.run(["relayc", "compile", str(path), "-o", out], check=True, stderr=subprocess.DEVNULL)
    expected = np.load(path.with_suffix(".npz"))
    words = expected["words"].tolist()
    found = logits_of(relay_mlir.load(out), words, len(words) - FOLLOWING, 48)
    worst = np.abs(found - expected["logits"]).max() / np.abs(expected["logits"]).max()
    print(f"{path.stem}: {worst:.1e}")
    return worst <= TOLERANCE


folder, out = sys.argv[1:3]
models = [path for path in sorted(Path(folder).glob("*.gguf")) if path.with_suffix(".npz").exists()]
agree = sum(check(path, f"{out}.{path.stem}.so") for path in models)
print(f"{len(models)} models: {agree} agree")
