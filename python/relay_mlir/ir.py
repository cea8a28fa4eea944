"""The compiler's IR: modules of MLIR with the dialects relay, te and tir.

    from relay_mlir import ir

    module = ir.Module()
    main = module.function("main", x="tensor<4x64xf32>", w="tensor<32x64xf32>")
    x, w = main.arguments
    main.returns(y=main.relay("nn.relu", main.relay("nn.dense", x, w)))
    module.run("fuse-ops,relay-to-te,lower-te")
    print(module)

A module owns its context. Python's lock is held while it is worked on. Operations, blocks and values keep their
module alive. An operation that was erased raises `IRError` when it is asked for something; so does every operation
after a pipeline ran, because passes erase what they like. Types and attributes are texts, as MLIR writes them;
attributes that are numbers, strings or lists are Python's.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Optional, Union

from ._expression import (
    _list,
    _scalar,
    _tensor,
    _writing,
    both,
    branch,
    ceil,
    convert,
    cos,
    either,
    element,
    erf,
    exp,
    Expression,
    floor,
    log,
    maximum,
    minimum,
    rsqrt,
    select,
    sin,
    sqrt,
    tanh,
)
from ._dims import Extent
from ._lazy import compiler as _compiler_of
from .compiler import as_file, options, reworded
from .errors import IRError
from .params import Params, param_files

_lower = _compiler_of()
Attribute = _lower.Attribute
Block = _lower.Block
Operation = _lower.Operation
Value = _lower.Value
keyword = _lower.keyword

__all__ = [
    "Attribute",
    "Block",
    "Expression",
    "Function",
    "IRError",
    "Module",
    "Operation",
    "Schedule",
    "Value",
    "both",
    "branch",
    "ceil",
    "convert",
    "cos",
    "either",
    "element",
    "erf",
    "exp",
    "floor",
    "keyword",
    "load_pass_plugin",
    "log",
    "maximum",
    "minimum",
    "passes",
    "rsqrt",
    "select",
    "sin",
    "sqrt",
    "tanh",
]


def passes(level: str, **how: Any) -> list:
    """The passes that take a model down to a level - relay, te, tir, planned, lowered - in order; keyword arguments
    are those of `relay_mlir.compile`."""
    return _lower.passes(level, options(how.pop("shapes", None), how.pop("dims", None), **how))


def load_pass_plugin(path: Union[str, os.PathLike]) -> None:
    """Loads the passes of an MLIR plugin for `Module.run`. They stay loaded. Raises `CompileError` if it is no plugin."""
    _lower.load_pass_plugin(path)


class Module:
    """A module of MLIR: from text, from bytecode, or empty."""

    def __init__(self, source: Union[str, bytes, None] = None, name: str = "-"):
        self._module = source if isinstance(source, _lower.Module) else _lower.Module(source, name)

    @classmethod
    def load(
        cls,
        model: Any,
        *,
        shapes: Optional[Mapping[str, Sequence[Union[int, str]]]] = None,
        dims: Optional[Mapping[str, Union[int, str]]] = None,
        types: Optional[Mapping[str, Any]] = None,
        values: Optional[Mapping[str, Any]] = None,
        data_root: Union[str, os.PathLike, None] = None,
        params: Params = (),
        signature: Optional[str] = None,
        fetch: Union[str, Sequence[str]] = (),
    ) -> Module:
        """The module that the compiler makes of a model. All arguments are those of `relay_mlir.compile`."""
        how = options(shapes, dims, types=types, values=values, data_root=data_root, signature=signature, fetch=fetch)
        with as_file(model) as (path, reword), param_files(params) as files, reworded(reword):
            said = (how["shapes"], how["dims"], how["types"], how["values"])
            read = (how["data_root"], files)
            return cls(_lower.Module.of_file(path, *said, read, (how["signature"], how["fetch"])))

    def __str__(self) -> str:
        return str(self._module)

    def to_text(self, *, elide: bool = False, locations: bool = False) -> str:
        """Its text; with constants of more than 16 elements elided, or with locations, which elides them, too."""
        return self._module.to_text(elide=elide, locations=locations)

    def to_bytecode(self) -> bytes:
        """Its bytecode, constants included: `relay_mlir.compile` and all of MLIR's tools read it."""
        return self._module.to_bytecode()

    def save(self, path: Union[str, os.PathLike]) -> None:
        """Writes it to a file: bytecode if the name ends in .mlirbc, else text."""
        is_bytecode = os.fspath(path).endswith(".mlirbc")
        content = self.to_bytecode() if is_bytecode else str(self).encode()
        with open(path, "wb") as file:
            file.write(content)

    def run(self, pipeline: Union[str, Sequence[str]]) -> Module:
        """Runs passes, of this compiler or MLIR's own: `"fuse-ops,relay-to-te"`, or a list of them. Returns the module.

        Raises `IRError` with what the passes report. No operation of before can be used afterwards.
        """
        self._module.run(pipeline if isinstance(pipeline, str) else ",".join(pipeline))
        return self

    def verify(self) -> None:
        """Raises `IRError` if the module is not valid; the text says where."""
        self._module.verify()

    @property
    def operation(self) -> Operation:
        """The operation that is the module itself."""
        return self._module.operation

    @property
    def body(self) -> Block:
        """The block that holds its functions."""
        return self._module.body

    def walk(self) -> list:
        """All operations, outer ones first."""
        return self.operation.walk()

    def __getitem__(self, name: str) -> Operation:
        found = self._module.lookup(name)
        if found is None:
            raise KeyError(name)
        return found

    def function(self, function: str, *, private: bool = False, **arguments: str) -> Function:
        """Begins a function of this name, whose arguments have these names and types."""
        return Function(self, function, arguments, private)


