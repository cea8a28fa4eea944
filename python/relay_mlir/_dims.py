"""Open dimensions: numbers that are known when a model runs, as forms of symbols."""

from __future__ import annotations

from typing import Any, Union

from ._lazy import compiler
from .errors import IRError

__all__ = ["Dim", "Extent", "extent_of"]


class Dim:
    """An open dimension: a form such as `n` or `2*s + 1`. Numbers and forms are added, subtracted and multiplied; `//` rounds down.
    What is a number after all becomes an `int`."""

    def __new__(cls, form: str) -> Any:
        text = compiler().dimension(form)
        if text.lstrip("-").isdigit():
            return int(text)
        made = super().__new__(cls)
        made.form = text
        return made

    def __str__(self) -> str:
        return self.form

    def __repr__(self) -> str:
        return self.form

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Dim) and other.form == self.form

    def __hash__(self) -> int:
        return hash(self.form)

    def _with(self, sign: str, other: Any, is_swapped: bool = False) -> Extent:
        if not isinstance(other, (int, Dim)):
            return NotImplemented
        left, right = (other, self) if is_swapped else (self, other)
        return Dim(f"({left}) {sign} ({right})")

    def __neg__(self) -> Extent:
        return self * -1

    def __add__(self, other: Any) -> Extent:
        return self._with("+", other)

    def __radd__(self, other: Any) -> Extent:
        return self._with("+", other, True)

    def __sub__(self, other: Any) -> Extent:
        return self._with("-", other)

    def __rsub__(self, other: Any) -> Extent:
        return self._with("-", other, True)

    def __mul__(self, other: Any) -> Extent:
        return self._with("*", other)

    def __rmul__(self, other: Any) -> Extent:
        return self._with("*", other, True)

    def __floordiv__(self, other: Any) -> Extent:
        return self._with("/", other)

    def __rfloordiv__(self, other: Any) -> Extent:
        return self._with("/", other, True)


# The extent of a dimension.
Extent = Union[int, Dim]


def extent_of(value: Any) -> Extent:
    """An extent: a number, an open dimension, or the text of a form."""
    if isinstance(value, Dim):
        return value
    if isinstance(value, str):
        return Dim(value)
    try:
        return int(value)
    except TypeError:
        raise IRError(f"{value!r} is no extent: a number, or the form of an open dimension, such as 'n'") from None
