"""Relay's operators of `dyn`. `cargo xtask docs` writes this module from the operators' declarations."""

from __future__ import annotations

from typing import Any, Optional

from ..expr import Expr, Ints, call

__all__ = [
    "broadcast_to",
    "expand_dims",
    "full",
    "one_hot",
    "ones",
    "reshape",
    "sparse_to_dense",
    "squeeze",
    "strided_slice",
    "tile",
    "topk",
    "zeros",
]


def broadcast_to(data: Any, shape: Any) -> Expr:
    """Data repeated to a shape from an operand.

    Like `broadcast_to`, with values from an operand. `dynamic-to-static` turns it into that operator if the operand can
    be computed at compile time. Otherwise, it has no kernel.

    - C1: `shape` is a vector of integers with a known extent.
    - C2: it has no fewer dimensions than the data.
    """
    return call("dyn.broadcast_to", (data, shape))


def expand_dims(data: Any, axis: Any, num_newaxis: Optional[int] = None) -> Expr:
    """With num_newaxis dimensions of 1 before the dimension that an operand names.

    Like `expand_dims`, with values from an operand. `dynamic-to-static` turns it into that operator if the operand can
    be computed at compile time. Otherwise, it has no kernel.

    - C1: `axis` is an integer of rank 0.
    - C2: `num_newaxis` is from 0 to 64.
    """
    return call("dyn.expand_dims", (data, axis), num_newaxis=num_newaxis)


def full(fill_value: Any, shape: Any, dtype: Optional[Any] = None) -> Expr:
    """A tensor of equal elements, in a shape from an operand.

    Like `full`, with values from an operand. `dynamic-to-static` turns it into that operator if the operand can be
    computed at compile time. Otherwise, it has no kernel.

    - C1: `shape` is a vector of integers with a known extent.
    - C2: `dtype` is a number type.
    - C3: `fill_value` is of rank 0.
    """
    return call("dyn.full", (fill_value, shape), dtype=dtype)


def one_hot(indices: Any, on_value: Any, off_value: Any, depth: Any, dtype: Any, axis: Optional[int] = None) -> Expr:
    """Numbers in a line that has another one at a place, with a length from an operand.

    Like `one_hot`, with values from an operand. `dynamic-to-static` turns it into that operator if the operand can be
    computed at compile time. Otherwise, it has no kernel.

    - C1: indices are integers.
    - C2: on and off value are of rank 0, and `depth` is one integer.
    - C3: `axis` is -1 (the last one) or from 0 to the rank.
    - C4: `dtype` is an element type.
    """
    return call("dyn.one_hot", (indices, on_value, off_value, depth), axis=axis, dtype=dtype)


def ones(shape: Any, dtype: Any) -> Expr:
    """A tensor of ones, in a shape from an operand.

    Like `ones`, with values from an operand. `dynamic-to-static` turns it into that operator if the operand can be
    computed at compile time. Otherwise, it has no kernel.

    - C1: `shape` is a vector of integers with a known extent.
    - C2: `dtype` is a number type.
    """
    return call("dyn.ones", (shape,), dtype=dtype)


def reshape(data: Any, newshape: Any, allowzero: Optional[Any] = None) -> Expr:
    """The elements in a shape from an operand.

    Like `reshape`, with values from an operand. `dynamic-to-static` turns it into that operator if the operand can be
    computed at compile time. Otherwise, it has no kernel. In `newshape`, 0 keeps the dimension of the data, unless
    `allowzero` is set (false by default). -1 is the remaining extent, and -3 merges two dimensions of the data.

    - C1: `newshape` is a vector of integers with a known extent.
    """
    return call("dyn.reshape", (data, newshape), allowzero=allowzero)


def sparse_to_dense(
    sparse_indices: Any,
    sparse_values: Any,
    default_value: Any,
    output_shape: Any,
    out_dtype: Optional[str] = None,
) -> Expr:
    """A tensor that has given elements at given places, in a shape from an operand.

    Like `sparse_to_dense`, with values from an operand. `dynamic-to-static` turns it into that operator if the operand
    can be computed at compile time. Otherwise, it has no kernel.

    - C1: `output_shape` is a vector of integers of a known extent.
    - C2: subscripts are integers, and values and default are of one element type.
    """
    return call(
        "dyn.sparse_to_dense",
        (sparse_indices, sparse_values, default_value, output_shape),
        out_dtype=out_dtype,
    )


def squeeze(data: Any, axis: Any) -> Expr:
    """Without the dimensions of 1 that an operand names.

    Like `squeeze`, with values from an operand. `dynamic-to-static` turns it into that operator if the operand can be
    computed at compile time. Otherwise, it has no kernel.

    - C1: `axis` is a vector of integers with a known extent.
    - C2: there are no more axes than dimensions.
    """
    return call("dyn.squeeze", (data, axis))


def strided_slice(
    data: Any,
    begin: Any,
    end: Any,
    strides: Any,
    slice_mode: Optional[Any] = None,
    axes: Optional[Ints] = None,
) -> Expr:
    """A slice with bounds from operands.

    Like `strided_slice`, with values from an operand. `dynamic-to-static` turns it into that operator if the operand
    can be computed at compile time. Otherwise, it has no kernel. The numbers belong to `axes`, or to the first
    dimensions without `axes`. The default `slice_mode` is `end`. With `size`, `end` has the numbers of elements, -1 for
    all remaining ones, and strides are 1.

    - C1: `begin`, `end` and `strides` are vectors of integers of one known extent.
    - C2: `axes`, if given, has the same length, is within the rank, and names each axis once. Without `axes`, there are
      no more numbers than dimensions.
    - C3: `slice_mode` is `end` or `size`.
    """
    return call("dyn.strided_slice", (data, begin, end, strides), slice_mode=slice_mode, axes=axes)


def tile(data: Any, reps: Any) -> Expr:
    """Data repeated along each axis by factors from an operand.

    Like `tile`, with values from an operand. `dynamic-to-static` turns it into that operator if the operand can be
    computed at compile time. Otherwise, it has no kernel. If data and `reps` have different numbers of dimensions, the
    shorter one gets leading dimensions of 1.

    - C1: `reps` is a vector of integers with a known extent.
    """
    return call("dyn.tile", (data, reps))


def topk(
    data: Any,
    k: Any,
    dtype: Any,
    axis: Optional[int] = None,
    ret_type: Optional[Any] = None,
    is_ascend: Optional[Any] = None,
) -> Expr:
    """The first elements of an axis in sorted order, as many as an operand says.

    Like `topk`, with values from an operand. `dynamic-to-static` turns it into that operator if the operand can be
    computed at compile time. Otherwise, it has no kernel.

    - C1: the axis is within the rank.
    - C2: `dtype` is i32 or i64.
    - C3: `k` is one integer.
    - C4: `ret_type` is `both`, `values` or `indices`.
    """
    return call("dyn.topk", (data, k), results=0, axis=axis, ret_type=ret_type, is_ascend=is_ascend, dtype=dtype)


def zeros(shape: Any, dtype: Any) -> Expr:
    """A tensor of zeros, in a shape from an operand.

    Like `zeros`, with values from an operand. `dynamic-to-static` turns it into that operator if the operand can be
    computed at compile time. Otherwise, it has no kernel.

    - C1: `shape` is a vector of integers with a known extent.
    - C2: `dtype` is a number type.
    """
    return call("dyn.zeros", (shape,), dtype=dtype)
