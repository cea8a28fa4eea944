"""Tuning: schedules that are searched for, on this machine or on others."""

from __future__ import annotations

import contextlib
import dataclasses
import json
import math
import os
import pathlib
import re
import sys
import warnings
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Optional, Protocol, Union

from ._lazy import compiler
from .compiler import Source, as_file, options
from .errors import CompileWarning, Error

__all__ = ["Executor", "Tuned", "tune"]

# A machine, as ssh calls it, or the words of a command that answers as relay-runner does.
Host = Union[str, Sequence[str]]

SECONDS = {"s": 1, "m": 60, "h": 3600}


class Executor(Protocol):
    """Where schedules are compiled and timed. `relay_mlir.tune_ray.RayExecutor` is one."""

    builders: int  # how many workers compile at a time; 0 for as many as this machine has cores

    def command(self) -> Sequence[str]:
        """The program that a worker is, with its first arguments. Those of `relayc tune-worker` are added. It answers
        as that does, a line of JSON for each on its standard input, and may have other machines do the work.
        """


@dataclasses.dataclass(frozen=True)
class Local:
    """Workers on this machine."""

    builders: int = 0

    def command(self) -> Sequence[str]:
        return [sys.executable, "-m", "relay_mlir.tune_worker"]


@dataclasses.dataclass(frozen=True)
class Tuned:
    """What came of tuning a model, or several."""

    kernels: int  # the distinct kernels of the models
    tuned: int  # those of them that have a better schedule than the default
    trials: int  # the schedules that were tried in this run
    failed: int  # those of them that failed
    of_defaults: tuple[float, ...]  # how many times as long as with the default schedules each model takes
    target: str  # with these, `relay_mlir.compile(model, target=..., records=...)` compiles with what was found
    records: pathlib.Path

    @property
    def of_default(self) -> float:
        """How many times as long as with the default schedules the model takes; of several, the geometric mean."""
        return math.prod(self.of_defaults) ** (1 / len(self.of_defaults))


def seconds(budget: Union[str, float]) -> float:
    """The seconds of a time such as 90, "90s", "10m" or "2h"."""
    if not isinstance(budget, str):
        return float(budget)
    if not (parts := re.fullmatch(r"(\d+(?:\.\d*)?)([smh])", budget)):
        raise ValueError(f"'{budget}' is no time: seconds, or a number and s, m or h, such as 90s, 10m, 2h")
    return float(parts[1]) * SECONDS[parts[2]]


def executor_of(given: Union[str, Executor], hosts: Sequence[Host]) -> Executor:
    """The executor that is given, or meant by a name. That of hosts is this machine."""
    if given == "local":
        return Local()
    if hosts:
        raise ValueError("hosts time what this machine compiles; give hosts or an executor, not both")
    if given == "ray":
        from .tune_ray import RayExecutor

        return RayExecutor()
    if isinstance(given, str):
        raise ValueError(f"the executor is '{given}'; there are local, ray, and objects with a command")
    return given


def records_file(records: Union[str, os.PathLike, None]) -> pathlib.Path:
    """The file of records that is given, or the usual one."""
    usual = compiler().usual_records() if records is None else os.fspath(records)
    if usual is None:
        raise ValueError(
            "there is no folder for records, as neither RELAY_RECORDS, XDG_DATA_HOME nor HOME is set; name a file by records="
        )
    return pathlib.Path(usual)


@contextlib.contextmanager
def as_files(models: Sequence[Source]):
    """The paths at which the compiler reads models, and a function that takes the paths out of a text."""
    with contextlib.ExitStack() as stack:
        names = [f"model-{place}" for place in range(len(models))] if len(models) > 1 else ["model"]
        opened = [stack.enter_context(as_file(model, name)) for model, name in zip(models, names)]

        def shorten_all(text):
            for _, shorten in opened:
                text = shorten(text)
            return str(text)

        yield [path for path, _ in opened], shorten_all


