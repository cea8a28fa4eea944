"""Relay's operators of `nn`. `cargo xtask docs` writes this module from the operators' declarations."""

from __future__ import annotations

from typing import Any, Optional

from ..expr import Expr, Ints, call

__all__ = [
    "adaptive_avg_pool1d",
    "adaptive_avg_pool2d",
    "adaptive_avg_pool3d",
    "adaptive_max_pool1d",
    "adaptive_max_pool2d",
    "adaptive_max_pool3d",
    "avg_pool1d",
    "avg_pool2d",
    "avg_pool2d_grad",
    "avg_pool3d",
    "batch_flatten",
    "batch_matmul",
    "batch_norm",
    "batch_to_space_nd",
    "bias_add",
    "bitpack",
    "bitserial_conv2d",
    "bitserial_dense",
    "contrib_conv2d_NCHWc",
    "contrib_conv2d_gemm_weight_transform",
    "contrib_conv2d_gemm_without_weight_transform",
    "contrib_conv2d_winograd_weight_transform",
    "contrib_conv2d_winograd_without_weight_transform",
    "contrib_conv3d_winograd_weight_transform",
    "contrib_conv3d_winograd_without_weight_transform",
    "contrib_dense_blocks_pack",
    "contrib_dense_digits_pack",
    "contrib_dense_pack",
    "contrib_depthwise_conv2d_NCHWc",
    "contrib_quantize_blocks",
    "conv1d",
    "conv1d_transpose",
    "conv2d",
    "conv2d_backward_weight",
    "conv2d_transpose",
    "conv3d",
    "conv3d_transpose",
    "correlation",
    "cross_entropy",
    "cross_entropy_with_logits",
    "deformable_conv2d",
    "dense",
    "dense_blocks",
    "depth_to_space",
    "dequantize_blocks",
    "dilate",
    "dropout",
    "fast_softmax",
    "fifo_buffer",
    "global_avg_pool2d",
    "global_max_pool2d",
    "group_norm",
    "instance_norm",
    "l2_normalize",
    "layer_norm",
    "leaky_relu",
    "log_softmax",
    "lrn",
    "matmul",
    "max_pool1d",
    "max_pool2d",
    "max_pool2d_grad",
    "max_pool3d",
    "mirror_pad",
    "nll_loss",
    "pad",
    "prelu",
    "relu",
    "softmax",
    "space_to_batch_nd",
    "space_to_depth",
    "sparse_add",
    "sparse_conv2d",
    "sparse_dense",
    "sparse_transpose",
    "upsampling",
    "upsampling3d",
]


def adaptive_avg_pool1d(data: Any, output_size: Optional[Ints] = None, layout: Optional[Any] = None) -> Expr:
    """The mean of each of output_size windows.

    Of n positions over a dimension of m elements, the window of position i covers the elements from floor(i m / n) to
    before ceil((i + 1) m / n).

    - C1: the rank is that of `layout`, which has as many spatial dimensions as the operator's name says.
    - C2: `output_size` holds one extent of at least 1 per spatial dimension, or one for all of them, or none: then the
      result has the data's extents.
    - C3: the spatial dimensions of the data have at least one element each.
    """
    return call("nn.adaptive_avg_pool1d", (data,), output_size=output_size, layout=layout)


def adaptive_avg_pool2d(data: Any, output_size: Optional[Ints] = None, layout: Optional[Any] = None) -> Expr:
    """The mean of each of output_size windows.

    Of n positions over a dimension of m elements, the window of position i covers the elements from floor(i m / n) to
    before ceil((i + 1) m / n).

    - C1: the rank is that of `layout`, which has as many spatial dimensions as the operator's name says.
    - C2: `output_size` holds one extent of at least 1 per spatial dimension, or one for all of them, or none: then the
      result has the data's extents.
    - C3: the spatial dimensions of the data have at least one element each.
    """
    return call("nn.adaptive_avg_pool2d", (data,), output_size=output_size, layout=layout)


def adaptive_avg_pool3d(data: Any, output_size: Optional[Ints] = None, layout: Optional[Any] = None) -> Expr:
    """The mean of each of output_size windows.

    Of n positions over a dimension of m elements, the window of position i covers the elements from floor(i m / n) to
    before ceil((i + 1) m / n).

    - C1: the rank is that of `layout`, which has as many spatial dimensions as the operator's name says.
    - C2: `output_size` holds one extent of at least 1 per spatial dimension, or one for all of them, or none: then the
      result has the data's extents.
    - C3: the spatial dimensions of the data have at least one element each.
    """
    return call("nn.adaptive_avg_pool3d", (data,), output_size=output_size, layout=layout)


def adaptive_max_pool1d(data: Any, output_size: Optional[Ints] = None, layout: Optional[Any] = None) -> Expr:
    """The largest element of each of output_size windows.

    Of n positions over a dimension of m elements, the window of position i covers the elements from floor(i m / n) to
    before ceil((i + 1) m / n).

    - C1: the rank is that of `layout`, which has as many spatial dimensions as the operator's name says.
    - C2: `output_size` holds one extent of at least 1 per spatial dimension, or one for all of them, or none: then the
      result has the data's extents.
    - C3: the spatial dimensions of the data have at least one element each.
    """
    return call("nn.adaptive_max_pool1d", (data,), output_size=output_size, layout=layout)


def adaptive_max_pool2d(data: Any, output_size: Optional[Ints] = None, layout: Optional[Any] = None) -> Expr:
    """The largest element of each of output_size windows.

    Of n positions over a dimension of m elements, the window of position i covers the elements from floor(i m / n) to
    before ceil((i + 1) m / n).

    - C1: the rank is that of `layout`, which has as many spatial dimensions as the operator's name says.
    - C2: `output_size` holds one extent of at least 1 per spatial dimension, or one for all of them, or none: then the
      result has the data's extents.
    - C3: the spatial dimensions of the data have at least one element each.
    """
    return call("nn.adaptive_max_pool2d", (data,), output_size=output_size, layout=layout)


def adaptive_max_pool3d(data: Any, output_size: Optional[Ints] = None, layout: Optional[Any] = None) -> Expr:
    """The largest element of each of output_size windows.

    Of n positions over a dimension of m elements, the window of position i covers the elements from floor(i m / n) to
    before ceil((i + 1) m / n).

    - C1: the rank is that of `layout`, which has as many spatial dimensions as the operator's name says.
    - C2: `output_size` holds one extent of at least 1 per spatial dimension, or one for all of them, or none: then the
      result has the data's extents.
    - C3: the spatial dimensions of the data have at least one element each.
    """
    return call("nn.adaptive_max_pool3d", (data,), output_size=output_size, layout=layout)


def avg_pool1d(
    data: Any,
    pool_size: Ints,
    strides: Optional[Ints] = None,
    dilation: Optional[Ints] = None,
    padding: Optional[Ints] = None,
    layout: Optional[Any] = None,
    ceil_mode: Optional[Any] = None,
    count_include_pad: Optional[Any] = None,
) -> Expr:
    """The mean of each window.

    Padding counts as zeros if `count_include_pad`, and not at all by default. ONNX: `AveragePool`. Windows of
    `pool_size` start every `strides` elements and cover every `dilation`th element; `padding` has the numbers of
    elements before each spatial dimension, then those after each. They are 1, 1 and 0 by default. The dimensions are W
    in this order. `layout` is NCW by default. With `ceil_mode`, false by default, a last window may reach beyond the
    padding, but must start within data or padding before.

    - C1: `layout` names N, C and the spatial dimensions, which are not in blocks; the data has its rank and blocks.
    - C2: `pool_size` holds a number from 1 to 2^30 per spatial dimension.
    - C3: `strides` and `dilation` hold a number from 1 to 2^30 per spatial dimension, `padding` two from 0 to 2^30.
    - C4: a window fits into the padded data.
    """
    return call(
        "nn.avg_pool1d",
        (data,),
        pool_size=pool_size,
        strides=strides,
        dilation=dilation,
        padding=padding,
        layout=layout,
        ceil_mode=ceil_mode,
        count_include_pad=count_include_pad,
    )


def avg_pool2d(
    data: Any,
    pool_size: Ints,
    strides: Optional[Ints] = None,
    dilation: Optional[Ints] = None,
    padding: Optional[Ints] = None,
    layout: Optional[Any] = None,
    ceil_mode: Optional[Any] = None,
    count_include_pad: Optional[Any] = None,
) -> Expr:
    """The mean of each window.

    Padding counts as zeros if `count_include_pad`, and not at all by default. ONNX: `AveragePool`. Windows of
    `pool_size` start every `strides` elements and cover every `dilation`th element; `padding` has the numbers of
    elements before each spatial dimension, then those after each. They are 1, 1 and 0 by default. The dimensions are H,
    W in this order. `layout` is NCHW by default. With `ceil_mode`, false by default, a last window may reach beyond the
    padding, but must start within data or padding before.

    - C1: `layout` names N, C and the spatial dimensions, which are not in blocks; the data has its rank and blocks.
    - C2: `pool_size` holds a number from 1 to 2^30 per spatial dimension.
    - C3: `strides` and `dilation` hold a number from 1 to 2^30 per spatial dimension, `padding` two from 0 to 2^30.
    - C4: a window fits into the padded data.
    """
    return call(
        "nn.avg_pool2d",
        (data,),
        pool_size=pool_size,
        strides=strides,
        dilation=dilation,
        padding=padding,
        layout=layout,
        ceil_mode=ceil_mode,
        count_include_pad=count_include_pad,
    )


def avg_pool2d_grad(
    out_grad: Any,
    data: Any,
    pool_size: Ints,
    strides: Optional[Ints] = None,
    dilation: Optional[Ints] = None,
    padding: Optional[Ints] = None,
    layout: Optional[Any] = None,
    ceil_mode: Optional[Any] = None,
    count_include_pad: Optional[Any] = None,
) -> Expr:
    """The gradient of avg_pool2d with respect to its data.

    The gradient of a window is shared by the elements that the pool counts. The first operand is the gradient of the
    pool's result, the second its data. The other attributes are those of the pool.

    - C1: `layout` names N, C and two spatial dimensions; the data has its rank.
    - C2: `pool_size` holds two numbers from 1 to 2^30.
    - C3: `strides` and `dilation` hold numbers of each dimension, from 1 to 2^30, and `padding` four from 0 to 2^30.
    - C4: a window fits into the padded data.
    - C5: the gradient has the type of the pool's result.
    - C6: `dilation` is 1.
    """
    return call(
        "nn.avg_pool2d_grad",
        (out_grad, data),
        pool_size=pool_size,
        strides=strides,
        dilation=dilation,
        padding=padding,
        layout=layout,
        ceil_mode=ceil_mode,
        count_include_pad=count_include_pad,
    )


