"""Relay's operators of `annotation`. `cargo xtask docs` writes this module from the operators' declarations."""

from __future__ import annotations

from typing import Any

from ..expr import Expr, call

__all__ = [
    "cast_hint",
    "checkpoint",
    "compiler_begin",
    "compiler_end",
    "stop_fusion",
]


def cast_hint(data: Any, dtype: Any) -> Expr:
    """The element type that quantisation gives a value.

    The result is the operand. It says something to passes that quantise.
    """
    return call("annotation.cast_hint", (data,), dtype=dtype)


def checkpoint(data: Any) -> Expr:
    """A value up to which gradients compute values again.

    The result is the operand. It says something to passes that make gradients.
    """
    return call("annotation.checkpoint", (data,))


def compiler_begin(data: Any, compiler: Any) -> Expr:
    """An input of a part for a code generator.

    The result is the operand. `compiler` names the code generator. `annotate-target` says the same in attributes of the
    operators.
    """
    return call("annotation.compiler_begin", (data,), compiler=compiler)


def compiler_end(data: Any, compiler: Any) -> Expr:
    """An output of a part for a code generator.

    The result is the operand. `compiler` names the code generator. `annotate-target` says the same in attributes of the
    operators.
    """
    return call("annotation.compiler_end", (data,), compiler=compiler)


def stop_fusion(data: Any) -> Expr:
    """A value that ends a kernel.

    The result is the operand. `fuse-ops` does not put the operators before and behind into one kernel.
    """
    return call("annotation.stop_fusion", (data,))
