"""From tensors and schedules to compiled functions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Optional

import numpy as np

from .. import _expression, ir
from ..compiler import compile
from ..errors import InputError, IRError
from ..model import Model
from .scalar import IterVar, Reduce, mlir_type
from .schedule import Schedule, Stage
from .tensor import ComputeOp, PlaceholderOp, Tensor, topological

__all__ = ["Built", "build", "lower", "module_of"]


def _type(tensor: Tensor) -> str:
    """MLIR's type of a tensor."""
    return _expression._tensor(tensor.shape, mlir_type(tensor.dtype))


def _unique(names: Sequence[str]) -> list:
    """Names of which no two are equal."""
    made: list = []
    for name in names:
        found, number = name, 0
        while found in made:
            number += 1
            found = f"{name}_{number}"
        made.append(found)
    return made


def module_of(schedule: Schedule, args: Sequence[Tensor], name: str = "main") -> ir.Module:
    """The module of a schedule: the function `name` of te, and a `main` that calls it. Among `args` are all tensors that are given
    and all outputs; inputs and outputs have their names."""
    inputs = [tensor for tensor in args if isinstance(tensor.op, PlaceholderOp)]
    outputs = [tensor for tensor in args if not isinstance(tensor.op, PlaceholderOp)]
    _check(schedule.outputs, inputs, outputs)
    names = _unique([tensor.name for tensor in [*inputs, *outputs]])
    input_names, output_names = names[: len(inputs)], names[len(inputs) :]
    types = {one: _type(tensor) for one, tensor in zip(input_names, inputs)}
    module = ir.Module()
    kernel = module.function(f"{name}_kernel" if name == "main" else name, private=True, **types)
    _fill(kernel, inputs, outputs, schedule)
    main = module.function("main", **types)
    results = main.call(kernel, *main.arguments)
    results = results if isinstance(results, tuple) else (results,)
    main.returns(**dict(zip(output_names, results)))
    return module


def kernel_text(inputs: Sequence[Tensor], outputs: Sequence[Tensor], schedule: Optional[Schedule]) -> str:
    """A module of one function of te, from inputs to outputs, in MLIR's text; without a schedule, the compiler makes one."""
    _check(schedule.outputs if schedule else (), inputs, outputs)
    module = ir.Module()
    types = {name: _type(tensor) for name, tensor in zip(_unique([tensor.name for tensor in inputs]), inputs)}
    _fill(module.function("compute", private=True, **types), inputs, outputs, schedule)
    return str(module)


def _fill(
    kernel: ir.Function, inputs: Sequence[Tensor], outputs: Sequence[Tensor], schedule: Optional[Schedule]
) -> None:
    """Writes computes and their schedule, and ends the function."""
    values = {id(tensor): value for tensor, value in zip(inputs, kernel.arguments)}
    computed = [tensor for tensor in topological(outputs) if isinstance(tensor.op, ComputeOp)]
    for tensor in computed:
        values[id(tensor)] = _compute(kernel, tensor, values)
    if schedule is not None:
        _Replay(kernel.schedule(), values).all(schedule)
    kernel.returns(*(values[id(tensor)] for tensor in outputs))


def _check(scheduled: Sequence[Tensor], inputs: Sequence[Tensor], outputs: Sequence[Tensor]) -> None:
    if not outputs:
        raise IRError("a function has an output: a tensor that is computed is among its arguments")
    needed = topological(outputs)
    for tensor in needed:
        if isinstance(tensor.op, PlaceholderOp) and not any(tensor is known for known in inputs):
            raise IRError(f"{tensor.name} is read, and is no argument of the function")
    for tensor in scheduled:
        if not any(tensor is known for known in needed):
            raise IRError(f"{tensor.name} is scheduled, and is no argument of the function")


def _compute(kernel: ir.Function, tensor: Tensor, values: dict) -> ir.Value:
    """The `te.compute` of a tensor."""
    op = tensor.op
    is_reduced = isinstance(op.body, Reduce)
    source = op.body.source if is_reduced else op.body
    axes = [*op.axis, *op.reduce_axis]

    def body(*indices: ir.Expression) -> ir.Expression:
        written = {id(axis): index for axis, index in zip(axes, indices)}
        return source.write({**values, **written})

    return kernel.compute(
        tensor.name,
        tensor.shape,
        body,
        reduce=[axis.extent for axis in op.reduce_axis],
        reducer=op.body.reducer if is_reduced else None,
        type=mlir_type(tensor.dtype),
        axes=_unique([axis.name for axis in axes]),
    )