def avg_pool3d(
    data: Any,
    pool_size: Ints,
    strides: Optional[Ints] = None,
    dilation: Optional[Ints] = None,
    padding: Optional[Ints] = None,
    layout: Optional[Any] = None,
    ceil_mode: Optional[Any] = None,
    count_include_pad: Optional[Any] = None,
) -> Expr:
    """The mean of each window.

    Padding counts as zeros if `count_include_pad`, and not at all by default. ONNX: `AveragePool`. Windows of
    `pool_size` start every `strides` elements and cover every `dilation`th element; `padding` has the numbers of
    elements before each spatial dimension, then those after each. They are 1, 1 and 0 by default. The dimensions are D,
    H, W in this order. `layout` is NCDHW by default. With `ceil_mode`, false by default, a last window may reach beyond
    the padding, but must start within data or padding before.

    - C1: `layout` names N, C and the spatial dimensions, which are not in blocks; the data has its rank and blocks.
    - C2: `pool_size` holds a number from 1 to 2^30 per spatial dimension.
    - C3: `strides` and `dilation` hold a number from 1 to 2^30 per spatial dimension, `padding` two from 0 to 2^30.
    - C4: a window fits into the padded data.
    """
    return call(
        "nn.avg_pool3d",
        (data,),
        pool_size=pool_size,
        strides=strides,
        dilation=dilation,
        padding=padding,
        layout=layout,
        ceil_mode=ceil_mode,
        count_include_pad=count_include_pad,
    )


def batch_flatten(data: Any) -> Expr:
    """All dimensions but the first as one.

    [n, a, b, ...] becomes [n, a * b * ...]. ONNX: `Flatten` with `axis = 1`.

    - C1: the data is of rank 1 or more.
    """
    return call("nn.batch_flatten", (data,))


def batch_matmul(
    tensor_a: Any,
    tensor_b: Any,
    transpose_a: Optional[Any] = None,
    transpose_b: Optional[Any] = None,
) -> Expr:
    """Matrix products, one per batch; a batch of 1 broadcasts.

    result[b, m, n] = sum over k of a[b, m, k] * b[b, k, n]. `transpose_a` and `transpose_b`, both false by default,
    exchange the last two dimensions of an operand first. ONNX: `MatMul`.

    - C1: both are of rank 3; or of rank 2, without batches.
    - C2: the columns of `tensor_a` are the rows of `tensor_b`.
    - C3: the batches are equal, or one of them is 1.
    - C4: the element types are equal, or the weight's is a narrower float, which is widened where it is read.
    """
    return call("nn.batch_matmul", (tensor_a, tensor_b), transpose_a=transpose_a, transpose_b=transpose_b)


def batch_norm(
    data: Any,
    gamma: Any,
    beta: Any,
    moving_mean: Any,
    moving_var: Any,
    axis: Optional[int] = None,
    epsilon: Optional[float] = None,
) -> Expr:
    """(data - moving_mean) / sqrt(moving_var + epsilon) * gamma + beta, along axis.

    Each vector belongs to `axis`, 1 by default, which counts from the end if negative. `epsilon` is 1e-5 by default.
    Unlike TVM's, it has one result, because mean and variance are operands. ONNX: `BatchNormalization`.

    - C1: `axis` is within the rank.
    - C2: each vector is of rank 1 and has the extent of `axis`.
    - C3: the element types are equal.
    - C4: `epsilon` is at least 0.
    """
    return call("nn.batch_norm", (data, gamma, beta, moving_mean, moving_var), results=3, axis=axis, epsilon=epsilon)


def batch_to_space_nd(data: Any, crops: Ints, block_shape: Optional[Ints] = None) -> Expr:
    """Moves batches to positions in blocks of space: the inverse of nn.space_to_batch_nd.

    Data [n * b0 * b1, h, w, c] becomes [n, h * b0, w * b1, c] for a `block_shape` of [b0, b1], [1, 1] by default. The
    elements at [y, x] of the batches (r * b1 + s) * n to (r * b1 + s) * n + n - 1 go to [y * b0 + r, x * b1 + s]. Then
    `crops` elements before and after each spatial dimension are dropped.

    - C1: the data has a dimension for the batch and one for each number in `block_shape`, which is at least 1.
    - C2: `crops` holds two numbers of at least 0 for each number in `block_shape`.
    - C3: the product of `block_shape` divides the batch.
    - C4: `crops` drops no more elements of a dimension than it has.
    """
    return call("nn.batch_to_space_nd", (data,), block_shape=block_shape, crops=crops)


def bias_add(data: Any, bias: Any, axis: Optional[int] = None) -> Expr:
    """Data plus a vector along axis.

    result[..., c, ...] = data[..., c, ...] + bias[c], with c along `axis`, 1 by default, which counts from the end if
    negative. ONNX: `Add` of a vector; the bias of `Conv` and `Gemm`.

    - C1: `axis` is within the rank.
    - C2: each vector is of rank 1 and has the extent of `axis`.
    - C3: the element types are equal.
    """
    return call("nn.bias_add", (data, bias), axis=axis)


def bitpack(
    data: Any,
    pack_type: Any,
    bits: Optional[int] = None,
    pack_axis: Optional[int] = None,
    bit_axis: Optional[int] = None,
    name: Optional[Any] = None,
) -> Expr:
    """The bits of numbers, packed into words.

    The lowest `bits` bits of the data are packed along `pack_axis`: those of the first of as many numbers as a word of
    `pack_type` has bits become the highest ones. A new axis `bit_axis` has a word for each of the bits, the lowest
    first.

    - C1: `bits` is from 1 to 8.
    - C2: `pack_axis` is within the rank, and `bit_axis` from 0 to the rank.
    - C3: `pack_type` is an unsigned integer, and its number of bits divides the extent of `pack_axis`.
    """
    return call(
        "nn.bitpack",
        (data,),
        bits=bits,
        pack_axis=pack_axis,
        bit_axis=bit_axis,
        pack_type=pack_type,
        name=name,
    )


def bitserial_conv2d(
    data: Any,
    weight: Any,
    strides: Optional[Ints] = None,
    padding: Optional[Ints] = None,
    activation_bits: Optional[int] = None,
    weight_bits: Optional[int] = None,
    data_layout: Optional[Any] = None,
    kernel_layout: Optional[Any] = None,
    pack_dtype: Optional[Any] = None,
    out_dtype: Optional[Any] = None,
    unipolar: Optional[Any] = None,
    out_layout: Optional[str] = None,
) -> Expr:
    """A convolution of numbers of few bits.

    As `relay.nn.conv2d`, with one group and no dilation. Only the lowest bits of the operands count. With `unipolar`, a
    bit of a weight that is not set counts as -1, and else as 0: a weight w of n bits is 2 w - (2^n - 1), or w. Sums are
    of `out_dtype`, i16 by default, and wrap. `pack_dtype` says something to kernels on packed bits.

    - C1: data and weight are of integers, of rank 4, and fit each other.
    - C2: `activation_bits` and `weight_bits` are from 1 to 8.
    - C3: `strides` hold numbers of each dimension, from 1 to 2^30, and `padding` four from 0 to 2^30.
    - C4: a window fits into the padded data.
    - C5: `out_dtype` is an integer type.
    - C6: the layouts are NCHW and OIHW, or NHWC and HWIO.
    """
    return call(
        "nn.bitserial_conv2d",
        (data, weight),
        strides=strides,
        padding=padding,
        activation_bits=activation_bits,
        weight_bits=weight_bits,
        data_layout=data_layout,
        kernel_layout=kernel_layout,
        pack_dtype=pack_dtype,
        out_dtype=out_dtype,
        unipolar=unipolar,
        out_layout=out_layout,
    )


def bitserial_dense(
    data: Any,
    weight: Any,
    data_bits: Optional[int] = None,
    weight_bits: Optional[int] = None,
    pack_dtype: Optional[Any] = None,
    out_dtype: Optional[Any] = None,
    unipolar: Optional[Any] = None,
) -> Expr:
    """A product of matrices of numbers of few bits.

    As `relay.nn.dense`: data [..., k] and weight [units, k] make [..., units]. Only the lowest bits of the operands
    count. With `unipolar`, a bit of a weight that is not set counts as -1, and else as 0: a weight w of n bits is 2 w -
    (2^n - 1), or w. Sums are of `out_dtype`, i16 by default, and wrap. `pack_dtype` says something to kernels on packed
    bits.

    - C1: data and weight are of integers and fit each other; the weight is of rank 2.
    - C2: `data_bits` and `weight_bits` are from 1 to 8.
    - C5: `out_dtype` is an integer type.
    """
    return call(
        "nn.bitserial_dense",
        (data, weight),
        data_bits=data_bits,
        weight_bits=weight_bits,
        pack_dtype=pack_dtype,
        out_dtype=out_dtype,
        unipolar=unipolar,
    )


def contrib_conv2d_NCHWc(
    data: Any,
    weight: Any,
    strides: Optional[Ints] = None,
    padding: Optional[Ints] = None,
    dilation: Optional[Ints] = None,
    groups: Optional[int] = None,
    channels: Optional[int] = None,
    kernel_size: Optional[Ints] = None,
    data_layout: Optional[Any] = None,
    kernel_layout: Optional[Any] = None,
    out_layout: Optional[str] = None,
    out_dtype: Optional[str] = None,
) -> Expr:
    """Conv2d on packed channels: data NCHW{i}c, weight OIHW{i}i{o}o, result NCHW{o}c.

    result[n, o, y...] = sum over i, k... of data[n, g * I + i, y * strides + k * dilation - padding ...] * weight[o, i,
    k...], for a weight with I inputs and the group g of output o. Each group of outputs reads its own group of
    channels. `alter-op-layout` makes it of `nn.conv2d`. In the layout OIHW8i16o2i, the inputs of a weight come in
    pairs, as machines that multiply tiles of bf16 take them.

    `padding` has the numbers of zeros before each spatial dimension, then those after each. `strides`, `dilation` and
    `padding` name the dimensions H, W in this order, and are 1, 1 and 0 by default. `data_layout` is NCHW16c,
    `kernel_layout` OIHW16i16o and `groups` 1 by default. The result is in the layout of the data, with channels in the
    blocks of the weight's outputs. `channels` and `kernel_size` are the channels of the result and the extents of the
    kernel. They determine an unknown type of the weight; inference removes them when the type is known.

    - C1: data and weight have the ranks and blocks of their layouts.
    - C2: the channels are the weight's inputs times `groups`, which divides the outputs.
    - C3: `strides` and `dilation` hold a number from 1 to 2^30 per spatial dimension, `padding` two from 0 to 2^30.
    - C4: the weight has elements, and they fit into the padded data.
    - C5: the layouts order the dimensions N, C, H, W and O, I, H, W; only channels are in blocks, and those of outputs
      need data in blocks; only those of a weight's inputs are split again.
    - C6: data and weight are of the same element type.
    - C7: `channels` and `kernel_size`, if they are given, are those of the weight.
    """
    return call(
        "nn.contrib_conv2d_NCHWc",
        (data, weight),
        strides=strides,
        padding=padding,
        dilation=dilation,
        groups=groups,
        channels=channels,
        kernel_size=kernel_size,
        data_layout=data_layout,
        kernel_layout=kernel_layout,
        out_layout=out_layout,
        out_dtype=out_dtype,
    )


