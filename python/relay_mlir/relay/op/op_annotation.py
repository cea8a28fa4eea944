"""Relay's operators of `op_annotation`. `cargo xtask docs` writes this module from the operators' declarations."""

from __future__ import annotations

from typing import Any, Optional

from ..expr import Expr, call

__all__ = [
    "simulated_quantize",
]


def simulated_quantize(
    data: Any,
    dom_scale: Any,
    clip_min: Any,
    clip_max: Any,
    kind: int,
    sign: Optional[Any] = None,
    rounding: Optional[Any] = None,
    axis: Optional[int] = None,
    tensor: Optional[Any] = None,
) -> Expr:
    """Data with the errors of quantisation.

    round(max(min(data / dom_scale, clip_max), clip_min)) * dom_scale, rounded away from 0 in the middle between two
    numbers. With `kind` 0, the result is the data. `sign` and `rounding` say something to passes that quantise.
    `dom_scale` may have one scale for each subscript of `axis`. `tensor` is the name by which a table of ranges has the
    data.

    - C1: the operands are of the data's element type, and all but the data of rank 0; `dom_scale` may also be of rank
      1, with the data's extent along `axis`.
    - C2: `kind` is 0 (the data), 1 (an input), 2 (a weight) or 3 (a sum).
    - C3: `rounding` is `round`.
    """
    return call(
        "op.annotation.simulated_quantize",
        (data, dom_scale, clip_min, clip_max),
        kind=kind,
        sign=sign,
        rounding=rounding,
        axis=axis,
        tensor=tensor,
    )
