"""A process that compiles and times for `relay_mlir.autotvm`: it answers lines of JSON on its standard input."""

from __future__ import annotations

import json
import pathlib
import sys
import tempfile
import time
import warnings
from typing import Any

import numpy as np

from ..compiler import compile
from ..errors import CompileWarning
from ..model import load


def build(request: dict) -> None:
    """Compiles the module `build` for `target`, into the file `library`."""
    with tempfile.TemporaryDirectory(prefix="relay-mlir-") as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore", CompileWarning)
        source = pathlib.Path(folder) / "kernel.mlir"
        source.write_text(request["build"])
        made = compile(source, target=request["target"], threads=1, cache=False, records=False, progress=False)
        made.save(request["library"])


def measured(request: dict) -> list:
    """The seconds of a run of the library `time`, `repeat` times: means over `number` runs, or more for `min_repeat_ms`."""
    model = load(request["time"], request["threads"])
    inputs = [_numbers(port) for port in model.inputs]
    model(*inputs)
    number, shortest = max(request["number"], 1), request["min_repeat_ms"] / 1e3
    costs = []
    while len(costs) < max(request["repeat"], 1):
        seconds = _run(model, inputs, number)
        if seconds < shortest:
            number = max(number + 1, int(number * min(1.2 * shortest / max(seconds, 1e-9), 100)))
        else:
            costs.append(seconds / number)
    return costs


def _numbers(port: Any) -> np.ndarray:
    """Numbers for an input: the same in each process, and of usual size."""
    generator = np.random.default_rng(0)
    return generator.uniform(1, 2, port.shape).astype(port.dtype)


def _run(model: Any, inputs: list, number: int) -> float:
    begin = time.perf_counter()
    for _ in range(number):
        model(*inputs)
    return time.perf_counter() - begin


def main() -> None:
    """Answers requests until the input ends."""
    # What a library prints is no answer.
    answers, sys.stdout = sys.stdout, sys.stderr
    print(json.dumps({"answer": "ready"}), file=answers, flush=True)
    for line in sys.stdin:
        request = json.loads(line)
        try:
            answer = {"answer": build(request) if "build" in request else measured(request)}
        except Exception as error:
            answer = {"error": f"{type(error).__name__}: {error}"}
        print(json.dumps(answer), file=answers, flush=True)


if __name__ == "__main__":
    main()
