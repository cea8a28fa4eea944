"""Expressions of elements: what `te.compute` computes at an index.

They are trees of Python until a function is built, and become operations of MLIR then.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Callable, Optional, Union

from .. import _expression, ir
from .._dims import Dim, Extent, extent_of
from ..errors import IRError

__all__ = ["IterVar", "Reduce", "Scalar", "as_scalar", "mlir_type"]

# The types of MLIR by TVM's names.
_TYPES = {
    "bool": "i1",
    "int8": "i8",
    "int16": "i16",
    "int32": "i32",
    "int64": "i64",
    "uint8": "ui8",
    "uint16": "ui16",
    "uint32": "ui32",
    "uint64": "ui64",
    "float16": "f16",
    "bfloat16": "bf16",
    "float32": "f32",
    "float64": "f64",
}

# The type of indices.
INDEX = "index"


def mlir_type(dtype: str) -> str:
    """MLIR's name of an element type."""
    if dtype not in _TYPES:
        raise IRError(f"there are no tensors of {dtype}; element types are {', '.join(_TYPES)}")
    return _TYPES[dtype]


def dtype_of(type_: str) -> str:
    """TVM's name of one of MLIR's element types."""
    for dtype, known in _TYPES.items():
        if known == type_:
            return dtype
    raise IRError(f"te has no element type {type_}")


def is_float(dtype: str) -> bool:
    """Whether an element type is a float."""
    return "float" in dtype


