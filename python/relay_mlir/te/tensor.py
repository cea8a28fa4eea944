"""Tensors: given ones, and those that a compute defines."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from typing import Any, Callable, Union

from .. import ir
from .._dims import Dim, Extent, extent_of
from ..errors import IRError
from .scalar import INDEX, IterVar, Reduce, Scalar, as_scalar, cast

__all__ = ["ComputeOp", "PlaceholderOp", "Tensor", "compute", "max", "min", "placeholder", "prod", "reduce_axis", "sum"]


class PlaceholderOp:
    """The definition of a tensor that is given, which is its `output`."""

    def __init__(self, name: str):
        self.name = name
        self.axis: list = []
        self.reduce_axis: list = []
        self.input_tensors: list = []


class ComputeOp:
    """The definition of a tensor, which is its `output`, by its elements: its axes, and what they are computed of."""

    def __init__(self, name: str, axis: Sequence[IterVar], body: Union[Scalar, Reduce], inputs: Sequence[Tensor]):
        self.name, self.axis, self.body, self.input_tensors = name, list(axis), body, list(inputs)
        self.reduce_axis = list(body.axis) if isinstance(body, Reduce) else []


class Tensor:
    """A tensor. `tensor[i, j]` is an element in the body of a compute."""

    def __init__(self, shape: Sequence[Extent], dtype: str, op: Any):
        self.shape, self.dtype, self.op = tuple(extent_of(extent) for extent in shape), dtype, op
        op.output = self

    @property
    def name(self) -> str:
        """Its name."""
        return self.op.name

    @property
    def ndim(self) -> int:
        """How many dimensions it has."""
        return len(self.shape)

    def __getitem__(self, indices: Any) -> Scalar:
        indices = indices if isinstance(indices, tuple) else (indices,)
        if len(indices) != len(self.shape):
            raise IRError(f"{self.name} has {len(self.shape)} dimensions, and an element is read by {len(indices)}")
        parts = [cast(as_scalar(index, INDEX), INDEX) for index in indices]
        return Element(self, parts)

    def __call__(self, *indices: Any) -> Scalar:
        return self[indices]

    def __repr__(self) -> str:
        return f"<te.Tensor {self.name}: {self.dtype}{list(self.shape)}>"


class Element(Scalar):
    """An element of a tensor."""

    def __init__(self, tensor: Tensor, indices: Sequence[Scalar]):
        super().__init__(tensor.dtype, indices, self._unbound)
        self.tensor = tensor

    def _unbound(self, *indices: Any) -> Any:
        raise IRError(f"{self.tensor.name} is read where it is not computed")

    def emit(self, written: dict) -> Any:
        tensor = written.get(id(self.tensor))
        if tensor is None:
            return self._unbound()
        return ir.element(tensor, tuple(written[id(part)] for part in self.parts))


def placeholder(shape: Sequence[Extent], dtype: str = "float32", name: str = "placeholder") -> Tensor:
    """A tensor that is given to the function."""
    shape = (shape,) if isinstance(shape, (int, str, Dim)) else shape
    return Tensor(shape, dtype, PlaceholderOp(name))


def compute(
    shape: Sequence[Extent], fcompute: Callable[..., Any], name: str = "compute", tag: str = "", attrs: Any = None
) -> Tensor:
    """A tensor whose element at each index is `fcompute(i, j, ...)`: an expression, or a reduction of one."""
    shape = (shape,) if isinstance(shape, (int, str, Dim)) else tuple(shape)
    parameters = list(inspect.signature(fcompute).parameters.values())
    is_open = any(parameter.kind is inspect.Parameter.VAR_POSITIONAL for parameter in parameters)
    if not is_open and len(parameters) != len(shape):
        raise IRError(f"{name} has {len(shape)} dimensions, and its function takes {len(parameters)} indices")
    names = [f"i{number}" if is_open else parameters[number].name for number in range(len(shape))]
    axes = [IterVar(axis, extent) for axis, extent in zip(names, shape)]
    body = fcompute(*axes)
    body = body if isinstance(body, Reduce) else as_scalar(body)
    source = body.source if isinstance(body, Reduce) else body
    if source.dtype == INDEX:
        source = cast(source, "int32")
        body = Reduce(body.reducer, source, body.axis) if isinstance(body, Reduce) else source
    return Tensor(shape, source.dtype, ComputeOp(name, axes, body, _read(source)))


def _read(body: Scalar) -> list:
    """The tensors that an expression reads, each once."""
    found: list = []
    stack, seen = [body], set()
    while stack:
        node = stack.pop()
        if id(node) in seen:
            continue
        seen.add(id(node))
        if isinstance(node, Element) and not any(node.tensor is known for known in found):
            found.append(node.tensor)
        stack.extend(reversed([*node.parts, *getattr(node, "branches", ())]))
    return found


def reduce_axis(dom: Sequence[Extent], name: str = "rv") -> IterVar:
    """An axis to reduce over: from 0 to below an end."""
    begin, end = dom
    if begin != 0:
        raise IRError(f"the axis {name} begins at {begin}; axes begin at 0, and an index adds what it begins at")
    return IterVar(name, end)


def _reducer(reducer: str, what: str) -> Callable:
    def combine(expr: Any, axis: Union[IterVar, Sequence[IterVar]]) -> Reduce:
        return Reduce(reducer, expr, axis)

    combine.__name__, combine.__doc__ = reducer, f"{what} of an expression over axes."
    return combine


sum = _reducer("sum", "The sum")
prod = _reducer("prod", "The product")
max = _reducer("max", "The greatest")
min = _reducer("min", "The least")


def topological(outputs: Sequence[Tensor]) -> list:
    """The tensors that others are computed of, and these, in the order in which they are computed."""
    order: list = []
    stack: list = [(tensor, False) for tensor in reversed(outputs)]
    while stack:
        tensor, is_read = stack.pop()
        if any(tensor is known for known in order):
            continue
        if is_read:
            order.append(tensor)
        else:
            stack.append((tensor, True))
            stack.extend((one, False) for one in reversed(tensor.op.input_tensors))
    return order
