"""Tuning on the machines of a Ray cluster.

    from relay_mlir.tune_ray import RayExecutor

    relay_mlir.tune("model.onnx", executor="ray")
    relay_mlir.tune("model.onnx", executor=RayExecutor(runner={"relay_cpu": 1}, builders=8))

The tuner starts `python -m relay_mlir.tune_ray` for each of its workers. Such a bridge holds an actor of the cluster, a
`Machine`, and passes requests on to it. When the machine is lost, it finds another one and asks again.
"""

from __future__ import annotations

import argparse
import dataclasses
import hashlib
import json
import os
import pathlib
import signal
import sys
import time
from collections.abc import Mapping, Sequence
from typing import Optional

from .errors import MissingLibraryError
from .tune_machine import Machine, failed

__all__ = ["RayExecutor"]

# Beside the limit of the work itself: the seconds that a machine may take to answer before it is given up.
PATIENCE = 60.0

# The seconds beside that limit in which the tuner wants an answer (PATIENCE of driver/src/tune/workers.rs). What it gets
# none of in time, it takes for a schedule that takes too long.
PATIENCE_OF_TUNER = 300.0

# The seconds of them that are kept for starting Python, and for an answer's way.
SPARE = 20.0

# The seconds that something of the cluster is waited for at least. Older versions of Ray wait for ever when there are none.
LEAST_LIMIT = 0.1

# The most seconds to wait for a machine, so that it can work and answer in time.
MOST_WAIT = PATIENCE_OF_TUNER - SPARE - PATIENCE


def import_ray():
    """The package ray."""
    try:
        import ray
    except ImportError as error:
        raise MissingLibraryError(
            f"tuning on a cluster needs Ray, which cannot be imported: {error}\npip install 'relay-mlir[ray]', here and on "
            "each machine of the cluster"
        ) from error
    return ray


@dataclasses.dataclass(frozen=True)
class RayExecutor:
    """Workers on the machines of a Ray cluster, on which relay_mlir is installed, too.

    All of them have to be of one kind: records are for a machine's instructions, caches and cores, and a worker on another
    one ends the tuning. Where a cluster has several kinds, `ray start --resources='{"relay_cpu": 1}'` marks machines, and
    `runner={"relay_cpu": 1}` asks for them; with one unit a machine, no two tuners time on it at once.
    """

    address: Optional[str] = None  # of the cluster; None for the one that is connected, or what Ray finds by itself
    builder: Mapping[str, float] = dataclasses.field(default_factory=dict)  # resources of who compiles, beside a CPU
    runner: Mapping[str, float] = dataclasses.field(default_factory=dict)  # of who times, beside a CPU for each thread
    builders: int = 2  # how many compile at a time
    repeats: int = 3  # how often a request is repeated whose machine is lost
    wait: float = 60.0  # the seconds to wait for a free machine; at most MOST_WAIT

    def __post_init__(self):
        if not 0 <= self.wait <= MOST_WAIT:
            raise ValueError(
                f"wait is {self.wait:g} s; it is at least 0, and at most {MOST_WAIT:.0f}, as the tuner would take what waits "
                "longer for a schedule that takes too long"
            )

    def command(self) -> Sequence[str]:
        """The program that a worker of the tuner is."""
        ray = import_ray()
        address = self.address
        if address is None and ray.is_initialized():
            address = ray.get_runtime_context().gcs_address
        return [
            *(sys.executable, "-m", "relay_mlir.tune_ray"),
            *("--address", address or "auto"),
            *("--builder", json.dumps(dict(self.builder))),
            *("--runner", json.dumps(dict(self.runner))),
            *("--repeats", str(self.repeats)),
            *("--wait", str(self.wait)),
        ]


class NoMachine(Exception):
    """The cluster has no machine for a worker, or there is no cluster."""


def lost(reason: str) -> dict:
    """The answer that there is no machine: it ends the tuner, and says nothing of a schedule."""
    return {"answer": "lost", "reason": reason}


