"""Operators on quantised tensors, by integers of any size, and by floats where their definitions have floats."""

import math
import sys
from pathlib import Path

import numpy as np

from relay_cases import Case, check

relayc, folder = sys.argv[1], Path(sys.argv[2])
random = np.random.default_rng(11)
f32, f64, i32 = np.float32, np.float64, np.int32

RANGES = {"int8": (-128, 127), "uint8": (0, 255), "int16": (-32768, 32767), "int32": (-(2**31), 2**31 - 1)}
UPWARD, TONEAREST, TFLITE = "UPWARD", "TONEAREST", "TFLITE"


def integers(dtype, *shape, limit=None):
    least, greatest = (-limit, limit) if limit else RANGES[dtype]
    return random.integers(least, greatest, shape, dtype, endpoint=True)


def clipped(numbers, dtype):
    return np.clip(numbers, *RANGES[dtype]).astype(dtype)


def exact(call, inputs, expected):
    return Case(call, inputs, expected, 0)


def literal(number):
    """A scale or a zero point in Relay's text."""
    return f"{float(number)!r}f" if isinstance(number, (float, np.floating)) else str(number)


# Fixed point, by integers of any size.


def fixed_point(ratio):
    """The multiplier of 31 bits and the exponent of a number."""
    if ratio == 0:
        return 0, 0
    significand, exponent = math.frexp(abs(ratio))
    multiplier = math.floor(significand * 2**31 + 0.5)
    if multiplier == 2**31:
        multiplier, exponent = multiplier // 2, exponent + 1
    return (multiplier if ratio > 0 else -multiplier), exponent


def halves(numerator, power, upward):
    """numerator / 2^power, rounded to the nearest integer; the middle upward, or away from zero."""
    if power == 0:
        return numerator
    half = 1 << (power - 1)
    if upward or numerator >= 0:
        return (numerator + half) >> power
    return -((-numerator + half) >> power)


