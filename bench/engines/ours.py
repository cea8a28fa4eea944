"""Models that relayc compiled, through their C interface. The model is a library (.so)."""

import os
import statistics
import time

from . import library

LOADS = 5


class Adapter:
    def __init__(self, model, inputs, threads, folder, precision):
        self.load_seconds = statistics.median(load_seconds(model, threads) for _ in range(LOADS))
        self.instance = library.Instance(library.Library(model), threads, inputs)

    def run(self):
        self.instance.run()

    def outputs(self):
        return self.instance.outputs()

    def version(self):
        return self.instance.library.target

    def close(self):
        self.instance.close()

    def facts(self):
        """What only this engine tells: seconds from the file to an instance."""
        return {"load_seconds": self.load_seconds}


def load_seconds(path, threads):
    """The time of dlopen and create, in a process that has not loaded the model before."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        seconds = float("nan")
        try:
            seconds = load(path, threads)
        finally:
            os.write(writer, str(seconds).encode())
            os._exit(0)
    os.close(writer)
    with os.fdopen(reader) as pipe:
        seconds = float(pipe.read())
    os.waitpid(child, 0)
    return seconds


def load(path, threads):
    """The seconds of dlopen and create."""
    start = time.perf_counter()
    model = library.Library(path).create(threads)
    return time.perf_counter() - start if model else float("nan")
