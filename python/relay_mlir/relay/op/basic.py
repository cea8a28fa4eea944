"""Relay's operators without a namespace. `cargo xtask docs` writes this module from the operators' declarations."""

from __future__ import annotations

from typing import Any, Optional

from ..expr import Expr, Ints, call

__all__ = [
    "abs",
    "acos",
    "acosh",
    "add",
    "adv_index",
    "all",
    "any",
    "arange",
    "argmax",
    "argmin",
    "argsort",
    "argwhere",
    "asin",
    "asinh",
    "atan",
    "atanh",
    "bitwise_and",
    "bitwise_not",
    "bitwise_or",
    "bitwise_xor",
    "broadcast_to",
    "broadcast_to_like",
    "cache_update",
    "cast",
    "cast_like",
    "ceil",
    "clip",
    "collapse_sum_like",
    "collapse_sum_to",
    "concatenate",
    "contrib_reverse_reshape",
    "copy",
    "cos",
    "cosh",
    "cumprod",
    "cumsum",
    "dft",
    "divide",
    "einsum",
    "equal",
    "erf",
    "exp",
    "expand_dims",
    "fast_erf",
    "fast_exp",
    "fast_tanh",
    "fixed_point_multiply",
    "fixed_point_multiply_per_axis",
    "floor",
    "floor_divide",
    "floor_mod",
    "full",
    "full_like",
    "gather",
    "gather_nd",
    "greater",
    "greater_equal",
    "invert_permutation",
    "iota",
    "isfinite",
    "isinf",
    "isnan",
    "layout_transform",
    "left_shift",
    "less",
    "less_equal",
    "log",
    "log10",
    "log2",
    "logical_and",
    "logical_not",
    "logical_or",
    "logical_xor",
    "matrix_set_diag",
    "max",
    "maximum",
    "mean",
    "min",
    "minimum",
    "mod",
    "multiply",
    "ndarray_size",
    "negative",
    "nonzero",
    "not_equal",
    "one_hot",
    "ones",
    "ones_like",
    "power",
    "prefix",
    "prod",
    "reinterpret",
    "repeat",
    "reshape",
    "reshape_like",
    "reverse",
    "reverse_sequence",
    "right_shift",
    "round",
    "rsqrt",
    "scatter_elements",
    "scatter_nd",
    "searchsorted",
    "sequence_mask",
    "shape_of",
    "sigmoid",
    "sign",
    "sin",
    "sinh",
    "slice_like",
    "sliding_window",
    "sort",
    "sparse_fill_empty_rows",
    "sparse_reshape",
    "sparse_to_dense",
    "sqrt",
    "squeeze",
    "stack",
    "stft",
    "strided_set",
    "strided_slice",
    "subtract",
    "sum",
    "take",
    "tan",
    "tanh",
    "tile",
    "topk",
    "transpose",
    "trilu",
    "trunc",
    "trunc_divide",
    "trunc_mod",
    "unique",
    "unravel_index",
    "variance",
    "view_as",
    "where",
    "zeros",
    "zeros_like",
]


def abs(data: Any) -> Expr:
    """|x|.

    Element by element: |x|. The result has the type of `data`. ONNX: `Abs`.
    """
    return call("abs", (data,))


def acos(data: Any) -> Expr:
    """The angle between 0 and pi with cosine x.

    Element by element: the angle between 0 and pi with cosine x. The result has the type of `data`. ONNX: `Acos`.
    """
    return call("acos", (data,))


def acosh(data: Any) -> Expr:
    """The number not below 0 with hyperbolic cosine x.

    Element by element: the number not below 0 with hyperbolic cosine x. The result has the type of `data`. ONNX:
    `Acosh`.
    """
    return call("acosh", (data,))


def add(lhs: Any, rhs: Any) -> Expr:
    """X + y.

    Element by element, x of `lhs` and y of `rhs`: x + y. Shapes are aligned at their last dimension; a dimension of 1,
    or one that is missing, is repeated. The result is of the operands' element type. ONNX: `Add`.

    - C1: each two dimensions are equal, or one of them is 1.
    - C2: the element types are equal.
    """
    return call("add", (lhs, rhs))


def adv_index(data: Any, indices: Any) -> Expr:
    """Elements at places that lists of subscripts say, as numpy takes them.

    The first operand are the data. Each further one has the subscripts of one dimension, from the first on, and they
    broadcast to one shape. The result has this shape, followed by the dimensions that no operand subscripts. Subscripts
    count from the end if negative, and are taken modulo the extent.

    - C1: there are subscripts, which are integers, and no more than dimensions.
    - C2: they broadcast.

    ```mlir %0 = relay.adv_index %x, %i, %j : (tensor<5x6x7xf32>, tensor<2x1xi64>, tensor<3xi64>) -> tensor<2x3x7xf32>
    ```
    """
    return call("adv_index", (data, indices))


def all(data: Any, axis: Optional[Ints] = None, keepdims: Optional[Any] = None, exclude: Optional[Any] = None) -> Expr:
    """Whether all elements hold.

    Over the axes `axis`, which count from the end if negative, or over all if `axis` is empty, its default: whether all
    elements hold. `exclude` reduces over the other axes instead, and `keepdims` keeps the dimensions with extent 1;
    both are false by default. The result has the element type of the data. ONNX: `ReduceMin` of booleans.

    - C1: the axes are within the rank, and each is given once.
    """
    return call("all", (data,), axis=axis, keepdims=keepdims, exclude=exclude)


def any(data: Any, axis: Optional[Ints] = None, keepdims: Optional[Any] = None, exclude: Optional[Any] = None) -> Expr:
    """Whether any element holds.

    Over the axes `axis`, which count from the end if negative, or over all if `axis` is empty, its default: whether any
    element holds. `exclude` reduces over the other axes instead, and `keepdims` keeps the dimensions with extent 1;
    both are false by default. The result has the element type of the data. ONNX: `ReduceMax` of booleans.

    - C1: the axes are within the rank, and each is given once.
    """
    return call("any", (data,), axis=axis, keepdims=keepdims, exclude=exclude)


def arange(start: Any, step: Any, count: Any) -> Expr:
    """A number, the number and a step, the number and two steps, and so on.

    `count` holds one dimension, which is that of the result. result[i] = start + i * step. TVM: `arange`, with an end
    in the place of a count. ONNX: `Range`.

    - C1: `start` and `step` are of rank 0 and of one element type.
    - C2: `count` is one dimension, and no negative number.
    """
    return call("arange", (start, step), count=count)


def argmax(data: Any, axis: Ints, keepdims: Optional[Any] = None, select_last_index: Optional[Any] = None) -> Expr:
    """The subscript of the largest element, as i64.

    Along the one axis in `axis`, which counts from the end if negative: the subscript of the largest element, as i64.
    Of equal elements it is the first, or the last with `select_last_index`. `keepdims` keeps the dimension with extent
    1. Both are false by default. ONNX: `ArgMax`.

    - C1: the axis is within the rank.
    - C2: `axis` holds one axis.
    """
    return call("argmax", (data,), axis=axis, keepdims=keepdims, select_last_index=select_last_index)


def argmin(data: Any, axis: Ints, keepdims: Optional[Any] = None, select_last_index: Optional[Any] = None) -> Expr:
    """The subscript of the smallest element, as i64.

    Along the one axis in `axis`, which counts from the end if negative: the subscript of the smallest element, as i64.
    Of equal elements it is the first, or the last with `select_last_index`. `keepdims` keeps the dimension with extent
    1. Both are false by default. ONNX: `ArgMin`.

    - C1: the axis is within the rank.
    - C2: `axis` holds one axis.
    """
    return call("argmin", (data,), axis=axis, keepdims=keepdims, select_last_index=select_last_index)


def argsort(data: Any, dtype: Any, axis: Optional[int] = None, is_ascend: Optional[Any] = None) -> Expr:
    """The subscripts of the elements of an axis, in sorted order.

    Along `axis`, which counts from the end if negative. The order rises with `is_ascend`, and falls without it. Equal
    elements keep their order, and NaN counts as greater than all numbers.

    - C1: the axis is within the rank.
    - C2: `dtype` is i32 or i64.
    """
    return call("argsort", (data,), axis=axis, is_ascend=is_ascend, dtype=dtype)


