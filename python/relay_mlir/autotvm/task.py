"""Templates and tasks: a function of te that leaves choices open, and its arguments."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any, Callable, Optional

from ..errors import IRError
from ..te.scalar import INDEX, Scalar
from ..te.schedule import Schedule
from ..te.tensor import ComputeOp, Tensor
from .dispatcher import ApplyConfig, DispatchContext
from .entity import known_extent
from .space import ConfigSpace, Knobs

__all__ = ["Task", "args_to_workload", "create", "get_config", "template"]

# The templates of this process, by name.
TEMPLATES: dict = {}


def args_to_workload(args: Sequence[Any], task_name: str) -> tuple:
    """The name of a template and its arguments, as records tell them apart."""
    return (task_name, *(_plain(argument) for argument in args))


def _plain(argument: Any) -> Any:
    """An argument of numbers, strings and tuples."""
    if isinstance(argument, Tensor):
        return ("TENSOR", argument.shape, argument.dtype)
    if isinstance(argument, (list, tuple)):
        return tuple(_plain(one) for one in argument)
    if argument is None or isinstance(argument, (bool, int, float, str)):
        return argument
    raise IRError(
        f"{argument!r} is no argument of a template: records write numbers, strings, lists and tensors' shapes"
    )


def get_config() -> Knobs:
    """The choices of the template that runs: it defines knobs of them, and reads these."""
    return DispatchContext.current().query(None, None)


def template(task_name: str, func: Optional[Callable] = None) -> Callable:
    """A decorator: the function is a template of this name. It returns a schedule and the arguments of the function to build.

    Called directly, it takes the choices of the context: `apply_history_best`, `ApplyConfig`, else the first value of each knob.
    """

    def decorate(function: Callable) -> Callable:
        TEMPLATES[task_name] = function

        @functools.wraps(function)
        def wrapper(*args: Any) -> Any:
            config = DispatchContext.current().query(None, args_to_workload(args, task_name))
            with ApplyConfig(config):
                return function(*args)

        return wrapper

    return decorate if func is None else decorate(func)


class Task:
    """A template with its arguments, for a target."""

    def __init__(self, name: str, args: Sequence[Any], target: Any):
        if name not in TEMPLATES:
            known = ", ".join(sorted(TEMPLATES)) or "none"
            raise IRError(f"there is no template '{name}'; there are {known}. @autotvm.template('{name}') makes one")
        self.name, self.args, self.target = name, tuple(args), str(target or "llvm")
        self.workload = args_to_workload(args, name)
        self.config_space = ConfigSpace()
        schedule, _ = self.instantiate(self.config_space)
        self.flop = self.config_space.flop or flop_of(schedule)

    def instantiate(self, config: Knobs) -> tuple:
        """The schedule of a choice, and the arguments of the function to build."""
        with ApplyConfig(config):
            made = TEMPLATES[self.name](*self.args)
        if not (isinstance(made, tuple) and len(made) == 2 and isinstance(made[0], Schedule)):
            raise IRError(f"the template '{self.name}' returns a schedule and a list of tensors")
        return made

    def __repr__(self) -> str:
        return f"Task(name={self.name}, args={self.args}, target={self.target})"


def create(task_name: str, args: Sequence[Any], target: Any = "llvm", target_host: Any = None) -> Task:
    """The task of a template for these arguments."""
    return Task(task_name, args, target)


def flop_of(schedule: Schedule) -> float:
    """The arithmetic operations of all computes: those of an element's expression, and one for each number that is reduced."""
    total = 0.0
    for stage in schedule.stages:
        op = stage.origin.op
        if isinstance(op, ComputeOp):
            axes, is_reduced = [*op.axis, *op.reduce_axis], bool(op.reduce_axis)
            count = 1.0
            for axis in axes:
                count *= known_extent(axis)
            total += count * (_operations(op.body.source if is_reduced else op.body) + is_reduced)
    return total


def _operations(expression: Scalar) -> int:
    """The arithmetic operations of an expression, without those on indices, conversions and constants."""
    stack, seen, count = [expression], set(), 0
    while stack:
        node = stack.pop()
        if id(node) in seen:
            continue
        seen.add(id(node))
        is_conversion = len(node.parts) == 1 and node.parts[0].dtype != node.dtype
        count += type(node) is Scalar and bool(node.parts) and node.dtype != INDEX and not is_conversion
        stack.extend([*node.parts, *getattr(node, "branches", ())])
    return count
