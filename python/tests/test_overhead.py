"""What a call from Python costs over one from C, for a model that computes next to nothing."""

import pathlib
import subprocess
import time

import numpy as np
from conftest import add_model

import relay_mlir

RUNTIME = pathlib.Path(__file__).resolve().parents[2] / "runtime"
LIMIT = 3000.0  # nanoseconds
ROUNDS, CALLS = 20, 5000


def best(call):
    """The nanoseconds of a call: the least mean of several rounds, so that other work on the machine does not count."""
    means = []
    for _ in range(ROUNDS):
        start = time.perf_counter_ns()
        for _ in range(CALLS):
            call()
        means.append((time.perf_counter_ns() - start) / CALLS)
    return min(means)


def test_a_call_costs_little_more_than_from_c(compiled, tmp_path):
    library = compiled("add", add_model((2, 3)))
    program, source = tmp_path / "overhead", RUNTIME / "tests/c/overhead.c"
    command = ["clang", "-O2", f"-I{RUNTIME / 'include'}", source, library, "-o", program]
    subprocess.run(command, check=True)
    from_c = float(subprocess.run([program], check=True, capture_output=True, text=True).stdout)
    model = relay_mlir.load(library, threads=1)
    x, y, s = (np.ones((2, 3), np.float32) for _ in range(3))
    named, given = {"x": x, "y": y}, {"s": s}
    ways = {
        "model(x, y)": lambda: model(x, y),
        "model.run({...})": lambda: model.run(named),
        "model.run({...}, {...})": lambda: model.run(named, given),
    }
    print(f"\n{from_c:8.0f} ns from C")
    for way, call in ways.items():
        taken = best(call)
        print(f"{taken:8.0f} ns from Python by {way}: {taken - from_c:.0f} ns more")
        assert taken - from_c < LIMIT, way
