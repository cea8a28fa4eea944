"""Relay's expressions, by TVM's names.

An expression is a graph: one that is read twice is computed once. Operators of Python make calls of Relay's.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Optional, Union

import numpy as np

from ..errors import IRError
from .ty import TensorType, Type, TypeVar

__all__ = [
    "Call",
    "Constant",
    "Expr",
    "Function",
    "GlobalVar",
    "If",
    "Let",
    "Op",
    "RefCreate",
    "RefRead",
    "RefWrite",
    "Tuple",
    "TupleGetItem",
    "TupleWrapper",
    "Var",
    "bind",
    "call",
    "const",
    "free_vars",
    "post_order_visit",
    "var",
]

Ints = Union[int, Sequence[int]]
Floats = Union[float, Sequence[float]]
Flags = Union[bool, Sequence[bool]]

# The folder whose calls are not the user's.
_OURS = __file__.rpartition("/")[0]


def _place() -> Optional[str]:
    """The file and line of the code that calls this package."""
    frame = sys._getframe(1)
    while frame is not None and frame.f_code.co_filename.startswith(_OURS):
        frame = frame.f_back
    return f"{frame.f_code.co_filename}:{frame.f_lineno}" if frame is not None else None


class Expr:
    """An expression."""

    def __init__(self) -> None:
        self.span = _place()

    def children(self) -> tuple:
        """The expressions that this one reads, in order."""
        return ()

    def with_children(self, children: Sequence[Expr]) -> Expr:
        """The same expression of others."""
        return self

    @property
    def checked_type(self) -> Type:
        """The type, as `infer-type` finds it. Expressions that refer to functions of a module have theirs there."""
        from .module import IRModule

        function = IRModule.from_expr(self).infer()["main"]
        return function.checked_type if isinstance(self, Function) else function.ret_type

    def astext(self) -> str:
        """Relay's text."""
        from .printer import text_of

        return text_of(self)

    def __str__(self) -> str:
        return self.astext()

    def __repr__(self) -> str:
        return f"<relay.{type(self).__name__}>"

    def __call__(self, *args: Any) -> Call:
        return Call(self, args)

    def __add__(self, other: Any) -> Expr:
        return call("add", (self, other))

    def __radd__(self, other: Any) -> Expr:
        return call("add", (other, self))

    def __sub__(self, other: Any) -> Expr:
        return call("subtract", (self, other))

    def __rsub__(self, other: Any) -> Expr:
        return call("subtract", (other, self))

    def __mul__(self, other: Any) -> Expr:
        return call("multiply", (self, other))

    def __rmul__(self, other: Any) -> Expr:
        return call("multiply", (other, self))

    def __truediv__(self, other: Any) -> Expr:
        return call("divide", (self, other))

    def __rtruediv__(self, other: Any) -> Expr:
        return call("divide", (other, self))

    def __neg__(self) -> Expr:
        return call("negative", (self,))

    def __lt__(self, other: Any) -> Expr:
        return call("less", (self, other))

    def __le__(self, other: Any) -> Expr:
        return call("less_equal", (self, other))

    def __gt__(self, other: Any) -> Expr:
        return call("greater", (self, other))

    def __ge__(self, other: Any) -> Expr:
        return call("greater_equal", (self, other))

    def astype(self, dtype: str) -> Expr:
        """The same numbers in another element type: `cast`."""
        return call("cast", (self,), dtype=str(dtype))


class Var(Expr):
    """A variable: a parameter of a function, or what `Let` and patterns bind."""

    def __init__(self, name_hint: str, type_annotation: Optional[Type] = None):
        super().__init__()
        self.name_hint, self.type_annotation = name_hint, type_annotation


class GlobalVar(Expr):
    """The name of a function of a module."""

    def __init__(self, name_hint: str):
        super().__init__()
        self.name_hint = name_hint


class Op(Expr):
    """An operator as a value."""

    def __init__(self, name: str):
        super().__init__()
        self.name = name


class Constant(Expr):
    """A tensor."""

    def __init__(self, data: Any):
        super().__init__()
        self.data = np.asarray(data)


class Tuple(Expr):
    """A tuple."""

    def __init__(self, fields: Sequence[Any]):
        super().__init__()
        self.fields = tuple(as_expr(field) for field in fields)

    def children(self) -> tuple:
        return self.fields

    def with_children(self, children: Sequence[Expr]) -> Expr:
        return Tuple(children)

    def __getitem__(self, index: int) -> Expr:
        return self.fields[index]

    def __len__(self) -> int:
        return len(self.fields)