def argwhere(condition: Any) -> Expr:
    """The subscripts of the elements that are not zero.

    The result has a row of i32 for each such element, in memory order. How many these are is known when the model runs.
    `dynamic-to-static` makes `relay.nonzero` of it, whose number `relay.dim_of` names. NaN is not zero.

    - C1: data are of rank 1 or more.

    ```mlir %0 = relay.argwhere %x : (tensor<2x3xf32>) -> tensor<?x2xi32> ```
    """
    return call("argwhere", (condition,))


def asin(data: Any) -> Expr:
    """The angle between -pi/2 and pi/2 with sine x.

    Element by element: the angle between -pi/2 and pi/2 with sine x. The result has the type of `data`. ONNX: `Asin`.
    """
    return call("asin", (data,))


def asinh(data: Any) -> Expr:
    """The number with hyperbolic sine x.

    Element by element: the number with hyperbolic sine x. The result has the type of `data`. ONNX: `Asinh`.
    """
    return call("asinh", (data,))


def atan(data: Any) -> Expr:
    """The angle between -pi/2 and pi/2 with tangent x.

    Element by element: the angle between -pi/2 and pi/2 with tangent x. The result has the type of `data`. ONNX:
    `Atan`.
    """
    return call("atan", (data,))


def atanh(data: Any) -> Expr:
    """The number with hyperbolic tangent x.

    Element by element: the number with hyperbolic tangent x. The result has the type of `data`. ONNX: `Atanh`.
    """
    return call("atanh", (data,))


def bitwise_and(lhs: Any, rhs: Any) -> Expr:
    """The bits that both x and y have.

    Element by element, x of `lhs` and y of `rhs`: the bits that both x and y have. Shapes are aligned at their last
    dimension; a dimension of 1, or one that is missing, is repeated. The result is of the operands' element type. ONNX:
    `BitwiseAnd`.

    - C1: each two dimensions are equal, or one of them is 1.
    - C2: the element types are equal.
    """
    return call("bitwise_and", (lhs, rhs))


def bitwise_not(data: Any) -> Expr:
    """Each bit of x flipped; not x, of booleans.

    Element by element: each bit of x flipped; not x, of booleans. The result has the type of `data`. ONNX:
    `BitwiseNot`.
    """
    return call("bitwise_not", (data,))


def bitwise_or(lhs: Any, rhs: Any) -> Expr:
    """The bits that x or y has.

    Element by element, x of `lhs` and y of `rhs`: the bits that x or y has. Shapes are aligned at their last dimension;
    a dimension of 1, or one that is missing, is repeated. The result is of the operands' element type. ONNX:
    `BitwiseOr`.

    - C1: each two dimensions are equal, or one of them is 1.
    - C2: the element types are equal.
    """
    return call("bitwise_or", (lhs, rhs))


def bitwise_xor(lhs: Any, rhs: Any) -> Expr:
    """The bits that x or y has but not both.

    Element by element, x of `lhs` and y of `rhs`: the bits that x or y has but not both. Shapes are aligned at their
    last dimension; a dimension of 1, or one that is missing, is repeated. The result is of the operands' element type.
    ONNX: `BitwiseXor`.

    - C1: each two dimensions are equal, or one of them is 1.
    - C2: the element types are equal.
    """
    return call("bitwise_xor", (lhs, rhs))


def broadcast_to(data: Any, shape: Any) -> Expr:
    """Data repeated to a shape.

    Shapes are aligned at their last dimension; a dimension of 1, or one that is missing, is repeated. ONNX: `Expand`.

    - C1: no dimension in `shape` is negative.
    - C2: each dimension of the data is that of `shape`, or 1.
    """
    return call("broadcast_to", (data,), shape=shape)


def broadcast_to_like(data: Any, broadcast_type: Any) -> Expr:
    """Data repeated to the shape of another tensor.

    The elements of `broadcast_type` are not read.

    - C1: the shape broadcasts to the other one, as with `relay.broadcast_to`.
    """
    return call("broadcast_to_like", (data, broadcast_type))


def cache_update(cache: Any, update: Any, position: Any, axis: int) -> Expr:
    """A cache with new rows written from a position on.

    Along `axis`, the rows of `update` replace those of `cache` from `position` on: one number for all samples, or one
    for each, where dimension 0 counts samples. For `axis` = 1 of three: result[i, position[i] + j, k] = update[i, j,
    k]. Where the entry's input is the cache and may lie in the memory of the result (`relay.donated`), only the new
    rows are written.

    The rows must be rows of the cache: `check-cache-updates` has a library report it if they are not. Rows outside are
    never written. ONNX: `TensorScatter`, and `GroupQueryAttention` of ONNX Runtime.

    ```mlir %all = relay.cache_update %cache, %new, %position {axis = 2 : i64} : (tensor<2x4x64x16xf32>,
    tensor<2x4x1x16xf32>, tensor<2xi64>) -> tensor<2x4x64x16xf32> ```

    - C1: `axis`, which counts from the end if negative, is within the rank.
    - C2: `update` has the element type and the dimensions of `cache`, but for at most as many rows along `axis`.
    - C3: `position` is an integer of rank 0, or there is one for each index of dimension 0, which is not `axis` then.
    """
    return call("cache_update", (cache, update, position), axis=axis)


def cast(data: Any, dtype: Any, contract: Optional[Any] = None) -> Expr:
    """X as another element type.

    Floats become integers by truncation; anything becomes a boolean by comparison with 0. The shape stays. ONNX:
    `Cast`.

    With `contract`, who reads the result in the same kernel may read what was cast: the number before it was rounded.

    - C1: `dtype` is an element type.
    """
    return call("cast", (data,), dtype=dtype, contract=contract)


def cast_like(data: Any, dtype_like: Any) -> Expr:
    """Data as elements of the type of another tensor.

    As `relay.cast`. The elements of `dtype_like` are not read. ONNX: `CastLike`.
    """
    return call("cast_like", (data, dtype_like))


def ceil(data: Any) -> Expr:
    """X rounded up.

    Element by element: x rounded up. The result has the type of `data`. ONNX: `Ceil`.
    """
    return call("ceil", (data,))


def clip(data: Any, a_min: float, a_max: float) -> Expr:
    """Min(max(x, a_min), a_max).

    Element by element; the result has the type of `data`. ONNX: `Clip`.

    - C1: `a_min` <= `a_max`; neither is NaN.
    """
    return call("clip", (data,), a_min=a_min, a_max=a_max)


def collapse_sum_like(data: Any, collapse_type: Any) -> Expr:
    """Sums of what a broadcast of another tensor's shape would repeat.

    As `relay.collapse_sum_to`. The elements of `collapse_type` are not read.

    - C1: the shape of `collapse_type` broadcasts to the operand's.
    """
    return call("collapse_sum_like", (data, collapse_type))


def collapse_sum_to(data: Any, shape: Any) -> Expr:
    """Sums of what a broadcast of a shape would repeat.

    The gradient of a broadcast from `shape` to the operand's shape.

    - C1: `shape` broadcasts to the operand's.
    """
    return call("collapse_sum_to", (data,), shape=shape)


def concatenate(data: Any, axis: Optional[int] = None) -> Expr:
    """Operands one after the other along axis.

    `axis` counts from the end if negative. ONNX: `Concat`.

    - C1: there is at least one operand.
    - C2: `axis` is within the rank.
    - C3: ranks are equal, and so are the dimensions but `axis`.
    - C4: the element types are equal.
    """
    return call("concatenate", (data,), axis=axis)


def contrib_reverse_reshape(data: Any, newshape: Ints, allowzero: Optional[Any] = None) -> Expr:
    """The data in another shape, whose numbers stand for dimensions from the last on.

    `newshape` is read from its end, and its numbers stand for dimensions of the data from the last on. A positive
    number is an extent, 0 is the extent of the data's dimension, -1 what is left, -2 all further dimensions, and -3 the
    product of two. `allowzero` makes 0 an extent.

    - C1: the codes stand for dimensions that are there, and at most one number is -1.
    - C2: both shapes have as many elements.

    ```mlir %0 = relay.contrib_reverse_reshape %x {newshape = array<i64: 4, 0, 2>} : (tensor<2x3x4xf32>) ->
    tensor<4x3x2xf32> ```
    """
    return call("contrib_reverse_reshape", (data,), newshape=newshape, allowzero=allowzero)