def contrib_conv2d_gemm_weight_transform(
    weight: Any,
    tile_N: int,
    tile_K: int,
    out_layout: Optional[str] = None,
    out_dtype: Optional[str] = None,
) -> Expr:
    """The weight of a convolution in tiles of a matrix.

    The weight [kh, kw, i, o] is a matrix of k = kh * kw * i rows and n = o columns, filled up with zeros to multiples
    of 4 `tile_K` rows and of `tile_N` columns. The result has its tiles: [n / tile_N, k / tile_K, tile_K, tile_N], and
    of integers of 8 bits [n / tile_N, k / tile_K, tile_N, tile_K].

    - C1: the weight is of rank 4 and of known extents.
    - C2: `tile_N` and `tile_K` are from 1 to 2^30.
    """
    return call(
        "nn.contrib_conv2d_gemm_weight_transform",
        (weight,),
        tile_N=tile_N,
        tile_K=tile_K,
        out_layout=out_layout,
        out_dtype=out_dtype,
    )


def contrib_conv2d_gemm_without_weight_transform(
    data: Any,
    weight: Any,
    channels: int,
    kernel_size: Ints,
    strides: Optional[Ints] = None,
    padding: Optional[Ints] = None,
    dilation: Optional[Ints] = None,
    groups: Optional[int] = None,
    data_layout: Optional[Any] = None,
    kernel_layout: Optional[Any] = None,
    out_dtype: Optional[Any] = None,
    out_layout: Optional[str] = None,
) -> Expr:
    """A convolution by a weight in tiles of a matrix.

    The convolution of data NHWC by what `relay.nn.contrib_conv2d_gemm_weight_transform` made of a weight of `channels`
    outputs and `kernel_size`. Sums are of `out_dtype`, or else of the data's element type.

    - C1: data and weight are of rank 4 and of one element type, and the layouts are NHWC and HWIO.
    - C2: the tiles hold the weight.
    - C3: `kernel_size`, `strides` and `dilation` hold numbers of each dimension, from 1 to 2^30, and `padding` four
      from 0 to 2^30.
    - C4: a window fits into the padded data.
    - C5: `groups` is 1.
    """
    return call(
        "nn.contrib_conv2d_gemm_without_weight_transform",
        (data, weight),
        strides=strides,
        padding=padding,
        dilation=dilation,
        groups=groups,
        channels=channels,
        kernel_size=kernel_size,
        data_layout=data_layout,
        kernel_layout=kernel_layout,
        out_dtype=out_dtype,
        out_layout=out_layout,
    )


def contrib_conv2d_winograd_weight_transform(
    weight: Any,
    tile_size: int,
    out_layout: Optional[str] = None,
    out_dtype: Optional[str] = None,
) -> Expr:
    """The weight of a conv2d as Winograd's algorithm needs it.

    [o, i, height, width] becomes [alpha, alpha, o, i], where an alpha is `tile_size` + the kernel's extent - 1, or 1
    where that is 1: each kernel w becomes G w G'.

    - C1: the weight is of rank 4; its last two dimensions are static, and one of them is above 1.
    - C2: `tile_size` is at least 2, and alpha at most 8.
    """
    return call(
        "nn.contrib_conv2d_winograd_weight_transform",
        (weight,),
        tile_size=tile_size,
        out_layout=out_layout,
        out_dtype=out_dtype,
    )


def contrib_conv2d_winograd_without_weight_transform(
    data: Any,
    weight: Any,
    tile_size: int,
    strides: Optional[Ints] = None,
    padding: Optional[Ints] = None,
    dilation: Optional[Ints] = None,
    groups: Optional[int] = None,
    data_layout: Optional[Any] = None,
    kernel_layout: Optional[Any] = None,
    out_layout: Optional[str] = None,
    out_dtype: Optional[str] = None,
) -> Expr:
    """Conv2d on packed channels by Winograd's algorithm, with a transformed weight.

    Like `nn.contrib_conv2d_NCHWc`, with a transformed weight: `nn.contrib_conv2d_winograd_weight_transform` with the
    same `tile_size`, and then a `layout_transform` to `kernel_layout`, HWOI16o by default. H and W of this layout are
    `tile_size` + kernel - 1, or 1 if the kernel is 1. A tile has `tile_size` x `tile_size` results (`tile_size` results
    for a kernel of one dimension), and takes a product for each of its transformed elements. `alter-op-layout` makes it
    of `nn.conv2d` if it is cheaper. The result differs from the direct sum by rounding: by less than 1e-5 of the
    largest result for tiles of 4.

    - C1: data and weight have the ranks and blocks of their layouts.
    - C2: the channels are the weight's inputs; `groups` is 1.
    - C3: `strides` and `dilation` are 1, `padding` holds two numbers of at least 0 per dimension.
    - C4: `tile_size` is at least 2, and the kernel it leaves fits into the padded data.
    - C5: the layouts order the dimensions N, C, H, W and O, I, H, W; only channels are in blocks, and those of outputs
      need data in blocks; only those of a weight's inputs are split again.
    - C6: data and weight are of the same element type; or the data is of a narrow float, the weight of f32.
    """
    return call(
        "nn.contrib_conv2d_winograd_without_weight_transform",
        (data, weight),
        tile_size=tile_size,
        strides=strides,
        padding=padding,
        dilation=dilation,
        groups=groups,
        data_layout=data_layout,
        kernel_layout=kernel_layout,
        out_layout=out_layout,
        out_dtype=out_dtype,
    )


def contrib_conv3d_winograd_weight_transform(
    weight: Any,
    tile_size: int,
    out_layout: Optional[str] = None,
    out_dtype: Optional[str] = None,
) -> Expr:
    """The weight of a conv3d as Winograd's algorithm needs it.

    [o, i, depth, height, width] becomes [alpha, alpha, alpha, o, i], if the depth is from 3 to 7, and else [alpha,
    alpha, depth, o, i]: height and width are transformed only. An alpha is `tile_size` + the kernel's extent - 1.

    - C1: the weight is of rank 5, and its last three dimensions are known and at least 1.
    - C2: `tile_size` is at least 2, and alpha at most 8.
    """
    return call(
        "nn.contrib_conv3d_winograd_weight_transform",
        (weight,),
        tile_size=tile_size,
        out_layout=out_layout,
        out_dtype=out_dtype,
    )


def contrib_conv3d_winograd_without_weight_transform(
    data: Any,
    weight: Any,
    tile_size: int,
    kernel_size: Ints,
    strides: Optional[Ints] = None,
    padding: Optional[Ints] = None,
    dilation: Optional[Ints] = None,
    groups: Optional[int] = None,
    data_layout: Optional[Any] = None,
    kernel_layout: Optional[Any] = None,
    out_layout: Optional[str] = None,
    out_dtype: Optional[str] = None,
) -> Expr:
    """Conv3d by Winograd's algorithm, with a transformed weight.

    The result of `relay.nn.conv3d` on data NCDHW, by what `relay.nn.contrib_conv3d_winograd_weight_transform` with the
    same `tile_size` made of a weight of `kernel_size`.

    - C1: data and weight are of rank 5 and of one element type, and the layouts are NCDHW and OIDHW.
    - C2: the weight is a transformed one of `kernel_size`, and has the data's channels as inputs.
    - C3: `kernel_size` holds three extents from 1 to 2^30, `strides` and `dilation` are 1, and `padding` holds six
      numbers from 0 to 2^30.
    - C4: a window fits into the padded data.
    - C5: `groups` is 1.
    """
    return call(
        "nn.contrib_conv3d_winograd_without_weight_transform",
        (data, weight),
        tile_size=tile_size,
        strides=strides,
        padding=padding,
        dilation=dilation,
        groups=groups,
        kernel_size=kernel_size,
        data_layout=data_layout,
        kernel_layout=kernel_layout,
        out_layout=out_layout,
        out_dtype=out_dtype,
    )


def contrib_dense_blocks_pack(
    data: Any,
    weight: Any,
    scales: Any,
    zero_points: Any,
    bits: int,
    out_dtype: Optional[str] = None,
) -> Expr:
    """Dense_blocks with the weight packed to [units/l, words, l].

    Like `nn.dense_blocks`, with a weight of 32-bit words [units/l, words of a row, l]. The word of 32/`bits` neighbours
    of a row has its number 4p + j in the bits from 8j + `bits` p on, so that a shift and a mask make four bytes of it.
    Scales and zero points lie in blocks of l units likewise. `alter-op-layout` makes it of `nn.dense_blocks`.

    - C1: the data is of rank 2, the weight of rank 3 and of 32-bit integers.
    - C2: scales are floats of shape [units/l, blocks, l]; zero points are of that shape, too, or of rank 0.
    - C3: `bits` is 2, 4 or 8, and a block has whole words.
    - C4: the words are as many as the data's columns need.
    """
    return call("nn.contrib_dense_blocks_pack", (data, weight, scales, zero_points), bits=bits, out_dtype=out_dtype)


def contrib_dense_digits_pack(
    words: Any,
    data_scales: Any,
    data_sums: Any,
    weight: Any,
    scales: Any,
    zero_points: Any,
    bits: int,
    out_dtype: Optional[str] = None,
) -> Expr:
    """Contrib_dense_blocks_pack of quantised data: products of bytes, summed up in integers for each block.

    `nn.contrib_dense_blocks_pack` of what `nn.contrib_quantize_blocks` made: its three results, then weight, scales and
    zero points. Products of a block are exact; blocks are summed up in f32. `alter-op-layout` makes it where the
    processor multiplies bytes.

    - C1: the words are of rank 3, and the weight is of rank 3; both are of 32-bit integers.
    - C2: scales are floats of shape [units/l, blocks, l]; zero points are of that shape, too, or of rank 0.
    - C3: `bits` is 2, 4 or 8, and a block has whole words.
    - C4: scales and sums of the data are f32 of shape [m, blocks].
    """
    return call(
        "nn.contrib_dense_digits_pack",
        (words, data_scales, data_sums, weight, scales, zero_points),
        bits=bits,
        out_dtype=out_dtype,
    )