class TupleGetItem(Expr):
    """A field of a tuple."""

    def __init__(self, tuple_value: Any, index: int):
        super().__init__()
        self.tuple_value, self.index = as_expr(tuple_value), int(index)

    def children(self) -> tuple:
        return (self.tuple_value,)

    def with_children(self, children: Sequence[Expr]) -> Expr:
        return TupleGetItem(children[0], self.index)


class Call(Expr):
    """A call of an operator, a constructor or a function."""

    def __init__(
        self,
        op: Expr,
        args: Sequence[Any],
        attrs: Optional[Mapping[str, Any]] = None,
        type_args: Sequence[Type] = (),
    ):
        super().__init__()
        self.op, self.attrs = op, {name: plain(value) for name, value in (attrs or {}).items() if value is not None}
        self.args = tuple(as_expr(arg) for arg in args)

    def children(self) -> tuple:
        return (self.op, *self.args)

    def with_children(self, children: Sequence[Expr]) -> Expr:
        made = Call(children[0], children[1:], self.attrs)
        made.span = self.span
        return made


class Function(Expr):
    """A function."""

    def __init__(
        self,
        params: Sequence[Var],
        body: Any,
        ret_type: Optional[Type] = None,
        type_params: Sequence[TypeVar] = (),
        attrs: Optional[Mapping[str, Any]] = None,
    ):
        super().__init__()
        self.params, self.body = tuple(params), as_expr(body)
        self.ret_type, self.type_params, self.attrs = ret_type, tuple(type_params or ()), dict(attrs or {})

    def children(self) -> tuple:
        return (self.body,)

    def with_children(self, children: Sequence[Expr]) -> Expr:
        return Function(self.params, children[0], self.ret_type, self.type_params, self.attrs)

    def with_attr(self, name: str, value: Any) -> Function:
        """The same function with an attribute."""
        return Function(self.params, self.body, self.ret_type, self.type_params, {**self.attrs, name: value})

    @property
    def checked_type(self) -> Type:
        from .ty import FuncType

        annotated = [param.type_annotation for param in self.params]
        if self.ret_type is not None and None not in annotated:
            return FuncType(annotated, self.ret_type, self.type_params)
        return super().checked_type


class Let(Expr):
    """A value with a name: it is computed before the body, once, read or not."""

    def __init__(self, variable: Var, value: Any, body: Any):
        super().__init__()
        self.var, self.value, self.body = variable, as_expr(value), as_expr(body)

    def children(self) -> tuple:
        return (self.value, self.body)

    def with_children(self, children: Sequence[Expr]) -> Expr:
        return Let(self.var, *children)


class If(Expr):
    """One of two values, of which only this one is computed."""

    def __init__(self, cond: Any, true_branch: Any, false_branch: Any):
        super().__init__()
        self.cond, self.true_branch, self.false_branch = map(as_expr, (cond, true_branch, false_branch))

    def children(self) -> tuple:
        return (self.cond, self.true_branch, self.false_branch)

    def with_children(self, children: Sequence[Expr]) -> Expr:
        return If(*children)


class RefCreate(Expr):
    """A new reference."""

    def __init__(self, value: Any):
        super().__init__()
        self.value = as_expr(value)

    def children(self) -> tuple:
        return (self.value,)

    def with_children(self, children: Sequence[Expr]) -> Expr:
        return RefCreate(*children)


class RefRead(Expr):
    """The value of a reference."""

    def __init__(self, ref: Any):
        super().__init__()
        self.ref = as_expr(ref)

    def children(self) -> tuple:
        return (self.ref,)

    def with_children(self, children: Sequence[Expr]) -> Expr:
        return RefRead(*children)


class RefWrite(Expr):
    """Another value for a reference."""

    def __init__(self, ref: Any, value: Any):
        super().__init__()
        self.ref, self.value = as_expr(ref), as_expr(value)

    def children(self) -> tuple:
        return (self.ref, self.value)

    def with_children(self, children: Sequence[Expr]) -> Expr:
        return RefWrite(*children)


class TupleWrapper(Expr):
    """A call with several results: its parts are found by index, and by iteration."""

    def __init__(self, tuple_value: Expr, size: int):
        super().__init__()
        self.tuple_value, self.size = tuple_value, size

    def astuple(self) -> Expr:
        """The call itself."""
        return self.tuple_value

    def __getitem__(self, index: int) -> Expr:
        if not -self.size <= index < self.size:
            raise IndexError(f"there are {self.size} results, and none of number {index}")
        return TupleGetItem(self.tuple_value, index % self.size)

    def __len__(self) -> int:
        return self.size

    def __iter__(self) -> Iterator[Expr]:
        return (self[index] for index in range(self.size))