def copy(data: Any) -> Expr:
    """X.

    Element by element: x. The result has the type of `data`. ONNX: `Identity`.
    """
    return call("copy", (data,))


def cos(data: Any) -> Expr:
    """Cosine.

    Element by element: cosine. The result has the type of `data`. ONNX: `Cos`.
    """
    return call("cos", (data,))


def cosh(data: Any) -> Expr:
    """The hyperbolic cosine.

    Element by element: the hyperbolic cosine. The result has the type of `data`. ONNX: `Cosh`.
    """
    return call("cosh", (data,))


def cumprod(data: Any, axis: int, dtype: Optional[Any] = None, exclusive: Optional[Any] = None) -> Expr:
    """The products of the elements along axis up to each one.

    `axis` counts from the end if negative. The numbers are converted to `dtype` first; without it, they have their own
    type. With `exclusive`, the element itself does not count.

    - C1: `axis` is within the rank.
    - C2: `dtype` is an integer or float type.
    """
    return call("cumprod", (data,), axis=axis, dtype=dtype, exclusive=exclusive)


def cumsum(data: Any, axis: int, dtype: Optional[Any] = None, exclusive: Optional[Any] = None) -> Expr:
    """The sums of the elements along axis up to each one.

    `axis` counts from the end if negative. The numbers are converted to `dtype` first; without it, they have their own
    type. With `exclusive`, the element itself does not count.

    - C1: `axis` is within the rank.
    - C2: `dtype` is an integer or float type.
    """
    return call("cumsum", (data,), axis=axis, dtype=dtype, exclusive=exclusive)


def dft(re_data: Any, im_data: Any, inverse: Optional[Any] = None) -> Expr:
    """The discrete Fourier transform along the last axis.

    The operands are the real and the imaginary parts of numbers, and so are the results. With `inverse`, it is the
    inverse transform. ONNX: `DFT`.

    - C1: the operands are of one type, of rank 1 or more.
    """
    return call("dft", (re_data, im_data), results=2, inverse=inverse)


def divide(lhs: Any, rhs: Any) -> Expr:
    """X / y; of integers, truncated.

    Element by element, x of `lhs` and y of `rhs`: x / y; of integers, truncated. Shapes are aligned at their last
    dimension; a dimension of 1, or one that is missing, is repeated. The result is of the operands' element type. ONNX:
    `Div`.

    - C1: each two dimensions are equal, or one of them is 1.
    - C2: the element types are equal.
    """
    return call("divide", (lhs, rhs))


def einsum(data: Any, equation: Any) -> Expr:
    """Sums of products, in Einstein's notation.

    `equation` gives each axis of each operand a letter, and says which of them the result has: `bij,bjk->bik`. What is
    multiplied is what has the same letters; letters that the result lacks are summed over. Without `->`, the result has
    the letters that occur once, in alphabetic order. Three dots stand for any axes, which broadcast. A letter that an
    operand has twice takes its diagonal. An axis of one element stands for any number of them. ONNX: `Einsum`.

    - C1: the equation fits the ranks of the operands.
    - C2: the operands are of one element type.
    - C3: axes of one letter have one extent, or 1.

    ```mlir %0 = relay.einsum %x, %y {equation = "ij,jk->ik"} : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
    ```
    """
    return call("einsum", (data,), equation=equation)


def equal(lhs: Any, rhs: Any) -> Expr:
    """X = y.

    Element by element, x of `lhs` and y of `rhs`: x = y. Shapes are aligned at their last dimension; a dimension of 1,
    or one that is missing, is repeated. The result is of booleans (`i1`). ONNX: `Equal`.

    - C1: each two dimensions are equal, or one of them is 1.
    - C2: the element types are equal.
    """
    return call("equal", (lhs, rhs))


def erf(data: Any) -> Expr:
    """The error function.

    Element by element: the error function. The result has the type of `data`. ONNX: `Erf`.
    """
    return call("erf", (data,))


def exp(data: Any) -> Expr:
    """E to the x.

    Element by element: e to the x. The result has the type of `data`. ONNX: `Exp`.
    """
    return call("exp", (data,))


def expand_dims(data: Any, axis: int, num_newaxis: Optional[int] = None) -> Expr:
    """With num_newaxis dimensions of 1 before dimension axis.

    A negative `axis` counts from the end of the result for one new dimension: -1 is behind the last dimension.
    `num_newaxis` is 1 by default. ONNX: `Unsqueeze`.

    - C1: `axis` is from -rank - 1 to rank.
    - C2: `num_newaxis` is from 0 to 64.
    """
    return call("expand_dims", (data,), axis=axis, num_newaxis=num_newaxis)


def fast_erf(data: Any) -> Expr:
    """An approximation of erf.

    Element by element: an approximation of erf. The result has the type of `data`.
    """
    return call("fast_erf", (data,))


def fast_exp(data: Any) -> Expr:
    """An approximation of exp.

    Element by element: an approximation of exp. The result has the type of `data`.
    """
    return call("fast_exp", (data,))


def fast_tanh(data: Any) -> Expr:
    """An approximation of tanh.

    Element by element: an approximation of tanh. The result has the type of `data`.
    """
    return call("fast_tanh", (data,))


def fixed_point_multiply(data: Any, multiplier: int, shift: int, rounding: Optional[Any] = None) -> Expr:
    """Integers times multiplier * 2^(shift - 31), rounded.

    The product has 64 bits, and its low 32 are the result. `rounding` says which of two numbers as near is taken:
    `UPWARD`, the default, the greater one, `TONEAREST` the one farther from zero. `TFLITE` rounds twice, as TFLite's
    kernels do: the product / 2^31 upward, and what a negative `shift` shifts out away from zero. TVM has the first one
    only.

    - C1: data are of i32.
    - C2: `multiplier` is one of 32 bits, and `shift` is from -31 to 30.
    - C3: `rounding` is one of the three.
    """
    return call("fixed_point_multiply", (data,), multiplier=multiplier, shift=shift, rounding=rounding)


def fixed_point_multiply_per_axis(
    data: Any,
    multiplier: Any,
    left_shift: Any,
    right_shift: Any,
    axes: Ints,
    is_lshift_required: Optional[Any] = None,
    is_rshift_required: Optional[Any] = None,
    rounding: Optional[Any] = None,
) -> Expr:
    """Numbers times fixed-point numbers of their own along some axes.

    x * multiplier * 2^(left_shift - right_shift), rounded to the nearest number by `rounding`, as for
    `fixed_point_multiply`. The multiplier has 31 bits behind the point. The left shift counts with `is_lshift_required`
    only; `is_rshift_required` says nothing that `right_shift` does not say. The three lists lie along `axes` and have
    their extents.

    - C1: data are of i32, and so are the lists, which are of the rank of `axes` and their extents.
    - C2: `axes` are within the rank, and rise.
    - C3: `rounding` is one of the three.
    """
    return call(
        "fixed_point_multiply_per_axis",
        (data, multiplier, left_shift, right_shift),
        is_lshift_required=is_lshift_required,
        is_rshift_required=is_rshift_required,
        axes=axes,
        rounding=rounding,
    )


def floor(data: Any) -> Expr:
    """X rounded down.

    Element by element: x rounded down. The result has the type of `data`. ONNX: `Floor`.
    """
    return call("floor", (data,))


def floor_divide(lhs: Any, rhs: Any) -> Expr:
    """X / y rounded down.

    Element by element, x of `lhs` and y of `rhs`: x / y rounded down. Shapes are aligned at their last dimension; a
    dimension of 1, or one that is missing, is repeated. The result is of the operands' element type.

    - C1: each two dimensions are equal, or one of them is 1.
    - C2: the element types are equal.
    """
    return call("floor_divide", (lhs, rhs))


def floor_mod(lhs: Any, rhs: Any) -> Expr:
    """X - floor(x / y) * y.

    Element by element, x of `lhs` and y of `rhs`: x - floor(x / y) * y. Shapes are aligned at their last dimension; a
    dimension of 1, or one that is missing, is repeated. The result is of the operands' element type. ONNX: `Mod`.

    - C1: each two dimensions are equal, or one of them is 1.
    - C2: the element types are equal.
    """
    return call("floor_mod", (lhs, rhs))


