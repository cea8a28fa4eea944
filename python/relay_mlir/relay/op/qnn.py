"""Relay's operators of `qnn`. `cargo xtask docs` writes this module from the operators' declarations."""

from __future__ import annotations

from typing import Any, Optional

from ..expr import Expr, Ints, call

__all__ = [
    "abs",
    "add",
    "avg_pool2d",
    "batch_matmul",
    "concatenate",
    "contrib_batch_matmul_pack",
    "contrib_conv2d_NCHWc",
    "contrib_dense_pack",
    "contrib_depthwise_conv2d_NCHWc",
    "conv2d",
    "conv2d_transpose",
    "dense",
    "dequantize",
    "erf",
    "exp",
    "hardswish",
    "leaky_relu",
    "log",
    "mul",
    "quantize",
    "requantize",
    "rsqrt",
    "sigmoid",
    "simulated_dequantize",
    "simulated_quantize",
    "softmax",
    "sqrt",
    "subtract",
    "tanh",
]


def abs(x: Any, scale: Any, zero_point: Any, output_scale: Any, output_zero_point: Any) -> Expr:
    """The absolute value of the numbers that bytes stand for, as bytes.

    The bytes are dequantised, and what `abs` gives is quantised, as by `qnn.dequantize` and `qnn.quantize`. The result
    has the element type of `x`.

    - C1: all scales and zero points are of rank 0.
    - C2: scales are of floats, zero points of 32-bit integers.
    - C3: `x` holds integers of 8 bits.
    """
    return call("qnn.abs", (x, scale, zero_point, output_scale, output_zero_point))


def add(
    lhs: Any,
    rhs: Any,
    lhs_scale: Any,
    lhs_zero_point: Any,
    rhs_scale: Any,
    rhs_zero_point: Any,
    output_scale: Any,
    output_zero_point: Any,
    lhs_axis: Optional[int] = None,
    rhs_axis: Optional[int] = None,
) -> Expr:
    """The sum of quantised tensors.

    Each operand is requantised to 32-bit integers in the output's steps, unless it has them, and then added. The result
    has the element type of the operands. Scales and zero points of operands are of rank 0, or vectors along `lhs_axis`
    and `rhs_axis`, -1 by default.

    - C1: the axes are within the ranks; a vector has the extent of its axis. The output has one scale and one zero
      point.
    - C2: scales are of floats, zero points of 32-bit integers.
    - C3: the operands have one element type, and their shapes broadcast.
    """
    return call(
        "qnn.add",
        (lhs, rhs, lhs_scale, lhs_zero_point, rhs_scale, rhs_zero_point, output_scale, output_zero_point),
        lhs_axis=lhs_axis,
        rhs_axis=rhs_axis,
    )


def avg_pool2d(
    data: Any,
    input_scale: Any,
    input_zero_point: Any,
    output_scale: Any,
    output_zero_point: Any,
    pool_size: Ints,
    strides: Optional[Ints] = None,
    dilation: Optional[Ints] = None,
    padding: Optional[Ints] = None,
    layout: Optional[Any] = None,
    ceil_mode: Optional[Any] = None,
    count_include_pad: Optional[Any] = None,
) -> Expr:
    """The mean of each window of quantised numbers.

    The data is requantised to 32-bit integers in the output's steps, unless it has them. Then it is `nn.avg_pool2d` of
    integers: quotients are rounded to zero, and padding counts as 0 if `count_include_pad`.

    - C1: all scales and zero points are of rank 0.
    - C2: scales are of floats, zero points of 32-bit integers.
    - C3: the data holds integers of 8 bits.
    - C4: data and attributes fit as those of `nn.avg_pool2d`.
    """
    return call(
        "qnn.avg_pool2d",
        (data, input_scale, input_zero_point, output_scale, output_zero_point),
        pool_size=pool_size,
        strides=strides,
        dilation=dilation,
        padding=padding,
        layout=layout,
        ceil_mode=ceil_mode,
        count_include_pad=count_include_pad,
    )