def saturating_rounding_doubling_high_mul(a, b):
    """gemmlowp's: the quotient by 2^31 of the product and half of that, away from zero but for the middle below zero, to zero."""
    if a == b == -(2**31):
        return 2**31 - 1
    product = a * b
    nudged = product + (2**30 if product >= 0 else 1 - 2**30)
    return int(math.copysign(1, nudged)) * (abs(nudged) // 2**31)


def rounding_divide_by_pot(x, exponent):
    mask = (1 << exponent) - 1
    threshold = (mask >> 1) + (1 if x < 0 else 0)
    return (x >> exponent) + (1 if x & mask > threshold else 0)


def wrapped(x):
    return (x + 2**31) % 2**32 - 2**31


def scaled(x, multiplier, exponent, rounding):
    if rounding != TFLITE:
        return halves(x * multiplier, 31 - exponent, rounding == UPWARD)
    left, right = max(exponent, 0), max(-exponent, 0)
    return rounding_divide_by_pot(saturating_rounding_doubling_high_mul(wrapped(x << left), multiplier), right)


def by_element(f, *arrays):
    arrays = np.broadcast_arrays(*arrays)
    numbers = [f(*(number.item() for number in each)) for each in zip(*(array.reshape(-1) for array in arrays))]
    return np.array(numbers, dtype=object).reshape(arrays[0].shape)


def fixed_requantized(x, scale, zero, out_scale, out_zero, rounding, dtype):
    def one(x, scale, zero):
        ratio = float(f32(scale)) / float(f32(out_scale))
        product = x - zero if ratio == 1 else scaled(x - zero, *fixed_point(ratio), rounding)
        return min(max(product + out_zero, RANGES[dtype][0]), RANGES[dtype][1])

    return by_element(one, x, scale, zero).astype(dtype)


def float_requantized(x, scale, zero, out_scale, out_zero, rounding=UPWARD, dtype="int8", float_=f32):
    ratio = np.asarray(scale, f32).astype(f64) / f64(f32(out_scale))
    steps = (x.astype(float_) - np.asarray(zero).astype(float_)) * ratio.astype(float_) + float_(out_zero)
    if rounding == UPWARD:
        rounded = np.floor(steps + float_(0.5))
    else:
        # Exact: a float has fewer digits than the sum needs.
        rounded = np.copysign(np.floor(np.abs(steps).astype(np.longdouble) + 0.5), steps)
    return clipped(rounded, dtype)


def requantize_cases():
    for number, (dtype, to) in enumerate([("int32", "int8"), ("uint8", "int32"), ("int16", "uint8")]):
        x = integers(dtype, 4, 6, 5, limit=100_000 if dtype == "int32" else None)
        scale, zero, out_scale, out_zero = float(f32(0.0137 * 3**number)), 3 - number, 0.75, number - 2
        each = random.uniform(0.001, 0.9, 6).astype(f32)
        each[0], each[1] = out_scale, 0
        zeros = integers("int32", 6, limit=9)
        column = lambda vector: vector.reshape(6, 1)
        for compute, rounding in [(c, r) for c in ("int64", "float32", "float64") for r in (UPWARD, TONEAREST, TFLITE)]:
            if rounding == TFLITE and compute != "int64":
                continue
            tail = f'rounding="{rounding}", compute_dtype="{compute}", out_dtype="{to}"'

            def expected(scale, zero):
                if compute == "int64":
                    return fixed_requantized(x, scale, zero, out_scale, out_zero, rounding, to)
                float_ = f32 if compute == "float32" else f64
                return float_requantized(x, scale, zero, out_scale, out_zero, rounding, to, float_)

            known = [scale, zero, out_scale, out_zero]
            call = f"qnn.requantize({{x}}, {', '.join(map(literal, known))}, {tail})"
            yield exact(call, {"x": x}, expected(scale, zero))
            inputs = {"x": x, "s": each, "z": zeros}
            call = f"qnn.requantize({{x}}, {{s}}, {{z}}, {literal(out_scale)}, {out_zero}, axis=1, {tail})"
            yield exact(call, inputs, expected(column(each), column(zeros)))
    x = integers("int32", 40, limit=1000)
    inputs = {"x": x, "s": f32(0.037), "z": i32(4), "o": f32(0.6), "p": i32(-7)}
    call = 'qnn.requantize({x}, {s}, {z}, {o}, {p}, out_dtype="int8")'
    yield exact(call, inputs, float_requantized(x, 0.037, 4, 0.6, -7))
    # Middles: exact halves.
    x = np.arange(-20, 20, dtype=i32)
    for compute in ("int64", "float32"):
        for rounding in (UPWARD, TONEAREST):
            call = f'qnn.requantize({{x}}, 0.25f, 0, 0.5f, 0, rounding="{rounding}", compute_dtype="{compute}", out_dtype="int8")'
            yield exact(call, {"x": x}, fixed_requantized(x, 0.25, 0, 0.5, 0, rounding, "int8"))


def product_cases():
    """Fixed-point products of all magnitudes."""
    x = np.concatenate([integers("int32", 60), integers("int32", 60, limit=300), i32([0, 1, -1, 2**31 - 1, -(2**31)])])
    for rounding in (UPWARD, TONEAREST, TFLITE):
        for multiplier in (1 << 30, 1518500250, 2**31 - 1, -(2**31), -1518500250):
            for shift in (-31, -17, -1, 0):
                call = f'fixed_point_multiply({{x}}, multiplier={multiplier}, shift={shift}, rounding="{rounding}")'
                expected = by_element(lambda x: wrapped(scaled(x, multiplier, shift, rounding)), x)
                yield exact(call, {"x": x}, expected.astype(i32))


def upcast(x, scale, zero, out_scale, out_zero):
    if (scale, zero) == (out_scale, out_zero):
        return x.astype(np.int64)
    return float_requantized(x, scale, zero, out_scale, out_zero, dtype="int32").astype(np.int64)


def binary_cases():
    for dtype in ("int8", "uint8"):
        x, y = integers(dtype, 3, 4, 5), integers(dtype, 4, 1)
        (s, z), (t, u), (o, p) = (0.0371, 3), (0.0125, 0), (0.0371, 3)
        for o, p in [(0.0371, 3), (0.06, -4)]:
            grains = ", ".join(map(literal, [s, z, t, u, o, p]))
            tail = f"({{x}}, {{y}}, {grains})"
            lhs, rhs = upcast(x, s, z, o, p), upcast(y, t, u, o, p)
            yield exact(f"qnn.add{tail}", {"x": x, "y": y}, clipped(lhs + rhs - p, dtype))
            yield exact(f"qnn.subtract{tail}", {"x": x, "y": y}, clipped(lhs - rhs + p, dtype))
            product = (x.astype(i32) - z) * (y.astype(i32) - u)
            expected = float_requantized(product, f32(s) * f32(t), 0, o, p, dtype=dtype)
            yield exact(f"qnn.mul{tail}", {"x": x, "y": y}, expected)
        # Vectors along the channels.
        each, zeros = random.uniform(0.01, 0.05, 4).astype(f32), integers("int32", 4, limit=5)
        column = lambda vector: vector.reshape(4, 1)
        y = integers(dtype, 3, 4, 5)
        inputs = {"x": x, "y": y, "s": each, "z": zeros}
        tail = f"({{x}}, {{y}}, {{s}}, {{z}}, {{s}}, {{z}}, 0.07f, 2, lhs_axis=1, rhs_axis=1)"
        lhs, rhs = (float_requantized(q, column(each), column(zeros), 0.07, 2, dtype="int32") for q in (x, y))
        yield exact(f"qnn.add{tail}", inputs, clipped(lhs.astype(np.int64) + rhs - 2, dtype))
        product = (x.astype(i32) - column(zeros)) * (y.astype(i32) - column(zeros))
        expected = float_requantized(product, column(each * each), 0, 0.07, 2, dtype=dtype)
        yield exact(f"qnn.mul{tail}", inputs, expected)


def concatenate_cases():
    x, y, z = (integers("uint8", 2, rows, 3) for rows in (1, 4, 2))
    scales, zeros = [0.5, 0.25, 0.3], [3, 3, 7]
    grains = [f"({', '.join(map(literal, values))})" for values in (scales, zeros)]
    call = f"qnn.concatenate(({{x}}, {{y}}, {{z}}), {', '.join(grains)}, 0.25f, 3, axis=1)"
    parts = [q if (s, o) == (0.25, 3) else float_requantized(q, s, o, 0.25, 3, dtype="uint8") for q, s, o in zip((x, y, z), scales, zeros)]
    yield exact(call, {"x": x, "y": y, "z": z}, np.concatenate(parts, 1))


FUNCTIONS = {
    "tanh": np.tanh,
    "exp": np.exp,
    "sqrt": np.sqrt,
    "rsqrt": lambda x: 1 / np.sqrt(x),
    "erf": np.vectorize(math.erf),
    "sigmoid": lambda x: 1 / (1 + np.exp(-x)),
    "hardswish": lambda x: x * np.clip(x + 3, 0, 6) / 6,
    "log": np.log,
    "abs": np.abs,
}


def unary_cases():
    for dtype in ("int8", "uint8"):
        x = np.arange(RANGES[dtype][0], RANGES[dtype][1] + 1).astype(dtype)
        for name, function in FUNCTIONS.items():
            # Roots and logarithms have numbers above zero.
            zero = RANGES[dtype][0] - 1 if name in ("sqrt", "rsqrt", "log") else RANGES[dtype][0] + 90
            scale, out_scale, out_zero = 0.0317, 0.0191, 11 if dtype == "int8" else 140
            numbers = function((x.astype(f64) - zero) * f64(f32(scale)))
            steps = numbers / f64(f32(out_scale))
            # Floats of 32 bits may round the middle of two bytes to either.
            assert np.abs(steps - np.floor(steps) - 0.5).min() > 1e-5, name
            expected = clipped(np.rint(steps) + out_zero, dtype)
            # By a table, if that is faster, and by arithmetic.
            call = f"qnn.{name}({{x}}, {', '.join(map(literal, [scale, zero, out_scale, out_zero]))})"
            yield exact(call, {"x": x}, expected)
            inputs = {"x": x, "s": f32(scale), "z": i32(zero)}
            yield exact(f"qnn.{name}({{x}}, {{s}}, {{z}}, {literal(out_scale)}, {out_zero})", inputs, expected)


def leaky_relu_cases():
    for alpha in (0.1, 0.75, 1.5):
        x = np.arange(-128, 128).astype(np.int8)
        for scale, zero, out_scale, out_zero in [(0.5, -20, 0.5, -20), (0.125, 13, 0.1, -5)]:
            steps = upcast(x, scale, zero, out_scale, out_zero)
            of_zero = scaled(out_zero, *fixed_point(1 - alpha), UPWARD)
            below = by_element(lambda q: scaled(q, *fixed_point(alpha), UPWARD) + of_zero, steps).astype(np.int64)
            expected = clipped(np.where(x < zero, below, steps), "int8")
            grains = ", ".join(map(literal, [scale, zero, out_scale, out_zero]))
            yield exact(f"qnn.leaky_relu({{x}}, {grains}, alpha={alpha}f)", {"x": x}, expected)


def softmax_cases():
    """By integers, as the paper has it; and not far from the softmax of numbers."""
    for axis, scale, zero in [(-1, 0.05, 3), (1, 0.2, -100)]:
        x = integers("int8", 3, 7, 20)
        one = math.floor(1 / f32(scale) + f32(0.5))
        steps = x.astype(np.int64) - zero
        steps -= steps.max(axis, keepdims=True)
        steps += (steps >> 1) - (steps >> 4)
        halvings = np.clip(-steps // one, 0, 20)
        powers = ((steps + halvings * one) >> 1) + one << halvings.max(axis, keepdims=True) - halvings
        shares = (2**30 // powers.sum(axis, keepdims=True) * powers) >> 23
        expected = float_requantized(shares.astype(i32), 1 / 128, 0, 1 / 256, -128)
        numbers = np.exp((x - x.max(axis, keepdims=True).astype(f64)) * scale)
        shares = numbers / numbers.sum(axis, keepdims=True)
        assert np.abs((expected.astype(f64) + 128) / 256 - shares).max() < 0.06
        call = f"qnn.softmax({{x}}, {literal(scale)}, {zero}, {literal(1 / 256)}, -128, axis={axis})"
        yield exact(call, {"x": x}, expected)


def pool_cases():
    x = integers("uint8", 1, 3, 6, 6)
    for grain in [(0.5, 3, 0.5, 3), (0.5, 3, 0.41, 9)]:
        steps = upcast(x, *grain)
        windows = np.lib.stride_tricks.sliding_window_view(steps, (3, 2), (2, 3))[:, :, ::2, ::2]
        sums = windows.sum((-1, -2))
        expected = clipped(np.sign(sums) * (np.abs(sums) // 6), "uint8")
        call = f"qnn.avg_pool2d({{x}}, {', '.join(map(literal, grain))}, pool_size=[3, 2], strides=[2, 2], padding=[0, 0, 0, 0])"
        yield exact(call, {"x": x}, expected)


def matmul_cases():
    """Of few rows, and of many, for which the second operand is packed; with rows that are no whole words."""
    for left, right in [("uint8", "int8"), ("int8", "int8"), ("uint8", "uint8")]:
        for rows, depth in [(5, 37), (33, 37), (64, 32)]:
            x, y = integers(left, 3, rows, depth), integers(right, 3, 21, depth)
            expected = np.einsum("bmk,bnk->bmn", x.astype(i32) - 7, y.astype(i32) + 3)
            attrs = '0.5f, 0.25f, out_dtype="int32"'
            yield exact(f"qnn.batch_matmul({{x}}, {{y}}, 7, -3, {attrs}, transpose_b=True)", {"x": x, "y": y}, expected)
            inputs = {"x": x, "y": np.ascontiguousarray(y.transpose(0, 2, 1))}
            yield exact(f"qnn.batch_matmul({{x}}, {{y}}, 7, -3, {attrs})", inputs, expected)
        zeros = integers("int32", 21, limit=9)
        expected = (x[0].astype(i32) - 7) @ (y[0].astype(i32) - zeros[:, None]).T
        inputs = {"x": x[0], "y": y[0], "z": zeros}
        yield exact(f"qnn.dense({{x}}, {{y}}, 7, {{z}}, {attrs}, units=21)", inputs, expected)


def transpose_cases():
    for groups in (1, 2):
        x, w = integers("uint8", 1, 4, 5, 4), integers("int8", 4, 3, 3, 2)
        zeros = integers("int32", 3 * groups, limit=9)
        inputs, stride = 4 // groups, 2
        full = np.zeros((3 * groups, 4 * stride + 3, 3 * stride + 2), np.int64)
        for o, i, row, column in np.ndindex(3 * groups, inputs, 5, 4):
            channel = o // 3 * inputs + i
            tile = full[o, row * stride : row * stride + 3, column * stride : column * stride + 2]
            tile += (int(x[0, channel, row, column]) - 11) * (w[channel, o % 3].astype(np.int64) - zeros[o])
        expected = full[None, :, 1:-1, 1:].astype(i32)
        call = (
            f"qnn.conv2d_transpose({{x}}, {{w}}, 11, {{z}}, 0.5f, 0.25f, strides=[2, 2], padding=[1, 1, 1, 0], groups={groups},"
            f' channels={3 * groups}, kernel_size=[3, 2], out_dtype="int32")'
        )
        yield exact(call, {"x": x, "w": w, "z": zeros}, expected)


def known_weight(*shape):
    """A weight that is computed at compile time, as an expression and as numbers."""
    numbers = f'cumsum(ones(shape=[{np.prod(shape)}], dtype="float32"), axis=0) * 37f'
    weight = f'reshape(cast(floor_mod({numbers}, 255f) - 127f, dtype="int8"), newshape={list(shape)})'
    return weight, (np.arange(1, np.prod(shape) + 1) * 37 % 255 - 127).reshape(shape)


def convolved(distances, w, groups):
    """By a weight of 3 x 3, with zeros around the image."""
    (_, channels, height, width), outputs = distances.shape, w.shape[0] // groups
    padded = np.pad(distances.astype(np.int64), [(0, 0), (0, 0), (1, 1), (1, 1)])
    windows = np.lib.stride_tricks.sliding_window_view(padded[0], (3, 3), (1, 2))
    windows = windows.reshape(groups, channels // groups, height, width, 3, 3)
    sums = np.einsum("giyxab,goiab->goyx", windows, w.reshape(groups, outputs, -1, 3, 3).astype(np.int64))
    return sums.reshape(1, -1, height, width)


def conv_cases():
    """Convolutions of bytes by a weight that is known, in groups of several channels: those of narrow groups are computed together."""
    for groups, inputs, outputs in [(1, 6, 20), (8, 4, 4), (4, 16, 16), (2, 24, 32), (8, 8, 4), (3, 2, 2)]:
        weight, w = known_weight(groups * outputs, inputs, 3, 3)
        x = integers("uint8", 1, groups * inputs, 6, 5)
        attrs = f"padding=[1, 1, 1, 1], groups={groups}, channels={groups * outputs}, kernel_size=[3, 3]"
        call = f'qnn.conv2d({{x}}, {weight}, 7, 0, 0.5f, 0.25f, {attrs}, out_dtype="int32")'
        yield exact(call, {"x": x}, convolved(x - 7.0, w, groups).astype(i32))


def layer_cases():
    """Layers as TVM's importers of quantised models write them: those of PyTorch, and those of TFLite with channels last."""
    x, bias = integers("uint8", 1, 8, 6, 5), integers("int32", 20, limit=3000)
    each, column = random.uniform(0.001, 0.003, 20).astype(f32), lambda vector: vector.reshape(20, 1, 1)
    weight, w = known_weight(20, 8, 3, 3)
    sums = convolved(x - 7.0, w, 1) + column(bias)
    expected = np.minimum(float_requantized(sums, column(each), 0, 0.02, 128, dtype="uint8"), 200).astype(np.uint8)
    steps = '{s}, 0, 0.02f, 128, out_dtype="uint8"'
    attrs = 'padding=[1, 1, 1, 1], channels=20, kernel_size=[3, 3], out_dtype="int32"'
    layer = f"qnn.conv2d({{x}}, {weight}, 7, 0, 0.5f, {{s}}, {attrs})"
    layer = f"clip(qnn.requantize(nn.bias_add({layer}, {{b}}), {steps}, axis=1), a_min=0f, a_max=200f)"
    yield exact(layer, {"x": x, "b": bias, "s": each}, expected)
    last = 'data_layout="NHWC", kernel_layout="HWIO"'
    layer = f"qnn.conv2d({{x}}, transpose({weight}, axes=[2, 3, 1, 0]), 7, 0, 0.5f, {{s}}, {attrs}, {last})"
    layer = f"clip(qnn.requantize(nn.bias_add({layer}, {{b}}, axis=3), {steps}, axis=3), a_min=0f, a_max=200f)"
    inputs = {"x": np.ascontiguousarray(x.transpose(0, 2, 3, 1)), "b": bias, "s": each}
    yield exact(layer, inputs, expected.transpose(0, 2, 3, 1))


def simulated_cases():
    x = (random.standard_normal((3, 4, 5)) * 40).astype(f32)
    each, zeros = random.uniform(0.1, 0.9, 4).astype(f32), integers("int32", 4, limit=5)
    column = lambda vector: vector.reshape(4, 1)
    for code, dtype in enumerate([None, "int8", "uint8", "int32"]):
        for scale, zero, tail in [(f32([0.3]), i32([2]), ""), (each, zeros, ", axis=1")]:
            inputs = {"x": x, "c": i32(code), "s": scale, "z": zero}
            if tail:
                scale, zero = column(scale), column(zero)
            steps = np.rint(x / scale) + zero.astype(f32)
            expected = np.clip(steps, *RANGES[dtype]).astype(f32) if dtype else x
            yield Case(f"qnn.simulated_quantize({{x}}, {{c}}, {{s}}, {{z}}{tail})", inputs, expected)
            expected = (x - zero.astype(f32)) * scale if dtype else x
            yield Case(f"qnn.simulated_dequantize({{x}}, {{c}}, {{s}}, {{z}}{tail})", inputs, expected)


for name, cases in list(globals().items()):
    if name.endswith("_cases") and name.startswith(tuple(sys.argv[3:]) or ""):
        check(relayc, folder, name, list(cases()))