def contrib_dense_pack(
    data: Any,
    weight: Any,
    units: Optional[int] = None,
    weight_layout: Optional[Any] = None,
    out_dtype: Optional[str] = None,
) -> Expr:
    """Dense with the weight packed to [units/n, inputs, n].

    Like `nn.dense`, with contiguous weights of n units that are computed together. `alter-op-layout` makes it of
    `nn.dense`. `weight_layout` is NC16n by default. NC16n2c has the inputs in pairs, for machines that multiply tiles
    of bf16.

    - C1: the data is of rank 2, the weight of rank 3, or 4 if inputs are in blocks, too.
    - C2: the inputs of data and weight are equal.
    - C3: `weight_layout` has the dimensions N and C, and the weight its blocks.
    - C4: the element types are equal, or the weight's is a narrower float, which is widened where it is read.
    - C5: `units`, if it is given as for `nn.dense`, is that of the weight.
    """
    return call("nn.contrib_dense_pack", (data, weight), units=units, weight_layout=weight_layout, out_dtype=out_dtype)


def contrib_depthwise_conv2d_NCHWc(
    data: Any,
    weight: Any,
    strides: Optional[Ints] = None,
    padding: Optional[Ints] = None,
    dilation: Optional[Ints] = None,
    groups: Optional[int] = None,
    channels: Optional[int] = None,
    kernel_size: Optional[Ints] = None,
    data_layout: Optional[Any] = None,
    kernel_layout: Optional[Any] = None,
    out_layout: Optional[str] = None,
    out_dtype: Optional[str] = None,
) -> Expr:
    """Conv2d of each channel on its own: data NCHW{c}c, weight OIHW1i{c}o.

    result[n, o, y...] = sum over i, k... of data[n, g * I + i, y * strides + k * dilation - padding ...] * weight[o, i,
    k...], for a weight with I inputs and the group g of output o. Each group of outputs reads its own group of
    channels. `groups` is the number of channels. `alter-op-layout` makes it of `nn.conv2d`.

    `padding` has the numbers of zeros before each spatial dimension, then those after each. `strides`, `dilation` and
    `padding` name the dimensions H, W in this order, and are 1, 1 and 0 by default. `data_layout` is NCHW16c,
    `kernel_layout` OIHW1i16o and `groups` 1 by default. The result is in the layout of the data, with channels in the
    blocks of the weight's outputs. `channels` and `kernel_size` are the channels of the result and the extents of the
    kernel. They determine an unknown type of the weight; inference removes them when the type is known.

    - C1: data and weight have the ranks and blocks of their layouts.
    - C2: the channels are the weight's inputs times `groups`, which divides the outputs.
    - C3: `strides` and `dilation` hold a number from 1 to 2^30 per spatial dimension, `padding` two from 0 to 2^30.
    - C4: the weight has elements, and they fit into the padded data.
    - C5: the layouts order the dimensions N, C, H, W and O, I, H, W; only channels are in blocks, and those of outputs
      need data in blocks; only those of a weight's inputs are split again.
    - C6: data and weight are of the same element type.
    - C7: `channels` and `kernel_size`, if they are given, are those of the weight.
    """
    return call(
        "nn.contrib_depthwise_conv2d_NCHWc",
        (data, weight),
        strides=strides,
        padding=padding,
        dilation=dilation,
        groups=groups,
        channels=channels,
        kernel_size=kernel_size,
        data_layout=data_layout,
        kernel_layout=kernel_layout,
        out_layout=out_layout,
        out_dtype=out_dtype,
    )


def contrib_quantize_blocks(data: Any, block: int, digits: int) -> Expr:
    """Rows of numbers as integers of several bytes, with a scale for each block.

    data[m, k] is nearly scales[m, k/b] * q[m, k], where the greatest |q| of a block of `block` numbers is the greatest
    one of `digits` signed bytes: 127 for one, 8355711 for three, which is as exact as f32 is for a block's greatest
    number. q is the sum of 256^(digits - 1 - d) * digit d. The results are the digits of four neighbours as the bytes
    of a word, [digits, m, k/4], the scales, and the sum of each block's q, both as f32 and of shape [m, blocks].
    `alter-op-layout` makes it for `nn.contrib_dense_digits_pack`.

    - C1: the data is of rank 2, and its columns are whole blocks.
    - C2: `block` is a multiple of 4, `digits` is 1, 2 or 3.
    """
    return call("nn.contrib_quantize_blocks", (data,), results=3, block=block, digits=digits)


def conv1d(
    data: Any,
    weight: Any,
    strides: Optional[Ints] = None,
    padding: Optional[Ints] = None,
    dilation: Optional[Ints] = None,
    groups: Optional[int] = None,
    channels: Optional[int] = None,
    kernel_size: Optional[Ints] = None,
    data_layout: Optional[Any] = None,
    kernel_layout: Optional[Any] = None,
    out_layout: Optional[str] = None,
    out_dtype: Optional[str] = None,
) -> Expr:
    """Convolution in one dimension.

    result[n, o, y...] = sum over i, k... of data[n, g * I + i, y * strides + k * dilation - padding ...] * weight[o, i,
    k...], for a weight with I inputs and the group g of output o. Each group of outputs reads its own group of
    channels. ONNX: `Conv`.

    `padding` has the numbers of zeros before each spatial dimension, then those after each. `strides`, `dilation` and
    `padding` name the dimensions W in this order, and are 1, 1 and 0 by default. `data_layout` is NCW, `kernel_layout`
    OIW and `groups` 1 by default. The result is in the layout of the data, with channels in the blocks of the weight's
    outputs. `channels` and `kernel_size` are the channels of the result and the extents of the kernel. They determine
    an unknown type of the weight; inference removes them when the type is known.

    - C1: data and weight have the ranks and blocks of their layouts.
    - C2: the channels are the weight's inputs times `groups`, which divides the outputs.
    - C3: `strides` and `dilation` hold a number from 1 to 2^30 per spatial dimension, `padding` two from 0 to 2^30.
    - C4: the weight has elements, and they fit into the padded data.
    - C5: the layouts order the dimensions N, C, W and O, I, W; only channels are in blocks, and those of outputs need
      data in blocks; only those of a weight's inputs are split again.
    - C6: data and weight are of the same element type.
    - C7: `channels` and `kernel_size`, if they are given, are those of the weight.
    """
    return call(
        "nn.conv1d",
        (data, weight),
        strides=strides,
        padding=padding,
        dilation=dilation,
        groups=groups,
        channels=channels,
        kernel_size=kernel_size,
        data_layout=data_layout,
        kernel_layout=kernel_layout,
        out_layout=out_layout,
        out_dtype=out_dtype,
    )


def conv1d_transpose(
    data: Any,
    weight: Any,
    strides: Optional[Ints] = None,
    padding: Optional[Ints] = None,
    dilation: Optional[Ints] = None,
    output_padding: Optional[Ints] = None,
    groups: Optional[int] = None,
    channels: Optional[int] = None,
    kernel_size: Optional[Ints] = None,
    data_layout: Optional[Any] = None,
    kernel_layout: Optional[Any] = None,
    out_layout: Optional[str] = None,
    out_dtype: Optional[str] = None,
) -> Expr:
    """The adjoint of conv1d in its data.

    Each element of the data adds its product with the weight to a window of the result. The result's extent in a
    spatial dimension is (extent - 1) * strides + (kernel - 1) * dilation + 1 - padding before and after +
    output_padding. ONNX: `ConvTranspose`.

    `padding` has the numbers of zeros before each spatial dimension, then those after each. `strides`, `dilation` and
    `padding` name the dimensions W in this order, and are 1, 1 and 0 by default. `data_layout` is NCW, `kernel_layout`
    IOW and `groups` 1 by default. The result is in the layout of the data, with channels in the blocks of the weight's
    outputs. `channels` and `kernel_size` are the channels of the result and the extents of the kernel. They determine
    an unknown type of the weight; inference removes them when the type is known.

    - C1: data and weight have the ranks and blocks of their layouts.
    - C2: the channels are the weight's inputs, which `groups` divides; the result has the weight's outputs times
      `groups`.
    - C3: `strides` and `dilation` hold a number from 1 to 2^30 per spatial dimension, `padding` two from 0 to 2^30,
      `output_padding` one.
    - C4: data, weight and result have elements in each spatial dimension.
    - C5: the layouts order the dimensions N, C, W and O, I, W; only channels are in blocks, and those of outputs need
      data in blocks; only those of a weight's inputs are split again.
    - C6: data and weight are of the same element type.
    - C7: `channels` and `kernel_size`, if they are given, are those of the weight.
    """
    return call(
        "nn.conv1d_transpose",
        (data, weight),
        strides=strides,
        padding=padding,
        dilation=dilation,
        output_padding=output_padding,
        groups=groups,
        channels=channels,
        kernel_size=kernel_size,
        data_layout=data_layout,
        kernel_layout=kernel_layout,
        out_layout=out_layout,
        out_dtype=out_dtype,
    )


