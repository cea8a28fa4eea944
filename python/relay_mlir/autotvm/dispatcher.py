"""Which choices a template gets: those of the innermost `with` around its call."""

from __future__ import annotations

import contextvars
import os
from collections.abc import Iterable
from typing import Any, Optional, Union

from .record import load_from_file
from .space import FallbackConfigEntity, Knobs

__all__ = ["ApplyConfig", "ApplyHistoryBest", "DispatchContext", "FallbackContext", "apply_history_best"]

_ENTERED: contextvars.ContextVar = contextvars.ContextVar("autotvm", default=())


class DispatchContext:
    """Gives choices to templates that are called in a `with` of it."""

    def query(self, target: Any, workload: Optional[tuple]) -> Knobs:
        """The choices for a workload: a template's name and its arguments; None inside of the template."""
        raise NotImplementedError

    @staticmethod
    def current() -> DispatchContext:
        """The innermost one."""
        entered = _ENTERED.get()
        return entered[-1] if entered else FallbackContext()

    def __enter__(self) -> DispatchContext:
        _ENTERED.set((*_ENTERED.get(), self))
        return self

    def __exit__(self, *_: Any) -> None:
        _ENTERED.set(_ENTERED.get()[:-1])


class ApplyConfig(DispatchContext):
    """Gives the same choices to all."""

    def __init__(self, config: Knobs):
        self.config = config

    def query(self, target: Any, workload: Optional[tuple]) -> Knobs:
        return self.config


class FallbackContext(DispatchContext):
    """Gives each knob's first value."""

    def query(self, target: Any, workload: Optional[tuple]) -> Knobs:
        return FallbackConfigEntity()


class ApplyHistoryBest(DispatchContext):
    """Gives the fastest choice of records. Without a record of the workload, each knob is its first value.

    records: a file that `callback.log_to_file` wrote, or pairs of `MeasureInput` and `MeasureResult`.
    target: of which target records count; None for any, if all are of one.
    """

    def __init__(self, records: Union[str, os.PathLike, Iterable], target: Any = None):
        pairs = load_from_file(records) if isinstance(records, (str, os.PathLike)) else records
        self.best: dict = {}
        targets = set()
        for inp, result in pairs:
            if result.error_no != 0 or target is not None and inp.target != str(target):
                continue
            targets.add(inp.target)
            known = self.best.get(inp.workload)
            if known is None or result.mean < known[1].mean:
                self.best[inp.workload] = inp, result
        if len(targets) > 1:
            raise ValueError(f"the records are of several targets, {', '.join(sorted(targets))}; say which: target=...")

    def query(self, target: Any, workload: Optional[tuple]) -> Knobs:
        found = self.best.get(workload)
        return found[0].config if found else FallbackConfigEntity()


apply_history_best = ApplyHistoryBest
