"""Relay's types, by TVM's names."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any as AnyType
from typing import Optional, Union

from .._dims import Dim

__all__ = [
    "Any",
    "FuncType",
    "GlobalTypeVar",
    "RefType",
    "TensorType",
    "TupleType",
    "Type",
    "TypeCall",
    "TypeVar",
    "scalar_type",
]


class Type:
    """A type. As text, it is Relay's; equal types are equal."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Type) and str(self) == str(other)

    def __hash__(self) -> int:
        return hash(str(self))

    def __repr__(self) -> str:
        return str(self)


class Any:
    """A dimension that is not known: `?`."""

    def __repr__(self) -> str:
        return "?"


def dimension(extent: AnyType) -> Union[int, Any, Dim]:
    """A dimension from a number, None, `Any()`, or the form of an open one."""
    if isinstance(extent, Dim):
        return extent
    return Any() if extent is None or isinstance(extent, Any) else int(extent)


class TensorType(Type):
    """Tensors of a shape and an element type: `Tensor[(1, ?), float32]`."""

    def __init__(self, shape: Sequence[AnyType], dtype: str = "float32"):
        self.shape = tuple(dimension(extent) for extent in shape)
        self.dtype = str(dtype)

    @property
    def concrete_shape(self) -> tuple:
        """The shape, if all of it is known; else a `ValueError`."""
        if any(isinstance(extent, Any) for extent in self.shape):
            raise ValueError(f"{self} has a dimension that is not known")
        return self.shape

    def __str__(self) -> str:
        if not self.shape:
            return self.dtype
        comma = "," if len(self.shape) == 1 else ""
        return f"Tensor[({', '.join(map(str, self.shape))}{comma}), {self.dtype}]"


def scalar_type(dtype: str) -> TensorType:
    """Tensors of rank 0."""
    return TensorType((), dtype)


class TupleType(Type):
    """Tuples."""

    def __init__(self, fields: Sequence[Type]):
        self.fields = tuple(fields)

    def __str__(self) -> str:
        comma = "," if len(self.fields) == 1 else ""
        return f"({', '.join(map(str, self.fields))}{comma})"


class FuncType(Type):
    """Functions."""

    def __init__(self, arg_types: Sequence[Type], ret_type: Type, type_params: Sequence[TypeVar] = ()):
        self.arg_types, self.ret_type, self.type_params = tuple(arg_types), ret_type, tuple(type_params)

    def __str__(self) -> str:
        params = f" [{', '.join(map(str, self.type_params))}]" if self.type_params else ""
        return f"fn{params} ({', '.join(map(str, self.arg_types))}) -> {self.ret_type}"


class RefType(Type):
    """References, whose value `RefWrite` replaces."""

    def __init__(self, value: Type):
        self.value = value

    def __str__(self) -> str:
        return f"ref({self.value})"


class TypeVar(Type):
    """A type parameter of a function or data type."""

    def __init__(self, name_hint: str, kind: Optional[AnyType] = None):
        self.name_hint = name_hint

    def __str__(self) -> str:
        return self.name_hint


class GlobalTypeVar(Type):
    """The name of a data type. Called with types, it is the data type of these."""

    def __init__(self, name_hint: str):
        self.name_hint = name_hint

    def __call__(self, *args: Type) -> TypeCall:
        return TypeCall(self, args)

    def __str__(self) -> str:
        return self.name_hint


class TypeCall(Type):
    """A data type with its arguments: `List[int32]`."""

    def __init__(self, func: Union[GlobalTypeVar, str], args: Sequence[Type]):
        self.func = GlobalTypeVar(func) if isinstance(func, str) else func
        self.args = tuple(args)

    def __str__(self) -> str:
        return f"{self.func}[{', '.join(map(str, self.args))}]" if self.args else str(self.func)
