"""What a call from Python costs over one from C, for a model that computes next to nothing."""

import pathlib
import subprocess
import time

import numpy as np
from conftest import add_model

import relay_mlir

RUNTIME = pathlib.Path(__file__).resolve().parents[2] / "runtime"
LIMIT = 3000.0  # nanoseconds, where numpy adds two such arrays in NUMPY
NUMPY = 500.0  # nanoseconds
ROUNDS, CALLS = 200, 500


def best(calls):
    """The nanoseconds of each call: the least mean of short rounds in turns, so that other work on the machine does not count."""
    means = dict.fromkeys(calls, float("inf"))
    for _ in range(ROUNDS):
        for way, call in calls.items():
            start = time.perf_counter_ns()
            for _ in range(CALLS):
                call()
            means[way] = min(means[way], (time.perf_counter_ns() - start) / CALLS)
    return means


def test_a_call_costs_little_more_than_from_c(compiled, tmp_path):
    library = compiled("add", add_model((2, 3)))
    program, source = tmp_path / "overhead", RUNTIME / "tests/c/overhead.c"
    command = ["clang", "-O2", f"-I{RUNTIME / 'include'}", source, library, f"-Wl,-rpath,{library.parent}", "-o", program]
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
    taken = best({"numpy": lambda: np.add(x, y), **ways})
    # Python is slower where the machine is.
    limit = LIMIT * max(1.0, taken["numpy"] / NUMPY)
    print(f"\n{from_c:8.0f} ns from C, {taken['numpy']:.0f} ns by numpy.add: a call may take {limit:.0f} ns more")
    for way in ways:
        print(f"{taken[way]:8.0f} ns from Python by {way}: {taken[way] - from_c:.0f} ns more")
    for way in ways:
        assert taken[way] - from_c < limit, way
