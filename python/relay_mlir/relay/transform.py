"""Passes, by TVM's names, and passes written in Python.

`transform.FoldConstant()(module)` runs the compiler's pass `fold-constant` on a module and returns the new one. Options are keyword
arguments: `transform.FuseOps(fuse_opt_level=0)`.
"""

from __future__ import annotations

import difflib
import functools
import re
from collections.abc import Sequence
from typing import Any, Callable, Optional

from .._lazy import compiler
from .expr import Function
from .module import IRModule

__all__ = ["FunctionPass", "ModulePass", "Pass", "PassContext", "Sequential", "function_pass", "module_pass"]

# Passes that have other names here than TVM's in kebab case.
_NAMES = {
    "BackwardFoldScaleAxis": "fold-scale-axis",
    "CombineParallelConv2D": "combine-parallel-conv2d",
    "Conv2dToSparse": "conv2d-to-sparse",
    "ForwardFoldScaleAxis": "fold-scale-axis",
    "Inline": "relay-inline",
    "SimplifyExprPostAlterOp": "simplify-expr",
    "ToCPS": "to-cps",
    "UnCPS": "un-cps",
}


class PassContext:
    """What passes written in Python are told: the optimisation level and a dictionary of options."""

    def __init__(self, opt_level: int = 2, config: Optional[dict] = None, **other: Any):
        self.opt_level, self.config = opt_level, dict(config or {})

    def __enter__(self) -> PassContext:
        _contexts.append(self)
        return self

    def __exit__(self, *exception: Any) -> None:
        _contexts.pop()

    @staticmethod
    def is_entered() -> bool:
        """Whether there is a context that is entered."""
        return bool(_contexts)

    @staticmethod
    def current() -> PassContext:
        """The innermost context that is entered, or one of defaults."""
        return _contexts[-1] if _contexts else PassContext()


_contexts: list = []


class Pass:
    """A pass of the compiler: by the flag that `relay-opt` has for it, with options by name."""

    def __init__(self, flag: str, **options: Any):
        anchor, decides, self.__doc__, known = _known(flag)
        given = {name.replace("_", "-"): value for name, value in options.items()}
        given = {name if name in known else name.replace("-", "_"): value for name, value in given.items()}
        if unknown := [name for name in given if name not in known]:
            raise TypeError(f"{flag} has no option {', '.join(unknown)}; its options are {', '.join(known) or 'none'}")
        text = " ".join(f"{name}={_option(value)}" for name, value in given.items())
        self.name = flag
        self.pipeline = f"{flag}{{{text}}}" if text else flag
        if anchor != "builtin.module":
            self.pipeline = f"{anchor}({self.pipeline})"
        if decides:
            self.pipeline = f"attach-target,{self.pipeline}"

    def __call__(self, module: IRModule) -> IRModule:
        return IRModule.from_ir(module.to_ir().run(self.pipeline))

    def __repr__(self) -> str:
        return f"<relay.transform {self.pipeline}>"


def _all() -> dict:
    """The passes by flag: the op that each runs on, whether it has to know the machine, its summary, its options."""
    return {flag: facts for flag, *facts in compiler().relay_passes()}


def _known(flag: str) -> tuple:
    known = _all()
    if flag not in known:
        near = difflib.get_close_matches(flag, known)
        hint = f"; there is {' and '.join(near)}" if near else ""
        raise AttributeError(f"there is no pass {flag}{hint}")
    return known[flag]


def _option(value: Any) -> str:
    """An option's value as pipelines write it."""
    if isinstance(value, (list, tuple)):
        return ",".join(map(_option, value))
    return str(value).lower() if isinstance(value, bool) else str(value)


class Sequential:
    """Passes one after the other. Neighbours of the compiler's own run in one module of MLIR."""

    def __init__(self, passes: Sequence[Any], opt_level: int = 0, name: str = "sequential", required: Any = None):
        self.passes, self.name = list(passes), name

    def __call__(self, module: IRModule) -> IRModule:
        waiting: list = []
        for one in [*self.passes, None]:
            if isinstance(one, Pass):
                waiting.append(one.pipeline)
                continue
            if waiting:
                module = IRModule.from_ir(module.to_ir().run(waiting))
                waiting = []
            if one is not None:
                module = one(module)
        return module


class ModulePass:
    """A pass written in Python: `transform_module(module, context)` returns the new module."""

    def __init__(self, transform_module: Callable, name: str):
        self.transform_module, self.name = transform_module, name

    def __call__(self, module: IRModule) -> IRModule:
        return self.transform_module(module, PassContext.current())


class FunctionPass:
    """A pass written in Python: `transform_function(function, module, context)` returns the new function, for each of them."""

    def __init__(self, transform_function: Callable, name: str):
        self.transform_function, self.name = transform_function, name

    def __call__(self, module: IRModule) -> IRModule:
        context = PassContext.current()
        changed = {
            name: self.transform_function(function, module, context) if isinstance(function, Function) else function
            for name, function in module.items()
        }
        return IRModule(changed, module.type_definitions)


def _decorator(kind: Any, method: str):
    """A decorator of functions, and of classes that have such a method; the class takes its own arguments then."""

    def decorate(pass_func: Any = None, opt_level: int = 0, name: Optional[str] = None, required: Any = None):
        def made(given: Any) -> Any:
            named = name or given.__name__
            if isinstance(given, type):
                return lambda *args, **kwargs: kind(getattr(given(*args, **kwargs), method), named)
            return kind(given, named)

        return made if pass_func is None else made(pass_func)

    decorate.__name__ = method.replace("transform_", "") + "_pass"
    return decorate


module_pass = _decorator(ModulePass, "transform_module")
module_pass.__doc__ = "Makes a `ModulePass` of a function, or of a class with `transform_module`."
function_pass = _decorator(FunctionPass, "transform_function")
function_pass.__doc__ = "Makes a `FunctionPass` of a function, or of a class with `transform_function`."


def relay_text(module: Any) -> str:
    """The text of a module of MLIR, with its constants."""
    return compiler().relay_text(module._module)


def _flag(name: str) -> str:
    """The flag of a pass by TVM's name: of `FoldConstant`, it is `fold-constant`."""
    return _NAMES.get(name) or re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "-", name).lower()


def __getattr__(name: str) -> Any:
    """A pass of the compiler by TVM's name."""
    if not re.fullmatch(r"[A-Z][A-Za-z0-9]+", name):
        raise AttributeError(f"module {__name__} has no attribute {name}")
    flag = _flag(name)
    _known(flag)
    return functools.partial(Pass, flag)


def __dir__() -> list:
    named = ["".join(word.capitalize() for word in flag.split("-")) for flag in _all()]
    return sorted({*__all__, *named, *_NAMES})