def conv2d(
    data: Any,
    weight: Any,
    strides: Optional[Ints] = None,
    padding: Optional[Ints] = None,
    dilation: Optional[Ints] = None,
    groups: Optional[int] = None,
    channels: Optional[int] = None,
    kernel_size: Optional[Ints] = None,
    data_layout: Optional[Any] = None,
    kernel_layout: Optional[Any] = None,
    out_layout: Optional[str] = None,
    out_dtype: Optional[str] = None,
) -> Expr:
    """Convolution in two dimensions.

    result[n, o, y...] = sum over i, k... of data[n, g * I + i, y * strides + k * dilation - padding ...] * weight[o, i,
    k...], for a weight with I inputs and the group g of output o. Each group of outputs reads its own group of
    channels. ONNX: `Conv`.

    `padding` has the numbers of zeros before each spatial dimension, then those after each. `strides`, `dilation` and
    `padding` name the dimensions H, W in this order, and are 1, 1 and 0 by default. `data_layout` is NCHW,
    `kernel_layout` OIHW and `groups` 1 by default. The result is in the layout of the data, with channels in the blocks
    of the weight's outputs. `channels` and `kernel_size` are the channels of the result and the extents of the kernel.
    They determine an unknown type of the weight; inference removes them when the type is known.

    - C1: data and weight have the ranks and blocks of their layouts.
    - C2: the channels are the weight's inputs times `groups`, which divides the outputs.
    - C3: `strides` and `dilation` hold a number from 1 to 2^30 per spatial dimension, `padding` two from 0 to 2^30.
    - C4: the weight has elements, and they fit into the padded data.
    - C5: the layouts order the dimensions N, C, H, W and O, I, H, W; only channels are in blocks, and those of outputs
      need data in blocks; only those of a weight's inputs are split again.
    - C6: data and weight are of the same element type.
    - C7: `channels` and `kernel_size`, if they are given, are those of the weight.
    """
    return call(
        "nn.conv2d",
        (data, weight),
        strides=strides,
        padding=padding,
        dilation=dilation,
        groups=groups,
        channels=channels,
        kernel_size=kernel_size,
        data_layout=data_layout,
        kernel_layout=kernel_layout,
        out_layout=out_layout,
        out_dtype=out_dtype,
    )


def conv2d_backward_weight(
    grad: Any,
    data: Any,
    kernel_size: Ints,
    strides: Optional[Ints] = None,
    padding: Optional[Ints] = None,
    dilation: Optional[Ints] = None,
    groups: Optional[int] = None,
    data_layout: Optional[Any] = None,
    kernel_layout: Optional[Any] = None,
    out_layout: Optional[Any] = None,
    out_dtype: Optional[str] = None,
) -> Expr:
    """The gradient of a convolution with respect to its weight.

    `grad` [n, o, oh, ow] is the gradient of the convolution's result, and `data` [n, i, h, w] its data. The result is
    [o, i / groups, kh, kw] for `kernel_size` = [kh, kw]. The other attributes are those of `relay.nn.conv2d`;
    `data_layout` is that of the gradient, `kernel_layout` that of the data, and `out_layout` that of the result.

    - C1: the layouts are NCHW, NCHW and OIHW.
    - C2: gradient and data are of rank 4 and of one element type, and have one batch.
    - C3: `kernel_size`, `strides` and `dilation` hold numbers of each dimension, from 1 to 2^30, and `padding` four
      from 0 to 2^30.
    - C4: a window fits into the padded data.
    - C5: `groups` divides both numbers of channels.
    - C6: the convolution has a result of the gradient's shape.
    """
    return call(
        "nn.conv2d_backward_weight",
        (grad, data),
        strides=strides,
        padding=padding,
        dilation=dilation,
        groups=groups,
        kernel_size=kernel_size,
        data_layout=data_layout,
        kernel_layout=kernel_layout,
        out_layout=out_layout,
        out_dtype=out_dtype,
    )


def conv2d_transpose(
    data: Any,
    weight: Any,
    strides: Optional[Ints] = None,
    padding: Optional[Ints] = None,
    dilation: Optional[Ints] = None,
    output_padding: Optional[Ints] = None,
    groups: Optional[int] = None,
    channels: Optional[int] = None,
    kernel_size: Optional[Ints] = None,
    data_layout: Optional[Any] = None,
    kernel_layout: Optional[Any] = None,
    out_layout: Optional[str] = None,
    out_dtype: Optional[str] = None,
) -> Expr:
    """The adjoint of conv2d in its data.

    Each element of the data adds its product with the weight to a window of the result. The result's extent in a
    spatial dimension is (extent - 1) * strides + (kernel - 1) * dilation + 1 - padding before and after +
    output_padding. ONNX: `ConvTranspose`.

    `padding` has the numbers of zeros before each spatial dimension, then those after each. `strides`, `dilation` and
    `padding` name the dimensions H, W in this order, and are 1, 1 and 0 by default. `data_layout` is NCHW,
    `kernel_layout` IOHW and `groups` 1 by default. The result is in the layout of the data, with channels in the blocks
    of the weight's outputs. `channels` and `kernel_size` are the channels of the result and the extents of the kernel.
    They determine an unknown type of the weight; inference removes them when the type is known.

    - C1: data and weight have the ranks and blocks of their layouts.
    - C2: the channels are the weight's inputs, which `groups` divides; the result has the weight's outputs times
      `groups`.
    - C3: `strides` and `dilation` hold a number from 1 to 2^30 per spatial dimension, `padding` two from 0 to 2^30,
      `output_padding` one.
    - C4: data, weight and result have elements in each spatial dimension.
    - C5: the layouts order the dimensions N, C, H, W and O, I, H, W; only channels are in blocks, and those of outputs
      need data in blocks; only those of a weight's inputs are split again.
    - C6: data and weight are of the same element type.
    - C7: `channels` and `kernel_size`, if they are given, are those of the weight.
    """
    return call(
        "nn.conv2d_transpose",
        (data, weight),
        strides=strides,
        padding=padding,
        dilation=dilation,
        output_padding=output_padding,
        groups=groups,
        channels=channels,
        kernel_size=kernel_size,
        data_layout=data_layout,
        kernel_layout=kernel_layout,
        out_layout=out_layout,
        out_dtype=out_dtype,
    )


def conv3d(
    data: Any,
    weight: Any,
    strides: Optional[Ints] = None,
    padding: Optional[Ints] = None,
    dilation: Optional[Ints] = None,
    groups: Optional[int] = None,
    channels: Optional[int] = None,
    kernel_size: Optional[Ints] = None,
    data_layout: Optional[Any] = None,
    kernel_layout: Optional[Any] = None,
    out_layout: Optional[str] = None,
    out_dtype: Optional[str] = None,
) -> Expr:
    """Convolution in three dimensions.

    result[n, o, y...] = sum over i, k... of data[n, g * I + i, y * strides + k * dilation - padding ...] * weight[o, i,
    k...], for a weight with I inputs and the group g of output o. Each group of outputs reads its own group of
    channels. ONNX: `Conv`.

    `padding` has the numbers of zeros before each spatial dimension, then those after each. `strides`, `dilation` and
    `padding` name the dimensions D, H, W in this order, and are 1, 1 and 0 by default. `data_layout` is NCDHW,
    `kernel_layout` OIDHW and `groups` 1 by default. The result is in the layout of the data, with channels in the
    blocks of the weight's outputs. `channels` and `kernel_size` are the channels of the result and the extents of the
    kernel. They determine an unknown type of the weight; inference removes them when the type is known.

    - C1: data and weight have the ranks and blocks of their layouts.
    - C2: the channels are the weight's inputs times `groups`, which divides the outputs.
    - C3: `strides` and `dilation` hold a number from 1 to 2^30 per spatial dimension, `padding` two from 0 to 2^30.
    - C4: the weight has elements, and they fit into the padded data.
    - C5: the layouts order the dimensions N, C, D, H, W and O, I, D, H, W; only channels are in blocks, and those of
      outputs need data in blocks; only those of a weight's inputs are split again.
    - C6: data and weight are of the same element type.
    - C7: `channels` and `kernel_size`, if they are given, are those of the weight.
    """
    return call(
        "nn.conv3d",
        (data, weight),
        strides=strides,
        padding=padding,
        dilation=dilation,
        groups=groups,
        channels=channels,
        kernel_size=kernel_size,
        data_layout=data_layout,
        kernel_layout=kernel_layout,
        out_layout=out_layout,
        out_dtype=out_dtype,
    )


def conv3d_transpose(
    data: Any,
    weight: Any,
    strides: Optional[Ints] = None,
    padding: Optional[Ints] = None,
    dilation: Optional[Ints] = None,
    output_padding: Optional[Ints] = None,
    groups: Optional[int] = None,
    channels: Optional[int] = None,
    kernel_size: Optional[Ints] = None,
    data_layout: Optional[Any] = None,
    kernel_layout: Optional[Any] = None,
    out_layout: Optional[str] = None,
    out_dtype: Optional[str] = None,
) -> Expr:
    """The adjoint of conv3d in its data.

    Each element of the data adds its product with the weight to a window of the result. The result's extent in a
    spatial dimension is (extent - 1) * strides + (kernel - 1) * dilation + 1 - padding before and after +
    output_padding. ONNX: `ConvTranspose`.

    `padding` has the numbers of zeros before each spatial dimension, then those after each. `strides`, `dilation` and
    `padding` name the dimensions D, H, W in this order, and are 1, 1 and 0 by default. `data_layout` is NCDHW,
    `kernel_layout` IODHW and `groups` 1 by default. The result is in the layout of the data, with channels in the
    blocks of the weight's outputs. `channels` and `kernel_size` are the channels of the result and the extents of the
    kernel. They determine an unknown type of the weight; inference removes them when the type is known.

    - C1: data and weight have the ranks and blocks of their layouts.
    - C2: the channels are the weight's inputs, which `groups` divides; the result has the weight's outputs times
      `groups`.
    - C3: `strides` and `dilation` hold a number from 1 to 2^30 per spatial dimension, `padding` two from 0 to 2^30,
      `output_padding` one.
    - C4: data, weight and result have elements in each spatial dimension.
    - C5: the layouts order the dimensions N, C, D, H, W and O, I, D, H, W; only channels are in blocks, and those of
      outputs need data in blocks; only those of a weight's inputs are split again.
    - C6: data and weight are of the same element type.
    - C7: `channels` and `kernel_size`, if they are given, are those of the weight.
    """
    return call(
        "nn.conv3d_transpose",
        (data, weight),
        strides=strides,
        padding=padding,
        dilation=dilation,
        output_padding=output_padding,
        groups=groups,
        channels=channels,
        kernel_size=kernel_size,
        data_layout=data_layout,
        kernel_layout=kernel_layout,
        out_layout=out_layout,
        out_dtype=out_dtype,
    )


def correlation(
    data1: Any,
    data2: Any,
    kernel_size: Optional[int] = None,
    max_displacement: Optional[int] = None,
    stride1: Optional[int] = None,
    stride2: Optional[int] = None,
    padding: Optional[int] = None,
    is_multiply: Optional[Any] = None,
) -> Expr:
    """How alike the patches of two images are, at each displacement.

    The layer of FlowNet (Fischer et al. 2015). Both images are padded by `padding` zeros on all sides. A patch has
    `kernel_size` rows and columns; patches of the first image are `stride1` apart. Each is compared with those of the
    second image that are up to `max_displacement` away, in steps of `stride2`; each displacement is a channel of the
    result. Patches are compared by the mean of the products of their elements in all channels, or of the sizes of their
    differences without `is_multiply`.

    - C1: both operands are of one type of rank 4 with known channels, rows and columns.
    - C2: `kernel_size` is odd, the strides are at least 1, and the other numbers are not negative.
    - C3: the padded image holds a patch with its displacements.
    """
    return call(
        "nn.correlation",
        (data1, data2),
        kernel_size=kernel_size,
        max_displacement=max_displacement,
        stride1=stride1,
        stride2=stride2,
        padding=padding,
        is_multiply=is_multiply,
    )


