"""Runs a model that keeps tensors from run to run with relayc, step by step, and compares what it returns with its own framework.

steps.py MODEL OUT: NAME.inputs.npz and NAME.outputs.npz lie beside MODEL, with a step for each element of their arrays. What a run makes of
a tensor that the model keeps, NAME.next, is what the next run takes for it. At first they are zeros.
"""

import json
import subprocess
import sys

import numpy as np

TOLERANCE = 1e-4

model, out = sys.argv[1:]
stem = model.rsplit(".", 1)[0]
steps, expected = np.load(f"{stem}.inputs.npz"), np.load(f"{stem}.outputs.npz")


def relayc(*arguments):
    """What relayc prints."""
    return subprocess.run(["relayc", *arguments], capture_output=True, text=True, check=True).stdout


relayc("compile", model, "-o", f"{out}.so")
about = json.loads(relayc("inspect", f"{out}.so", "--json"))
ports = {port["name"]: port for port in about["inputs"]}
states = {
    name: np.zeros(port["shape"], port["dtype"].replace("i", "int").replace("f", "float"))
    for name, port in ports.items()
    if name not in steps.files
}
print(f"{len(states)} states")
worst, count = 0.0, len(steps[steps.files[0]])
for step in range(count):
    np.savez(f"{out}.in.npz", **{name: steps[name][step] for name in steps.files}, **states)
    relayc("run", f"{out}.so", "--inputs", f"{out}.in.npz", "--outputs", f"{out}.out.npz")
    found = np.load(f"{out}.out.npz")
    states = {name: found[f"{name}.next"] for name in states}
    for name in expected.files:
        want = expected[name][step]
        worst = max(worst, np.abs(found[name] - want).max() / np.abs(want).max())
print(f"{count} steps: {'agree' if worst <= TOLERANCE else f'differ by {worst}'}")
