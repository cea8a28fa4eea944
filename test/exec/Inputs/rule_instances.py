"""Random instances of the patterns of rules. A generator builds operators and, beside each, what numpy says it computes."""

import math

import numpy as np

import rule_instances_bytes
from rule_program import TYPES

# Rules without effect: an operator, its number, and whether that may stand first.


def neutral(operator, number, either):
    def generate(program):
        x = program.input(program.shape(), program.rng.choice([np.float32, np.int32, np.float64]))
        constant = program.same(number, program.narrower(x.array.shape), x.array.dtype)
        return program.binary(operator, x, constant, either)

    return generate


def filled(operator, name, number, either):
    def generate(program):
        x = program.input(program.shape(), program.rng.choice([np.float32, np.int32]))
        shape = program.narrower(x.array.shape)
        value = program.op(name, [], np.full(shape, number, x.array.dtype), shape=shape, dtype=TYPES[x.array.dtype.name])
        return program.binary(operator, x, value, either)

    return generate


def reciprocal(program):
    x = program.input(program.shape())
    number = program.array(()).item() * 10.0 ** program.rng.integers(-20, 20)
    return program.binary("divide", x, program.same(number, program.narrower(x.array.shape)))


def reciprocal_root(program):
    x = program.input(program.shape())
    x.array = abs(x.array)
    root = program.op("sqrt", [x], np.sqrt(x.array))
    return program.binary("divide", program.same(1, program.narrower(x.array.shape)), root)


def div_to_mul(program):
    x = program.input(program.shape(), program.rng.choice([np.float32, np.float64]))
    return program.binary("divide", x, program.constant(program.array(program.narrower(x.array.shape), x.array.dtype)))


def reshape(program, x, shape):
    return program.op("reshape", [x], x.array.reshape(shape), newshape=shape)


def same_shape(program):
    x = program.input(program.shape())
    return reshape(program, x, x.array.shape)


def view_to_own_shape(program):
    x = program.input(program.shape(2, 4))
    inner = reshape(program, x, x.array.shape[::-1] if program.rng.integers(2) else (-1,))
    return reshape(program, inner, x.array.shape)


def view_of_view(program):
    x = program.input(program.shape(2, 4))
    inner = reshape(program, x, x.array.shape[::-1])
    if program.rng.integers(2):
        return program.op("nn.batch_flatten", [inner], inner.array.reshape(inner.array.shape[0], -1))
    return reshape(program, inner, (-1,) if program.rng.integers(2) else (x.array.size, 1))


def view_and_back(program):
    x = program.input(program.shape(2, 4), program.rng.choice([np.float32, np.float64]))
    inner = reshape(program, x, (-1, x.array.shape[-1]) if program.rng.integers(2) else x.array.shape[::-1])
    if program.rng.integers(2):
        computed = program.op("negative", [inner], -inner.array)
    else:
        computed = clip(program, inner, -float(program.rng.uniform(0, 2)), float(program.rng.uniform(0, 2)))
    return reshape(program, computed, x.array.shape)


def transpose(program, x, axes):
    return program.op("transpose", [x], x.array.transpose(axes), axes=list(axes))


def same_axes(program):
    x = program.input(program.shape(1, 4))
    return transpose(program, x, range(x.array.ndim))


def unmoved(program):
    shape = list(program.shape(1, 3))
    shape.insert(program.rng.integers(len(shape) + 1), 1)
    x = program.input(shape)
    moving = [axis for axis in range(len(shape)) if shape[axis] != 1]
    axes = [axis for axis in range(len(shape)) if shape[axis] == 1][::-1]
    # Behind all others, or before them.
    axes = axes + moving if shape[0] != 1 else moving + axes
    return transpose(program, x, axes)


def transpose_of_transpose(program):
    x = program.input(program.shape(2, 4))
    first, second = program.rng.permutation(x.array.ndim), program.rng.permutation(x.array.ndim)
    return transpose(program, transpose(program, x, first), second)


def cast(program, x, dtype):
    return program.op("cast", [x], x.array.astype(dtype), dtype=TYPES[np.dtype(dtype).name])