def full(fill_value: Any, shape: Any, dtype: Optional[Any] = None) -> Expr:
    """A tensor of equal elements.

    `dtype` is the type of the elements, to which the fill value is converted; without, they have its type.

    - C1: `fill_value` is of rank 0.
    - C2: no dimension in `shape` is negative.
    - C3: `dtype` is a number type.
    """
    return call("full", (fill_value,), shape=shape, dtype=dtype)


def full_like(data: Any, fill_value: Any) -> Expr:
    """Equal elements, in a tensor of the type of data.

    The fill value is converted to data's element type.

    - C1: `fill_value` is of rank 0.
    """
    return call("full_like", (data, fill_value))


def gather(data: Any, indices: Any, axis: int) -> Expr:
    """Elements of data along axis, chosen by indices: one for each index.

    For `axis` = 1 of three: result[i, j, k] = data[i, indices[i, j, k], k]. A subscript is taken modulo the extent, so
    that -1 is the last one, and no element outside is read. ONNX: `GatherElements`.

    - C1: the indices are integers of the rank of `data`.
    - C2: `axis` is one of them; along it, data and indices have at least one element each.
    - C3: the other dimensions are equal.
    """
    return call("gather", (data, indices), axis=axis)


def gather_nd(data: Any, indices: Any, batch_dims: Optional[int] = None) -> Expr:
    """The slices of data at lists of subscripts, which are the columns of indices.

    Indices [m, y0, y1, ...] say a list of m subscripts for each place of the result, which is [y0, y1, ...] and behind
    it the dimensions of `data` that have no subscript. The first `batch_dims` of the y are also the first dimensions of
    `data`, and the subscripts are those of the dimensions behind. Negative subscripts count from the end, and all wrap.
    ONNX: `GatherND`, with the lists in the last dimension.

    - C1: `indices` are integers, of rank 1 at least.
    - C2: data have `batch_dims` and `m` dimensions at least, of which the first are those of the places.
    - C3: no dimension that has a subscript is without elements, unless there are no places.
    """
    return call("gather_nd", (data, indices), batch_dims=batch_dims)


def greater(lhs: Any, rhs: Any) -> Expr:
    """X > y.

    Element by element, x of `lhs` and y of `rhs`: x > y. Shapes are aligned at their last dimension; a dimension of 1,
    or one that is missing, is repeated. The result is of booleans (`i1`). ONNX: `Greater`.

    - C1: each two dimensions are equal, or one of them is 1.
    - C2: the element types are equal.
    """
    return call("greater", (lhs, rhs))


def greater_equal(lhs: Any, rhs: Any) -> Expr:
    """X >= y.

    Element by element, x of `lhs` and y of `rhs`: x >= y. Shapes are aligned at their last dimension; a dimension of 1,
    or one that is missing, is repeated. The result is of booleans (`i1`). ONNX: `GreaterOrEqual`.

    - C1: each two dimensions are equal, or one of them is 1.
    - C2: the element types are equal.
    """
    return call("greater_equal", (lhs, rhs))


def invert_permutation(data: Any) -> Expr:
    """The place of each subscript in a list of all subscripts.

    result[data[i]] = i. Places of subscripts that are not in the list are undefined.

    - C1: `data` are integers of rank 1.
    """
    return call("invert_permutation", (data,))


def iota(shape: Any, axis: int, dtype: Any) -> Expr:
    """The subscript of each element along an axis.

    The element at `[i0, i1, ...]` is the subscript `i` of the axis, as a number of type `dtype`. What it stands for in
    other frameworks is a range from 0 on, broadcast to a shape; the extents may be forms of open dimensions.

    - C1: `axis` is in range.
    - C2: no dimension in `shape` is negative.
    - C3: `dtype` is a number type.
    """
    return call("iota", (), shape=shape, axis=axis, dtype=dtype)


def isfinite(data: Any) -> Expr:
    """Whether x is neither infinite nor NaN.

    Element by element: whether x is neither infinite nor NaN. The result is of booleans (`i1`).
    """
    return call("isfinite", (data,))


def isinf(data: Any) -> Expr:
    """Whether x is infinite.

    Element by element: whether x is infinite. The result is of booleans (`i1`). ONNX: `IsInf`.
    """
    return call("isinf", (data,))


def isnan(data: Any) -> Expr:
    """Whether x is NaN.

    Element by element: whether x is NaN. The result is of booleans (`i1`). ONNX: `IsNaN`.
    """
    return call("isnan", (data,))


def layout_transform(data: Any, src_layout: Any, dst_layout: Any) -> Expr:
    """The same tensor in another layout.

    A layout names dimensions by letters. A lower-case letter with a factor is the inner part of the dimension with the
    same letter, a block: `NCHW16c`. `alter-op-layout` inserts this operator.

    - C1: both are layouts: no letter twice, each block with a factor and an outer part.
    - C2: both name the same dimensions; the data has the rank and the blocks of `src_layout`; the factors of
      `dst_layout` divide the extents.
    """
    return call("layout_transform", (data,), src_layout=src_layout, dst_layout=dst_layout)


def left_shift(lhs: Any, rhs: Any) -> Expr:
    """X shifted by y bits to the left; 0 if y is negative, or x has no more bits.

    Element by element, x of `lhs` and y of `rhs`: x shifted by y bits to the left; 0 if y is negative, or x has no more
    bits. Shapes are aligned at their last dimension; a dimension of 1, or one that is missing, is repeated. The result
    is of the operands' element type. ONNX: `BitShift`.

    - C1: each two dimensions are equal, or one of them is 1.
    - C2: the element types are equal.
    """
    return call("left_shift", (lhs, rhs))


def less(lhs: Any, rhs: Any) -> Expr:
    """X < y.

    Element by element, x of `lhs` and y of `rhs`: x < y. Shapes are aligned at their last dimension; a dimension of 1,
    or one that is missing, is repeated. The result is of booleans (`i1`). ONNX: `Less`.

    - C1: each two dimensions are equal, or one of them is 1.
    - C2: the element types are equal.
    """
    return call("less", (lhs, rhs))


def less_equal(lhs: Any, rhs: Any) -> Expr:
    """X <= y.

    Element by element, x of `lhs` and y of `rhs`: x <= y. Shapes are aligned at their last dimension; a dimension of 1,
    or one that is missing, is repeated. The result is of booleans (`i1`). ONNX: `LessOrEqual`.

    - C1: each two dimensions are equal, or one of them is 1.
    - C2: the element types are equal.
    """
    return call("less_equal", (lhs, rhs))


def log(data: Any) -> Expr:
    """The natural logarithm.

    Element by element: the natural logarithm. The result has the type of `data`. ONNX: `Log`.
    """
    return call("log", (data,))


def log10(data: Any) -> Expr:
    """The logarithm to base 10.

    Element by element: the logarithm to base 10. The result has the type of `data`.
    """
    return call("log10", (data,))


def log2(data: Any) -> Expr:
    """The logarithm to base 2.

    Element by element: the logarithm to base 2. The result has the type of `data`.
    """
    return call("log2", (data,))


def logical_and(lhs: Any, rhs: Any) -> Expr:
    """X and y, of booleans.

    Element by element, x of `lhs` and y of `rhs`: x and y, of booleans. Shapes are aligned at their last dimension; a
    dimension of 1, or one that is missing, is repeated. The result is of the operands' element type. ONNX: `And`.

    - C1: each two dimensions are equal, or one of them is 1.
    - C2: the element types are equal.
    """
    return call("logical_and", (lhs, rhs))


def logical_not(data: Any) -> Expr:
    """Not x, of booleans.

    Element by element: not x, of booleans. The result has the type of `data`. ONNX: `Not`.
    """
    return call("logical_not", (data,))


def logical_or(lhs: Any, rhs: Any) -> Expr:
    """X or y, of booleans.

    Element by element, x of `lhs` and y of `rhs`: x or y, of booleans. Shapes are aligned at their last dimension; a
    dimension of 1, or one that is missing, is repeated. The result is of the operands' element type. ONNX: `Or`.

    - C1: each two dimensions are equal, or one of them is 1.
    - C2: the element types are equal.
    """
    return call("logical_or", (lhs, rhs))


def logical_xor(lhs: Any, rhs: Any) -> Expr:
    """X or y but not both, of booleans.

    Element by element, x of `lhs` and y of `rhs`: x or y but not both, of booleans. Shapes are aligned at their last
    dimension; a dimension of 1, or one that is missing, is repeated. The result is of the operands' element type. ONNX:
    `Xor`.

    - C1: each two dimensions are equal, or one of them is 1.
    - C2: the element types are equal.
    """
    return call("logical_xor", (lhs, rhs))


