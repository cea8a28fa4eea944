"""Runs models of a folder with relayc, and compares what they compute with what their own framework did.

programs.py FOLDER ENDING OUT: NAME.inputs.npz and NAME.outputs.npz lie beside the model NAME + ENDING. TorchScript does not say the types
of its inputs: those that have other names are said. NAME.values.json has inputs that are no tensors.
"""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np

# The greatest difference, of the range of an output. Those of f16 are rounded.
TOLERANCE = {"f": 1e-4, "e": 2e-3}


def difference(found, expected):
    """What is wrong with an output, if anything."""
    if found.shape != expected.shape or found.dtype != expected.dtype:
        return f"is {found.dtype}{list(found.shape)}, not {expected.dtype}{list(expected.shape)}"
    if expected.dtype.kind != "f":
        return None if (found == expected).all() else "differs"
    finite = np.isfinite(expected)
    if not np.array_equal(found[~finite], expected[~finite], equal_nan=True):
        return "differs where the framework's is not finite"
    if not finite.any():
        return None
    span = np.abs(expected[finite]).max()
    worst = np.abs(found[finite].astype(np.float64) - expected[finite].astype(np.float64)).max()
    return None if worst <= TOLERANCE.get(expected.dtype.char, 1e-4) * span else f"differs by {worst} of {span}"


def types(inputs):
    """Options that say the shapes and element types of inputs."""
    arrays = np.load(inputs)
    shapes = [f"--shape={name}={','.join(map(str, arrays[name].shape))}" for name in arrays.files]
    return [*shapes, *(f"--type={name}={arrays[name].dtype}" for name in arrays.files)]


def check(program, ending, out):
    """Whether a model computes what its framework does."""
    stem = str(program).removesuffix(ending)
    said = types(f"{stem}.inputs.npz") if ending == ".pt" and not program.stem.startswith("traced") else []
    values = Path(f"{stem}.values.json")
    if values.exists():
        said += [f"--value={name}={value}" for name, value in json.loads(values.read_text()).items()]
    command = ["relayc", "run", *said, str(program), "--inputs", f"{stem}.inputs.npz", "--outputs", out]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        print(f"{program.stem}: {done.stderr}")
        return False
    found, expected = np.load(out), np.load(f"{stem}.outputs.npz")
    wrong = {name: difference(found[name], expected[name]) for name in expected.files}
    wrong = {name: what for name, what in wrong.items() if what}
    for name, what in wrong.items():
        print(f"{program.stem}: output {name} {what}")
    return not wrong


def main():
    folder, ending, out = sys.argv[1:]
    programs = sorted(Path(folder).glob(f"*{ending}"))
    agree = sum(check(program, ending, f"{out}.npz") for program in programs)
    print(f"{len(programs)} programs: {agree} agree")


if __name__ == "__main__":
    main()
