"""Uses compiled models for a long time in one process, and watches its memory, threads and open files.

In turns, models are loaded, instances made, run by several threads at once, and given back. After a first quarter of
the time nothing may grow any more: what does is a leak, and fails.
"""

import argparse
import ctypes
import os
import pathlib
import statistics
import sys
import tempfile
import threading
import time

import numpy as np

from operators import random_network
from programs import Programs

ROOT = pathlib.Path(__file__).resolve().parents[1]

# How much more memory the last quarter may take than the second: pages that the allocator keeps, not a leak. A leak of
# 100 bytes in each of a thousand turns a second is 90 MiB in a quarter of an hour.
BYTES = 4 << 20

# Random graphs beside the trained network, so that there are several models at once.
RANDOM = 3


class Model:
    """A compiled model behind its C interface."""

    def __init__(self, path):
        self.library = ctypes.CDLL(str(path), mode=ctypes.RTLD_LOCAL)
        self.name = path.stem
        for function, result, *takes in [
            ("create", ctypes.c_void_p, ctypes.c_int32),
            ("run", ctypes.c_int32, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p),
            ("destroy", None, ctypes.c_void_p),
            ("last_error", ctypes.c_char_p),
        ]:
            found = getattr(self.library, f"{self.name}_{function}")
            found.restype, found.argtypes = result, takes
            setattr(self, function, found)


def pointers(arrays):
    return (ctypes.c_void_p * len(arrays))(*[array.ctypes.data for array in arrays])


def use(model, inputs, outputs, times):
    """Makes an instance, runs it, and gives it back."""
    instance = model.create(2)
    assert instance, model.last_error()
    for _ in range(times):
        assert model.run(instance, pointers(inputs), pointers(outputs)) == 0, model.last_error()
    model.destroy(instance)


def state():
    """This process's memory in bytes, threads, and open files. A thread that has ended is listed for a moment more."""
    threads = len(os.listdir("/proc/self/task"))
    for _ in range(20):
        time.sleep(0.005)
        threads = min(threads, len(os.listdir("/proc/self/task")))
    resident = int(pathlib.Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGESIZE")
    return resident, threads, len(os.listdir("/proc/self/fd"))


def compiled(programs, folder, seed):
    """Compiled models with buffers for their inputs and outputs."""
    found = []
    sources = [(ROOT / "examples" / "digits" / "digits.onnx", None)]
    rng = np.random.default_rng(seed)
    for index in range(RANDOM):
        network = random_network(rng)
        path = folder / f"random{index}.onnx"
        model = network.model()
        path.write_bytes(model.SerializeToString())
        sources.append((path, network.feeds()))
    for path, feeds in sources:
        library, results = folder / f"{path.stem}.so", folder / "outputs.npz"
        words = ["--threads", "1"]
        if feeds is not None:
            np.savez(folder / "inputs.npz", **feeds)
            words += ["--inputs", folder / "inputs.npz"]
        for outcome in (
            programs.relayc("compile", path, "-o", library),
            programs.relayc("run", library, "--outputs", results, *words),
        ):
            if outcome.code != 0:
                raise SystemExit(outcome.errors)
        inputs = list(feeds.values()) if feeds else [np.zeros((1, 1, 8, 8), np.float32)]
        with np.load(results) as arrays:
            outputs = [[np.empty_like(arrays[name]) for name in arrays] for _ in range(2)]
        found.append((library, [np.ascontiguousarray(array) for array in inputs], outputs))
    return found


def turn(models):
    """Uses every model from two threads at once."""
    for path, inputs, outputs in models:
        model = Model(path)
        workers = [threading.Thread(target=use, args=(model, inputs, mine, 5)) for mine in outputs]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()


def grown(samples):
    """What the last quarter of the samples has more of than the second; None if nothing."""
    quarter = len(samples) // 4
    early, late = samples[quarter : 2 * quarter], samples[-quarter:]
    for index, (what, allowed) in enumerate([("bytes of memory", BYTES), ("threads", 0), ("open files", 0)]):
        before, after = (statistics.median(sample[index] for sample in part) for part in (early, late))
        if after > before + allowed:
            return f"{what} grew from {before:.0f} to {after:.0f}"
    return None


def main():
    parser = argparse.ArgumentParser(
        prog="./x soak", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--minutes", type=float, default=30, help="how long (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="of the random models (default: %(default)s)")
    parser.add_argument("--tools", type=pathlib.Path, default="target/debug", help="the folder of the programs (default: %(default)s)")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        models = compiled(Programs(options.tools), pathlib.Path(folder), options.seed)
        samples, turns = [], 0
        start = said = time.monotonic()
        while time.monotonic() - start < 60 * options.minutes or len(samples) < 8:
            for _ in range(20):
                turn(models)
                turns += 1
            samples.append(state())
            if time.monotonic() - said > 60:
                said = time.monotonic()
                memory, threads, files = samples[-1]
                print(f"{turns} turns, {memory >> 20} MiB, {threads} threads, {files} open files", flush=True)
    failed = grown(samples)
    memory, threads, files = samples[-1]
    print(f"{turns} turns of {len(models)} models, {memory >> 20} MiB, {threads} threads, {files} open files: {failed or 'flat'}")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
