"""A worker of the tuner: `python -m relay_mlir.tune_worker` takes the arguments of `relayc tune-worker`.

It reads requests to compile and time kernels from its standard input, a line of JSON each. It answers on its standard
output. The tuner starts it, and starts another worker after a crash.
"""

from __future__ import annotations

import argparse
import ctypes
import os
import signal

from ._lazy import compiler
from .compiler import options

PR_SET_PDEATHSIG = 1  # of <linux/prctl.h>


def parse(arguments=None) -> argparse.Namespace:
    """The arguments that the tuner gives."""
    parser = argparse.ArgumentParser(prog="python -m relay_mlir.tune_worker", description=__doc__)
    parser.add_argument("--no-cache", action="store_true", help="compile all kernels")
    parser.add_argument("--target", default="native")
    parser.add_argument("--precision", default="f32")
    parser.add_argument("--insert-pass", action="append", default=[], help="a pass beside the standard ones")
    parser.add_argument("--load-pass-plugin", action="append", default=[], help="a library with passes")
    parser.add_argument("--memory", type=int, required=True, help="the most bytes of memory to take")
    parser.add_argument("--machine", help="the machine that this has to be, as records name it")
    parser.add_argument("--end-with-parent", type=int, metavar="PID", help="end when this process has ended, which starts it")
    return parser.parse_args(arguments)


def end_with(parent: int) -> None:
    """Has the system end this process together with the one that started it."""
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    # It may have ended before.
    if os.getppid() != parent:
        raise SystemExit("the process that started this one has ended")


def main() -> None:
    given = parse()
    # Ctrl-C is for the tuner: a worker that it ended would be recorded as a crash of the schedule.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if given.end_with_parent is not None:
        end_with(given.end_with_parent)
    how = options(
        target=given.target,
        precision=given.precision,
        cache=not given.no_cache,
        insert_pass=given.insert_pass,
        load_pass_plugin=given.load_pass_plugin,
    )
    compiler().tune_worker(given.memory, given.machine, how)


if __name__ == "__main__":
    main()