def tune(
    model: Union[Source, Sequence[Source]],
    records: Union[str, os.PathLike, None] = None,
    *,
    budget: Union[str, float] = "10m",
    trials: Optional[int] = None,
    threads: int = 0,
    target: Optional[str] = None,
    precision: str = "f32",
    shapes: Optional[Mapping[str, Sequence[int]]] = None,
    opt_level: int = 3,
    tuner: str = "evolution",
    strategy: str = "gradient",
    learns: bool = True,
    seed: int = 0,
    memory: int = 4 << 30,
    executor: Union[str, Executor] = "local",
    hosts: Union[str, Sequence[Host]] = (),
    builders: Optional[int] = None,
    progress: Optional[Callable[[dict], Any]] = None,
    data_root: Union[str, os.PathLike, None] = None,
) -> Tuned:
    """Tries other schedules for the kernels of a model, or of several, and keeps those that win in a file of records.

    `relay_mlir.compile` finds them there. Ctrl-C ends it: what was found is kept, and the same call goes on from there.

    model: as for `compile`, or a list of such. A kernel that several of them have is tuned once; each counts the same.
    records: the file, to which lines are added; None for what RELAY_RECORDS names, or the one in the user's folder for data.
    budget: how long to search, in seconds or as "90s", "10m", "2h". The test of the whole network comes on top.
    trials: the most schedules to try, of all kernels together.
    threads: the number of threads that the model is to run with; 0 for as many as this process may use.
    target: as for `compile`; None for this machine, or that of `hosts`.
    precision, shapes, opt_level, data_root: as for `compile`.
    tuner: how schedules are found, as `relayc tune --tuner` has it: "evolution", "grid", "random", "genetic", "annealing",
        "droplet" or "sketches".
    strategy: how kernels take turns: "gradient" or "round-robin".
    learns: whether a model of costs learns while it tunes, and ranks what is drawn before it is tried; it lies beside the
        records.
    seed: what random draws begin with.
    memory: the most bytes that a schedule may take when it is compiled or run.
    executor: where schedules are compiled and timed: "local", "ray", or a `tune_ray.RayExecutor` with options.
    hosts: machines of one kind that time what this one compiles: each a name as ssh calls it, or a command, as a list of
        words, that answers as relay-runner does. `relayc tune --host` says what they need.
    builders: how many workers compile at a time; None for what the executor says.
    progress: called with each step as a dictionary, what `relayc tune --json` prints, on another thread. What it raises ends
        the tuning.

    Kernels that cannot be tuned are `CompileWarning`s. Raises `CompileError` as `compile` does, and where an executor has
    no machine left or a host cannot be reached.
    """
    models = list(model) if isinstance(model, (list, tuple)) else [model]
    if not models:
        raise ValueError("there is no model to tune")
    hosts = [hosts] if isinstance(hosts, str) else list(hosts)
    how = options(
        shapes, target=target, precision=precision, opt_level=opt_level, cache=False, data_root=data_root
    )
    chosen = executor_of(executor, hosts)
    search = {
        "budget": seconds(budget),
        "trials": trials,
        "threads": threads,
        "tuner": tuner,
        "strategy": strategy,
        "learns": learns,
        "seed": seed,
        "memory": memory,
        "builders": chosen.builders if builders is None else builders,
        "worker": list(chosen.command()),
        "is_local": isinstance(chosen, Local),
        "hosts": [host if isinstance(host, str) else list(host) for host in hosts],
    }
    path = records_file(records)
    unusable = []

    def listen(line: str) -> None:
        event = json.loads(line)
        if event["event"] == "unusable":
            unusable.append(f"{event['kernel']} is left as it is: {event['reason']}")
        if progress is not None:
            progress(event)

    with as_files(models) as (files, shorten):
        try:
            outcome, notes = compiler().tune(files, path, search, listen, how)
        except Error as error:
            raise type(error)(shorten(error)) from None
    for note in (*notes, *unusable):
        warnings.warn(shorten(note), CompileWarning, stacklevel=2)
    *counts, of_defaults, target = outcome
    return Tuned(*counts, tuple(of_defaults), target, path)