def same_element(program):
    x = program.input(program.shape(), program.rng.choice([np.float32, np.int8, np.uint8, np.int64]))
    return cast(program, x, x.array.dtype)


def cast_of_widening(program):
    chains = [(np.int8, np.int32, np.float32), (np.uint8, np.uint16, np.int32), (np.uint8, np.int16, np.float32),
              (np.float16, np.float32, np.float64), (np.float32, np.float64, np.int32), (np.int32, np.int64, np.int8)]
    first, second, third = chains[program.rng.integers(len(chains))]
    return cast(program, cast(program, program.input(program.shape(), first), second), third)


def layout(program, x, source, target):
    array = x.array
    if source != "NCHW":
        n, blocks, h, w, c = array.shape
        array = array.transpose(0, 1, 4, 2, 3).reshape(n, blocks * c, h, w)
    if target != "NCHW":
        n, channels, h, w = array.shape
        c = int(target[4:-1])
        array = array.reshape(n, channels // c, c, h, w).transpose(0, 1, 3, 4, 2)
    return program.op("layout_transform", [x], array, src_layout=source, dst_layout=target)


def same_layout(program):
    n, h, w = program.shape(3, 3)
    return layout(program, program.input((n, 8, h, w)), "NCHW", "NCHW")


def there_and_back(program):
    n, h, w = program.shape(3, 3)
    block = f"NCHW{2 ** program.rng.integers(1, 4)}c"
    return layout(program, layout(program, program.input((n, 8, h, w)), "NCHW", block), block, "NCHW")


def layout_by_way_of_another(program):
    n, h, w = program.shape(3, 3)
    inner = layout(program, program.input((n, 4, h, w, 2)), "NCHW2c", "NCHW")
    return layout(program, inner, "NCHW", f"NCHW{4 * program.rng.integers(1, 3)}c")


def blocks_of_one_pixel(program):
    n = program.rng.integers(1, 4)
    if program.rng.integers(2):
        return layout(program, program.input((n, 2, 1, 1, 4)), "NCHW4c", "NCHW")
    return layout(program, program.input((n, 8, 1, 1)), "NCHW", "NCHW4c")


def adjacent(*operators):
    """Two operators in a row with a constant each."""

    def generate(program):
        x = program.input(program.shape(), program.rng.choice([np.float32, np.float64]))
        for operator in operators:
            constant = program.constant(program.array(program.narrower(x.array.shape), x.array.dtype))
            x = program.binary(operator, x, constant, either=operator != "subtract")
        return x

    return generate


def double(program):
    x = program.input(program.shape(), program.rng.choice([np.float32, np.int32, np.int8]))
    return program.binary("add", x, x)


def product_of_sum(program):
    x = program.input(program.shape(), program.rng.choice([np.float32, np.float64]))
    first, second = (program.constant(program.array(program.narrower(x.array.shape), x.array.dtype)) for _ in range(2))
    return program.binary("multiply", program.binary("add", x, first, either=True), second, either=True)


def like(operator, number):
    def generate(program):
        x = program.input(program.shape(), program.rng.choice([np.float32, np.int32]))
        return program.op(operator, [x], np.full_like(x.array, number))

    return generate


def full_like(program):
    x, value = program.input(program.shape()), program.input(())
    return program.op("full_like", [x, value], np.full_like(x.array, value.array))


def broadcast(program, x, shape):
    return program.op("broadcast_to", [x], np.broadcast_to(x.array, shape), shape=shape)


def same_broadcast(program):
    x = program.input(program.shape())
    return broadcast(program, x, x.array.shape)


def broadcast_number(program):
    dtype = program.rng.choice([np.float32, np.int64, np.bool_])
    shape = program.shape(least=1)
    number = program.array((), np.int32).astype(dtype)
    return broadcast(program, program.same(number, program.narrower(shape), dtype), shape)


def chosen(is_first):
    def generate(program):
        shape = program.shape()
        x, y = (program.input(program.narrower(shape)) for _ in range(2))
        condition = program.same(is_first, program.narrower(shape), np.bool_)
        return program.op("where", [condition, x, y], np.where(condition.array, x.array, y.array))

    return generate


def clip(program, x, low, high):
    return program.op("clip", [x], np.clip(x.array, low, high).astype(x.array.dtype), a_min=low, a_max=high)


def clip_of_clip(program):
    x = program.input(program.shape())
    inner = clip(program, x, -float(program.rng.uniform(0, 2)), float(program.rng.uniform(0, 2)))
    return clip(program, inner, -float(program.rng.uniform(0, 2)), float(program.rng.uniform(0, 2)))


def clip_of_all(program):
    dtype, low, high = [(np.uint8, 0.0, 255.0), (np.int8, -128.0, 127.0)][program.rng.integers(2)]
    return clip(program, program.input(program.shape(), dtype), low - program.rng.integers(3), high + program.rng.integers(3))


# Vectors along an axis, which may be counted from the end.


def along(x, axis):
    shape = [1] * x.array.ndim
    shape[axis] = -1
    return lambda vector: vector.array.astype(np.float64).reshape(shape)


def placed(program, least):
    """Data with an axis, and that axis as an attribute may have it."""
    x = program.input(program.shape(least, 4), program.rng.choice([np.float32, np.float64]))
    axis = int(program.rng.integers(x.array.ndim))
    return x, axis, axis - x.array.ndim * int(program.rng.integers(2))


def bias_add(program):
    x, axis, written = placed(program, 1)
    bias = program.input((x.array.shape[axis],), x.array.dtype)
    array = x.array + along(x, axis)(bias)
    return program.op("nn.bias_add", [x, bias], array.astype(x.array.dtype), axis=written)


def norm(operator, least, axes):
    """By the moments of axes, or by given ones. What is added to the variance is so large that errors are those of sums."""

    def generate(program):
        x, axis, written = placed(program, least)
        vectors = [program.input((x.array.shape[axis],), x.array.dtype) for _ in range(2 if axes else 4)]
        spread, (gamma, beta, *moments) = along(x, axis), vectors
        if axes:
            over, data = axes(x.array.ndim, axis), x.array.astype(np.float64)
            mean, variance = data.mean(over, keepdims=True), data.var(over, keepdims=True)
        else:
            moments[1].array = abs(moments[1].array)
            mean, variance = map(spread, moments)
        epsilon = float(program.rng.uniform(1, 2))
        array = (x.array - mean) / np.sqrt(variance + epsilon) * spread(gamma) + spread(beta)
        return program.op(operator, [x, *vectors], array.astype(x.array.dtype), axis=written, epsilon=epsilon)

    return generate


# Padding before windows. Numbers are whole, so that sums are exact.


def padded(program, dims, number):
    """Data with elements around, what it is as an attribute, and how much of it is to be padded by the operator."""
    x = program.input((2, 3, *program.rng.integers(4, 7, dims)))
    x.array = np.round(x.array * 4).astype(np.float32)
    around = [(0, 0), (0, 0), *program.rng.integers(0, 3, (dims, 2)).tolist()]
    array = np.pad(x.array, around, constant_values=number)
    value = program.op("nn.pad", [x, program.same(number, ())], array, pad_width=[width for pair in around for width in pair])
    return value, program.rng.integers(0, 2, (dims, 2)).tolist()


def windows(array, own, size, number):
    """The windows around each element, in the last dimensions."""
    array = np.pad(array, [(0, 0), (0, 0), *own], constant_values=number)
    return np.lib.stride_tricks.sliding_window_view(array, size, tuple(range(2, array.ndim)))


def before_and_behind(own):
    return [pair[0] for pair in own] + [pair[1] for pair in own]


def padding_of_convolution(program):
    dims = int(program.rng.integers(1, 4))
    x, own = padded(program, dims, 0.0)
    weight = program.input((4, 3, *[2] * dims))
    weight.array = np.round(weight.array * 4).astype(np.float32)
    taps = list(range(2 + dims, 2 + 2 * dims))
    array = np.tensordot(windows(x.array, own, [2] * dims, 0), weight.array, ([1, *taps], [1, *range(2, 2 + dims)]))
    return program.op(f"nn.conv{dims}d", [x, weight], np.moveaxis(array, -1, 1), padding=before_and_behind(own))


def padding_of_pool(operator, number, reduce):
    """Windows are so large that none has nothing but padding, whose maximum may be minus infinity."""

    def generate(program):
        dims = int(program.rng.integers(1, 4))
        x, own = padded(program, dims, number)
        array = reduce(windows(x.array, own, [4] * dims, number), tuple(range(2 + dims, 2 + 2 * dims)))
        attrs = {"count_include_pad": True} if operator == "avg" else {}
        return program.op(f"nn.{operator}_pool{dims}d", [x], array, pool_size=[4] * dims, padding=before_and_behind(own), **attrs)

    return generate


def approximated(operator, function):
    def generate(program):
        x = program.input(program.shape(1, 4), program.rng.choice([np.float32, np.float64]))
        array = function(x.array.astype(np.float64))
        return program.op(operator, [x], array.astype(x.array.dtype))

    return generate


def softmax(array):
    powers = np.exp(array - array.max(-1, keepdims=True))
    return powers / powers.sum(-1, keepdims=True)


def blocks(program, x, factors, paddings):
    """nn.space_to_batch_nd by way of numpy's reshape and transpose."""
    rank, spatial = x.array.ndim, len(factors)
    padded = np.pad(x.array, [(0, 0), *paddings] + [(0, 0)] * (rank - 1 - spatial))
    n, *extents = padded.shape
    rest = extents[spatial:]
    split = [part for extent, factor in zip(extents, factors) for part in (extent // factor, factor)]
    order = [*range(2, 2 * spatial + 1, 2), 0, *range(1, 2 * spatial, 2), *range(2 * spatial + 1, 2 * spatial + 1 + len(rest))]
    array = padded.reshape(n, *split, *rest).transpose(order)
    array = array.reshape(n * np.prod(factors), *split[::2], *rest)
    return program.op("nn.space_to_batch_nd", [x], array, block_shape=factors, paddings=np.ravel(paddings).tolist())


def space(program, x, factors, crops):
    """nn.batch_to_space_nd, as above."""
    spatial = len(factors)
    n, extents, rest = x.array.shape[0] // np.prod(factors), x.array.shape[1:1 + spatial], x.array.shape[1 + spatial:]
    array = x.array.reshape(*factors, n, *extents, *rest)
    order = [spatial, *(axis for dim in range(spatial) for axis in (spatial + 1 + dim, dim))]
    array = array.transpose(*order, *range(2 * spatial + 1, array.ndim))
    array = array.reshape(n, *(extent * factor for extent, factor in zip(extents, factors)), *rest)
    kept = tuple(slice(before, extent - after) for extent, (before, after) in zip(array.shape[1:], crops))
    return program.op("nn.batch_to_space_nd", [x], array[:, *kept], block_shape=factors, crops=np.ravel(crops).tolist())


def atrous_conv(layout):
    """A convolution of whole numbers, whose sums are exact, of space in blocks."""
    def generate(program):
        rng, channels, outputs = program.rng, 3, 2
        extents, factors = rng.integers(3, 7, 2), rng.integers(1, 4, 2)
        kernel, padding = rng.integers(1, 4, 2), rng.integers(0, 3, 4)
        before = rng.integers(0, 3, 2)
        # Whole blocks, and as many as the kernel takes.
        after = [int(max(factor * size - extent - first, -(extent + first) % factor))
                 for extent, factor, size, first in zip(extents, factors, kernel, before)]
        crops = [(int(rng.integers(first + 1)), int(rng.integers(last + 1))) for first, last in zip(before, after)]
        paddings = list(zip(before.tolist(), after))
        # What is left of the result has elements.
        sizes = [int(extent + first + last + factor * (low + high - size + 1)) for extent, first, last, factor, low, high, size
                 in zip(extents, before, after, factors, padding[:2], padding[2:], kernel)]
        crops = [crop if sum(crop) < size else (0, 0) for crop, size in zip(crops, sizes)]
        x = program.input((2, *extents, channels) if layout == "NHWC" else (2, channels, *extents))
        x.array = rng.integers(-8, 8, x.array.shape).astype(np.float32)
        w = program.input((outputs, channels, *kernel))
        w.array = rng.integers(-8, 8, w.array.shape).astype(np.float32)
        factors = factors.tolist()
        if layout == "NCHW":
            factors, paddings, crops = [1, *factors], [(0, 0), *paddings], [(0, 0), *crops]
        batches = blocks(program, x, factors, paddings)
        data = batches.array if layout == "NCHW" else batches.array.transpose(0, 3, 1, 2)
        data = np.pad(data, [(0, 0), (0, 0), (padding[0], padding[2]), (padding[1], padding[3])])
        windows = np.lib.stride_tricks.sliding_window_view(data, kernel, axis=(2, 3))
        array = np.einsum("nchwkl,ockl->nohw" if layout == "NCHW" else "nchwkl,ockl->nhwo", windows, w.array)
        conv = program.op("nn.conv2d", [batches, w], array.astype(np.float32), padding=padding.tolist(), data_layout=layout)
        return space(program, conv, factors, crops)

    return generate


GENERATORS = {
    "padding_of_convolution": padding_of_convolution,
    "padding_of_maximum": padding_of_pool("max", float(np.finfo(np.float32).min), np.max),
    "padding_of_mean": padding_of_pool("avg", 0.0, np.mean),
    "fast_exp": approximated("exp", np.exp), "fast_erf": approximated("erf", np.vectorize(math.erf)),
    "fast_tanh": approximated("tanh", np.tanh), "fast_softmax": approximated("nn.softmax", softmax),
    "bias_add": bias_add, "batch_norm": norm("nn.batch_norm", 1, None),
    "instance_norm": norm("nn.instance_norm", 3, lambda rank, axis: tuple({*range(1, rank)} - {axis})),
    "layer_norm": norm("nn.layer_norm", 1, lambda _, axis: axis),
    "add_zero": neutral("add", 0, True), "subtract_zero": neutral("subtract", 0, False),
    "multiply_one": neutral("multiply", 1, True), "divide_one": neutral("divide", 1, False),
    "reciprocal": reciprocal, "reciprocal_root": reciprocal_root, "double": double, "product_of_sum": product_of_sum,
    "div_to_mul": div_to_mul,
    "same_shape": same_shape, "view_to_own_shape": view_to_own_shape, "view_of_view": view_of_view, "view_and_back": view_and_back,
    "same_axes": same_axes, "unmoved": unmoved,
    "transpose_of_transpose": transpose_of_transpose, "same_element": same_element,
    "cast_of_widening": cast_of_widening, "same_layout": same_layout, "there_and_back": there_and_back,
    "layout_by_way_of_another": layout_by_way_of_another, "blocks_of_one_pixel": blocks_of_one_pixel,
    "adjacent_sums": adjacent("add", "add"), "adjacent_products": adjacent("multiply", "multiply"),
    "sum_of_difference": adjacent("subtract", "add"), "difference_of_sum": adjacent("add", "subtract"),
    "zeros_like": like("zeros_like", 0), "ones_like": like("ones_like", 1), "full_like": full_like,
    "add_zeros": filled("add", "zeros", 0, True), "subtract_zeros": filled("subtract", "zeros", 0, False),
    "multiply_ones": filled("multiply", "ones", 1, True), "divide_ones": filled("divide", "ones", 1, False),
    "same_broadcast": same_broadcast, "broadcast_number": broadcast_number,
    "chosen": chosen(True), "not_chosen": chosen(False),
    "clip_of_clip": clip_of_clip, "clip_of_all": clip_of_all,
    "atrous_conv_nhwc": atrous_conv("NHWC"), "atrous_conv_nchw": atrous_conv("NCHW"),
} | rule_instances_bytes.GENERATORS
