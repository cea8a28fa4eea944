"""One engine in a process of its own, told what to do by lines of JSON.

`python worker.py ENGINE` reads requests from the standard input and answers each with one line on
the standard output; whatever the engine itself prints goes to the standard error. Requests:

    {"do": "prepare", "model": FILE, "inputs": NPZ, "threads": N, "folder": DIR, "precision": P}
        -> {"seconds": S, "version": V, "facts": {...}}; "in_place": {OUTPUT: INPUT} has engines that can
        write these outputs into the memory of inputs
    {"do": "run", "runs": N}   -> {"times_ns": [...]}
    {"do": "outputs", "to": NPZ} -> {}
    {"do": "digests", "runs": N} -> {"digests": [...]}: of the outputs of N runs, those that differ
    {"do": "memory"}           -> {"peak_bytes": N}: the most since before the engine was imported
    anything that fails        -> {"error": TEXT}

The end of the input ends it. tract/src/main.rs speaks the same.
"""

import hashlib
import importlib
import json
import os
import pathlib
import sys
import time

import numpy as np


def status_bytes(field):
    """A size in /proc/self/status, in bytes."""
    for line in pathlib.Path("/proc/self/status").read_text().splitlines():
        if line.startswith(field + ":"):
            return int(line.split()[1]) * 1024
    raise RuntimeError(f"/proc/self/status has no {field}")


class Worker:
    """The engine, once there is one."""

    def __init__(self, engine):
        self.engine = engine
        self.adapter = None
        self.before = status_bytes("VmRSS")

    def prepare(self, request):
        """Imports the engine, and compiles or loads the model; what it had before is freed."""
        if hasattr(self.adapter, "close"):
            self.adapter.close()
        self.adapter = None
        module = importlib.import_module(f"engines.{self.engine}")
        with np.load(request["inputs"]) as stored:
            inputs = dict(stored)
        start = time.perf_counter()
        self.adapter = module.Adapter(
            pathlib.Path(request["model"]),
            inputs,
            request["threads"],
            pathlib.Path(request["folder"]),
            request["precision"],
            **({"in_place": request["in_place"]} if "in_place" in request else {}),
        )
        seconds = time.perf_counter() - start
        facts = self.adapter.facts() if hasattr(self.adapter, "facts") else {}
        return {"seconds": seconds, "version": self.adapter.version(), "facts": facts}

    def run(self, request):
        """Times some runs."""
        times = []
        for _ in range(request["runs"]):
            start = time.perf_counter_ns()
            self.adapter.run()
            times.append(time.perf_counter_ns() - start)
        return {"times_ns": times}

    def outputs(self, request):
        """Writes the results of the last run."""
        np.savez(request["to"], **self.adapter.outputs())
        return {}

    def digests(self, request):
        """The distinct results of some runs."""
        found = set()
        for _ in range(request["runs"]):
            self.adapter.run()
            digest = hashlib.sha256()
            for name, array in sorted(self.adapter.outputs().items()):
                digest.update(name.encode() + array.tobytes())
            found.add(digest.hexdigest())
        return {"digests": sorted(found)}

    def memory(self, request):
        """What the engine has taken at most."""
        return {"peak_bytes": status_bytes("VmHWM") - self.before}


def main():
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    worker = Worker(sys.argv[1])
    for line in sys.stdin:
        request = json.loads(line)
        try:
            answer = getattr(worker, request["do"])(request)
        except Exception as error:  # Whatever an engine raises is its answer.
            answer = {"error": f"{type(error).__name__}: {error}"}
        print(json.dumps(answer), file=answers, flush=True)


if __name__ == "__main__":
    main()
