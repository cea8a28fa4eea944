"""PyTorch: modules and exported programs as models, and a backend of `torch.compile`.

    model = relay_mlir.compile(module, example_inputs=(x,))      # exports, compiles, loads
    fast = torch.compile(module, backend="relay_mlir")           # for inference, on the CPU

Nothing here imports PyTorch before it is given something of it.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from typing import Any, Callable, Optional

import numpy as np

from .errors import CompileWarning, Error

__all__ = ["backend", "exported", "is_module", "is_program"]


def is_module(model: Any) -> bool:
    """Whether something is a `torch.nn.Module`."""
    return any(
        kind.__module__.startswith("torch.nn.modules") and kind.__name__ == "Module" for kind in type(model).__mro__
    )


def is_program(model: Any) -> bool:
    """Whether something is a `torch.export.ExportedProgram`."""
    return hasattr(model, "graph_signature") and hasattr(model, "range_constraints")


def is_script(model: Any) -> bool:
    """Whether something is a `torch.jit.ScriptModule`."""
    return any(kind.__module__ == "torch.jit._script" and kind.__name__ == "ScriptModule" for kind in type(model).__mro__)


def inputs_of(module: Any, examples: Optional[Sequence[Any]], shapes: Any, types: Any, values: Any) -> tuple:
    """Shapes, element types and values of the inputs of a `torch.jit.ScriptModule`: those of examples, and others that are given."""
    shapes_of, types_of, values_of = {}, {}, {}

    def add(name, value):
        if hasattr(value, "dtype"):
            shapes_of[name], types_of[name] = list(value.shape), str(value.dtype).removeprefix("torch.")
        elif isinstance(value, Mapping):
            for key, item in value.items():
                add(f"{name}.{key}", item)
        elif isinstance(value, (list, tuple)):
            for place, item in enumerate(value):
                add(f"{name}.{place}", item)
        elif value is not None:
            values_of[name] = value

    names = [argument.name for argument in module.forward.schema.arguments[1:]]
    for name, value in zip(names, examples or ()):
        add(name, value)
    given = ((shapes_of, shapes), (types_of, types), (values_of, values))
    return tuple({**of_examples, **(said or {})} for of_examples, said in given)


def exported(module: Any, example_inputs: Optional[Sequence[Any]], dynamic_shapes: Any = None) -> Any:
    """The `torch.export.ExportedProgram` of a module in evaluation mode, traced with example inputs."""
    import torch

    if example_inputs is None:
        raise TypeError("a torch.nn.Module is compiled with example_inputs, a tuple of tensors to trace it with")
    # Whether layers drop values is decided at the export, and whether those of transformers are one operator of PyTorch's own.
    was_training, was_fast = module.training, torch.backends.mha.get_fastpath_enabled()
    try:
        module.eval()
        torch.backends.mha.set_fastpath_enabled(False)
        with torch.no_grad():
            return torch.export.export(module, tuple(example_inputs), dynamic_shapes=dynamic_shapes)
    finally:
        module.train(was_training)
        torch.backends.mha.set_fastpath_enabled(was_fast)


def save(program: Any, path: Any) -> None:
    """Writes an exported program to a .pt2 file."""
    import torch

    torch.export.save(program, path)


class Compiled:
    """A graph of `torch.compile`: its parameters are constants of the compiled model.

    Where a gradient is asked for, or this compiler cannot read the graph, PyTorch runs it.
    """

    def __init__(self, graph: Any, example_inputs: Sequence[Any], how: Mapping[str, Any]):
        import torch

        self.graph, self.how = graph, dict(how)
        self.is_strict = self.how.pop("strict", False)
        self.are_parameters = [isinstance(value, torch.nn.Parameter) for value in example_inputs]
        self.model: Any = None
        self.versions: list = []
        self.is_refused = not self._compile(example_inputs)

    def _compile(self, inputs: Sequence[Any]) -> bool:
        """Compiles the graph for inputs; false if it cannot be."""
        from .compiler import compile

        self.versions = self._versions(inputs)
        try:
            program = exported(_with_parameters(self.graph, inputs, self.are_parameters), self._others(inputs))
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", CompileWarning)
                self.model = compile(program, **self.how)
        except Exception as error:
            # PyTorch's export fails with errors of many kinds.
            if self.is_strict:
                raise
            first = next(iter(str(error).splitlines()), type(error).__name__)
            warnings.warn(f"PyTorch runs a graph that is not compiled: {first}", CompileWarning, stacklevel=2)
            return False
        return True

    def _versions(self, inputs: Sequence[Any]) -> list:
        """The parameters, and how often each was written into."""
        return [(id(value), value._version) for value, is_one in zip(inputs, self.are_parameters) if is_one]

    def _others(self, inputs: Sequence[Any]) -> list:
        return [value for value, is_parameter in zip(inputs, self.are_parameters) if not is_parameter]

    def __call__(self, *inputs: Any) -> Any:
        import torch

        others = self._others(inputs)
        wants_gradient = torch.is_grad_enabled() and any(
            value.requires_grad for value in inputs if hasattr(value, "requires_grad")
        )
        if self.is_refused or wants_gradient:
            return self.graph(*inputs)
        if self._versions(inputs) != self.versions and not self._compile(inputs):
            self.is_refused = True
            return self.graph(*inputs)
        results = self.model(*(value.detach().contiguous() for value in others))
        results = results if isinstance(results, tuple) else (results,)
        return tuple(torch.from_numpy(np.asarray(result)) for result in results)


def _with_parameters(graph: Any, inputs: Sequence[Any], are_parameters: Sequence[bool]) -> Any:
    """A module that computes a graph of its other inputs."""
    import torch

    class Bound(torch.nn.Module):
        """The graph with its parameters."""

        def __init__(self):
            super().__init__()
            self.graph = graph
            self.bound = torch.nn.ParameterList(value for value, is_one in zip(inputs, are_parameters) if is_one)

        def forward(self, *others):
            bound, rest = iter(self.bound), iter(others)
            return self.graph(*(next(bound) if is_one else next(rest) for is_one in are_parameters))

    return Bound()


def backend(graph: Any, example_inputs: Sequence[Any], *, options: Optional[Mapping[str, Any]] = None) -> Callable:
    """The backend `relay_mlir` of `torch.compile`: `options` are those of `relay_mlir.compile`.

    With `options={"strict": True}`, a graph that cannot be compiled is an error; else PyTorch runs it, and a `CompileWarning` says why.
    """
    import torch

    how = dict(options or {})
    are_tensors = all(isinstance(value, torch.Tensor) and value.device.type == "cpu" for value in example_inputs)
    if not are_tensors:
        if how.get("strict"):
            raise Error("the graph has inputs that are no tensors of the CPU; compile it with dynamic=False")
        return graph.forward
    # The examples are those of the first call, not the fake tensors that PyTorch traces with.
    compiled: list = []

    def run(*inputs: Any) -> Any:
        if not compiled:
            compiled.append(Compiled(graph, inputs, how))
        return compiled[0](*inputs)

    return run