class Bridge:
    """Passes a tuner's requests on to a machine of the cluster.

    given: what the command line says. arguments: those of `relay_mlir.tune_worker`.
    """

    def __init__(self, ray, given: argparse.Namespace, arguments: list[str]):
        self._ray = ray
        self._given = given
        self._arguments = arguments
        self._machine = None
        # What the machine was asked for.
        self._kind: Optional[dict] = None
        # When the tuner has to have an answer, by the clock that counts on.
        self._end = 0.0

    def answer(self, request: dict, since: float) -> dict:
        """The answer to a request that the tuner made at a time, by the clock that counts on. It is repeated on another
        machine when the one that worked on it is lost, as long as the tuner waits.
        """
        self._end = since + request["limit"] + PATIENCE_OF_TUNER - SPARE
        ends = []
        try:
            while len(ends) <= self._given.repeats:
                if ends and self._left() <= 0:
                    return lost(f"there is no time to find another machine of the Ray cluster: {describe_ends(ends)}")
                machine = self._machine_for(request)
                try:
                    return self._ask(machine, request)
                except self._ray.exceptions.RayError as error:
                    ends.append(first_line(error))
                    self._give_up()
        except NoMachine as error:
            return lost(str(error))
        return failed("crash", describe_ends(ends))

    def close(self) -> None:
        """Gives the machine back."""
        if self._machine is not None:
            try:
                self._ray.get(self._machine.close.remote(), timeout=PATIENCE)
            except self._ray.exceptions.RayError:
                pass  # It is gone already.
        self._ray.shutdown()

    def _ask(self, machine, request: dict) -> dict:
        limit = request["limit"] + PATIENCE
        if request["ask"] == "build":
            answer, library = self._get(machine.build.remote(request), limit)
            if library is not None:
                pathlib.Path(request["library"]).write_bytes(library)
            return answer
        libraries = {name: pathlib.Path(request[name]).read_bytes() for name in ("incumbent", "candidate")}
        digests = {name: hashlib.sha256(library).hexdigest() for name, library in libraries.items()}
        by_digest = {digests[name]: library for name, library in libraries.items()}
        for digest in self._get(machine.missing.remote(list(by_digest)), PATIENCE):
            self._get(machine.keep.remote(digest, by_digest[digest]), PATIENCE)
        return self._get(machine.time.remote({**request, **digests}), limit)

    def _get(self, reference, limit: float):
        return self._ray.get(reference, timeout=max(LEAST_LIMIT, min(limit, self._left())))

    def _left(self) -> float:
        """The seconds in which the tuner wants an answer."""
        return max(0.0, self._end - time.monotonic())

    def _machine_for(self, request: dict):
        """The machine that is held, or another one."""
        kind = self._kind_of(request)
        if self._machine is not None and kind == self._kind:
            return self._machine
        self._give_up()
        self._machine = self._ray.remote(Machine).options(max_restarts=0, **kind).remote(self._arguments)
        self._kind = kind
        wait = min(self._given.wait, self._left())
        try:
            self._get(self._machine.is_there.remote(), wait)
        except self._ray.exceptions.GetTimeoutError:
            self._give_up()
            raise NoMachine(
                f"no machine of the Ray cluster has {describe(kind)} free within {wait:.0f} s; free are "
                f"{self._ray.available_resources()}: have fewer builders, ask for less, or add machines"
            ) from None
        except self._ray.exceptions.RayError as error:
            self._give_up()
            raise NoMachine(f"no worker starts on the Ray cluster, where relay_mlir has to be installed, too: {error}") from None
        return self._machine

    def _kind_of(self, request: dict) -> dict:
        """What Ray is asked for."""
        if request["ask"] == "build":
            return {"num_cpus": 1, "resources": self._given.builder, "scheduling_strategy": "SPREAD"}
        return {"num_cpus": request["threads"], "resources": self._given.runner}

    def _give_up(self) -> None:
        """Forgets a machine, and ends what is left of it."""
        if self._machine is not None:
            self._ray.kill(self._machine)
        self._machine = None


def describe(kind: dict) -> str:
    """What Ray is asked for, in words."""
    needs = [f"{kind['num_cpus']} CPUs", *(f"{count} of {name}" for name, count in kind["resources"].items())]
    return " and ".join(needs)


def first_line(error: Exception) -> str:
    """What an exception says first; its kind if it says nothing."""
    return next(iter(str(error).strip().splitlines()), type(error).__name__)


def describe_ends(ends: list[str]) -> str:
    """How machines have ended, in words."""
    return f"{len(ends)} machines of the cluster were lost over it: {'; '.join(ends)}"


def connect(address: str):
    """The package ray, connected to a cluster."""
    try:
        ray = import_ray()
        ray.init(address=address, log_to_driver=False, logging_level="ERROR")
    except MissingLibraryError as error:
        raise NoMachine(str(error)) from error
    # Ray has no exception of its own for it: it raises ConnectionError, RuntimeError, ValueError and others.
    except Exception as error:
        raise NoMachine(
            f"no Ray cluster can be reached at the address '{address}': {first_line(error)}; \"ray start --head\" starts one "
            "on this machine, and RayExecutor(address=...) names another one"
        ) from error
    return ray


def parse(arguments=None) -> tuple[argparse.Namespace, list[str]]:
    """The bridge's own options, and the arguments of workers."""
    parser = argparse.ArgumentParser(
        prog="python -m relay_mlir.tune_ray", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--address", default="auto", help="the cluster's address (default: auto)")
    parser.add_argument("--builder", type=json.loads, default={}, help="resources of a machine that compiles, as JSON")
    parser.add_argument("--runner", type=json.loads, default={}, help="resources of a machine that times, as JSON")
    parser.add_argument("--repeats", type=int, default=3, help="how often a request is repeated whose machine is lost")
    parser.add_argument("--wait", type=float, default=60.0, help="the seconds to wait for a free machine")
    return parser.parse_known_args(arguments)


def main() -> None:
    # The tuner waits for its first answer from now on.
    started = time.monotonic()
    given, arguments = parse()
    # Ctrl-C is for the tuner.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # Whatever else writes to the standard output gets to the standard error.
    replies = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    try:
        bridge = Bridge(connect(given.address), given, arguments)
    except NoMachine as error:
        # Who asks nothing reads no answer.
        if sys.stdin.readline():
            print(json.dumps(lost(str(error))), file=replies, flush=True)
        return
    for number, line in enumerate(sys.stdin):
        since = started if number == 0 else time.monotonic()
        print(json.dumps(bridge.answer(json.loads(line), since)), file=replies, flush=True)
    bridge.close()


if __name__ == "__main__":
    main()
