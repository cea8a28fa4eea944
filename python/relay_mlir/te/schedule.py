"""Schedules: how the computes of a function become loops, by TVM's primitives."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Optional, Union

from ..errors import IRError
from .scalar import IterVar
from .tensor import ComputeOp, PlaceholderOp, Tensor, topological

__all__ = ["Schedule", "Stage", "create_schedule", "thread_axis"]


class _Cached:
    """The definition of a tensor that a schedule computes or copies into a scope."""

    def __init__(self, name: str, axis: Sequence[IterVar], reduce_axis: Sequence[IterVar]):
        self.name, self.axis, self.reduce_axis = name, list(axis), list(reduce_axis)
        self.input_tensors: list = []


class Stage:
    """The loops that compute a tensor. Its primitives are noted, and done when the function is built."""

    def __init__(self, schedule: Schedule, tensor: Tensor):
        self.schedule, self.origin = schedule, tensor
        self.op = tensor.op

    def _do(self, primitive: str, *arguments: Any, **options: Any) -> None:
        self.schedule.steps.append((primitive, self, arguments, options))

    def split(self, parent: IterVar, factor: Optional[int] = None, nparts: Optional[int] = None) -> tuple:
        """Splits an axis: by the extent of the inner one, or by that of the outer one. Returns both."""
        if (factor is None) == (nparts is None):
            raise IRError(f"the axis {parent.name} is split by a factor or into nparts")
        inner = factor if factor is not None else -(-parent.extent // nparts)
        outer = nparts if nparts is not None else -(-parent.extent // factor)
        made = IterVar(f"{parent.name}.outer", outer), IterVar(f"{parent.name}.inner", inner)
        how = {"factor": factor} if nparts is None else {"nparts": nparts}
        self._do("split", parent, made, **how)
        return made

    def tile(self, x_parent: IterVar, y_parent: IterVar, x_factor: int, y_factor: int) -> tuple:
        """Splits two axes, and puts the inner ones innermost. Returns the outer ones, then the inner ones."""
        x_outer, x_inner = self.split(x_parent, x_factor)
        y_outer, y_inner = self.split(y_parent, y_factor)
        self.reorder(x_outer, y_outer, x_inner, y_inner)
        return x_outer, y_outer, x_inner, y_inner

    def fuse(self, *args: IterVar) -> IterVar:
        """Makes one axis of neighbours, outermost first."""
        extent = 1
        for axis in args:
            extent *= axis.extent
        made = IterVar(".".join(axis.name for axis in args) + ".fused", extent)
        self._do("fuse", args, made)
        return made

    def reorder(self, *args: IterVar) -> None:
        """Puts axes into this order, outermost first."""
        self._do("reorder", args)

    def vectorize(self, var: IterVar) -> None:
        """Runs an axis as vector instructions."""
        self._do("vectorize", var)

    def unroll(self, var: IterVar) -> None:
        """Repeats an axis' body."""
        self._do("unroll", var)

    def parallel(self, var: IterVar) -> None:
        """Shares an axis among threads."""
        self._do("parallel", var)

    def bind(self, ivar: IterVar, thread_ivar: Union[str, IterVar]) -> None:
        """Gives an axis to the threads of a grid."""
        self._do("bind", ivar, thread_ivar if isinstance(thread_ivar, str) else thread_ivar.name)

    def compute_at(self, parent: Stage, scope: IterVar) -> None:
        """Computes this stage inside a loop of another one."""
        self._do("compute_at", parent, scope)

    def compute_inline(self) -> None:
        """Substitutes this stage into those that read it."""
        self._do("compute_inline")

    def compute_root(self) -> None:
        """Computes this stage before the loops of those that read it."""
        self._do("compute_root")

    def set_scope(self, scope: str) -> None:
        """Says where the tensor lies: "global" or "local"."""
        self._do("set_scope", scope)


class Schedule:
    """The stages of all computes that outputs are made of: `schedule[tensor]`."""

    def __init__(self, outputs: Sequence[Tensor]):
        self.outputs = list(outputs)
        self.steps: list = []
        tensors = [tensor for tensor in topological(self.outputs) if isinstance(tensor.op, ComputeOp)]
        self.stages = [Stage(self, tensor) for tensor in tensors]

    def __getitem__(self, tensor: Union[Tensor, ComputeOp, _Cached]) -> Stage:
        for stage in self.stages:
            if tensor is stage.origin or tensor is stage.origin.op:
                return stage
        raise IRError(f"{tensor.name} is no stage of this schedule")

    def cache_write(self, tensor: Tensor, scope: str) -> Tensor:
        """Computes a tensor into a scope, from which its stage copies then. Returns the tensor in the scope."""
        stage = self[tensor]
        op = stage.op
        axes = [IterVar(f"{axis.name}.c", axis.extent) for axis in op.axis]
        made = Tensor(tensor.shape, tensor.dtype, _Cached(f"{tensor.name}.{scope}", axes, op.reduce_axis))
        # The stage that copies reduces no more.
        stage.op = _Cached(op.name, op.axis, [])
        writer = Stage(self, made)
        self.stages.append(writer)
        self.steps.append(("cache_write", stage, (writer,), {"scope": scope}))
        return made

    def cache_read(self, tensor: Tensor, scope: str, readers: Sequence[Tensor]) -> Tensor:
        """Copies a tensor into a scope for some of those that read it. Returns the copy."""
        readers = readers if isinstance(readers, (list, tuple)) else [readers]
        axes = [IterVar(f"ax{number}", extent) for number, extent in enumerate(tensor.shape)]
        made = Tensor(tensor.shape, tensor.dtype, _Cached(f"{tensor.name}.{scope}", axes, []))
        reader = Stage(self, made)
        self.stages.append(reader)
        stages = [self[one] for one in readers]
        self.steps.append(("cache_read", reader, (tensor, stages), {"scope": scope}))
        return made

    def rfactor(self, tensor: Tensor, axis: IterVar, factor_axis: int = 0) -> Tensor:
        """Makes an axis that a tensor reduces over the dimension `factor_axis` of partial results. Returns these."""
        stage = self[tensor]
        rest = [IterVar(one.name, one.extent) for one in stage.op.axis]
        rest.insert(factor_axis % (len(rest) + 1), IterVar(axis.name, axis.extent))
        shape = [one.extent for one in rest]
        # How many axes are left to reduce over depends on the splits that were made before.
        made = Tensor(shape, tensor.dtype, _Cached(f"{tensor.name}.rf", rest, []))
        partial = Stage(self, made)
        self.stages.append(partial)
        self.steps.append(("rfactor", stage, (axis, partial), {"factor_axis": factor_axis}))
        return made


def create_schedule(ops: Any) -> Schedule:
    """A schedule of all that some tensors are computed of: `create_schedule(C.op)`, or several."""
    given = ops if isinstance(ops, (list, tuple)) else [ops]
    tensors = [one if isinstance(one, Tensor) else one.output for one in given]
    for tensor in tensors:
        if isinstance(tensor.op, PlaceholderOp):
            raise IRError(f"{tensor.name} is given; a schedule is of tensors that are computed")
    return Schedule(tensors)


def thread_axis(dom: Any = None, tag: str = "", name: str = "") -> IterVar:
    """An axis of a grid of threads, by its tag: "blockIdx.x", "threadIdx.x" ..."""
    return IterVar(tag or dom, 1)