class Function:
    """A function that is being made: operators are added until `returns` ends it."""

    def __init__(self, module: Module, name: str, arguments: Mapping[str, str], private: bool):
        self.module, self.name = module, name
        types = list(arguments.values())
        attributes = {
            "sym_name": name,
            "function_type": Attribute(f"({', '.join(types)}) -> ()"),
            "arg_attrs": [{"relay.name": argument} for argument in arguments] if arguments else Attribute("[]"),
        }
        if private:
            attributes["sym_visibility"] = "private"
            del attributes["arg_attrs"]
        self.operation = module.body.append("func.func", [], attributes, [], [types])
        self.block = self.operation.regions[0][0]
        self.arguments = tuple(self.block.arguments)

    def relay(self, operator: str, *operands: Value, node: Optional[str] = None, **attributes: Any) -> Any:
        """An operator of Relay by its name without the dialect, such as `nn.dense`; its type relation finds the types
        of its results. Returns its result, or a tuple of them. `node` is the name that messages and profiles have."""
        made = self.block.append(f"relay.{operator}", list(operands), attributes, node=node)
        results = tuple(made.results)
        return results[0] if len(results) == 1 else results

    def call(self, function: Union[Function, str], *operands: Value) -> Any:
        """Calls another function of the module that is ended; returns its result, or a tuple of them."""
        name = function if isinstance(function, str) else function.name
        (callee,) = (op for op in self.module.body.operations if op.attributes.get("sym_name") == name)
        (end,) = callee.regions[0][0].operations[-1:]
        types = [value.type for value in end.operands]
        results = tuple(
            self.block.append("func.call", list(operands), {"callee": Attribute(f"@{name}")}, types).results
        )
        return results[0] if len(results) == 1 else results

    def compute(
        self,
        name: str,
        shape: Sequence[Extent],
        body: Callable[..., Any],
        *,
        reduce: Sequence[Extent] = (),
        reducer: Optional[str] = None,
        type: Optional[str] = None,
        axes: Optional[Sequence[str]] = None,
    ) -> Value:
        """A tensor of which `body` gives the element at each index: `te.compute`.

        `body` takes an index for each dimension and, after them, one for each extent in `reduce`, over which `reducer`
        ("sum", "max" ...) goes. In it, `a[i, j]` is an element of a tensor, and numbers are computed with as in Python.
        `axes` are the names that schedules and loops have; without them, those of the body's parameters.
        """
        count = len(shape) + len(reduce)
        names = list(axes or body.__code__.co_varnames[: body.__code__.co_argcount])
        if len(names) != count:
            raise IRError(f"{name} has {count} axes, and {len(names)} names for them: {', '.join(names)}")
        attributes = {"name": name, "axes": names, "reduce_extents": Attribute(_list(reduce))}
        if reduce:
            attributes["reducer"] = keyword("reducer", reducer or "sum")
        elif reducer:
            raise IRError(f"{name} has the reducer {reducer} and nothing to reduce over")
        # The element decides the type; nobody has seen this one before.
        regions = [["index"] * count, None]
        made = self.block.append("te.compute", [], attributes, [_tensor(shape, type or "f32")], regions)
        inside = made.regions[0][0]
        with _writing(inside):
            element = _scalar(body(*(Expression(index) for index in inside.arguments)), type)
            inside.append("te.yield", [element.value], {}, [], [])
        made.result.set_type(_tensor(shape, element.type))
        made.verify()
        return made.result

    def schedule(self) -> Schedule:
        """Begins the schedule of this function's computes. It is written before the function is ended."""
        return Schedule(self)

    def returns(self, *values: Value, **named: Value) -> Operation:
        """Ends the function; results of a model have names. Returns the function."""
        results = [*values, *named.values()]
        self.block.append("func.return", results, {}, [], [])
        inputs = ", ".join(value.type for value in self.arguments)
        outputs = ", ".join(value.type for value in results)
        self.operation.set_attribute("function_type", Attribute(f"({inputs}) -> ({outputs})"))
        if named:
            names = [{} for _ in values] + [{"relay.name": name} for name in named]
            self.operation.set_attribute("res_attrs", names)
        self.operation.verify()
        return self.operation