def matrix_set_diag(
    input: Any,
    diagonal: Any,
    k1: Optional[int] = None,
    k2: Optional[int] = None,
    super_diag_right_align: Optional[Any] = None,
    sub_diag_right_align: Optional[Any] = None,
) -> Expr:
    """Matrices with other diagonals.

    The diagonals from `k1` to `k2` are those of `diagonal`: [..., n] if there is one, else [..., k2 - k1 + 1, n] from
    the highest one on. Diagonal 0 begins with the first element, those above are positive. n is the length of the
    longest of them. In a row of `diagonal`, a shorter one is on the right or on the left: `super_diag_right_align` says
    it of those above diagonal 0, `sub_diag_right_align` of those below.

    - C1: `input` is of rank 2 at least, and both operands have one element type.
    - C2: `k1` is at most `k2`, and the diagonals are in the matrices.
    - C3: `diagonal` has the batches of `input` and the extents that belong to the diagonals.
    """
    return call(
        "matrix_set_diag",
        (input, diagonal),
        k1=k1,
        k2=k2,
        super_diag_right_align=super_diag_right_align,
        sub_diag_right_align=sub_diag_right_align,
    )


def max(data: Any, axis: Optional[Ints] = None, keepdims: Optional[Any] = None, exclude: Optional[Any] = None) -> Expr:
    """The largest element.

    Over the axes `axis`, which count from the end if negative, or over all if `axis` is empty, its default: the largest
    element. `exclude` reduces over the other axes instead, and `keepdims` keeps the dimensions with extent 1; both are
    false by default. The result has the element type of the data. ONNX: `ReduceMax`.

    - C1: the axes are within the rank, and each is given once.
    """
    return call("max", (data,), axis=axis, keepdims=keepdims, exclude=exclude)


def maximum(lhs: Any, rhs: Any) -> Expr:
    """The larger of x and y.

    Element by element, x of `lhs` and y of `rhs`: the larger of x and y. Shapes are aligned at their last dimension; a
    dimension of 1, or one that is missing, is repeated. The result is of the operands' element type. ONNX: `Max`.

    - C1: each two dimensions are equal, or one of them is 1.
    - C2: the element types are equal.
    """
    return call("maximum", (lhs, rhs))


def mean(data: Any, axis: Optional[Ints] = None, keepdims: Optional[Any] = None, exclude: Optional[Any] = None) -> Expr:
    """The mean of elements.

    Over the axes `axis`, which count from the end if negative, or over all if `axis` is empty, its default: the mean of
    elements. `exclude` reduces over the other axes instead, and `keepdims` keeps the dimensions with extent 1; both are
    false by default. The result has the element type of the data. ONNX: `ReduceMean`.

    - C1: the axes are within the rank, and each is given once.
    """
    return call("mean", (data,), axis=axis, keepdims=keepdims, exclude=exclude)


def min(data: Any, axis: Optional[Ints] = None, keepdims: Optional[Any] = None, exclude: Optional[Any] = None) -> Expr:
    """The smallest element.

    Over the axes `axis`, which count from the end if negative, or over all if `axis` is empty, its default: the
    smallest element. `exclude` reduces over the other axes instead, and `keepdims` keeps the dimensions with extent 1;
    both are false by default. The result has the element type of the data. ONNX: `ReduceMin`.

    - C1: the axes are within the rank, and each is given once.
    """
    return call("min", (data,), axis=axis, keepdims=keepdims, exclude=exclude)


def minimum(lhs: Any, rhs: Any) -> Expr:
    """The smaller of x and y.

    Element by element, x of `lhs` and y of `rhs`: the smaller of x and y. Shapes are aligned at their last dimension; a
    dimension of 1, or one that is missing, is repeated. The result is of the operands' element type. ONNX: `Min`.

    - C1: each two dimensions are equal, or one of them is 1.
    - C2: the element types are equal.
    """
    return call("minimum", (lhs, rhs))


def mod(lhs: Any, rhs: Any) -> Expr:
    """The remainder of x / y, with the sign of x.

    Element by element, x of `lhs` and y of `rhs`: the remainder of x / y, with the sign of x. Shapes are aligned at
    their last dimension; a dimension of 1, or one that is missing, is repeated. The result is of the operands' element
    type. ONNX: `Mod` with `fmod = 1`.

    - C1: each two dimensions are equal, or one of them is 1.
    - C2: the element types are equal.
    """
    return call("mod", (lhs, rhs))


def multiply(lhs: Any, rhs: Any) -> Expr:
    """X * y.

    Element by element, x of `lhs` and y of `rhs`: x * y. Shapes are aligned at their last dimension; a dimension of 1,
    or one that is missing, is repeated. The result is of the operands' element type. ONNX: `Mul`.

    - C1: each two dimensions are equal, or one of them is 1.
    - C2: the element types are equal.
    """
    return call("multiply", (lhs, rhs))


def ndarray_size(data: Any, dtype: Any) -> Expr:
    """The number of elements, of rank 0.

    No element is read. ONNX: `Size`.

    - C1: `dtype` is a number type.
    """
    return call("ndarray_size", (data,), dtype=dtype)


def negative(data: Any) -> Expr:
    """-x.

    Element by element: -x. The result has the type of `data`. ONNX: `Neg`.
    """
    return call("negative", (data,))


def nonzero(data: Any) -> Expr:
    """The subscripts of the elements that are not zero, and how many these are.

    The first result has a row for each dimension and a column for each element, as many as `data` has. Its first
    columns are the subscripts of the elements that are not zero, in memory order; the others are undefined. The second
    result is the number of these elements. NaN is not zero. ONNX: `NonZero`, with `relay.dim_of` and `relay.prefix`.

    ```mlir %places, %count = relay.nonzero %x : (tensor<2x3xf32>) -> (tensor<2x6xi64>, tensor<i64>) ```
    """
    return call("nonzero", (data,), results=2)


def not_equal(lhs: Any, rhs: Any) -> Expr:
    """X != y.

    Element by element, x of `lhs` and y of `rhs`: x != y. Shapes are aligned at their last dimension; a dimension of 1,
    or one that is missing, is repeated. The result is of booleans (`i1`). ONNX: `Not` of `Equal`.

    - C1: each two dimensions are equal, or one of them is 1.
    - C2: the element types are equal.
    """
    return call("not_equal", (lhs, rhs))


def one_hot(indices: Any, on_value: Any, off_value: Any, depth: int, dtype: Any, axis: Optional[int] = None) -> Expr:
    """On_value at the places that indices say along a new axis, off_value at all others.

    The new dimension `depth` is before dimension `axis`; -1 is behind the last one. An index that is negative or not
    below `depth` has `off_value` everywhere. The numbers are converted to `dtype`. ONNX: `OneHot`.

    - C1: `indices` are integers.
    - C2: `on_value` and `off_value` are of rank 0.
    - C3: `axis` is from -1 to the rank.
    - C4: `depth` is at least 1.
    - C5: `dtype` is a number type.
    """
    return call("one_hot", (indices, on_value, off_value), depth=depth, axis=axis, dtype=dtype)


def ones(shape: Any, dtype: Any) -> Expr:
    """A tensor of ones.

    - C2: no dimension in `shape` is negative.
    - C3: `dtype` is a number type.
    """
    return call("ones", (), shape=shape, dtype=dtype)


def ones_like(data: Any) -> Expr:
    """Ones, in a tensor of the type of data.

    Element by element: ones, in a tensor of the type of data. The result has the type of `data`.
    """
    return call("ones_like", (data,))


def power(lhs: Any, rhs: Any) -> Expr:
    """X to the y.

    Element by element, x of `lhs` and y of `rhs`: x to the y. Shapes are aligned at their last dimension; a dimension
    of 1, or one that is missing, is repeated. The result is of the operands' element type. ONNX: `Pow`.

    - C1: each two dimensions are equal, or one of them is 1.
    - C2: the element types are equal.
    """
    return call("power", (lhs, rhs))