def cross_entropy(x: Any, y: Any) -> Expr:
    """How far predicted chances are from others: -sum(log(x) * y) / rows.

    The result is of rank 0.

    - C1: both operands are of one type of rank 2.
    """
    return call("nn.cross_entropy", (x, y))


def cross_entropy_with_logits(x: Any, y: Any) -> Expr:
    """How far the logarithms of chances are from others: -sum(x * y) / rows.

    The result is of rank 0.

    - C1: both operands are of one type of rank 2.
    """
    return call("nn.cross_entropy_with_logits", (x, y))


def deformable_conv2d(
    data: Any,
    offset: Any,
    weight: Any,
    strides: Optional[Ints] = None,
    padding: Optional[Ints] = None,
    dilation: Optional[Ints] = None,
    deformable_groups: Optional[int] = None,
    groups: Optional[int] = None,
    data_layout: Optional[Any] = None,
    kernel_layout: Optional[Any] = None,
    out_layout: Optional[str] = None,
    out_dtype: Optional[str] = None,
) -> Expr:
    """A convolution whose windows' elements lie where offsets say.

    The result is that of `relay.nn.conv2d`, whose attributes have the same meanings, but each element of a window is
    read at a place that is moved by an offset. `offset` has a y and an x for each element of a window and each of
    `deformable_groups` groups of channels, for each place of the result: with the layout NCHW, it is [n, 2 * groups *
    kh * kw, oh, ow]. The image is 0 outside, and between its pixels the mean of the four around, by their distance;
    beyond the last row or column it is as there (Dai et al., Deformable Convolutional Networks, 2017).

    - C1: the layouts are NCHW and OIHW, or NHWC and HWIO.
    - C2: data, offset and weight are of rank 4 and of one element type, and fit each other.
    - C3: `strides` and `dilation` hold numbers of each dimension, from 1 to 2^30, and `padding` four from 0 to 2^30.
    - C4: a window fits into the padded data.
    - C5: `groups` and `deformable_groups` divide the channels.
    """
    return call(
        "nn.deformable_conv2d",
        (data, offset, weight),
        strides=strides,
        padding=padding,
        dilation=dilation,
        deformable_groups=deformable_groups,
        groups=groups,
        data_layout=data_layout,
        kernel_layout=kernel_layout,
        out_layout=out_layout,
        out_dtype=out_dtype,
    )


def dense(data: Any, weight: Any, units: Optional[int] = None, out_dtype: Optional[str] = None) -> Expr:
    """Data x transpose(weight), weight [units, inputs].

    result[m, u] = sum over k of data[m, k] * weight[u, k]. If the weight's type is unknown, `units` may be its number
    of rows; inference removes `units` when the type is known. ONNX: `Gemm` with `transB`.

    - C1: data and weight are of rank 2.
    - C2: their last dimensions are equal.
    - C3: the element types are equal, or the weight's is a narrower float, which is widened where it is read.
    - C4: `units`, if it is given, is that of the weight.
    """
    return call("nn.dense", (data, weight), units=units, out_dtype=out_dtype)


def dense_blocks(
    data: Any,
    weight: Any,
    scales: Any,
    zero_points: Any,
    bits: int,
    out_dtype: Optional[str] = None,
) -> Expr:
    """Data x transpose(weight), with a weight of few bits and a scale for each of its blocks.

    result[m, u] = sum over k of data[m, k] * w[u, k], where w[u, k] = (q[u, k] - zero_points[u, k/b]) * scales[u, k/b].
    The unsigned numbers q have `bits` bits. The weight is of bytes, [units, blocks, bytes of a block]; a byte holds
    whole numbers, the first one in its lowest bits. A block has b numbers, all that its bytes hold. What is left of the
    last one is not read. ONNX Runtime: `MatMulNBits`.

    - C1: the data is of rank 2, the weight of rank 3 and of unsigned bytes.
    - C2: scales are floats of shape [units, blocks]; zero points are of that shape, too, or of rank 0.
    - C3: `bits` is 2, 4 or 8, and a block has whole 32-bit words.
    - C4: the blocks are as many as the data's columns need.
    """
    return call("nn.dense_blocks", (data, weight, scales, zero_points), bits=bits, out_dtype=out_dtype)


def depth_to_space(data: Any, block_size: int, mode: Optional[Any] = None) -> Expr:
    """Blocks of channels spread over space.

    Data [n, c, h, w] becomes [n, c / b^2, h * b, w * b] with blocks of b = `block_size`. `mode` is the order of the
    channels: `DCR`, the default, row in block, column in block, channel; `CDR`, channel first. ONNX: `DepthToSpace`,
    which calls it `CRD`.

    - C1: the data is of rank 4.
    - C2: `block_size` is at least 1, and its square divides the channels.
    - C3: `mode` is `DCR` or `CDR`.
    """
    return call("nn.depth_to_space", (data,), block_size=block_size, mode=mode)


def dequantize_blocks(weight: Any, scales: Any, zero_points: Any, bits: int, columns: int) -> Expr:
    """The numbers that a weight of few bits stands for.

    result[u, k] = (q[u, k] - zero_points[u, k/b]) * scales[u, k/b], of a weight as `nn.dense_blocks` has it, for the
    first `columns` numbers of a row. `qnn-legalize` makes `nn.dense_blocks` of a product with it; elsewhere, a known
    one is computed at compile time. ONNX: `DequantizeLinear` with `block_size`.

    - C1: the weight is of rank 3 and of unsigned bytes.
    - C2: scales are floats of shape [units, blocks]; zero points are of that shape, too, or of rank 0.
    - C3: `bits` is 2, 4 or 8, and a block has whole 32-bit words.
    - C4: the blocks are as many as `columns` need.
    """
    return call("nn.dequantize_blocks", (weight, scales, zero_points), bits=bits, columns=columns)


def dilate(x: Any, strides: Ints, dilation_value: Optional[float] = None) -> Expr:
    """Elements apart from each other, and a number between them.

    Along each axis, the elements are `strides` apart, and `dilation_value` is between two of them.

    - C1: there is a stride of at least 1 for each dimension.
    """
    return call("nn.dilate", (x,), strides=strides, dilation_value=dilation_value)


def dropout(data: Any, rate: Optional[float] = None) -> Expr:
    """Data as it is, and a mask of ones: nothing is dropped at inference.

    Both results have the operand's type. ONNX: `Dropout`.

    - C1: `rate` is from 0 to 1.
    """
    return call("nn.dropout", (data,), results=2, rate=rate)


def fast_softmax(data: Any, axis: Optional[int] = None) -> Expr:
    """Softmax with an approximation of exp.

    Like `nn.softmax`, with `fast_exp` instead of `exp`.

    - C1: `axis` is within the rank.
    """
    return call("nn.fast_softmax", (data,), axis=axis)


def fifo_buffer(data: Any, buffer: Any, axis: int) -> Expr:
    """A buffer without its first elements along axis, and data behind the others.

    As many of the first elements leave as data come: the result has the shape of the buffer.

    - C1: `axis` is within the rank.
    - C2: both operands have one element type, and one shape but for `axis`, along which the buffer has as many elements
      at least.
    """
    return call("nn.fifo_buffer", (data, buffer), axis=axis)


def global_avg_pool2d(data: Any, layout: Optional[Any] = None) -> Expr:
    """The mean of each channel.

    The spatial dimensions of the result are 1. `layout` is NCHW by default. ONNX: `GlobalAveragePool`.

    - C1: `layout` names N, C and the spatial dimensions, which are not in blocks; the data has its rank and blocks.
    """
    return call("nn.global_avg_pool2d", (data,), layout=layout)


def global_max_pool2d(data: Any, layout: Optional[Any] = None) -> Expr:
    """The largest element of each channel.

    The spatial dimensions of the result are 1. `layout` is NCHW by default. ONNX: `GlobalMaxPool`.

    - C1: `layout` names N, C and the spatial dimensions, which are not in blocks; the data has its rank and blocks.
    """
    return call("nn.global_max_pool2d", (data,), layout=layout)


def group_norm(
    data: Any,
    gamma: Any,
    beta: Any,
    num_groups: int,
    axis: Optional[int] = None,
    epsilon: Optional[float] = None,
    center: Optional[Any] = None,
    scale: Optional[Any] = None,
) -> Expr:
    """Groups of channels normalised, then scaled by gamma and beta along axis.

    (data - mean) / sqrt(variance + epsilon) * gamma + beta. Mean and variance are those of a group of neighbours along
    `axis`, of which there are `num_groups`, and of all dimensions behind. Gamma counts with `scale` only, beta with
    `center` only. ONNX: `GroupNormalization`.

    - C1: `axis` is within the rank.
    - C2: gamma and beta are of rank 1 and have the extent of `axis`.
    - C3: the element types are equal.
    - C4: `epsilon` is at least 0.
    - C5: the extent of `axis` is a multiple of `num_groups`.
    """
    return call(
        "nn.group_norm",
        (data, gamma, beta),
        num_groups=num_groups,
        axis=axis,
        epsilon=epsilon,
        center=center,
        scale=scale,
    )


def instance_norm(
    data: Any,
    gamma: Any,
    beta: Any,
    axis: Optional[int] = None,
    epsilon: Optional[float] = None,
) -> Expr:
    """Each channel of each sample normalised, then scaled by gamma and beta along axis.

    (data - mean) / sqrt(variance + epsilon) * gamma + beta, with mean and variance over all dimensions but the first
    and `axis`, to which gamma and beta belong. `axis` is 1 by default and counts from the end if negative; `epsilon` is
    1e-5. ONNX: `InstanceNormalization`.

    - C1: `axis` is within the rank.
    - C2: each vector is of rank 1 and has the extent of `axis`.
    - C3: the element types are equal.
    - C4: `epsilon` is at least 0.
    """
    return call("nn.instance_norm", (data, gamma, beta), axis=axis, epsilon=epsilon)