def batch_matmul(
    x: Any,
    y: Any,
    x_zero_point: Any,
    y_zero_point: Any,
    x_scale: Any,
    y_scale: Any,
    transpose_a: Optional[Any] = None,
    transpose_b: Optional[Any] = None,
) -> Expr:
    """Matrix products of the distances of integers from their zero points, one per batch, in 32-bit integers.

    `nn.batch_matmul` of x - x_zero_point and y - y_zero_point. The scales are as for `qnn.conv2d`. TVM takes
    `transpose_b` only.

    - C1: the zero points are of rank 0.
    - C2: x and y fit as those of `nn.batch_matmul`.
    - C3: x and y hold integers of 8 bits, zero points those of 32 bits, scales floats.
    """
    return call(
        "qnn.batch_matmul",
        (x, y, x_zero_point, y_zero_point, x_scale, y_scale),
        transpose_a=transpose_a,
        transpose_b=transpose_b,
    )


def concatenate(data: Any, axis: int) -> Expr:
    """Quantised tensors one after the other along axis, in the output's steps.

    The operands are n tensors, then their n scales, then their n zero points, then the scale and the zero point of the
    output. Tensors are requantised to the output's steps, unless they have them. Relay's text writes the three lists as
    tuples.

    - C1: there is a scale and a zero point, of rank 0, for each tensor, and for the output.
    - C2: scales are of floats, zero points of 32-bit integers.
    - C3: the tensors fit as those of `concatenate`, and hold integers.
    """
    return call("qnn.concatenate", (*data,), axis=axis)


def contrib_batch_matmul_pack(data: Any, weight: Any) -> Expr:
    """Matrix products of unsigned bytes and of words, each of four signed bytes.

    `nn.batch_matmul` of data of bytes [b, m, k] and words [b, k/4, n], each of which holds four neighbours of a column,
    the first one in its lowest bits. `qnn-legalize` makes it of products whose operands are both data, and the words
    when the model runs.

    - C1: both are of rank 3, or of rank 2 without batches; the batches are equal, or one of them is 1.
    - C2: the words of a row of data are the weight's rows.
    - C3: the data is of unsigned bytes, of which the last dimension has whole words; the weight is of 32-bit integers.
    """
    return call("qnn.contrib_batch_matmul_pack", (data, weight))


def contrib_conv2d_NCHWc(
    data: Any,
    weight: Any,
    strides: Optional[Ints] = None,
    padding: Optional[Ints] = None,
    dilation: Optional[Ints] = None,
    groups: Optional[int] = None,
    data_layout: Optional[Any] = None,
    kernel_layout: Optional[Any] = None,
    out_layout: Optional[str] = None,
    out_dtype: Optional[str] = None,
) -> Expr:
    """Conv2d of unsigned bytes with a weight of words, each of four signed bytes.

    Like `nn.contrib_conv2d_NCHWc`, with data of bytes [n, c/b, h, w, b] and a weight of 32-bit words [o/l, c/b, kh, kw,
    b/4, l]: a word holds what four neighbouring channels are multiplied with, the first one in its lowest bits.
    Products are summed up in 32-bit integers, by the processor's instructions for bytes where it has some
    (`tir.dot_bytes`). `alter-op-layout` makes it of `qnn.conv2d`. The data may also be such words [n, c/b, h, w, b/4]
    of unsigned bytes.

    - C1: data and weight have the ranks and blocks of their layouts, which count words: NCHW4c, which is the default of
      `data_layout`, has 16 channels in a block. `kernel_layout` is OIHW4i16o by default.
    - C2: the words of channels are the weight's inputs times `groups`.
    - C3: the data is of 32-bit integers, or of unsigned bytes, of which the last dimension has whole words; the weight
      is of 32-bit integers.
    """
    return call(
        "qnn.contrib_conv2d_NCHWc",
        (data, weight),
        strides=strides,
        padding=padding,
        dilation=dilation,
        groups=groups,
        data_layout=data_layout,
        kernel_layout=kernel_layout,
        out_layout=out_layout,
        out_dtype=out_dtype,
    )


def contrib_dense_pack(data: Any, weight: Any, out_dtype: Optional[str] = None) -> Expr:
    """Dense of unsigned bytes with a weight of words, each of four signed bytes.

    Like `nn.contrib_dense_pack`, with data of bytes [m, k] and a weight of 32-bit words [units/l, k/4, l], as for
    `qnn.contrib_conv2d_NCHWc`. `alter-op-layout` makes it of `qnn.dense`.

    - C1: the data is of rank 2, the weight of rank 3.
    - C2: the words of a row of data are the weight's.
    - C3: the data is of 32-bit integers, or of unsigned bytes, of which the last dimension has whole words; the weight
      is of 32-bit integers.
    """
    return call("qnn.contrib_dense_pack", (data, weight), out_dtype=out_dtype)