def prefix(data: Any, axis: int, extent: Any) -> Expr:
    """The first elements of an axis, as many as a symbol says.

    `extent` holds one dimension. Unlike the end of a `relay.strided_slice`, a form is not cut to the elements that are
    there: the bound of its `relay.dim_of` says that there are so many.

    - C1: `axis`, which counts from the end if negative, is within the rank.
    - C2: `extent` is one dimension, and no number that is negative or above that of the operand.
    """
    return call("prefix", (data,), axis=axis, extent=extent)


def prod(data: Any, axis: Optional[Ints] = None, keepdims: Optional[Any] = None, exclude: Optional[Any] = None) -> Expr:
    """The product of elements.

    Over the axes `axis`, which count from the end if negative, or over all if `axis` is empty, its default: the product
    of elements. `exclude` reduces over the other axes instead, and `keepdims` keeps the dimensions with extent 1; both
    are false by default. The result has the element type of the data. ONNX: `ReduceProd`.

    - C1: the axes are within the rank, and each is given once.
    """
    return call("prod", (data,), axis=axis, keepdims=keepdims, exclude=exclude)


def reinterpret(data: Any, dtype: Any) -> Expr:
    """The bits of x as another element type.

    The shape stays. A boolean is a byte of 0 or 1, and made of a byte, whether that is 0. ONNX: `BitCast`.

    - C1: `dtype` is an element type, and of as many bits, where a boolean has 8.
    """
    return call("reinterpret", (data,), dtype=dtype)


def repeat(data: Any, repeats: int, axis: int) -> Expr:
    """Each slice along axis as often as repeats says, one after the other.

    `axis` counts from the end if negative. Of [1, 2] with two `repeats` it makes [1, 1, 2, 2].

    - C1: `axis` is within the rank.
    - C2: `repeats` is at least 1.
    """
    return call("repeat", (data,), repeats=repeats, axis=axis)


def reshape(data: Any, newshape: Any) -> Expr:
    """The elements under another shape.

    The elements keep their order, row by row. `newshape` holds the dimensions; one of them may be -1: what is left. A 0
    is a dimension without elements (TVM's `allowzero`). ONNX: `Reshape`.

    - C1: `newshape` holds one -1 at most, and no other negative number.
    - C2: both shapes have the same number of elements.
    """
    return call("reshape", (data,), newshape=newshape)


def reshape_like(
    data: Any,
    shape_like: Any,
    lhs_begin: Optional[int] = None,
    lhs_end: Optional[int] = None,
    rhs_begin: Optional[int] = None,
    rhs_end: Optional[int] = None,
) -> Expr:
    """The elements under the shape of another tensor.

    The dimensions of `data` from `lhs_begin` to before `lhs_end` become those of `shape_like` from `rhs_begin` to
    before `rhs_end`. An end that is left out is the rank; negative numbers count from the end. The elements of
    `shape_like` are not read.

    - C1: the numbers are within the ranks, and no end is before its begin.
    - C2: both shapes have the same number of elements.
    """
    return call(
        "reshape_like",
        (data, shape_like),
        lhs_begin=lhs_begin,
        lhs_end=lhs_end,
        rhs_begin=rhs_begin,
        rhs_end=rhs_end,
    )


def reverse(data: Any, axis: int) -> Expr:
    """The elements along axis from the last one to the first.

    `axis` counts from the end if negative. ONNX writes it as a `Slice` with a step of -1.

    - C1: `axis` is within the rank.
    """
    return call("reverse", (data,), axis=axis)


def reverse_sequence(
    data: Any,
    seq_lengths: Any,
    seq_axis: Optional[int] = None,
    batch_axis: Optional[int] = None,
) -> Expr:
    """The first elements of each sequence in reverse order.

    `seq_lengths` has a number for each place of `batch_axis`. Of the elements along `seq_axis`, so many are reversed,
    and the others stay. ONNX: `ReverseSequence`.

    - C1: the axes are within the rank, and differ.
    - C2: `seq_lengths` are integers, one for each place of `batch_axis`.
    """
    return call("reverse_sequence", (data, seq_lengths), seq_axis=seq_axis, batch_axis=batch_axis)


def right_shift(lhs: Any, rhs: Any) -> Expr:
    """X shifted by y bits to the right, with copies of its sign before it; the sign alone if y is negative, or x has no more bits.

    Element by element, x of `lhs` and y of `rhs`: x shifted by y bits to the right, with copies of its sign before it;
    the sign alone if y is negative, or x has no more bits. Shapes are aligned at their last dimension; a dimension of
    1, or one that is missing, is repeated. The result is of the operands' element type. ONNX: `BitShift`.

    - C1: each two dimensions are equal, or one of them is 1.
    - C2: the element types are equal.
    """
    return call("right_shift", (lhs, rhs))


def round(data: Any) -> Expr:
    """X rounded to the nearest integer, halves to even.

    Element by element: x rounded to the nearest integer, halves to even. The result has the type of `data`. ONNX:
    `Round`.
    """
    return call("round", (data,))


def rsqrt(data: Any) -> Expr:
    """1 / sqrt(x).

    Element by element: 1 / sqrt(x). The result has the type of `data`. ONNX: `Reciprocal` of `Sqrt`.
    """
    return call("rsqrt", (data,))


def scatter_elements(
    data: Any,
    indices: Any,
    updates: Any,
    axis: Optional[int] = None,
    reduction: Optional[Any] = None,
) -> Expr:
    """Data with updates of elements along axis, chosen by indices: one for each index.

    For `axis` = 1 of three: result[i, indices[i, j, k], k] = updates[i, j, k]. A subscript is taken modulo the extent,
    so -1 is the last one, and nothing outside is written. `reduction` combines an element and its update: "update", the
    default, writes the update, and "add", "mul", "min" and "max" write the result of the operator. Updates of one
    element are applied in memory order. ONNX: `ScatterElements`.

    - C1: the indices are integers of the rank of `data`.
    - C2: `axis` is one of them; if there are indices, there are elements along it.
    - C3: there is an update for each index, of the element type of `data`.
    - C4: in the other dimensions there are at most as many indices as elements.
    - C5: `reduction` is one of the five.
    - C6: booleans, and elements that are only stored, are only updated.
    """
    return call("scatter_elements", (data, indices, updates), axis=axis, reduction=reduction)


def scatter_nd(data: Any, indices: Any, updates: Any, mode: Optional[Any] = None) -> Expr:
    """Data with updates of parts, chosen by lists of subscripts.

    The first dimension of the indices has the subscripts of the first dimensions of data. For two of three:
    result[indices[0, i], indices[1, i], k] = updates[i, k]. A subscript is taken modulo the extent, so -1 is the last
    one, and nothing outside is written. `mode` combines an element and its update: "update", the default, writes the
    update, and "add", "mul", "min" and "max" write the result of the operator. Updates of one element are applied in
    memory order. ONNX: `ScatterND`, with subscripts in the last dimension.

    - C1: the indices are integers, and of rank 1 or more.
    - C2: there are at most as many subscripts as dimensions; if there are lists of them, there are elements to choose.
    - C3: there is an update for each list, of the element type and of the other dimensions of `data`.
    - C5: `mode` is one of the five.
    - C6: booleans, and elements that are only stored, are only updated.
    """
    return call("scatter_nd", (data, indices, updates), mode=mode)


def searchsorted(sorted_sequence: Any, values: Any, dtype: Any, right: Optional[Any] = None) -> Expr:
    """Where each value would stand in a sorted list.

    It is the first place at which the list, rising along its last dimension, stays sorted: before equal elements or,
    with `right`, behind them. The list has rank 1, or a line for each line of `values`.

    - C1: both operands have one element type, and the dimensions of a list of lists are those of `values` but for the
      last one.
    - C2: `dtype` is an integer type.
    """
    return call("searchsorted", (sorted_sequence, values), right=right, dtype=dtype)


def sequence_mask(data: Any, valid_length: Any, mask_value: Optional[float] = None, axis: Optional[int] = None) -> Expr:
    """A number in the place of the elements behind each sequence.

    `axis` is 0 or 1: the one of the first two dimensions that is time. The other one is the batch, for each place of
    which `valid_length` has a number: elements from there on are `mask_value`.

    - C1: `axis` is 0 or 1, and the rank is at least 2.
    - C2: `valid_length` are integers, one for each place of the batch.
    """
    return call("sequence_mask", (data, valid_length), mask_value=mask_value, axis=axis)


