"""Operators by their names."""

from __future__ import annotations

from typing import Any, Callable

from .._lazy import compiler
from .expr import Expr, call

__all__ = ["get"]


def get(name: str) -> Callable[..., Expr]:
    """The function that calls an operator: `relay.op.get("mylib.swish")(x, alpha=1.5)`. Operands come first, attributes have
    names."""
    results = compiler().count_results(name) or 1

    def operator(*operands: Any, **attributes: Any) -> Expr:
        return call(name, operands, results, **attributes)

    operator.__name__, operator.__doc__ = name, f"A call of the operator {name}."
    return operator
