"""Compiles models with open dimensions, each to one library, and compares the library with ONNX Runtime at several sizes.

Beside NAME.onnx lie its inputs, NAME.0.npz, NAME.1.npz and so on, as `export_models.py` writes them.
"""

import argparse
import os
import pathlib
import subprocess
import sys
import time

import numpy as np
import onnxruntime

# The greatest difference, relative to the range of an output.
TOLERANCE = 1e-4


def run(words):
    """Seconds that a command took, and what it says where it fails."""
    start = time.monotonic()
    result = subprocess.run(list(map(str, words)), capture_output=True, text=True, check=False)
    return time.monotonic() - start, result.stderr.strip() if result.returncode else None, result.stderr


def difference(expected, ours):
    """What is wrong with an output, or nothing."""
    if ours.shape != expected.shape or ours.dtype != expected.dtype:
        return f"is {ours.dtype}{list(ours.shape)}, not {expected.dtype}{list(expected.shape)}"
    if expected.dtype.kind not in "fd":
        wrong = np.count_nonzero(ours != expected)
        return f"differs in {wrong} of {expected.size} elements" if wrong else None
    expected, ours = expected.astype(np.float64), ours.astype(np.float64)
    finite = np.isfinite(expected)
    if not np.array_equal(finite, np.isfinite(ours)):
        return "has other places with numbers that are not finite"
    scale = max(1e-6, np.abs(expected[finite]).max(initial=0))
    error = np.abs(ours - expected)[finite].max(initial=0) / scale
    return None if error <= TOLERANCE else f"is off by {error:.1e} of its range"


def at_sizes(model, library, given, relayc, session):
    """What is wrong with a library for one file of inputs."""
    feeds = dict(np.load(given))
    feeds = {port.name: feeds[port.name] for port in session.get_inputs()}
    names = [port.name for port in session.get_outputs()]
    try:
        expected = session.run(names, feeds)
    except Exception as error:  # noqa: BLE001: its classes of errors have no common one but this
        return f"ONNX Runtime: {str(error)[:200]}"
    taken = library.with_suffix(".out.npz")
    _, reason, _ = run([relayc, "run", library, "--inputs", given, "--outputs", taken])
    if reason:
        return reason[-400:]
    with np.load(taken) as results:
        wrong = [f"{name} {fault}" for name, right in zip(names, expected) if (fault := difference(right, results[name]))]
    return "; ".join(wrong) or None


def check(model, relayc, options):
    """Prints what is wrong with one model; whether anything is."""
    library = model.with_suffix(".so")
    seconds, reason, said = run([relayc, "compile", model, "-o", library, *options.flags])
    if reason:
        print(f"{model.stem}: not compiled after {seconds:.1f} s: {reason[:options.width]}", flush=True)
        return True
    warnings = "".join(f"\n  {line}" for line in said.splitlines() if line.strip().startswith("WARN"))
    session = onnxruntime.InferenceSession(model, providers=["CPUExecutionProvider"])
    files = sorted(model.parent.glob(f"{model.stem}.[0-9]*.npz"))
    wrong = {given: fault for given in files if (fault := at_sizes(model, library, given, relayc, session))}
    print(f"{model.stem}: compiled in {seconds:.1f} s, right at {len(files) - len(wrong)} of {len(files)} sizes{warnings}", flush=True)
    for given, fault in wrong.items():
        shapes = {name: list(array.shape) for name, array in np.load(given).items()}
        print(f"  {given.name} {shapes}: {fault}", flush=True)
    return bool(wrong)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path, help="where the models are")
    parser.add_argument("--only", nargs="+", metavar="NAME", help="these models only")
    parser.add_argument("--tools", type=pathlib.Path, default="target/debug", help="the folder of relayc (default: %(default)s)")
    parser.add_argument("--width", type=int, default=600, help="characters of an error to print (default: %(default)s)")
    parser.add_argument("--flags", nargs=argparse.REMAINDER, default=[], help="more options of relayc compile; comes last")
    options = parser.parse_args()
    models = [model for model in sorted(options.folder.glob("*.onnx")) if not options.only or model.stem in options.only]
    wrong = [check(model, options.tools / "relayc", options) for model in models]
    print(f"{len(wrong) - sum(wrong)} of {len(wrong)} models are right")
    sys.exit(any(wrong))


if __name__ == "__main__":
    main()