class Schedule:
    """How a function's computes become loops: a `te.schedule`. docs/guide/scheduling.md says which primitive is for
    what."""

    def __init__(self, function: Function):
        made = function.block.append("te.schedule", [], {}, [], [[]])
        self.operation, self._block = made, made.regions[0][0]
        # The operations of stages whose elements another stage computes.
        self._copying: set = set()

    def _do(self, primitive: str, operands: Sequence[Value], types: Sequence[str] = (), **attributes: Any) -> tuple:
        return tuple(self._block.append(f"te.{primitive}", list(operands), attributes, list(types), []).results)

    def stage(self, tensor: Value) -> Value:
        """The stage that computes a tensor."""
        return self._do("stage", [tensor], ["!te.stage"])[0]

    def axes(self, stage: Value, count: Optional[int] = None) -> tuple:
        """A stage's axes: of its dimensions, then of what it reduces over. A stage that a `cache_write` copies out of
        reduces no more. `count` says how many there are where this does not know, after `rfactor`."""
        return self._do("axes", [stage], ["!te.axis"] * (self._count(stage) if count is None else count))

    def _count(self, stage: Value) -> int:
        copies, made = stage.owner in self._copying, stage.owner
        while made.name == "te.cache_write":
            made = made.operands[0].owner
        if made.name == "te.cache_read":
            return len(made.operands[0].shape)
        if made.name != "te.stage":
            raise IRError(f"how many axes the stage of {made.name} has is not known here; say it: axes(stage, count)")
        tensor = made.operands[0]
        reduced = [] if copies else tensor.owner.attributes.get("reduce_extents", [])
        return len(tensor.shape) + len(reduced)

    def split(self, axis: Value, *, factor: Optional[int] = None, nparts: Optional[int] = None) -> tuple:
        """Splits an axis by the extent of the inner one, or of the outer one; returns the outer and the inner axis."""
        if (factor is None) == (nparts is None):
            raise IRError("an axis is split by a factor or into nparts")
        how = {"factor": factor} if nparts is None else {"nparts": nparts}
        return self._do("split", [axis], ["!te.axis"] * 2, **how)

    def fuse(self, *axes: Value) -> Value:
        """Makes one axis of neighbours, outermost first."""
        return self._do("fuse", axes, ["!te.axis"])[0]

    def reorder(self, *axes: Value) -> None:
        """Puts axes into this order, outermost first."""
        self._do("reorder", axes)

    def vectorize(self, axis: Value) -> None:
        """Runs an axis as vector instructions."""
        self._do("vectorize", [axis])

    def parallel(self, axis: Value) -> None:
        """Shares an axis among threads."""
        self._do("parallel", [axis])

    def unroll(self, axis: Value) -> None:
        """Repeats an axis' body."""
        self._do("unroll", [axis])

    def compute_at(self, stage: Value, parent: Value, axis: Value) -> None:
        """Computes a stage inside the loop `axis` of `parent`."""
        self._do("compute_at", [stage, parent, axis])

    def compute_root(self, stage: Value) -> None:
        """Computes a stage before the loops of those that read it."""
        self._do("compute_root", [stage])

    def bind(self, axis: Value, thread: str) -> None:
        """Gives an axis to the threads of a grid: "blockIdx.x", "threadIdx.y", "vthread" ..."""
        self._do("bind", [axis], thread=keyword("thread", thread))

    def compute_inline(self, stage: Value) -> None:
        """Substitutes a stage into its consumers."""
        self._do("compute_inline", [stage])

    def cache_write(self, stage: Value, scope: str) -> Value:
        """Computes into a scope, then copies out; returns the computing stage."""
        self._copying.add(stage.owner)
        return self._do("cache_write", [stage], ["!te.stage"], scope=keyword("scope", scope))[0]

    def cache_read(self, tensor: Value, readers: Sequence[Value], scope: str) -> Value:
        """Copies a tensor into a scope for some of its readers; returns the copying stage."""
        return self._do("cache_read", [tensor, *readers], ["!te.stage"], scope=keyword("scope", scope))[0]

    def rfactor(self, stage: Value, axis: Value, *, factor_axis: int = 0) -> Value:
        """Makes a reduce axis the dimension `factor_axis` of partial results; returns their stage."""
        return self._do("rfactor", [stage, axis], ["!te.stage"], factor_axis=factor_axis)[0]

    def set_scope(self, stage: Value, scope: str) -> None:
        """Says where a stage's buffer lies."""
        self._do("set_scope", [stage], scope=keyword("scope", scope))
