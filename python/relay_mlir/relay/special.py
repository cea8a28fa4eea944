"""Operators whose functions are no more than a call: those with other parameters than the op."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .expr import Expr, Ints, TupleWrapper, call

__all__ = ["meshgrid", "split"]


def split(data: Any, indices_or_sections: Ints, axis: int = 0) -> Expr:
    """Parts of a tensor along an axis: as many equal ones as a number says, or those that begin at 0 and at given indices."""
    is_number = isinstance(indices_or_sections, int)
    count = indices_or_sections if is_number else len(indices_or_sections) + 1
    return TupleWrapper(call("split", (data,), indices_or_sections=indices_or_sections, axis=axis), count)


def meshgrid(data: Sequence[Any], indexing: str = "ij") -> Expr:
    """Vectors repeated along the dimensions of all the others, as in numpy: a grid's coordinates."""
    return TupleWrapper(call("meshgrid", (data,), indexing=indexing), len(data))
