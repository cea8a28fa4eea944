"""Prepares a check of kernels on a GPU, for a machine that has one and no compiler; and runs it there.

  gpu.py bundle FOLDER --relayc RELAYC --target nvidia/h100 [--models resnet18 ...]
      compiles models, and writes them with inputs, ONNX Runtime's outputs and this program
  gpu.py run FOLDER
      on the machine with the GPU: runs each library, compares, and prints errors and times as a table

The second machine needs a driver, Python and numpy.
"""

import argparse
import pathlib
import shutil
import statistics
import subprocess
import sys
import time

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent

# Beyond this error, relative to the range of the output, results are wrong.
TOLERANCE = 1e-3

ROUNDS = 20


def bundle(options):
    """Writes the folder that travels."""
    folder = options.folder
    folder.mkdir(parents=True, exist_ok=True)
    subprocess.run([sys.executable, str(HERE / "models.py"), str(folder), "--models", *options.models], check=True)
    for model in options.models:
        source = folder / f"{model}.onnx"
        library = folder / f"{model}.so"
        command = [options.relayc, "compile", source, "--target", options.target, "--output", library]
        subprocess.run(command, check=True)
        source.unlink()
    (folder / "engines").mkdir(exist_ok=True)
    shutil.copy(HERE / "engines" / "library.py", folder / "engines")
    shutil.copy(HERE / "gpu.py", folder)


def check(folder, name):
    """A row of the table: a model, its error relative to the range of the reference, and a run's median milliseconds."""
    from engines.library import Instance, Library

    instance = Instance(Library(folder / f"{name}.so"), 0, np.load(folder / f"{name}.inputs.npz"))
    expected = np.load(folder / f"{name}.outputs.npz")
    instance.run()
    found = instance.outputs()
    errors = [
        float(np.abs(found[output] - expected[output]).max() / np.abs(expected[output]).max())
        for output in expected.files
    ]
    times = []
    for _ in range(ROUNDS):
        start = time.perf_counter()
        instance.run()
        times.append(time.perf_counter() - start)
    instance.close()
    return name, max(errors), 1e3 * statistics.median(times)


def run(options):
    """Runs what was bundled."""
    sys.path.insert(0, str(options.folder.resolve()))
    names = sorted(path.stem for path in options.folder.glob("*.so"))
    rows = [check(options.folder.resolve(), name) for name in names]
    print("| model | error / range | ms, with copies of inputs and outputs |")
    print("|---|---|---|")
    for name, error, milliseconds in rows:
        print(f"| {name} | {error:.1e} | {milliseconds:.2f} |")
    raise SystemExit(any(error > TOLERANCE for _, error, _ in rows) or not rows)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("command", choices=["bundle", "run"])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--relayc", default="relayc")
    parser.add_argument("--target", default="nvidia/h100")
    parser.add_argument("--models", nargs="+", default=["squeezenet", "shufflenet"])
    options = parser.parse_args()
    {"bundle": bundle, "run": run}[options.command](options)


if __name__ == "__main__":
    main()
