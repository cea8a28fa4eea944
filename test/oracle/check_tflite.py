"""Compares relayc with LiteRT on models of TensorFlow Lite.

Each model runs on random inputs: with relayc, and with LiteRT's reference kernels, or with its default ones (--default). Integers of 8 bits
and fewer have to be equal, or differ by --steps; floats agree if they differ by --tolerance of the range of the right result. Prints a
line for each output that disagrees, and exits with 1 if one does.
"""

import argparse
import json
import pathlib
import re
import subprocess
import sys
import tempfile

import numpy as np
from ai_edge_litert.interpreter import Interpreter, OpResolverType

LIMIT = 600


def reference(path, default=False, threads=1):
    """LiteRT's interpreter of a model."""
    kind = OpResolverType.BUILTIN if default else OpResolverType.BUILTIN_REF
    return Interpreter(model_path=str(path), experimental_op_resolver_type=kind, num_threads=threads)


def random_input(random, detail, shape):
    """Random numbers for an input."""
    dtype = np.dtype(detail["dtype"])
    if dtype.kind == "f":
        return random.uniform(-1, 1, shape).astype(dtype)
    if dtype == bool:
        return random.integers(0, 2, shape).astype(bool)
    if dtype.itemsize == 1 or detail["quantization_parameters"]["scales"].size:
        info = np.iinfo(dtype)
        return random.integers(info.min, info.max, shape, dtype=dtype, endpoint=True)
    return random.integers(0, 4, shape).astype(dtype)


def expected(path, seed, default, shapes=None):
    """Inputs by name, of the shapes that are given, and what LiteRT computes, with the names of its outputs."""
    interpreter = reference(path, default)
    random = np.random.default_rng(seed)
    inputs = {}
    for detail in interpreter.get_input_details():
        name = detail["name"]
        shape = (shapes or {}).get(name, detail["shape"])
        inputs[name] = random_input(random, detail, shape)
        if list(inputs[name].shape) != list(detail["shape"]):
            interpreter.resize_tensor_input(detail["index"], inputs[name].shape)
    interpreter.allocate_tensors()
    for detail in interpreter.get_input_details():
        interpreter.set_tensor(detail["index"], inputs[detail["name"]])
    interpreter.invoke()
    details = interpreter.get_output_details()
    return inputs, [(detail["name"], interpreter.get_tensor(detail["index"])) for detail in details]


def disagreement(actual, right, tolerance, steps):
    """What is wrong with an output, or None."""
    if actual.shape != right.shape:
        return f"shape {list(actual.shape)}, expected {list(right.shape)}"
    if actual.dtype != right.dtype:
        return f"type {actual.dtype}, expected {right.dtype}"
    if right.size == 0:
        return None
    if right.dtype.kind == "f":
        finite = right[np.isfinite(right)].astype(np.float64)
        spread = max(np.ptp(finite) if finite.size else 0, np.abs(finite).max(initial=0), 1e-3)
        same = (actual == right) | (np.isnan(actual) & np.isnan(right))
        with np.errstate(invalid="ignore", over="ignore"):
            off = np.where(same, 0, np.abs(actual.astype(np.float64) - right))
        worst = np.nan_to_num(off, nan=np.inf).max() / spread
        return f"off by {worst:.2g} of the range" if worst > tolerance else None
    off = np.abs(actual.astype(np.int64) - right.astype(np.int64))
    limit = steps if right.dtype.itemsize <= 2 else 0
    if off.max() > limit:
        return f"{np.count_nonzero(off > limit)} of {off.size} differ, by up to {off.max()}"
    return None


def run(relayc, path, inputs, more=()):
    """The outputs of relayc, or a message."""
    with tempfile.TemporaryDirectory() as folder:
        given, made = pathlib.Path(folder, "inputs.npz"), pathlib.Path(folder, "outputs.npz")
        np.savez(given, **inputs)
        command = [relayc, "run", str(path), "--inputs", str(given), "--outputs", str(made), "--threads", "1", *more]
        result = subprocess.run(command, capture_output=True, text=True, timeout=LIMIT, check=False)
        if result.returncode != 0:
            return result.stderr.strip()
        with np.load(made) as outputs:
            return {name: outputs[name] for name in outputs.files}


