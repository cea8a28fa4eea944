"""Functions of elements."""

from __future__ import annotations

from typing import Any, Callable

from .. import ir
from .scalar import Scalar, _both, _one_type, as_scalar, cast, is_float

__all__ = [
    "all",
    "any",
    "ceil",
    "cos",
    "erf",
    "exp",
    "floor",
    "log",
    "maximum",
    "minimum",
    "power",
    "rsqrt",
    "sigmoid",
    "sin",
    "sqrt",
    "tanh",
]


def _of_float(name: str) -> Callable[[Any], Scalar]:
    def function(x: Any) -> Scalar:
        x = as_scalar(x, "float32")
        x = x if is_float(x.dtype) else cast(x, "float32")
        return Scalar(x.dtype, (x,), getattr(ir, name))

    function.__name__, function.__doc__ = name, f"`{name}` of a float."
    return function


ceil, cos, erf, exp, floor = map(_of_float, ("ceil", "cos", "erf", "exp", "floor"))
log, rsqrt, sin, sqrt, tanh = map(_of_float, ("log", "rsqrt", "sin", "sqrt", "tanh"))


def sigmoid(x: Any) -> Scalar:
    """1 / (1 + exp(-x))."""
    return 1.0 / (1.0 + exp(-as_scalar(x, "float32")))


def power(x: Any, y: Any) -> Scalar:
    """x to the power of y, for positive x: exp(y log x)."""
    return exp(as_scalar(y, "float32") * log(x))


def maximum(a: Any, b: Any) -> Scalar:
    """The greater of two numbers."""
    left, right = _one_type(*_both(a, b))
    return Scalar(left.dtype, (left, right), ir.maximum)


def minimum(a: Any, b: Any) -> Scalar:
    """The smaller of two numbers."""
    left, right = _one_type(*_both(a, b))
    return Scalar(left.dtype, (left, right), ir.minimum)


def _of_conditions(conditions: tuple, is_all: bool) -> Scalar:
    first, *others = conditions
    for other in others:
        first = Scalar("bool", (first, other), ir.both if is_all else ir.either)
    return first


def all(*conditions: Scalar) -> Scalar:
    """Whether all of some conditions hold."""
    return _of_conditions(conditions, True)


def any(*conditions: Scalar) -> Scalar:
    """Whether one of some conditions holds."""
    return _of_conditions(conditions, False)