class Scalar:
    """A number that is computed: its element type, and how it is written with those that it is computed of."""

    def __init__(self, dtype: str, parts: Sequence[Scalar], write: Callable[..., Any]):
        self.dtype, self.parts, self._write = dtype, tuple(parts), write

    def write(self, written: dict) -> Any:
        """The expression of MLIR; `written` has those that are there already, by identity."""
        stack = [(self, False)]
        while stack:
            node, is_read = stack.pop()
            if id(node) in written:
                continue
            if is_read:
                written[id(node)] = node.emit(written)
            else:
                stack.append((node, True))
                stack.extend((part, False) for part in node.parts)
        return written[id(self)]

    def emit(self, written: dict) -> Any:
        """The expression of MLIR, where those that this one is computed of are written."""
        return self._write(*(written[id(part)] for part in self.parts))

    def _with(self, other: Any, operation: Callable, *, swapped: bool = False, dtype: Optional[str] = None) -> Scalar:
        other = as_scalar(other, self.dtype)
        left, right = (other, self) if swapped else (self, other)
        left, right = _one_type(left, right)
        return Scalar(dtype or left.dtype, (left, right), operation)

    def __add__(self, other: Any) -> Scalar:
        return self._with(other, lambda a, b: a + b)

    def __radd__(self, other: Any) -> Scalar:
        return self._with(other, lambda a, b: a + b, swapped=True)

    def __sub__(self, other: Any) -> Scalar:
        return self._with(other, lambda a, b: a - b)

    def __rsub__(self, other: Any) -> Scalar:
        return self._with(other, lambda a, b: a - b, swapped=True)

    def __mul__(self, other: Any) -> Scalar:
        return self._with(other, lambda a, b: a * b)

    def __rmul__(self, other: Any) -> Scalar:
        return self._with(other, lambda a, b: a * b, swapped=True)

    def __truediv__(self, other: Any) -> Scalar:
        return self._with(other, lambda a, b: a / b)

    def __rtruediv__(self, other: Any) -> Scalar:
        return self._with(other, lambda a, b: a / b, swapped=True)

    def __floordiv__(self, other: Any) -> Scalar:
        return self._with(other, lambda a, b: a // b)

    def __mod__(self, other: Any) -> Scalar:
        return self._with(other, lambda a, b: a % b)

    def __neg__(self) -> Scalar:
        return 0 - self

    def __lt__(self, other: Any) -> Scalar:
        return self._with(other, lambda a, b: a < b, dtype="bool")

    def __le__(self, other: Any) -> Scalar:
        return self._with(other, lambda a, b: a <= b, dtype="bool")

    def __gt__(self, other: Any) -> Scalar:
        return self._with(other, lambda a, b: a > b, dtype="bool")

    def __ge__(self, other: Any) -> Scalar:
        return self._with(other, lambda a, b: a >= b, dtype="bool")

    def equal(self, other: Any) -> Scalar:
        """Whether two numbers are the same."""
        return self._with(other, lambda a, b: a.equals(b), dtype="bool")

    def astype(self, dtype: str) -> Scalar:
        """The same number in another element type."""
        return cast(self, dtype)

    def __bool__(self) -> bool:
        raise IRError("what a compute computes is not known while it is written; use te.if_then_else")


class IterVar(Scalar):
    """An axis: a dimension of a stage, or what it reduces over. In an expression, it is its index."""

    def __init__(self, name: str, extent: Extent):
        super().__init__(INDEX, (), self._unbound)
        self.name, self.extent = name, extent_of(extent)

    def _unbound(self) -> Any:
        raise IRError(f"the axis {self.name} is read where it does not run")

    def __repr__(self) -> str:
        return f"<te.IterVar {self.name}: {self.extent}>"


class Reduce:
    """What a compute combines over axes."""

    def __init__(self, reducer: str, source: Scalar, axis: Union[IterVar, Sequence[IterVar]]):
        self.reducer, self.source = reducer, as_scalar(source)
        self.axis = list(axis) if isinstance(axis, (list, tuple)) else [axis]


def as_scalar(value: Any, like: Optional[str] = None) -> Scalar:
    """A value as an expression. Numbers of Python get the type `like` if they fit it, else int32 or float32."""
    if isinstance(value, Scalar):
        return value
    if isinstance(value, Dim):
        extent = Scalar(INDEX, (), lambda: _expression._extent(value))
        return extent if like in (None, INDEX) else cast(extent, like)
    if isinstance(value, Reduce):
        raise IRError("a reduction is all of a compute; what is done with its result is another compute")
    if isinstance(value, bool):
        return constant(value, "bool")
    if isinstance(value, int):
        return constant(value, like or "int32")
    if isinstance(value, float):
        return constant(value, like if like and is_float(like) else "float32")
    raise IRError(f"{value!r} is no number; a tensor's element is tensor[i, j]")


def constant(value: Any, dtype: str = "float32") -> Scalar:
    """A constant: TVM's `tir.const`."""
    type_ = INDEX if dtype == INDEX else mlir_type(dtype)
    number = float(value) if is_float(dtype) else bool(value) if dtype == "bool" else int(value)
    return Scalar(dtype, (), lambda: _expression._scalar(number, type_))


def _one_type(left: Scalar, right: Scalar) -> tuple:
    """Two numbers in one type: an index takes the other's, and an integer the float's."""
    if left.dtype == right.dtype:
        return left, right
    wider = left.dtype if right.dtype == INDEX or is_float(left.dtype) and not is_float(right.dtype) else right.dtype
    return cast(left, wider), cast(right, wider)


def cast(value: Any, dtype: str) -> Scalar:
    """A number in another element type."""
    value = as_scalar(value)
    if value.dtype == dtype:
        return value
    target = INDEX if dtype == INDEX else mlir_type(dtype)
    return Scalar(dtype, (value,), lambda number: ir.convert(number, target))


def select(condition: Scalar, true_value: Any, false_value: Any) -> Scalar:
    """One of two numbers; both are computed."""
    yes, no = _one_type(*_both(true_value, false_value))
    return Scalar(yes.dtype, (condition, yes, no), ir.select)


def if_then_else(condition: Scalar, true_value: Any, false_value: Any) -> Scalar:
    """One of two numbers, of which only this one is computed: the other one may be an element that is not there."""
    return _Branches(condition, *_one_type(*_both(true_value, false_value)))


class _Branches(Scalar):
    """An expression of which only one part is computed."""

    def __init__(self, condition: Scalar, yes: Scalar, no: Scalar):
        super().__init__(yes.dtype, (condition,), ir.branch)
        self.branches = (yes, no)

    def emit(self, written: dict) -> Any:
        # What a branch computes is not there outside of it.
        yes, no = (lambda part=part: part.write(dict(written)) for part in self.branches)
        return ir.branch(written[id(self.parts[0])], yes, no, mlir_type(self.dtype))


def _both(one: Any, other: Any) -> tuple:
    """Two values as expressions; a number of Python is of the other one's type."""
    if isinstance(one, Scalar):
        return one, as_scalar(other, one.dtype)
    other = as_scalar(other)
    return as_scalar(one, other.dtype), other
