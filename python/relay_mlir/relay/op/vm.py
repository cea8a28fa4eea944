"""Relay's operators of `vm`. `cargo xtask docs` writes this module from the operators' declarations."""

from __future__ import annotations

from typing import Any, Optional

from ..expr import Expr, Ints, call

__all__ = [
    "reshape_tensor",
    "shape_of",
]


def reshape_tensor(data: Any, shape: Any, newshape: Ints) -> Expr:
    """The data in another shape, as programs for a virtual machine make it.

    As `relay.reshape` to `newshape`. `shape` has the same numbers, and is not read.

    - C1: `newshape` has no negative dimension but one -1 at most.
    - C2: both shapes have as many elements.
    """
    return call("vm.reshape_tensor", (data, shape), newshape=newshape)


def shape_of(tensor: Any, dtype: Optional[Any] = None) -> Expr:
    """The dimensions of data, as programs for a virtual machine ask for them.

    As `relay.shape_of`.

    - C1: `dtype` is a type of integers.
    """
    return call("vm.shape_of", (tensor,), dtype=dtype)
