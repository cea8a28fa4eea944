"""Compiling programs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Optional

from ..compiler import compile
from ..model import Model
from .module import IRModule
from .transform import PassContext

__all__ = ["Executor", "build", "create_executor"]


def target_of(target: Any) -> str:
    """A target by TVM's name: `llvm` is this machine, `llvm -mcpu=...` another processor of its kind."""
    text = str(target or "native")
    return {"llvm": "native"}.get(text, text.removeprefix("llvm "))


def build(
    ir_mod: Any, target: Any = None, params: Optional[Mapping[str, Any]] = None, mod_name: str = "default", **how: Any
) -> Model:
    """Compiles a module, a function or an expression, and loads it. Arrays in `params` stand for parameters of `main`, by name.

    `how` has further options of `relay_mlir.compile`. Without `opt_level`, that of the `PassContext` counts, which is 3 outside of
    one.
    """
    module = ir_mod if isinstance(ir_mod, IRModule) else IRModule.from_expr(ir_mod)
    how.setdefault("opt_level", PassContext.current().opt_level if PassContext.is_entered() else 3)
    return compile(module.bound(params), target=target_of(target), name=mod_name, **how)


class Executor:
    """Runs the functions of a module."""

    def __init__(self, module: IRModule, target: Any, params: Optional[Mapping[str, Any]], how: Mapping[str, Any]):
        self.module, self.target, self.params, self.how = module, target, params, dict(how)

    def evaluate(self, expr: Any = None) -> Any:
        """A function that computes `main`, or an expression, of arrays."""
        module = self.module
        if expr is not None:
            module = IRModule(self.module.functions, self.module.type_definitions)
            module.update(IRModule.from_expr(expr))
        return build(module, self.target, self.params, **self.how)


def create_executor(
    kind: str = "graph", mod: Any = None, device: Any = None, target: Any = None, params: Any = None, **how: Any
) -> Executor:
    """An executor of a module. Whatever `kind` is, programs are compiled; graphs run without an interpreter."""
    module = IRModule.from_expr(mod) if mod is not None and not isinstance(mod, IRModule) else mod or IRModule()
    return Executor(module, target, params, how)
