"""Searches for faster schedules, on this machine or on others."""

from __future__ import annotations

import contextlib
import dataclasses
import json
import math
import os
import pathlib
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Optional, Protocol, Union

from ._lazy import compiler
from .compiler import Source, as_file, options, reworded, warn
from .params import Params, param_files

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
    """The result of tuning one or several models."""

    kernels: int  # the distinct kernels of the models
    tuned: int  # the kernels with a better schedule than the default
    trials: int  # the schedules that this run tried
    failed: int  # those of them that failed
    laid_out: int  # the operators that this run gave another layout, in all models
    of_defaults: tuple[float, ...]  # each model's latency / its latency with default layouts and schedules
    target: str  # `relay_mlir.compile(model, target=..., records=...)` takes it with the records
    records: pathlib.Path

    @property
    def of_default(self) -> float:
        """Latency / latency with default layouts and schedules; of several models, the geometric mean."""
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
    """The paths at which the compiler reads models, and a function that rewords the compiler's messages for Python."""
    with contextlib.ExitStack() as stack:
        names = [f"model-{place}" for place in range(len(models))] if len(models) > 1 else ["model"]
        opened = [stack.enter_context(as_file(model, name)) for model, name in zip(models, names)]

        def reword_all(text):
            for _, reword in opened:
                text = reword(text)
            return str(text)

        yield [path for path, _ in opened], reword_all


def tune(
    model: Union[Source, Sequence[Source]],
    records: Union[str, os.PathLike, None] = None,
    *,
    budget: Union[str, float] = "10m",
    trials: Optional[int] = None,
    threads: int = 0,
    target: Optional[str] = None,
    precision: str = "f32",
    optimize: str = "speed",
    shapes: Optional[Mapping[str, Sequence[Union[int, str]]]] = None,
    dims: Optional[Mapping[str, Union[int, str]]] = None,
    opt_level: int = 3,
    insert_pass: Union[str, Sequence[str]] = (),
    load_pass_plugin: Union[str, os.PathLike, Sequence[Union[str, os.PathLike]]] = (),
    layouts: bool = True,
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
    params: Params = (),
) -> Tuned:
    """Tries other layouts and schedules for the kernels of one or several models, and keeps the winners in a file of records.

    `relay_mlir.compile` reads them there. Ctrl-C ends the search and keeps all results; the same call continues.

    model: as for `compile`, or a list of models. A kernel of several models is tuned once; each model counts the same.
    records: the file, to which lines are added; None for the file that RELAY_RECORDS names, or that in the user's data folder.
    budget: the time to search, in seconds or as "90s", "10m", "2h". The test of the whole network comes on top.
    trials: the largest number of schedules to try, in all kernels together.
    threads: the number of threads that the model is to run with; 0 for as many as this process may use.
    target: as for `compile`; None for this machine, or the machine of `hosts`.
    precision, optimize, shapes, dims, opt_level, insert_pass, load_pass_plugin, data_root, params: as for `compile`.
    layouts: whether to search layouts of operators before schedules.
    tuner: the search, as in `relayc tune --tuner`: "evolution", "grid", "random", "genetic", "annealing", "droplet" or
        "sketches".
    strategy: the order of kernels: "gradient" or "round-robin".
    learns: whether a cost model learns during the search, and ranks schedules before they are tried. It lies beside the
        records.
    seed: the seed of random draws.
    memory: the limit of bytes for compiling or running a schedule.
    executor: where schedules are compiled and timed: "local", "ray", or a `tune_ray.RayExecutor` with options.
    hosts: machines of one kind that time what this machine compiles. Each is a name for ssh, or a command as a list of words
        that answers like relay-runner. `relayc tune --help` describes their needs.
    builders: the number of workers that compile at a time; None for the executor's choice.
    progress: a function that gets each step as a dictionary, as `relayc tune --json` prints it, on another thread. An
        exception in it ends the search.

    A kernel that cannot be tuned is a `CompileWarning`. Raises `CompileError` as `compile` does, and if an executor has no
    machine left or a host cannot be reached.
    """
    models = list(model) if isinstance(model, (list, tuple)) else [model]
    if not models:
        raise ValueError("there is no model to tune")
    hosts = [hosts] if isinstance(hosts, str) else list(hosts)
    how = options(
        shapes,
        dims,
        target=target,
        precision=precision,
        optimize=optimize,
        opt_level=opt_level,
        cache=False,
        insert_pass=insert_pass,
        load_pass_plugin=load_pass_plugin,
        data_root=data_root,
    )
    chosen = executor_of(executor, hosts)
    search = {
        "budget": seconds(budget),
        "trials": trials,
        "threads": threads,
        "layouts": layouts,
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

    with as_files(models) as (files, reword), param_files(params) as how["params"], reworded(reword):
        outcome, notes = compiler().tune(files, path, search, listen, how)
    warn((*notes, *unusable), reword)
    *counts, of_defaults, target = outcome
    return Tuned(*counts, tuple(of_defaults), target, path)