def shape_of(data: Any, dtype: Optional[Any] = None) -> Expr:
    """The dimensions of data, as a vector of integers.

    The elements are of `dtype`, i32 by default. With known dimensions, it is a constant.

    - C1: `dtype` is a type of integers.
    """
    return call("shape_of", (data,), dtype=dtype)


def sigmoid(data: Any) -> Expr:
    """1 / (1 + exp(-x)).

    Element by element: 1 / (1 + exp(-x)). The result has the type of `data`. ONNX: `Sigmoid`.
    """
    return call("sigmoid", (data,))


def sign(data: Any) -> Expr:
    """-1, 0 or 1 as x is negative, zero or positive.

    Element by element: -1, 0 or 1 as x is negative, zero or positive. The result has the type of `data`. ONNX: `Sign`.
    """
    return call("sign", (data,))


def sin(data: Any) -> Expr:
    """Sine.

    Element by element: sine. The result has the type of `data`. ONNX: `Sin`.
    """
    return call("sin", (data,))


def sinh(data: Any) -> Expr:
    """The hyperbolic sine.

    Element by element: the hyperbolic sine. The result has the type of `data`. ONNX: `Sinh`.
    """
    return call("sinh", (data,))


def slice_like(data: Any, shape_like: Any, axes: Ints) -> Expr:
    """The first elements along axes, as many as another tensor has there.

    `axes` count from the end if negative; without any, they are all axes. The elements of `shape_like` are not read.

    - C1: `axes` are within both ranks; without any, the ranks are equal.
    - C2: `shape_like` has no more elements along these axes.
    """
    return call("slice_like", (data, shape_like), axes=axes)


def sliding_window(data: Any, axis: int, window_shape: Ints, strides: Ints) -> Expr:
    """The windows of a tensor, which is not repeated in memory by its readers.

    Windows of `window_shape` move over the dimensions from `axis` on, by `strides`. The result has the dimensions
    before `axis`, the numbers of windows, and `window_shape`.

    - C1: `axis` is within the rank.
    - C2: `window_shape` and `strides` have one number of at least 1 for each dimension from `axis` on.
    - C3: a window fits into the data.
    """
    return call("sliding_window", (data,), axis=axis, window_shape=window_shape, strides=strides)


def sort(data: Any, axis: Optional[int] = None, is_ascend: Optional[Any] = None) -> Expr:
    """The elements of an axis in sorted order.

    Along `axis`, which counts from the end if negative. The order rises with `is_ascend`, and falls without it. Equal
    elements keep their order, and NaN counts as greater than all numbers.

    - C1: the axis is within the rank.
    """
    return call("sort", (data,), axis=axis, is_ascend=is_ascend)


def sparse_fill_empty_rows(sparse_indices: Any, sparse_values: Any, dense_shape: Any, default_value: Any) -> Expr:
    """A sparse tensor with an element in each row that had none.

    `sparse_indices` [n, r] are the subscripts of n elements in a tensor of shape `dense_shape` [r], in rising order of
    rows, and `sparse_values` [n] the elements. A row without any gets the element `default_value` in its first place.
    The results are subscripts and elements of the tensor that it becomes, and a number for each row: 1 if it had no
    elements, else 0. How many elements there are is known when the model runs: `dynamic-to-static` names their number,
    if `dense_shape` can be computed at compile time.

    - C1: subscripts and `dense_shape` are of i64 and fit each other, and r is known and at least 1.
    - C2: there are as many values as subscripts, and the default is one of their type.
    """
    return call("sparse_fill_empty_rows", (sparse_indices, sparse_values, dense_shape, default_value), results=3)


def sparse_reshape(sparse_indices: Any, prev_shape: Any, new_shape: Any) -> Expr:
    """The places of elements of a sparse tensor in another shape.

    `sparse_indices` [n, r] are the subscripts of n elements in a tensor of shape `prev_shape` [r]. The results are
    their subscripts [n, s] in the shape `new_shape` [s], one of which may be -1 for what is left, and this shape.

    - C1: the operands are of integers and fit each other, and r and s are known.
    - C2: both shapes are of one element type.
    """
    return call("sparse_reshape", (sparse_indices, prev_shape, new_shape), results=2)


def sparse_to_dense(
    sparse_indices: Any,
    sparse_values: Any,
    default_value: Any,
    output_shape: Ints,
    out_dtype: Optional[str] = None,
) -> Expr:
    """Values at subscripts, and a number everywhere else.

    `sparse_indices` has a line of subscripts for each value, or is a list of them for a result of rank 1. Subscripts
    beyond the extents are left out; of values at one place the last one counts.

    - C1: `sparse_indices` are integers that fit `output_shape`.
    - C2: `sparse_values` are as many, or one of rank 0; `default_value` is of rank 0 and of their element type.
    - C3: the extents are known and not negative.
    """
    return call(
        "sparse_to_dense",
        (sparse_indices, sparse_values, default_value),
        output_shape=output_shape,
        out_dtype=out_dtype,
    )


def sqrt(data: Any) -> Expr:
    """The square root.

    Element by element: the square root. The result has the type of `data`. ONNX: `Sqrt`.
    """
    return call("sqrt", (data,))


def squeeze(data: Any, axis: Optional[Ints] = None) -> Expr:
    """Without the given dimensions, which are 1.

    Axes count from the end if negative. If `axis` is empty, the data stays as it is. ONNX: `Squeeze`.

    - C1: the axes are within the rank, and each is given once.
    - C2: their dimensions are 1.
    """
    return call("squeeze", (data,), axis=axis)


def stack(data: Any, axis: Optional[int] = None) -> Expr:
    """Operands one after the other along a new axis.

    - C1: there is at least one operand, and all have the same type.
    - C2: `axis` is one of the result, which has one dimension more than the operands; it counts from the end if
      negative.
    """
    return call("stack", (data,), axis=axis)


def stft(
    data: Any,
    window: Any,
    n_fft: int,
    hop_length: int,
    win_length: int,
    normalized: Optional[Any] = None,
    onesided: Optional[Any] = None,
) -> Expr:
    """The Fourier transforms of windows of a signal.

    Windows of `win_length` numbers begin each `hop_length` numbers of the last axis of the data [n], or [b, n]; they
    are multiplied by the `window` [win_length]. The result [b, bins, frames, 2] has the real and imaginary parts of the
    first `n_fft` / 2 + 1 bins of a transform of `win_length` numbers (`onesided`), or of the first `n_fft` ones. There
    are (n - n_fft) / hop_length + 1 frames. With `normalized`, numbers are divided by the root of `n_fft`. ONNX:
    `STFT`.

    - C1: data are of rank 1 or 2, with a known last extent, and the window is of their element type and has
      `win_length` elements.
    - C2: `hop_length` and `win_length` are at least 1, `n_fft` at least `win_length`, and the data hold `n_fft`
      elements.
    """
    return call(
        "stft",
        (data, window),
        n_fft=n_fft,
        hop_length=hop_length,
        win_length=win_length,
        normalized=normalized,
        onesided=onesided,
    )


def strided_set(data: Any, v: Any, begin: Any, end: Any, strides: Any) -> Expr:
    """The data with other elements in a slice.

    The slice begins at `begin`, ends before `end`, and has each `strides`th element of each dimension. The operands
    have a number for each of the first dimensions, and others are whole. Places count from the end if negative. `v` has
    the rank of the data, and the elements of the slice, in its order: those of a negative stride begin at the last
    place. A stride of 0 is one of 1. What is no place of `v` is taken modulo its extent.

    - C1: `v` has the element type and the rank of the data.
    - C2: `begin`, `end` and `strides` are vectors of integers of known extents, none longer than the rank.
    """
    return call("strided_set", (data, v, begin, end, strides))


def strided_slice(data: Any, begin: Any, end: Any, strides: Optional[Ints] = None, axes: Optional[Ints] = None) -> Expr:
    """Elements begin, begin + stride, ... before end along some axes.

    `begin`, `end` and `strides` hold a number for each of `axes`; the other dimensions stay. Bounds count from the end
    if negative and are cut to the dimension, as in numpy; so do axes. With a negative stride the slice goes down from
    `begin` to after `end`. A bound may be a form of open dimensions that is never negative. ONNX: `Slice`.

    - C1: the four lists are of the same length.
    - C2: the axes are within the rank, and each is given once.
    - C3: no stride is 0.
    - C4: no form may be negative.
    """
    return call("strided_slice", (data,), begin=begin, end=end, strides=strides, axes=axes)