def check(path, options):
    """The messages about a model."""
    inputs, right = expected(path, options.seed, options.default, options.shape)
    shapes = [text for name, value in inputs.items() if name in options.shape
              for text in ("--shape", f"{name}={','.join(map(str, value.shape))}")]
    actual = run(options.relayc, path, inputs, [*shapes, *options.more])
    if isinstance(actual, str):
        return [actual]
    messages = []
    for name, value in right:
        if name not in actual:
            messages.append(f"{name}: missing; there is {', '.join(actual)}")
            continue
        wrong = disagreement(actual[name], value, options.tolerance, options.steps)
        if wrong:
            messages.append(f"{name}: {wrong}")
    return messages


def states(relayc, path, names):
    """The inputs of relayc beside those of LiteRT, which are what the model keeps from run to run, as they are at first."""
    result = subprocess.run([relayc, "inspect", str(path), "--json"], capture_output=True, text=True, timeout=LIMIT, check=True)
    kept = {}
    for port in json.loads(result.stdout)["inputs"]:
        if port["name"] not in names:
            dtype, dims, first = re.fullmatch(r"(\w+)\[(.*)\] of (\S+) at first", port["declared"]).groups()
            kept[port["name"]] = np.full([int(dim) for dim in dims.split(", ")], float(first), dtype)
    return kept


def check_runs(path, options):
    """The messages about several runs of a model that keeps something."""
    random = np.random.default_rng(options.seed)
    interpreter = reference(path, options.default)
    interpreter.allocate_tensors()
    details = interpreter.get_input_details()
    kept = states(options.relayc, path, {detail["name"] for detail in details})
    messages = []
    with tempfile.TemporaryDirectory() as folder:
        library = pathlib.Path(folder, "model.so")
        made = subprocess.run([options.relayc, "compile", str(path), "-o", str(library)], capture_output=True, text=True,
                              timeout=LIMIT, check=False)
        if made.returncode != 0:
            return [made.stderr.strip()]
        for step in range(options.runs):
            inputs = {detail["name"]: random_input(random, detail, detail["shape"]) for detail in details}
            for detail in details:
                interpreter.set_tensor(detail["index"], inputs[detail["name"]])
            interpreter.invoke()
            actual = run(options.relayc, library, {**inputs, **kept})
            if isinstance(actual, str):
                return [actual]
            kept = {name: actual[f"{name}.next"] for name in kept}
            for detail in interpreter.get_output_details():
                right = interpreter.get_tensor(detail["index"])
                wrong = disagreement(actual[detail["name"]], right, options.tolerance, options.steps)
                if wrong:
                    messages.append(f"run {step}: {detail['name']}: {wrong}")
    return messages


def named_shape(text):
    name, _, dims = text.rpartition("=")
    return name, [int(dim) for dim in dims.split(",")]


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("models", nargs="+", type=pathlib.Path)
    parser.add_argument("--relayc", default="relayc")
    parser.add_argument("--default", action="store_true", help="beside LiteRT's default kernels")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--tolerance", type=float, default=1e-4)
    parser.add_argument("--steps", type=int, default=0)
    parser.add_argument("--runs", type=int, default=0, help="so many runs, of which each takes what the one before kept")
    parser.add_argument("--shape", type=named_shape, action="append", default=[], help="INPUT=D,D: the shape of an input")
    parser.add_argument("--more", nargs="*", default=[], help="further arguments of relayc run")
    options = parser.parse_args()
    options.shape = dict(options.shape)
    return options


def main():
    options = arguments()
    failed = 0
    for path in options.models:
        of_file = argparse.Namespace(**vars(options))
        if path.stem.endswith("_default"):
            # They round quantised sums in floats.
            of_file.default, of_file.steps = True, max(options.steps, 1)
        if path.stem.endswith("_tables"):
            of_file.steps = max(options.steps, 20)
        messages = check_runs(path, of_file) if options.runs else check(path, of_file)
        failed += bool(messages)
        for message in messages:
            print(f"FAIL: {path.name}: {message}")
    print(f"{len(options.models) - failed} passed, {failed} failed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
