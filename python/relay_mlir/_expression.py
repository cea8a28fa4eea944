"""The bodies of computes: numbers of which operations of MLIR are made while Python computes with them."""

from __future__ import annotations

import contextlib
import contextvars
from collections.abc import Callable, Sequence
from typing import Any, Optional

from ._dims import Extent
from ._lazy import compiler as _compiler_of
from .errors import IRError

_lower = _compiler_of()
Attribute = _lower.Attribute
Block = _lower.Block
Value = _lower.Value

# The block that expressions are written into.
_block: contextvars.ContextVar = contextvars.ContextVar("block")


@contextlib.contextmanager
def _writing(block: Block):
    token = _block.set(block)
    try:
        yield
    finally:
        _block.reset(token)


def _dims(shape: Sequence[Extent]) -> str:
    return "".join(f"{extent if isinstance(extent, int) else '?'}x" for extent in shape)


def _tensor(shape: Sequence[Extent], element: str) -> str:
    """The type of tensors; the forms of open dimensions are its encoding."""
    forms = [str(extent) for extent in shape if not isinstance(extent, int)]
    encoding = f", {_list(forms)}" if forms else ""
    return f"tensor<{_dims(shape)}{element}{encoding}>"


def _list(extents: Sequence[Extent]) -> str:
    """A list of extents as an attribute."""
    return "[" + ", ".join(str(one) if isinstance(one, int) else f'"{one}"' for one in extents) + "]"


def _extent(extent: Any) -> Expression:
    """The number that an open dimension is."""
    attributes = {"form": str(extent)}
    return Expression(_block.get().append("te.extent", [], attributes, ["index"], []).result)


def _scalar(value: Any, type: Optional[str]) -> Expression:
    """A value as an expression; numbers of Python become constants of a type."""
    if isinstance(value, Expression):
        return value
    if not isinstance(value, (bool, int, float)):
        raise IRError(f"{value!r} is no element; a tensor's element is tensor[i, j]")
    type = type or "f32"
    text = repr(float(value)) if type.startswith(("f", "bf")) else str(int(value))
    made = _block.get().append("arith.constant", [], {"value": Attribute(f"{text} : {type}")}, [type], [])
    return Expression(made.result)


class Expression:
    """A number in the body of a compute: an index, an element of a tensor, or what is computed of them."""

    def __init__(self, value: Value):
        self.value = value

    @property
    def type(self) -> str:
        """Its type: `index`, `f32` ..."""
        return self.value.type

    def _with(self, other: Any, floats: str, whole: str, *, swapped: bool = False) -> Expression:
        other = _scalar(other, self.type)
        if other.type != self.type:
            raise IRError(f"an operation on {self.type} and {other.type}; both must be of one type")
        left, right = (other, self) if swapped else (self, other)
        return _make(f"arith.{floats if self.type.startswith(('f', 'bf')) else whole}", [left, right], self.type)

    def __add__(self, other):
        return self._with(other, "addf", "addi")

    def __radd__(self, other):
        return self._with(other, "addf", "addi", swapped=True)

    def __sub__(self, other):
        return self._with(other, "subf", "subi")

    def __rsub__(self, other):
        return self._with(other, "subf", "subi", swapped=True)

    def __mul__(self, other):
        return self._with(other, "mulf", "muli")

    def __rmul__(self, other):
        return self._with(other, "mulf", "muli", swapped=True)

    def __truediv__(self, other):
        return self._with(other, "divf", "divsi")

    def __rtruediv__(self, other):
        return self._with(other, "divf", "divsi", swapped=True)

    def __floordiv__(self, other):
        return self._with(other, "divf", "floordivsi")

    def __mod__(self, other):
        return self._with(other, "remf", "remsi")

    def __neg__(self):
        return 0 - self

    def _compare(self, other: Any, relation: str) -> Expression:
        other = _scalar(other, self.type)
        is_float = self.type.startswith(("f", "bf"))
        # The numbers of MLIR's predicates.
        ordered = {"eq": 1, "gt": 2, "ge": 3, "lt": 4, "le": 5, "ne": 6}
        signed = {"eq": 0, "ne": 1, "lt": 2, "le": 3, "gt": 4, "ge": 5}
        number = (ordered if is_float else signed)[relation]
        predicate = {"predicate": Attribute(f"{number} : i64")}
        return _make("arith.cmpf" if is_float else "arith.cmpi", [self, other], "i1", predicate)

    def __lt__(self, other):
        return self._compare(other, "lt")

    def __le__(self, other):
        return self._compare(other, "le")

    def __gt__(self, other):
        return self._compare(other, "gt")

    def __ge__(self, other):
        return self._compare(other, "ge")

    def equals(self, other: Any) -> Expression:
        """Whether two numbers are the same."""
        return self._compare(other, "eq")

    def __bool__(self):
        raise IRError("what a compute computes is not known while it is written; use ir.select")