def contrib_depthwise_conv2d_NCHWc(
    data: Any,
    weight: Any,
    zero_point: Any,
    strides: Optional[Ints] = None,
    padding: Optional[Ints] = None,
    dilation: Optional[Ints] = None,
    groups: Optional[int] = None,
    data_layout: Optional[Any] = None,
    kernel_layout: Optional[Any] = None,
    out_layout: Optional[str] = None,
    out_dtype: Optional[str] = None,
) -> Expr:
    """Conv2d of each channel of bytes on its own, in f32.

    `nn.contrib_depthwise_conv2d_NCHWc` of data - zero_point, with data of bytes: they are widened where they are read.
    The weight and the zero point are of f32. `alter-op-layout` makes it of a `qnn.conv2d` whose sums f32 holds.

    - C1: data and weight have the ranks and blocks of their layouts, NCHW16c and OIHW1i16o by default.
    - C2: `groups` is the number of channels.
    - C3: the data is of bytes, weight and zero point are of f32, and the latter is of rank 0.
    """
    return call(
        "qnn.contrib_depthwise_conv2d_NCHWc",
        (data, weight, zero_point),
        strides=strides,
        padding=padding,
        dilation=dilation,
        groups=groups,
        data_layout=data_layout,
        kernel_layout=kernel_layout,
        out_layout=out_layout,
        out_dtype=out_dtype,
    )