def subtract(lhs: Any, rhs: Any) -> Expr:
    """X - y.

    Element by element, x of `lhs` and y of `rhs`: x - y. Shapes are aligned at their last dimension; a dimension of 1,
    or one that is missing, is repeated. The result is of the operands' element type. ONNX: `Sub`.

    - C1: each two dimensions are equal, or one of them is 1.
    - C2: the element types are equal.
    """
    return call("subtract", (lhs, rhs))


def sum(data: Any, axis: Optional[Ints] = None, keepdims: Optional[Any] = None, exclude: Optional[Any] = None) -> Expr:
    """The sum of elements.

    Over the axes `axis`, which count from the end if negative, or over all if `axis` is empty, its default: the sum of
    elements. `exclude` reduces over the other axes instead, and `keepdims` keeps the dimensions with extent 1; both are
    false by default. The result has the element type of the data. ONNX: `ReduceSum`.

    - C1: the axes are within the rank, and each is given once.
    """
    return call("sum", (data,), axis=axis, keepdims=keepdims, exclude=exclude)


def take(data: Any, indices: Any, axis: int, mode: Optional[Any] = None) -> Expr:
    """Slices of data along axis, chosen by indices.

    The dimensions of `indices` replace dimension `axis`, which counts from the end if negative: result[i, j, k] =
    data[i, indices[j], k] for `axis` = 1. `mode` handles a subscript out of range: `clip`, the default, moves it to the
    nearest element; `wrap` takes it modulo the extent; `fast` leaves it undefined. ONNX: `Gather`.

    - C1: the indices are integers.
    - C2: `axis` is within the rank.
    - C3: `mode` is one of the three.
    - C4: if there are indices, there are elements along `axis`.
    """
    return call("take", (data, indices), axis=axis, mode=mode)


def tan(data: Any) -> Expr:
    """The tangent.

    Element by element: the tangent. The result has the type of `data`. ONNX: `Tan`.
    """
    return call("tan", (data,))


def tanh(data: Any) -> Expr:
    """The hyperbolic tangent.

    Element by element: the hyperbolic tangent. The result has the type of `data`. ONNX: `Tanh`.
    """
    return call("tanh", (data,))


def tile(data: Any, reps: Ints) -> Expr:
    """Data repeated reps[i] times along axis i.

    ONNX: `Tile`.

    - C1: `reps` holds a number of at least 0 per dimension.
    """
    return call("tile", (data,), reps=reps)


def topk(
    data: Any,
    dtype: Any,
    k: Optional[int] = None,
    axis: Optional[int] = None,
    ret_type: Optional[Any] = None,
    is_ascend: Optional[Any] = None,
) -> Expr:
    """The first elements of an axis in sorted order, and their subscripts.

    The first `k`, or all if `k` is less than 1. Along `axis`, which counts from the end if negative. The order rises
    with `is_ascend`, and falls without it. Equal elements keep their order, and NaN counts as greater than all numbers.
    `ret_type` selects the results: "values" (the elements), "indices" (their subscripts) or "both". ONNX: `TopK`.

    - C1: the axis is within the rank.
    - C2: `dtype` is i32 or i64.
    - C3: the axis has `k` elements.
    - C4: `ret_type` is one of the three.
    """
    return call("topk", (data,), results=0, k=k, axis=axis, ret_type=ret_type, is_ascend=is_ascend, dtype=dtype)


def transpose(data: Any, axes: Optional[Ints] = None) -> Expr:
    """Axes in another order: dimension i of the result is axes[i] of the operand.

    ONNX: `Transpose`.

    - C1: `axes` holds each axis from 0 to the rank once.
    """
    return call("transpose", (data,), axes=axes)


def trilu(data: Any, k: Any, upper: Optional[Any] = None) -> Expr:
    """The upper or lower triangle of matrices, and zeros beside it.

    The upper one has the elements from the diagonal `k` on, the lower one those up to it. Diagonal 0 begins with the
    first element, those above are positive. ONNX: `Trilu`.

    - C1: data are of rank 2 at least.
    - C2: `k` is an integer of rank 0.
    """
    return call("trilu", (data, k), upper=upper)


def trunc(data: Any) -> Expr:
    """X rounded towards zero.

    Element by element: x rounded towards zero. The result has the type of `data`.
    """
    return call("trunc", (data,))


def trunc_divide(lhs: Any, rhs: Any) -> Expr:
    """X / y rounded towards zero.

    Element by element, x of `lhs` and y of `rhs`: x / y rounded towards zero. Shapes are aligned at their last
    dimension; a dimension of 1, or one that is missing, is repeated. The result is of the operands' element type.

    - C1: each two dimensions are equal, or one of them is 1.
    - C2: the element types are equal.
    """
    return call("trunc_divide", (lhs, rhs))


def trunc_mod(lhs: Any, rhs: Any) -> Expr:
    """The remainder of x / y, with the sign of x, as `relay.mod`.

    Element by element, x of `lhs` and y of `rhs`: the remainder of x / y, with the sign of x, as `relay.mod`. Shapes
    are aligned at their last dimension; a dimension of 1, or one that is missing, is repeated. The result is of the
    operands' element type.

    - C1: each two dimensions are equal, or one of them is 1.
    - C2: the element types are equal.
    """
    return call("trunc_mod", (lhs, rhs))


def unique(data: Any, sorted: Optional[Any] = None, return_counts: Optional[Any] = None) -> Expr:
    """The different elements of a list.

    With `sorted`, the elements come in rising order, and else as they come first. The results are: the different
    elements; where each of them is first; for each element of the data, which of the different ones it is; how many
    different ones there are, of shape [1]; and, with `return_counts`, how often each of them is there. The first,
    second and last are as long as the data: behind the different elements they are 0. NaN is different from all
    elements. ONNX: `Unique`.

    - C1: data are of rank 1.
    """
    return call("unique", (data,), results=0, sorted=sorted, return_counts=return_counts)


def unravel_index(data: Any, shape: Any) -> Expr:
    """The subscripts of elements that are given by their number in row-major order.

    `shape` has the extents. The result is [rank, n] for n numbers.

    - C1: both operands are integers of one type; `data` has rank 0 or 1, `shape` rank 1 of known length.
    """
    return call("unravel_index", (data, shape))


def variance(
    data: Any,
    mean: Any,
    axis: Optional[Ints] = None,
    keepdims: Optional[Any] = None,
    exclude: Optional[Any] = None,
    unbiased: Optional[Any] = None,
) -> Expr:
    """The mean squared distance of elements from their mean.

    sum((data - mean)^2) / n, or / (n - 1) if `unbiased`, over axes as for `mean`. The mean is an operand, because users
    of the variance usually need the mean, too.

    - C1: the axes are within the rank, and each is given once.
    - C2: `mean` has the rank of `data` and broadcasts to its shape.
    - C3: both are of the same element type.
    """
    return call("variance", (data, mean), axis=axis, keepdims=keepdims, exclude=exclude, unbiased=unbiased)


def view_as(data: Any, newshape: Any) -> Expr:
    """The same elements under a shape that a model computes.

    As `relay.reshape`, but nothing is known of the number of elements of `newshape`: a `relay.dim_of` before has
    checked that it is that of the operand. ONNX: `Reshape`, with a shape that is computed when the model runs.

    - C1: `newshape` holds no negative number.
    """
    return call("view_as", (data,), newshape=newshape)


def where(condition: Any, x: Any, y: Any) -> Expr:
    """X where the condition holds, else y, with broadcasting.

    Element by element; all three operands broadcast to one shape. ONNX: `Where`.

    - C1: each two dimensions are equal, or one of them is 1.
    - C2: the element types of `x` and `y` are equal; the result has it.
    - C3: the elements of `condition` are booleans (`i1`).
    """
    return call("where", (condition, x, y))


def zeros(shape: Any, dtype: Any) -> Expr:
    """A tensor of zeros.

    - C2: no dimension in `shape` is negative.
    - C3: `dtype` is a number type.
    """
    return call("zeros", (), shape=shape, dtype=dtype)


def zeros_like(data: Any) -> Expr:
    """Zeros, in a tensor of the type of data.

    Element by element: zeros, in a tensor of the type of data. The result has the type of `data`.
    """
    return call("zeros_like", (data,))