def plain(value: Any) -> Any:
    """An attribute's value without the types of numpy."""
    if isinstance(value, (list, tuple, np.ndarray)):
        return [plain(item) for item in value]
    return value.item() if isinstance(value, np.generic) else value


def as_expr(value: Any) -> Expr:
    """A value as an expression: sequences become tuples, numbers and arrays constants."""
    if isinstance(value, TupleWrapper):
        return value.tuple_value
    if isinstance(value, Expr):
        return value
    if isinstance(value, (list, tuple)):
        return Tuple(value)
    if isinstance(value, (bool, int, float, np.ndarray, np.generic)):
        return const(value)
    raise IRError(f"{value!r} is no expression of Relay")


def var(name_hint: str, type_annotation: Any = None, shape: Any = None, dtype: str = "float32") -> Var:
    """A variable. Its type is given as a type, or as a shape and an element type, or nothing is said of it."""
    if type_annotation is not None and shape is not None:
        raise IRError(f"{name_hint} has a type and a shape; a type says both")
    if shape is not None:
        type_annotation = TensorType(shape, dtype)
    elif isinstance(type_annotation, str):
        type_annotation = TensorType((), type_annotation)
    return Var(name_hint, type_annotation)


def const(value: Any, dtype: Optional[str] = None) -> Constant:
    """A constant. Numbers of Python are int32, float32 and booleans, unless `dtype` says something else."""
    if dtype is None and isinstance(value, (bool, int, float, list, tuple)):
        array = np.asarray(value)
        value = array.astype({"int64": "int32", "float64": "float32"}.get(array.dtype.name, array.dtype.name))
    array = np.asarray(value)
    return Constant(array if dtype is None else array.astype(numpy_type(dtype)))


def numpy_type(dtype: str) -> Any:
    if dtype == "bfloat16":
        import ml_dtypes

        return ml_dtypes.bfloat16
    return np.dtype(dtype)


def call(operator: str, operands: Sequence[Any], results: int = 1, **attrs: Any) -> Expr:
    """A call of an operator. Operands that are None are left out; with several results, it is a `TupleWrapper`."""
    made = Call(Op(operator), [operand for operand in operands if operand is not None], attrs)
    return TupleWrapper(made, results) if results > 1 else made


def post_order(expr: Expr) -> list:
    """All expressions in an expression, each once, behind those that it reads."""
    order, seen = [], set()
    stack = [(expr, False)]
    while stack:
        node, is_read = stack.pop()
        if is_read:
            order.append(node)
        elif id(node) not in seen:
            seen.add(id(node))
            stack.append((node, True))
            stack.extend((child, False) for child in reversed(node.children()))
    return order


def post_order_visit(expr: Expr, fvisit: Any) -> None:
    """Calls a function for each expression in an expression, behind those that it reads."""
    for node in post_order(as_expr(expr)):
        fvisit(node)


def rewritten(expr: Expr, rewrite: Any) -> Expr:
    """An expression in which each part is what `rewrite` makes of it; it gets the part with its new children."""
    made: dict = {}
    for node in post_order(expr):
        old = node.children()
        new = [made[id(child)] for child in old]
        is_same = all(one is other for one, other in zip(old, new))
        made[id(node)] = rewrite(node, node if is_same else node.with_children(new))
    return made[id(expr)]


def bound_vars(node: Expr) -> tuple:
    """The variables that an expression binds itself."""
    if isinstance(node, Function):
        return node.params
    if isinstance(node, Let):
        return (node.var,)
    return tuple(getattr(node, "pattern_vars", lambda: ())())


def free_vars(expr: Any) -> list:
    """The variables that nothing in an expression binds, in the order in which they are read."""
    order = post_order(as_expr(expr))
    bound = {id(variable) for node in order for variable in bound_vars(node)}
    return [node for node in order if isinstance(node, Var) and id(node) not in bound]


def bind(expr: Any, binds: Mapping[Var, Any]) -> Expr:
    """An expression in which values stand for variables. Parameters of a function that get values are gone."""
    values = {id(variable): as_expr(value) for variable, value in binds.items()}

    def replaced(node: Expr, new: Expr) -> Expr:
        if isinstance(node, Var):
            return values.get(id(node), node)
        if isinstance(new, Function) and any(id(param) in values for param in new.params):
            params = [param for param in new.params if id(param) not in values]
            return Function(params, new.body, new.ret_type, new.type_params, new.attrs)
        return new

    return rewritten(as_expr(expr), replaced)
