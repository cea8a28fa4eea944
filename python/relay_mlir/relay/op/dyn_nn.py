"""Relay's operators of `dyn_nn`. `cargo xtask docs` writes this module from the operators' declarations."""

from __future__ import annotations

from typing import Any, Optional

from ..expr import Expr, call

__all__ = [
    "pad",
    "upsampling",
    "upsampling3d",
]


def pad(data: Any, pad_width: Any, pad_value: Any, pad_mode: Optional[Any] = None) -> Expr:
    """Data with elements before and after each dimension, with widths from an operand.

    Like `nn.pad`, with values from an operand. `dynamic-to-static` turns it into that operator if the operand can be
    computed at compile time. Otherwise, it has no kernel.

    - C1: `pad_width` is a matrix of integers, of two columns and a row for each dimension.
    - C2: `pad_value` is of rank 0 and of the data's element type.
    - C3: `pad_mode` is `constant`, `edge` or `reflect`.
    """
    return call("dyn.nn.pad", (data, pad_width, pad_value), pad_mode=pad_mode)


def upsampling(
    data: Any,
    scale_h: Any,
    scale_w: Any,
    layout: Optional[Any] = None,
    method: Optional[Any] = None,
    align_corners: Optional[Any] = None,
) -> Expr:
    """An image enlarged by factors from operands.

    Like `nn.upsampling`, with values from an operand. `dynamic-to-static` turns it into that operator if the operand
    can be computed at compile time. Otherwise, it has no kernel.

    - C1: the scales are floats of rank 0.
    - C2: the rank is that of `layout`, which names N, C and the spatial dimensions.
    """
    return call(
        "dyn.nn.upsampling",
        (data, scale_h, scale_w),
        layout=layout,
        method=method,
        align_corners=align_corners,
    )


def upsampling3d(
    data: Any,
    scale_d: Any,
    scale_h: Any,
    scale_w: Any,
    layout: Optional[Any] = None,
    method: Optional[Any] = None,
    coordinate_transformation_mode: Optional[Any] = None,
) -> Expr:
    """A volume enlarged by factors from operands.

    Like `nn.upsampling3d`, with values from an operand. `dynamic-to-static` turns it into that operator if the operand
    can be computed at compile time. Otherwise, it has no kernel.

    - C1: the scales are floats of rank 0.
    - C2: the rank is that of `layout`, which names N, C and the spatial dimensions.
    """
    return call(
        "dyn.nn.upsampling3d",
        (data, scale_d, scale_h, scale_w),
        layout=layout,
        method=method,
        coordinate_transformation_mode=coordinate_transformation_mode,
    )