def conv2d(
    data: Any,
    weight: Any,
    input_zero_point: Any,
    kernel_zero_point: Any,
    input_scale: Any,
    kernel_scale: Any,
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
    """The convolution of the distances of integers from their zero points, in 32-bit integers.

    `nn.conv2d` of data - input_zero_point and weight - kernel_zero_point. Padding is of zero distances. The scales say
    what a step of the operands is, and do not change the result, whose step is their product. Sums wrap modulo 2^32.
    ONNX: `ConvInteger`, and the sums of `QLinearConv`.

    - C1: the input's zero point is of rank 0; the kernel's, too, or it is a vector of one for each output.
    - C2: data and weight fit as those of `nn.conv2d`.
    - C3: data and weight hold integers of 8 bits, zero points those of 32 bits, scales floats.
    """
    return call(
        "qnn.conv2d",
        (data, weight, input_zero_point, kernel_zero_point, input_scale, kernel_scale),
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


def conv2d_transpose(
    data: Any,
    weight: Any,
    input_zero_point: Any,
    kernel_zero_point: Any,
    input_scale: Any,
    kernel_scale: Any,
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
    """The transposed convolution of the distances of integers from their zero points, in 32-bit integers.

    `nn.conv2d_transpose` of data - input_zero_point and weight - kernel_zero_point. The scales are as for `qnn.conv2d`.

    - C1: the input's zero point is of rank 0; the kernel's, too, or it is a vector of one for each output.
    - C2: data and weight fit as those of `nn.conv2d_transpose`.
    - C3: data and weight hold integers of 8 bits, zero points those of 32 bits, scales floats.
    """
    return call(
        "qnn.conv2d_transpose",
        (data, weight, input_zero_point, kernel_zero_point, input_scale, kernel_scale),
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


def dense(
    data: Any,
    weight: Any,
    input_zero_point: Any,
    kernel_zero_point: Any,
    input_scale: Any,
    kernel_scale: Any,
    units: Optional[int] = None,
    out_dtype: Optional[str] = None,
) -> Expr:
    """The product of the distances of integers from their zero points, in 32-bit integers.

    `nn.dense` of data - input_zero_point and weight - kernel_zero_point. The scales are as for `qnn.conv2d`. ONNX:
    `MatMulInteger` with a constant matrix, and the sums of `QLinearMatMul`.

    - C1: the input's zero point is of rank 0; the kernel's, too, or it is a vector of one for each unit.
    - C2: data and weight are of rank 2, and their last dimensions are equal.
    - C3: data and weight hold integers of 8 bits, zero points those of 32 bits, scales floats.
    - C4: `units`, if it is given, is that of the weight.
    """
    return call(
        "qnn.dense",
        (data, weight, input_zero_point, kernel_zero_point, input_scale, kernel_scale),
        units=units,
        out_dtype=out_dtype,
    )


def dequantize(data: Any, input_scale: Any, input_zero_point: Any, axis: Optional[int] = None) -> Expr:
    """The numbers that integers stand for: (data - input_zero_point) * input_scale.

    The result has the scale's element type. ONNX: `DequantizeLinear`.

    Scale and zero point are of rank 0, or vectors along `axis`, -1 by default, which counts from the end if negative.

    - C1: `axis` is within the rank; a vector has its extent.
    - C2: the scale is of floats, the zero point of 32-bit integers.
    """
    return call("qnn.dequantize", (data, input_scale, input_zero_point), axis=axis)


def erf(x: Any, scale: Any, zero_point: Any, output_scale: Any, output_zero_point: Any) -> Expr:
    """The error function of the numbers that bytes stand for, as bytes.

    The bytes are dequantised, and what `erf` gives is quantised, as by `qnn.dequantize` and `qnn.quantize`. The result
    has the element type of `x`.

    - C1: all scales and zero points are of rank 0.
    - C2: scales are of floats, zero points of 32-bit integers.
    - C3: `x` holds integers of 8 bits.
    """
    return call("qnn.erf", (x, scale, zero_point, output_scale, output_zero_point))


def exp(x: Any, scale: Any, zero_point: Any, output_scale: Any, output_zero_point: Any) -> Expr:
    """The exponential function of the numbers that bytes stand for, as bytes.

    The bytes are dequantised, and what `exp` gives is quantised, as by `qnn.dequantize` and `qnn.quantize`. The result
    has the element type of `x`.

    - C1: all scales and zero points are of rank 0.
    - C2: scales are of floats, zero points of 32-bit integers.
    - C3: `x` holds integers of 8 bits.
    """
    return call("qnn.exp", (x, scale, zero_point, output_scale, output_zero_point))


def hardswish(x: Any, scale: Any, zero_point: Any, output_scale: Any, output_zero_point: Any) -> Expr:
    """X * clip(x + 3, 0, 6) / 6 of the numbers that bytes stand for, as bytes.

    The bytes are dequantised, and what `hardswish` gives is quantised, as by `qnn.dequantize` and `qnn.quantize`. The
    result has the element type of `x`.

    - C1: all scales and zero points are of rank 0.
    - C2: scales are of floats, zero points of 32-bit integers.
    - C3: `x` holds integers of 8 bits.
    """
    return call("qnn.hardswish", (x, scale, zero_point, output_scale, output_zero_point))


def leaky_relu(
    data: Any,
    input_scale: Any,
    input_zero_point: Any,
    output_scale: Any,
    output_zero_point: Any,
    alpha: float,
) -> Expr:
    """Quantised numbers, those below zero times alpha.

    The data is requantised to 32-bit integers q in the output's steps, unless it has them. Of numbers below zero, the
    result is alpha * q + (1 - alpha) * output_zero_point, each product in fixed point and rounded upward.

    - C1: all scales and zero points are of rank 0.
    - C2: scales are of floats, zero points of 32-bit integers.
    - C3: the data holds integers of 8 bits.
    """
    return call("qnn.leaky_relu", (data, input_scale, input_zero_point, output_scale, output_zero_point), alpha=alpha)


def log(x: Any, scale: Any, zero_point: Any, output_scale: Any, output_zero_point: Any) -> Expr:
    """The natural logarithm of the numbers that bytes stand for, as bytes.

    The bytes are dequantised, and what `log` gives is quantised, as by `qnn.dequantize` and `qnn.quantize`. The result
    has the element type of `x`.

    - C1: all scales and zero points are of rank 0.
    - C2: scales are of floats, zero points of 32-bit integers.
    - C3: `x` holds integers of 8 bits.
    """
    return call("qnn.log", (x, scale, zero_point, output_scale, output_zero_point))


def mul(
    lhs: Any,
    rhs: Any,
    lhs_scale: Any,
    lhs_zero_point: Any,
    rhs_scale: Any,
    rhs_zero_point: Any,
    output_scale: Any,
    output_zero_point: Any,
    lhs_axis: Optional[int] = None,
    rhs_axis: Optional[int] = None,
) -> Expr:
    """The product of quantised tensors.

    The distances from the zero points are multiplied in 32-bit integers. The product, in steps of the product of the
    scales, is requantised. The result has the element type of the operands. Scales and zero points of operands are of
    rank 0, or vectors along `lhs_axis` and `rhs_axis`, -1 by default.

    - C1: the axes are within the ranks; a vector has the extent of its axis. The output has one scale and one zero
      point.
    - C2: scales are of floats, zero points of 32-bit integers.
    - C3: the operands have one element type, and their shapes broadcast.
    """
    return call(
        "qnn.mul",
        (lhs, rhs, lhs_scale, lhs_zero_point, rhs_scale, rhs_zero_point, output_scale, output_zero_point),
        lhs_axis=lhs_axis,
        rhs_axis=rhs_axis,
    )


def quantize(data: Any, output_scale: Any, output_zero_point: Any, out_dtype: Any, axis: Optional[int] = None) -> Expr:
    """Numbers as integers: round(data / output_scale) + output_zero_point, clipped.

    The quotient is rounded to the nearest integer, half to even, and the sum clipped to the range of `out_dtype`, an
    integer of 8, 16 or 32 bits. ONNX: `QuantizeLinear`. TVM's rounds half away from zero.

    Scale and zero point are of rank 0, or vectors along `axis`, -1 by default, which counts from the end if negative.

    - C1: `axis` is within the rank; a vector has its extent.
    - C2: the scale is of floats, the zero point of 32-bit integers.
    - C3: `out_dtype` is an integer type of at most 32 bits.
    """
    return call("qnn.quantize", (data, output_scale, output_zero_point), axis=axis, out_dtype=out_dtype)


def requantize(
    data: Any,
    input_scale: Any,
    input_zero_point: Any,
    output_scale: Any,
    output_zero_point: Any,
    out_dtype: Any,
    axis: Optional[int] = None,
    rounding: Optional[Any] = None,
    compute_dtype: Optional[Any] = None,
) -> Expr:
    """Integers in other steps: (data - input_zero_point) * input_scale / output_scale + output_zero_point, clipped.

    The scale and the zero point of the input are of rank 0, or vectors along `axis`, -1 by default. `compute_dtype`
    says how the quotient of the scales is multiplied with: `float32` and `float64` in such floats, `int64` in fixed
    point, with a multiplier of 32 bits: integers are the same on all machines. `None`, the default, is `float32` here
    on all targets.

    `rounding` says what happens to numbers in the middle of two integers: `UPWARD` takes the greater one, `TONEAREST`
    the one farther from zero. `None`, the default, is `UPWARD`. `TFLITE`, which TVM does not have, rounds twice, as
    TFLite's kernels do: the upper half of the product upward, then what is shifted out, away from zero. It takes
    `int64`.

    - C1: `axis` is within the rank; a vector has its extent. The output has one scale and one zero point.
    - C2: scales are of floats, zero points of 32-bit integers.
    - C3: `out_dtype` is an integer type of at most 32 bits.
    - C4: `rounding` and `compute_dtype` are known, and fit.
    """
    return call(
        "qnn.requantize",
        (data, input_scale, input_zero_point, output_scale, output_zero_point),
        axis=axis,
        rounding=rounding,
        compute_dtype=compute_dtype,
        out_dtype=out_dtype,
    )


def rsqrt(x: Any, scale: Any, zero_point: Any, output_scale: Any, output_zero_point: Any) -> Expr:
    """1 / the square root of the numbers that bytes stand for, as bytes.

    The bytes are dequantised, and what `rsqrt` gives is quantised, as by `qnn.dequantize` and `qnn.quantize`. The
    result has the element type of `x`.

    - C1: all scales and zero points are of rank 0.
    - C2: scales are of floats, zero points of 32-bit integers.
    - C3: `x` holds integers of 8 bits.
    """
    return call("qnn.rsqrt", (x, scale, zero_point, output_scale, output_zero_point))


def sigmoid(x: Any, scale: Any, zero_point: Any, output_scale: Any, output_zero_point: Any) -> Expr:
    """1 / (1 + exp(-x)) of the numbers that bytes stand for, as bytes.

    The bytes are dequantised, and what `sigmoid` gives is quantised, as by `qnn.dequantize` and `qnn.quantize`. The
    result has the element type of `x`.

    - C1: all scales and zero points are of rank 0.
    - C2: scales are of floats, zero points of 32-bit integers.
    - C3: `x` holds integers of 8 bits.
    """
    return call("qnn.sigmoid", (x, scale, zero_point, output_scale, output_zero_point))


def simulated_dequantize(
    data: Any,
    in_dtype: Any,
    input_scale: Any,
    input_zero_point: Any,
    axis: Optional[int] = None,
) -> Expr:
    """What qnn.dequantize gives, of integers in floats.

    (data - input_zero_point) * input_scale. `in_dtype` is a number that is known when the model runs: 1 for int8, 2 for
    uint8, 3 for int32, and others leave the data as it is. Scale and zero point are numbers, vectors of one number, or
    vectors along `axis`, -1 by default.

    - C1: `axis` is within the rank; a vector has its extent, or one element.
    - C2: the scale is of floats, the zero point of numbers, `in_dtype` one integer.
    """
    return call("qnn.simulated_dequantize", (data, in_dtype, input_scale, input_zero_point), axis=axis)


def simulated_quantize(
    data: Any,
    out_dtype: Any,
    output_scale: Any,
    output_zero_point: Any,
    axis: Optional[int] = None,
) -> Expr:
    """What qnn.quantize gives, in floats, for an element type that is known at run time.

    Numbers in the middle are rounded to the even one, as `qnn.quantize` does. `out_dtype` is a number that is known
    when the model runs: 1 for int8, 2 for uint8, 3 for int32, and others leave the data as it is. Scale and zero point
    are numbers, vectors of one number, or vectors along `axis`, -1 by default.

    - C1: `axis` is within the rank; a vector has its extent, or one element.
    - C2: the scale is of floats, the zero point of numbers, `out_dtype` one integer.
    """
    return call("qnn.simulated_quantize", (data, out_dtype, output_scale, output_zero_point), axis=axis)


def softmax(
    data: Any,
    scale: Any,
    zero_point: Any,
    output_scale: Any,
    output_zero_point: Any,
    axis: Optional[int] = None,
) -> Expr:
    """Softmax along axis by shifts of integers.

    The algorithm of I-ViT (arXiv:2207.01405), which replaces powers of e by powers of 2, as TVM has it. The scale of
    the input is at most 1. It is less exact than `nn.softmax` between `qnn.dequantize` and `qnn.quantize`.

    - C1: all scales and zero points are of rank 0.
    - C2: scales are of floats, zero points of 32-bit integers.
    - C3: the data holds signed integers of 8 bits.
    - C4: `axis`, -1 by default, is within the rank.
    """
    return call("qnn.softmax", (data, scale, zero_point, output_scale, output_zero_point), axis=axis)


def sqrt(x: Any, scale: Any, zero_point: Any, output_scale: Any, output_zero_point: Any) -> Expr:
    """The square root of the numbers that bytes stand for, as bytes.

    The bytes are dequantised, and what `sqrt` gives is quantised, as by `qnn.dequantize` and `qnn.quantize`. The result
    has the element type of `x`.

    - C1: all scales and zero points are of rank 0.
    - C2: scales are of floats, zero points of 32-bit integers.
    - C3: `x` holds integers of 8 bits.
    """
    return call("qnn.sqrt", (x, scale, zero_point, output_scale, output_zero_point))


def subtract(
    lhs: Any,
    rhs: Any,
    lhs_scale: Any,
    lhs_zero_point: Any,
    rhs_scale: Any,
    rhs_zero_point: Any,
    output_scale: Any,
    output_zero_point: Any,
    lhs_axis: Optional[int] = None,
    rhs_axis: Optional[int] = None,
) -> Expr:
    """The difference of quantised tensors.

    Each operand is requantised to 32-bit integers in the output's steps, unless it has them, and then subtracted. The
    result has the element type of the operands. Scales and zero points of operands are of rank 0, or vectors along
    `lhs_axis` and `rhs_axis`, -1 by default.

    - C1: the axes are within the ranks; a vector has the extent of its axis. The output has one scale and one zero
      point.
    - C2: scales are of floats, zero points of 32-bit integers.
    - C3: the operands have one element type, and their shapes broadcast.
    """
    return call(
        "qnn.subtract",
        (lhs, rhs, lhs_scale, lhs_zero_point, rhs_scale, rhs_zero_point, output_scale, output_zero_point),
        lhs_axis=lhs_axis,
        rhs_axis=rhs_axis,
    )


def tanh(x: Any, scale: Any, zero_point: Any, output_scale: Any, output_zero_point: Any) -> Expr:
    """The hyperbolic tangent of the numbers that bytes stand for, as bytes.

    The bytes are dequantised, and what `tanh` gives is quantised, as by `qnn.dequantize` and `qnn.quantize`. The result
    has the element type of `x`.

    - C1: all scales and zero points are of rank 0.
    - C2: scales are of floats, zero points of 32-bit integers.
    - C3: `x` holds integers of 8 bits.
    """
    return call("qnn.tanh", (x, scale, zero_point, output_scale, output_zero_point))