def l2_normalize(data: Any, eps: float, axis: Ints) -> Expr:
    """Data divided by the root of the sum of its squares along axes.

    The sum is `eps` at least. Axes count from the end if negative. ONNX: `LpNormalization`, which has no least sum.

    - C1: the axes are within the rank, and each is given once; there is one at least.
    - C2: `eps` is not negative.
    """
    return call("nn.l2_normalize", (data,), eps=eps, axis=axis)


def layer_norm(data: Any, gamma: Any, beta: Any, axis: Optional[int] = None, epsilon: Optional[float] = None) -> Expr:
    """Normalised along axis, then scaled by gamma and beta.

    (data - mean) / sqrt(variance + epsilon) * gamma + beta, with mean and variance along `axis`, to which gamma and
    beta belong. `axis` is the last one by default and counts from the end if negative; `epsilon` is 1e-5. ONNX:
    `LayerNormalization` over one axis.

    - C1: `axis` is within the rank.
    - C2: each vector is of rank 1 and has the extent of `axis`.
    - C3: the element types are equal.
    - C4: `epsilon` is at least 0.
    """
    return call("nn.layer_norm", (data, gamma, beta), axis=axis, epsilon=epsilon)


def leaky_relu(data: Any, alpha: Optional[float] = None) -> Expr:
    """X where x > 0, else alpha * x.

    Element by element; the result has the type of `data`. ONNX: `LeakyRelu`, whose default `alpha` is 0.01.
    """
    return call("nn.leaky_relu", (data,), alpha=alpha)


def log_softmax(data: Any, axis: Optional[int] = None) -> Expr:
    """The logarithm of softmax.

    x - log(sum of exp(x) along axis), computed without overflow. `axis` is the last one by default and counts from the
    end if negative. ONNX: `LogSoftmax`.

    - C1: `axis` is within the rank.
    """
    return call("nn.log_softmax", (data,), axis=axis)


def lrn(
    data: Any,
    size: Optional[int] = None,
    axis: Optional[int] = None,
    bias: Optional[float] = None,
    alpha: Optional[float] = None,
    beta: Optional[float] = None,
) -> Expr:
    """Data / (bias + alpha / size * sum of squares over size neighbours along axis) to the beta.

    Local response normalisation. The `size` elements along `axis` include (size - 1) / 2, rounded down, before the
    normalised element. Elements outside the data count as 0. By default `size` is 5, `axis` 1, `bias` 2, `alpha` 0.0001
    and `beta` 0.75. ONNX: `LRN`; its default `bias` is 1.

    - C1: `axis` is within the rank.
    - C2: `size` is at least 1.
    """
    return call("nn.lrn", (data,), size=size, axis=axis, bias=bias, alpha=alpha, beta=beta)


def matmul(
    tensor_a: Any,
    tensor_b: Any,
    units: Optional[int] = None,
    transpose_a: Optional[Any] = None,
    transpose_b: Optional[Any] = None,
) -> Expr:
    """A matrix product.

    result[m, n] = sum over k of a[m, k] * b[k, n]. `transpose_a` and `transpose_b`, both false by default, exchange the
    last two dimensions of an operand first. ONNX: `MatMul`, `Gemm`.

    - C1: both are of rank 2; or of rank 3, as for `nn.batch_matmul`.
    - C2: the columns of `tensor_a` are the rows of `tensor_b`.
    - C3: the batches are equal, or one of them is 1.
    - C4: the element types are equal, or the weight's is a narrower float, which is widened where it is read.
    - C5: `units`, if it is given as for `nn.dense`, is the number of the result's columns.
    """
    return call("nn.matmul", (tensor_a, tensor_b), units=units, transpose_a=transpose_a, transpose_b=transpose_b)


def max_pool1d(
    data: Any,
    pool_size: Ints,
    strides: Optional[Ints] = None,
    dilation: Optional[Ints] = None,
    padding: Optional[Ints] = None,
    layout: Optional[Any] = None,
    ceil_mode: Optional[Any] = None,
) -> Expr:
    """The largest element of each window.

    Padding counts as smaller than anything. ONNX: `MaxPool`. Windows of `pool_size` start every `strides` elements and
    cover every `dilation`th element; `padding` has the numbers of elements before each spatial dimension, then those
    after each. They are 1, 1 and 0 by default. The dimensions are W in this order. `layout` is NCW by default. With
    `ceil_mode`, false by default, a last window may reach beyond the padding, but must start within data or padding
    before.

    - C1: `layout` names N, C and the spatial dimensions, which are not in blocks; the data has its rank and blocks.
    - C2: `pool_size` holds a number from 1 to 2^30 per spatial dimension.
    - C3: `strides` and `dilation` hold a number from 1 to 2^30 per spatial dimension, `padding` two from 0 to 2^30.
    - C4: a window fits into the padded data.
    """
    return call(
        "nn.max_pool1d",
        (data,),
        pool_size=pool_size,
        strides=strides,
        dilation=dilation,
        padding=padding,
        layout=layout,
        ceil_mode=ceil_mode,
    )


def max_pool2d(
    data: Any,
    pool_size: Ints,
    strides: Optional[Ints] = None,
    dilation: Optional[Ints] = None,
    padding: Optional[Ints] = None,
    layout: Optional[Any] = None,
    ceil_mode: Optional[Any] = None,
) -> Expr:
    """The largest element of each window.

    Padding counts as smaller than anything. ONNX: `MaxPool`. Windows of `pool_size` start every `strides` elements and
    cover every `dilation`th element; `padding` has the numbers of elements before each spatial dimension, then those
    after each. They are 1, 1 and 0 by default. The dimensions are H, W in this order. `layout` is NCHW by default. With
    `ceil_mode`, false by default, a last window may reach beyond the padding, but must start within data or padding
    before.

    - C1: `layout` names N, C and the spatial dimensions, which are not in blocks; the data has its rank and blocks.
    - C2: `pool_size` holds a number from 1 to 2^30 per spatial dimension.
    - C3: `strides` and `dilation` hold a number from 1 to 2^30 per spatial dimension, `padding` two from 0 to 2^30.
    - C4: a window fits into the padded data.
    """
    return call(
        "nn.max_pool2d",
        (data,),
        pool_size=pool_size,
        strides=strides,
        dilation=dilation,
        padding=padding,
        layout=layout,
        ceil_mode=ceil_mode,
    )


def max_pool2d_grad(
    out_grad: Any,
    data: Any,
    pool_size: Ints,
    strides: Optional[Ints] = None,
    dilation: Optional[Ints] = None,
    padding: Optional[Ints] = None,
    layout: Optional[Any] = None,
    ceil_mode: Optional[Any] = None,
) -> Expr:
    """The gradient of max_pool2d with respect to its data.

    The gradient of a window goes to the first of its largest elements. The first operand is the gradient of the pool's
    result, the second its data. The other attributes are those of the pool.

    - C1: `layout` names N, C and two spatial dimensions; the data has its rank.
    - C2: `pool_size` holds two numbers from 1 to 2^30.
    - C3: `strides` and `dilation` hold numbers of each dimension, from 1 to 2^30, and `padding` four from 0 to 2^30.
    - C4: a window fits into the padded data.
    - C5: the gradient has the type of the pool's result.
    - C6: `dilation` is 1.
    """
    return call(
        "nn.max_pool2d_grad",
        (out_grad, data),
        pool_size=pool_size,
        strides=strides,
        dilation=dilation,
        padding=padding,
        layout=layout,
        ceil_mode=ceil_mode,
    )


def max_pool3d(
    data: Any,
    pool_size: Ints,
    strides: Optional[Ints] = None,
    dilation: Optional[Ints] = None,
    padding: Optional[Ints] = None,
    layout: Optional[Any] = None,
    ceil_mode: Optional[Any] = None,
) -> Expr:
    """The largest element of each window.

    Padding counts as smaller than anything. ONNX: `MaxPool`. Windows of `pool_size` start every `strides` elements and
    cover every `dilation`th element; `padding` has the numbers of elements before each spatial dimension, then those
    after each. They are 1, 1 and 0 by default. The dimensions are D, H, W in this order. `layout` is NCDHW by default.
    With `ceil_mode`, false by default, a last window may reach beyond the padding, but must start within data or
    padding before.

    - C1: `layout` names N, C and the spatial dimensions, which are not in blocks; the data has its rank and blocks.
    - C2: `pool_size` holds a number from 1 to 2^30 per spatial dimension.
    - C3: `strides` and `dilation` hold a number from 1 to 2^30 per spatial dimension, `padding` two from 0 to 2^30.
    - C4: a window fits into the padded data.
    """
    return call(
        "nn.max_pool3d",
        (data,),
        pool_size=pool_size,
        strides=strides,
        dilation=dilation,
        padding=padding,
        layout=layout,
        ceil_mode=ceil_mode,
    )


def mirror_pad(data: Any, pad_width: Ints, mode: Optional[Any] = None) -> Expr:
    """Padding with the elements at the edge, as in a mirror.

    `pad_width` holds the widths before and behind for each dimension. With `SYMMETRIC` the edge itself is repeated,
    with `REFLECT` it is not.

    - C1: `pad_width` holds two numbers for each dimension, which are not negative.
    - C2: `mode` is `SYMMETRIC` or `REFLECT`.
    - C3: no width is more than the elements that the mirror shows.
    """
    return call("nn.mirror_pad", (data,), pad_width=pad_width, mode=mode)


def nll_loss(
    predictions: Any,
    targets: Any,
    weights: Any,
    reduction: Optional[Any] = None,
    ignore_index: Optional[int] = None,
) -> Expr:
    """The negative logarithms of the likelihoods of classes.

    `predictions` [n, c, ...] are logarithms of the likelihoods of c classes, or [c] without a batch. `targets` [n,
    ...], or [], are the right classes, and `weights` [c] their weights. A loss is -prediction * weight, and 0 where the
    target is `ignore_index`. `reduction` is `none`, `sum`, or `mean`: the sum of the losses / the sum of their weights.
    A target that is no class is taken modulo c.

    - C1: predictions, targets and weights fit each other; targets are integers.
    - C2: `reduction` is one of the three.
    """
    return call("nn.nll_loss", (predictions, targets, weights), reduction=reduction, ignore_index=ignore_index)


def pad(data: Any, pad_value: Any, pad_width: Any, pad_mode: Optional[Any] = None) -> Expr:
    """Data with elements before and after each dimension.

    `pad_width` has the widths before and after each dimension in turn. `pad_mode` is `constant`, the default, which
    inserts `pad_value`; `edge`, which repeats the outermost elements; or `reflect`, which mirrors the data at them.
    ONNX: `Pad`.

    - C1: `pad_value` is of rank 0.
    - C2: `pad_width` holds two numbers of at least 0 per dimension.
    - C3: `reflect` takes fewer elements of a dimension than it has, and `edge` none of an empty one.
    - C4: `pad_mode` is one of the three.
    - C5: the element types are equal.
    """
    return call("nn.pad", (data, pad_value), pad_width=pad_width, pad_mode=pad_mode)