def _make(name: str, operands: Sequence[Expression], type: str, attributes: Optional[dict] = None) -> Expression:
    made = _block.get().append(name, [operand.value for operand in operands], attributes or {}, [type], [])
    return Expression(made.result)


def element(tensor: Value, indices: Any) -> Expression:
    """The element of a tensor, in the body of a compute: `tensor[i, j]`."""
    if _block.get(None) is None:
        raise IRError("elements of tensors are read in the body of a compute")
    indices = indices if isinstance(indices, tuple) else (indices,)
    indices = [_scalar(index, "index") for index in indices]
    made = _block.get().append(
        "tensor.extract", [tensor, *(index.value for index in indices)], {}, [tensor.element_type], []
    )
    return Expression(made.result)


def maximum(left: Expression, right: Any) -> Expression:
    """The greater of two numbers."""
    return left._with(right, "maximumf", "maxsi")


def minimum(left: Expression, right: Any) -> Expression:
    """The smaller of two numbers."""
    return left._with(right, "minimumf", "minsi")


def select(condition: Expression, yes: Expression, no: Any) -> Expression:
    """`yes` where a condition holds, else `no`; both are computed."""
    no = _scalar(no, yes.type)
    return _make("arith.select", [condition, yes, no], yes.type)


def both(left: Expression, right: Expression) -> Expression:
    """Whether two conditions hold."""
    return _make("arith.andi", [left, right], "i1")


def either(left: Expression, right: Expression) -> Expression:
    """Whether one of two conditions holds."""
    return _make("arith.ori", [left, right], "i1")


def branch(
    condition: Expression, yes: Callable[[], Expression], no: Callable[[], Expression], type: str = "f32"
) -> Expression:
    """What `yes` writes where a condition holds, else what `no` writes, both of a type; only this one is computed."""
    made = _block.get().append("scf.if", [condition.value], {}, [type], [[], []])
    for region, write in zip(made.regions, (yes, no)):
        with _writing(region[0]):
            region[0].append("scf.yield", [write().value], {}, [], [])
    return Expression(made.result)


def convert(value: Expression, type: str) -> Expression:
    """A number in another type: `index`, `f32`, `i8` ... Floats become integers by truncation."""
    given = value.type
    if given == type:
        return value
    is_float = [one.startswith(("f", "bf")) for one in (given, type)]
    if "index" in (given, type):
        if not any(is_float):
            return _make("arith.index_cast", [value], type)
        return convert(convert(value, "i64"), type)
    bits = [int(one.lstrip("bfi")) for one in (given, type)]
    if all(is_float):
        return _make("arith.extf" if bits[1] > bits[0] else "arith.truncf", [value], type)
    if any(is_float):
        is_bool = given == "i1"
        name = "arith.fptosi" if is_float[0] else "arith.uitofp" if is_bool else "arith.sitofp"
        return _make(name, [value], type)
    if bits[1] < bits[0]:
        return _make("arith.trunci", [value], type)
    return _make("arith.extui" if given == "i1" else "arith.extsi", [value], type)


def _math(name: str):
    def function(value: Expression) -> Expression:
        return _make(f"math.{name}", [value], value.type)

    function.__name__ = name
    function.__doc__ = f"`math.{name}` of a float."
    return function


_OF_MATH = ("ceil", "cos", "erf", "exp", "floor", "log", "rsqrt", "sin", "sqrt", "tanh")
ceil, cos, erf, exp, floor, log, rsqrt, sin, sqrt, tanh = (_math(name) for name in _OF_MATH)
