"""Relay's operators of `dyn_image`. `cargo xtask docs` writes this module from the operators' declarations."""

from __future__ import annotations

from typing import Any, Optional

from ..expr import Expr, call

__all__ = [
    "resize2d",
]


def resize2d(
    data: Any,
    size: Any,
    roi: Any,
    layout: Optional[Any] = None,
    method: Optional[Any] = None,
    coordinate_transformation_mode: Optional[Any] = None,
    rounding_method: Optional[Any] = None,
) -> Expr:
    """An image at a size from an operand.

    Like `image.resize2d`, with values from an operand. `dynamic-to-static` turns it into that operator if the operand
    can be computed at compile time. Otherwise, it has no kernel. No `coordinate_transformation_mode` that there is
    reads the region `roi`.

    - C1: `size` is a vector of two integers.
    - C2: the rank is that of `layout`, which names N, C and the spatial dimensions.
    """
    return call(
        "dyn.image.resize2d",
        (data, size, roi),
        layout=layout,
        method=method,
        coordinate_transformation_mode=coordinate_transformation_mode,
        rounding_method=rounding_method,
    )
