"""How choices are compiled and timed: in processes of their own, which may crash or hang without harm."""

from __future__ import annotations

import concurrent.futures
import json
import os
import pathlib
import select
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from typing import Any, Optional, Union

from .. import te
from ..errors import Error
from ..relay.build import target_of
from .record import MeasureErrorNo, MeasureInput, MeasureResult
from .space import ConfigEntity
from .task import Task

__all__ = ["LocalBuilder", "LocalRunner", "Measurer", "measure_option"]

# The longest message of an error that a record keeps.
MOST_MESSAGE = 300


class LocalBuilder:
    """Compiles on this machine.

    timeout: the seconds that one choice may take.
    n_parallel: how many are compiled at a time; None for as many as there are cores.
    """

    def __init__(self, timeout: float = 10, n_parallel: Optional[int] = None):
        self.timeout, self.n_parallel = timeout, n_parallel or os.cpu_count() or 1


class LocalRunner:
    """Times on this machine, one choice at a time.

    timeout: the seconds that one choice may take.
    number: the runs of which one time is the mean.
    repeat: how many times are taken.
    min_repeat_ms: the shortest time to average over: fast functions run more often than `number`.
    cooldown_interval: the seconds to wait before each choice.
    threads: the number of threads of a run; None for as many as this process may use.
    """

    def __init__(
        self,
        timeout: float = 10,
        number: int = 4,
        repeat: int = 3,
        min_repeat_ms: float = 0,
        cooldown_interval: float = 0,
        threads: Optional[int] = None,
    ):
        self.timeout, self.number, self.repeat = timeout, number, repeat
        self.min_repeat_ms, self.cooldown_interval, self.threads = min_repeat_ms, cooldown_interval, threads


def measure_option(builder: Union[str, LocalBuilder] = "local", runner: Union[str, LocalRunner] = "local") -> dict:
    """Who compiles and who times; "local" for this machine with the usual limits."""
    named = {"local": (LocalBuilder, LocalRunner)}
    for given in (builder, runner):
        if isinstance(given, str) and given not in named:
            raise ValueError(f"'{given}' measures nothing; there is local. relay_mlir.tune times on other machines")
    return {
        "builder": LocalBuilder() if isinstance(builder, str) else builder,
        "runner": LocalRunner() if isinstance(runner, str) else runner,
    }


class _Failed(Exception):
    """A choice that cannot be measured: AutoTVM's number of the error, and a message."""

    def __init__(self, error_no: int, message: str):
        super().__init__(message)
        self.error_no = error_no


class _Worker:
    """A process of `python -m relay_mlir.autotvm.worker`, started at its first request, and again after one that it did not answer."""

    def __init__(self) -> None:
        self._process: Optional[subprocess.Popen] = None

    def ask(self, request: dict, timeout: float, late: int, crashed: int) -> Any:
        """The answer to a request. `late` and `crashed` are the numbers of what goes wrong."""
        process = self._process or self._start()
        try:
            process.stdin.write(json.dumps(request) + "\n")
            process.stdin.flush()
            answered, _, _ = select.select([process.stdout], [], [], timeout)
            line = process.stdout.readline() if answered else None
        except BrokenPipeError:
            line = ""
        except BaseException:
            self.end()
            raise
        if line is None:
            self.end()
            raise _Failed(late, f"no answer in {timeout:g} s")
        if not line.endswith("\n"):
            code = process.wait()
            self.end()
            raise _Failed(crashed, f"the process ended with {code}")
        answer = json.loads(line)
        if "error" in answer:
            raise _Failed(crashed, answer["error"][:MOST_MESSAGE])
        return answer["answer"]

    def _start(self) -> subprocess.Popen:
        command = [sys.executable, "-m", "relay_mlir.autotvm.worker"]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
        # Its first line says that it is ready, so that the start is not part of a request's time.
        if not self._process.stdout.readline():
            raise Error(f"the worker does not start: {' '.join(command)}")
        return self._process

    def end(self) -> None:
        """Ends the process."""
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.wait()
            process.stdin.close()
            process.stdout.close()


class Measurer:
    """Measures choices of a task. Used in a `with`, at whose end its processes end."""

    # A process holds each library that it has loaded: so many, then it starts anew.
    MOST_LIBRARIES = 256

    def __init__(self, task: Task, option: dict):
        self.task, self.builder, self.runner = task, option["builder"], option["runner"]
        self._idle = [_Worker() for _ in range(self.builder.n_parallel)]
        self._lock, self._runner = threading.Lock(), _Worker()
        self._timed = 0
        self._folder = tempfile.TemporaryDirectory(prefix="relay-mlir-autotvm-")

    def __enter__(self) -> Measurer:
        return self

    def __exit__(self, *_: Any) -> None:
        for worker in [*self._idle, self._runner]:
            worker.end()
        self._folder.cleanup()

    def measure(self, configs: Sequence[ConfigEntity]) -> list:
        """Compiles choices side by side, then times them one by one. Returns pairs of `MeasureInput` and `MeasureResult`."""
        inputs = [MeasureInput(self.task.target, self.task.workload, config) for config in configs]
        begins = [time.time()] * len(inputs)
        modules = [self._module(config) for config in configs]
        with concurrent.futures.ThreadPoolExecutor(self.builder.n_parallel) as pool:
            built = list(pool.map(self._build, modules, range(len(modules))))
        return [(inp, self._time(library, begin)) for inp, library, begin in zip(inputs, built, begins)]

    def _module(self, config: ConfigEntity) -> Union[str, _Failed]:
        """The text of a choice's module. Templates run here: they are functions of this process."""
        try:
            schedule, args = self.task.instantiate(config)
            if not config.valid():
                raise Error("; ".join(config.errors))
            return str(te.module_of(schedule, args))
        except Exception as error:
            return _Failed(MeasureErrorNo.INSTANTIATION_ERROR, str(error)[:MOST_MESSAGE])

    def _build(self, module: Union[str, _Failed], place: int) -> Union[pathlib.Path, _Failed]:
        if isinstance(module, _Failed):
            return module
        with self._lock:
            worker = self._idle.pop()
        try:
            library = pathlib.Path(self._folder.name) / f"{place}.so"
            request = {"build": module, "target": target_of(self.task.target), "library": str(library)}
            worker.ask(request, self.builder.timeout, MeasureErrorNo.BUILD_TIMEOUT, MeasureErrorNo.COMPILE_HOST)
            return library
        except _Failed as failed:
            return failed
        finally:
            with self._lock:
                self._idle.append(worker)

    def _time(self, library: Union[pathlib.Path, _Failed], begin: float) -> MeasureResult:
        try:
            if isinstance(library, _Failed):
                raise library
            costs, error_no = tuple(self._costs(library)), MeasureErrorNo.NO_ERROR
        except _Failed as failed:
            costs, error_no = (str(failed),), failed.error_no
        now = time.time()
        return MeasureResult(costs, error_no, now - begin, now)

    def _costs(self, library: pathlib.Path) -> list:
        if self._timed == self.MOST_LIBRARIES:
            self._runner.end()
            self._timed = 0
        self._timed += 1
        time.sleep(self.runner.cooldown_interval)
        how = {name: getattr(self.runner, name) for name in ("number", "repeat", "min_repeat_ms", "threads")}
        try:
            request = {"time": str(library), **how}
            late, crashed = MeasureErrorNo.RUN_TIMEOUT, MeasureErrorNo.RUNTIME_DEVICE
            return self._runner.ask(request, self.runner.timeout, late, crashed)
        finally:
            library.unlink(missing_ok=True)
