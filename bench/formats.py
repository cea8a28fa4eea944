"""Times the same network in several formats: each file of FOLDER is compiled, and those that are one network run in turns.

    ./x bench formats                     # writes the files (formats_export.py), and times them
    ./x bench formats --threads 2

Files are NETWORK.FORMAT, or NETWORK-symbol.json of MXNet. Prints medians over rounds in milliseconds, and ratios of medians and of minima to NETWORK.onnx.
"""

import argparse
import statistics
import time
from collections import defaultdict
from pathlib import Path

import numpy as np
import relay_mlir


def inputs_of(model):
    """Random inputs; open dimensions are 1."""
    rng = np.random.default_rng(0)
    made = {}
    for port in model.inputs:
        shape = [extent if isinstance(extent, int) else 1 for extent in port.shape]
        is_float = np.issubdtype(port.dtype, np.floating)
        made[port.name] = rng.random(shape).astype(port.dtype) if is_float else rng.integers(0, 100, shape, port.dtype)
    return made


def compiled(path, threads):
    """A model, whose batch is 1 if it is open. A graph of MXNet says no shapes."""
    if path.name.endswith("-symbol.json"):
        return relay_mlir.compile(path, threads=threads, progress=False, shapes={"data": [1, 3, 224, 224]})
    model = relay_mlir.compile(path, threads=threads, progress=False)
    is_open = {port.name: port.shape and not isinstance(port.shape[0], int) for port in model.inputs}
    if not any(is_open.values()):
        return model
    shapes = {port.name: [1, *port.shape[1:]] for port in model.inputs if is_open[port.name]}
    return relay_mlir.compile(path, threads=threads, progress=False, shapes=shapes)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--rounds", type=int, default=60)
    parser.add_argument("--threads", type=int, default=1)
    given = parser.parse_args()
    networks = defaultdict(dict)
    for path in sorted(given.folder.iterdir()):
        name, _, form = path.name.partition(".")
        if name.endswith("-symbol"):
            name, form = name.removesuffix("-symbol"), "mxnet"
        if form and form != "params":
            networks[name][form] = path
    print("| network | format | ms | ratio to ONNX | ratio of minima |\n|---|---|---|---|---|")
    for name, files in networks.items():
        models = {form: compiled(path, given.threads) for form, path in files.items()}
        inputs = {form: inputs_of(model) for form, model in models.items()}
        times = defaultdict(list)
        for place in range(given.rounds + 2):
            for form, model in models.items():
                start = time.perf_counter()
                model.run(inputs[form])
                if place > 1:
                    times[form].append(time.perf_counter() - start)
        base = times["onnx"]
        for form, found in times.items():
            ratio = statistics.median(found) / statistics.median(base)
            least = min(found) / min(base)
            print(f"| {name} | {form} | {1e3 * statistics.median(found):.2f} | {ratio:.2f} | {least:.2f} |", flush=True)


if __name__ == "__main__":
    main()