class _Replay:
    """Does the noted steps of a schedule on its module."""

    def __init__(self, made: ir.Schedule, values: dict):
        self.made, self.values = made, values
        self.stages: dict = {}
        self.axes: dict = {}

    def all(self, schedule: Schedule) -> None:
        """Does all of them."""
        for primitive, stage, arguments, options in schedule.steps:
            getattr(self, f"_{primitive}", self._plain)(primitive, stage, arguments, options)

    def stage(self, stage: Stage) -> ir.Value:
        """The handle of a stage."""
        if id(stage) not in self.stages:
            self.stages[id(stage)] = self.made.stage(self.values[id(stage.origin)])
        return self.stages[id(stage)]

    def axis(self, stage: Stage, axis: IterVar) -> ir.Value:
        """The handle of an axis; those of the stage's own are asked for where the first of them is read."""
        if id(axis) not in self.axes or self.axes[id(axis)][0] is not stage:
            own = [*stage.op.axis, *stage.op.reduce_axis]
            if not any(axis is one for one in own):
                raise IRError(f"{axis.name} is no axis of the stage {stage.op.name}")
            found = self.made.axes(self.stage(stage), len(own))
            for one, handle in zip(own, found):
                self.axes[id(one)] = stage, handle
        return self.axes[id(axis)][1]

    def name(self, stage: Stage, axes: Sequence[IterVar], handles: Sequence[ir.Value]) -> None:
        """Notes the handles of new axes."""
        for axis, handle in zip(axes, handles):
            self.axes[id(axis)] = stage, handle

    def _plain(self, primitive: str, stage: Stage, arguments: tuple, options: dict) -> None:
        handles = [self.axis(stage, one) if isinstance(one, IterVar) else one for one in arguments]
        on_axis = arguments and isinstance(arguments[0], IterVar)
        getattr(self.made, primitive)(*([] if on_axis else [self.stage(stage)]), *handles, **options)

    def _split(self, primitive: str, stage: Stage, arguments: tuple, options: dict) -> None:
        parent, made = arguments
        self.name(stage, made, self.made.split(self.axis(stage, parent), **options))

    def _fuse(self, primitive: str, stage: Stage, arguments: tuple, options: dict) -> None:
        axes, made = arguments
        self.name(stage, [made], [self.made.fuse(*(self.axis(stage, axis) for axis in axes))])

    def _reorder(self, primitive: str, stage: Stage, arguments: tuple, options: dict) -> None:
        self.made.reorder(*(self.axis(stage, axis) for axis in arguments[0]))

    def _compute_at(self, primitive: str, stage: Stage, arguments: tuple, options: dict) -> None:
        parent, axis = arguments
        self.made.compute_at(self.stage(stage), self.stage(parent), self.axis(parent, axis))

    def _cache_write(self, primitive: str, stage: Stage, arguments: tuple, options: dict) -> None:
        (writer,) = arguments
        self.stages[id(writer)] = self.made.cache_write(self.stage(stage), **options)

    def _cache_read(self, primitive: str, stage: Stage, arguments: tuple, options: dict) -> None:
        tensor, readers = arguments
        handles = [self.stage(reader) for reader in readers]
        self.stages[id(stage)] = self.made.cache_read(self.values[id(tensor)], handles, **options)

    def _rfactor(self, primitive: str, stage: Stage, arguments: tuple, options: dict) -> None:
        axis, partial = arguments
        self.stages[id(partial)] = self.made.rfactor(self.stage(stage), self.axis(stage, axis), **options)


class Built:
    """A compiled function of arrays. Called with its inputs it returns its outputs; called with all its arguments, in their order, it
    writes the outputs into the arrays that stand for them."""

    def __init__(self, model: Model, args: Sequence[Tensor]):
        self.model = model
        self._is_input = [isinstance(tensor.op, PlaceholderOp) for tensor in args]

    def __call__(self, *arrays: Any) -> Any:
        if len(arrays) == sum(self._is_input):
            return self.model(*arrays)
        if len(arrays) != len(self._is_input):
            raise InputError(f"the function takes {len(self._is_input)} arrays, or its inputs alone, not {len(arrays)}")
        given = [array for array, is_input in zip(arrays, self._is_input) if is_input]
        outputs = [array for array, is_input in zip(arrays, self._is_input) if not is_input]
        results = self.model(*given)
        for output, result in zip(outputs, results if isinstance(results, tuple) else (results,)):
            np.copyto(output, result, casting="no")
        return None


def build(
    schedule: Schedule, args: Sequence[Tensor], target: Optional[str] = None, name: str = "main", **how: Any
) -> Built:
    """Compiles a function of tensors. `how` has options of `relay_mlir.compile`."""
    from ..relay.build import target_of

    return Built(compile(module_of(schedule, args, name), target=target_of(target), name=name, **how), args)


def lower(schedule: Schedule, args: Sequence[Tensor], simple_mode: bool = True, name: str = "main") -> str:
    """The loops that a schedule gives, as TIR in MLIR's text. The printed index arithmetic is simplified."""
    module = module_of(schedule, args, name)
    module.run("attach-target,lower-te,canonicalize,cse")
    return str(module)
