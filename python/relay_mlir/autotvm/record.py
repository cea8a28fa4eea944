"""Records of what was tried: a line of JSON for each, in the format of AutoTVM's logs (version 0.2)."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from typing import Any, NamedTuple, Union

from ..errors import Error
from .space import ConfigEntity

__all__ = ["MeasureErrorNo", "MeasureInput", "MeasureResult", "decode", "encode", "load_from_file", "pick_best"]

VERSION = 0.2


class MeasureErrorNo:
    """What became of a choice, by AutoTVM's numbers."""

    NO_ERROR = 0
    INSTANTIATION_ERROR = 1
    COMPILE_HOST = 2
    COMPILE_DEVICE = 3
    RUNTIME_DEVICE = 4
    WRONG_ANSWER = 5
    BUILD_TIMEOUT = 6
    RUN_TIMEOUT = 7
    UNKNOWN_ERROR = 8


class MeasureInput(NamedTuple):
    """A choice of a task."""

    target: str
    workload: tuple
    config: ConfigEntity


class MeasureResult(NamedTuple):
    """What was measured: the seconds of a run, once for each repetition, or an error's message in `costs`."""

    costs: tuple
    error_no: int
    all_cost: float
    timestamp: float

    @property
    def mean(self) -> float:
        """The mean of the seconds; infinite after an error."""
        return sum(self.costs) / len(self.costs) if self.error_no == 0 else float("inf")


def _tuples(value: Any) -> Any:
    """JSON's lists as tuples, as workloads have them."""
    return tuple(_tuples(one) for one in value) if isinstance(value, list) else value


def encode(inp: MeasureInput, result: MeasureResult) -> str:
    """A record as a line."""
    name, *args = inp.workload
    line = {
        "input": [inp.target, name, args, {}],
        "config": inp.config.to_json_dict(),
        "result": [list(result.costs), result.error_no, result.all_cost, result.timestamp],
        "version": VERSION,
    }
    return json.dumps(line)


def decode(line: str) -> tuple:
    """The record of a line."""
    written = json.loads(line)
    target, name, args, _ = written["input"]
    costs, error_no, all_cost, timestamp = written["result"]
    config = ConfigEntity.from_json_dict(written["config"])
    return MeasureInput(target, (name, *_tuples(args)), config), MeasureResult(
        tuple(costs), error_no, all_cost, timestamp
    )


def load_from_file(filename: Union[str, os.PathLike]) -> Iterator[tuple]:
    """The records of a file. The last line may be cut off: a run was interrupted."""
    with open(filename, encoding="utf-8") as file:
        lines = file.read().splitlines()
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            yield decode(line)
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            if number < len(lines):
                raise Error(f"{os.fspath(filename)}:{number}: this is no record of AutoTVM: {error}") from None


def pick_best(in_file: Union[str, os.PathLike], out_file: Union[str, os.PathLike]) -> None:
    """Writes the best record of each workload."""
    best: dict = {}
    for inp, result in load_from_file(in_file):
        key = inp.target, inp.workload
        if result.error_no == 0 and (key not in best or result.mean < best[key][1].mean):
            best[key] = inp, result
    with open(out_file, "w", encoding="utf-8") as file:
        file.writelines(encode(*pair) + "\n" for pair in best.values())