def prelu(data: Any, alpha: Any, axis: Optional[int] = None) -> Expr:
    """X where x > 0, else alpha * x, with alpha along axis.

    alpha[c] belongs to subscript c along `axis`, 1 by default, which counts from the end if negative. ONNX: `PRelu`
    with a slope per channel.

    - C1: `axis` is within the rank.
    - C2: each vector is of rank 1 and has the extent of `axis`.
    - C3: the element types are equal.
    """
    return call("nn.prelu", (data, alpha), axis=axis)


def relu(data: Any) -> Expr:
    """Max(x, 0).

    Element by element: max(x, 0). The result has the type of `data`. ONNX: `Relu`.
    """
    return call("nn.relu", (data,))


def softmax(data: Any, axis: Optional[int] = None) -> Expr:
    """Exp(x) / sum of exp(x) along axis.

    The largest element is subtracted first, so that nothing overflows. `axis` is the last one by default and counts
    from the end if negative. ONNX: `Softmax`.

    - C1: `axis` is within the rank.
    """
    return call("nn.softmax", (data,), axis=axis)


def space_to_batch_nd(
    data: Any,
    paddings: Ints,
    block_shape: Optional[Ints] = None,
    pad_value: Optional[float] = None,
) -> Expr:
    """Moves the positions in blocks of space into separate batches.

    The dimensions after the first one are spatial. Their number is the length of `block_shape`, [1, 1] by default.
    `paddings` has the numbers of elements before and after each of them; the elements are `pad_value`, 0 by default.
    Then space is cut into blocks of `block_shape`. For n batches, position [r, s] of each block [b0, b1] goes into the
    batches (r * b1 + s) * n to (r * b1 + s) * n + n - 1 of the result: data [n, h, w, c] becomes [n * b0 * b1, h / b0,
    w / b1, c]. A convolution of the result is a dilated convolution of the data (`flatten-atrous-conv`).

    - C1: the data has a dimension for the batch and one for each number in `block_shape`, which is at least 1.
    - C2: `paddings` holds two numbers of at least 0 for each number in `block_shape`.
    - C3: the blocks divide the padded dimensions.
    - C4: `pad_value` is a value of the element type.
    """
    return call("nn.space_to_batch_nd", (data,), block_shape=block_shape, paddings=paddings, pad_value=pad_value)


def space_to_depth(data: Any, block_size: int) -> Expr:
    """Blocks of space put into the channels.

    Data [n, c, h, w] becomes [n, c * b^2, h / b, w / b] with blocks of b = `block_size`. The channels are in the order
    of row in block, column in block, channel. ONNX: `SpaceToDepth`.

    - C1: the data is of rank 4.
    - C2: `block_size` is at least 1, and divides height and width.
    """
    return call("nn.space_to_depth", (data,), block_size=block_size)


def sparse_add(dense_data: Any, sparse_data: Any, sparse_indices: Any, sparse_indptr: Any) -> Expr:
    """The sum of a dense matrix and a sparse one.

    result[m, n] = dense[m, n] + S[m, n], with S in CSR. The sparse matrix S is three operands. Entries `indptr[i]` to
    before `indptr[i + 1]` of `data` are those of row i, and `indices` has the column of each. In CSR, with data of rank
    1, an entry is an element; in BSR, with data [entries, rows, columns], it is a block of this many rows and columns,
    and rows and columns of S are counted in blocks. Entries of one row at the same column are added. An entry number or
    a column out of range is moved to the nearest one, so nothing outside is read.

    - C1: the dense data is of rank 2, the others are of rank 1.
    - C2: there is an index for each entry, and at least one number in `sparse_indptr`.
    - C3: indices and numbers of entries are integers.
    - C4: the element types of dense and sparse data are equal.
    - C5: both matrices have the same number of rows; if there are entries, there are columns.
    """
    return call("nn.sparse_add", (dense_data, sparse_data, sparse_indices, sparse_indptr))


def sparse_conv2d(
    dense_data: Any,
    sparse_data: Any,
    sparse_indices: Any,
    sparse_indptr: Any,
    layout: Optional[Any] = None,
    kernel_size: Optional[Ints] = None,
    out_layout: Optional[str] = None,
    out_dtype: Optional[str] = None,
) -> Expr:
    """A convolution with a sparse matrix as weight.

    Like `nn.conv2d` with strides of 1. The result has the extents of the data: a kernel of 3x3 reads a zero beyond each
    edge. Row o of the sparse matrix S is the weight of output o. Its columns are the inputs of all kernel positions.
    `layout` NHWC, the default, groups the inputs of a position, in column (y * 3 + x) * inputs + i. NCHW groups the
    positions of an input, in column i * 9 + y * 3 + x. The sparse matrix S is three operands. Entries `indptr[i]` to
    before `indptr[i + 1]` of `data` are those of row i, and `indices` has the column of each. In CSR, with data of rank
    1, an entry is an element; in BSR, with data [entries, rows, columns], it is a block of this many rows and columns,
    and rows and columns of S are counted in blocks. Entries of one row at the same column are added. An entry number or
    a column out of range is moved to the nearest one, so nothing outside is read.

    Sparse data of rank 2 are blocks of one column.

    - C1: the dense data is of rank 4, the sparse data of rank 2 or 3, indices and numbers of entries of rank 1.
    - C2: there is an index for each entry, and at least one number in `sparse_indptr`.
    - C3: indices and numbers of entries are integers.
    - C4: the element types of dense and sparse data are equal.
    - C5: blocks have elements, and the inputs of all places of the kernel are a number of whole ones; if there are
      entries, there are inputs.
    - C6: `layout` is NHWC or NCHW.
    - C7: `kernel_size` is 1 and 1, the default, or 3 and 3.
    """
    return call(
        "nn.sparse_conv2d",
        (dense_data, sparse_data, sparse_indices, sparse_indptr),
        layout=layout,
        kernel_size=kernel_size,
        out_layout=out_layout,
        out_dtype=out_dtype,
    )


def sparse_dense(
    dense_data: Any,
    sparse_data: Any,
    sparse_indices: Any,
    sparse_indptr: Any,
    sparse_lhs: Optional[Any] = None,
    out_dtype: Optional[str] = None,
) -> Expr:
    """A dense matrix times the transpose of a sparse one, or the other way round.

    result[m, n] = sum over k of dense[m, k] * S[n, k]: `nn.dense` with a weight that is mostly zeros. With
    `sparse_lhs`, result[m, n] = sum over k of S[m, k] * dense[n, k]. The sparse matrix S is three operands. Entries
    `indptr[i]` to before `indptr[i + 1]` of `data` are those of row i, and `indices` has the column of each. In CSR,
    with data of rank 1, an entry is an element; in BSR, with data [entries, rows, columns], it is a block of this many
    rows and columns, and rows and columns of S are counted in blocks. Entries of one row at the same column are added.
    An entry number or a column out of range is moved to the nearest one, so nothing outside is read.

    - C1: the dense data is of rank 2, the sparse data of rank 1 or 3, indices and numbers of entries of rank 1.
    - C2: there is an index for each entry, and at least one number in `sparse_indptr`.
    - C3: indices and numbers of entries are integers.
    - C4: the element types of dense and sparse data are equal.
    - C5: blocks have elements, and the columns of dense data are a number of whole ones; if there are entries, there
      are columns.
    """
    return call(
        "nn.sparse_dense",
        (dense_data, sparse_data, sparse_indices, sparse_indptr),
        sparse_lhs=sparse_lhs,
        out_dtype=out_dtype,
    )


def sparse_transpose(sparse_data: Any, sparse_indices: Any, sparse_indptr: Any) -> Expr:
    """The transpose of a square sparse matrix: its elements, rows and their numbers.

    A square matrix in CSR: elements `indptr[i]` to before `indptr[i + 1]` of `data` are those of row i, and `indices`
    has the column of each. The results are its transpose in the same format. Elements of one row of the transpose are
    in the order of their original rows. Columns out of range are moved to the nearest one. If the row numbers are no
    CSR, the results are unspecified numbers.

    - C1: all are of rank 1.
    - C2: there is an index for each element, and at least one number in `sparse_indptr`.
    - C3: indices and numbers of elements are integers.
    - C4: if there are elements, there are rows.
    """
    return call("nn.sparse_transpose", (sparse_data, sparse_indices, sparse_indptr), results=3)


def upsampling(
    data: Any,
    scale_h: float,
    scale_w: float,
    layout: Optional[Any] = None,
    method: Optional[Any] = None,
    align_corners: Optional[Any] = None,
) -> Expr:
    """An image enlarged by a factor in each dimension.

    As `image.resize2d` to the height times `scale_h` and the width times `scale_w`, rounded, halves to even. The
    coordinates are `align_corners`, with `round` for the nearest element, if that attribute is set, else `asymmetric`,
    with `floor`.

    - C1: the rank is that of `layout`.
    - C2: the scales are positive and leave at least one element.
    - C3: `method` is `nearest_neighbor` or `bilinear`.
    - C4: the spatial dimensions of the data have at least one element each.
    """
    return call(
        "nn.upsampling",
        (data,),
        scale_h=scale_h,
        scale_w=scale_w,
        layout=layout,
        method=method,
        align_corners=align_corners,
    )


def upsampling3d(
    data: Any,
    scale_d: float,
    scale_h: float,
    scale_w: float,
    layout: Optional[Any] = None,
    method: Optional[Any] = None,
    coordinate_transformation_mode: Optional[Any] = None,
) -> Expr:
    """A volume enlarged by a factor in each dimension.

    As `image.resize3d` to each extent times its scale, rounded, halves to even. The nearest element is that at the
    coordinate rounded by `round` for `align_corners`, else by `floor`.

    - C1: the rank is that of `layout`.
    - C2: the scales are positive and leave at least one element.
    - C3: `method` is `nearest_neighbor` or `trilinear`, and `coordinate_transformation_mode` one of those of
      `image.resize3d`.
    - C4: the spatial dimensions of the data have at least one element each.
    """
    return call(
        "nn.upsampling3d",
        (data,),
        scale_d=scale_d,
        scale_h=scale_h,
        scale_w=scale_w,
        layout=layout,
        method=method,
        coordinate_transformation_mode=coordinate_transformation_mode,
    )
