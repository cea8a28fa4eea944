"""Random instances of the patterns of rules on bytes. Factors are powers of two where a rule changes the order of products: then these are
exact."""

import numpy as np

KINDS = [(np.uint8, 0, 255), (np.int8, -128, 127)]
"""Bytes, with the least and the greatest."""


def kind(program):
    return KINDS[program.rng.integers(len(KINDS))]


def cast(program, x, dtype):
    names = {"float32": "f32", "int32": "i32", "int8": "i8", "uint8": "ui8"}
    return program.op("cast", [x], x.array.astype(dtype), dtype=names[np.dtype(dtype).name])


def clip(program, x, low, high):
    return program.op("clip", [x], np.clip(x.array, low, high).astype(x.array.dtype), a_min=float(low), a_max=float(high))


def rounded(program, x):
    return program.op("round", [x], np.rint(x.array))


def scaled(program, x, exponent=None):
    exponent = program.rng.integers(-3, 4) if exponent is None else exponent
    return program.binary("multiply", x, program.same(2.0**exponent, (), np.float32))


def integers(program, x):
    return cast(program, rounded(program, x), np.int32)


def floats(program):
    """Numbers some of which are cut off."""
    x = program.input(program.shape(1, 4))
    x.array *= np.float32(200)
    return x


def moved(program, x, zero):
    return program.binary("add", x, program.same(zero, (), np.int32))


def back(program, x, zero):
    return program.binary("subtract", x, program.same(zero, (), np.float32))


def bytes_and_back(program):
    dtype, low, high = kind(program)
    steps = integers(program, clip(program, floats(program), low, high))
    return cast(program, cast(program, steps, dtype), np.float32)


def bytes_and_back_around_zero(program):
    (dtype, low, high), zero = kind(program), program.rng.integers(1, 100)
    steps = integers(program, clip(program, floats(program), low - zero, high - zero))
    return back(program, cast(program, cast(program, moved(program, steps, zero), dtype), np.float32), zero)


def integers_and_back(program):
    dtype, low, high = kind(program)
    x = clip(program, program.input(program.shape(1, 4), np.int32), low, high // 2)
    return cast(program, cast(program, x, dtype), np.float32)


def integers_and_back_around_zero(program):
    (_, low, high), zero = kind(program), program.rng.integers(1, 100)
    x = program.input(program.shape(1, 4), np.int32)
    x.array *= 4
    return back(program, cast(program, clip(program, moved(program, x, zero), low, high), np.float32), zero)


def scaled_sum(program):
    shape = program.shape(1, 4)
    parts = [scaled(program, program.input(shape)) for _ in range(2)]
    return scaled(program, program.binary("add", *parts))


def scale_of_scaled_sum(program):
    return rounded(program, clip(program, scaled_sum(program), -2, 3))


def integers_of_scaled_sum(program):
    return integers(program, scaled_sum(program))


def pool(program, x):
    array = np.lib.stride_tricks.sliding_window_view(x.array, (2, 3), axis=(2, 3)).max(axis=(4, 5))
    return program.op("nn.max_pool2d", [x], array, pool_size=[2, 3])


def dequantized(program, around_zero):
    x = cast(program, program.input((2, 3, 4, 5), kind(program)[0]), np.float32)
    x = back(program, x, program.rng.integers(1, 100)) if around_zero else x
    return scaled(program, x)


def relu_before_clip(program):
    x = program.input(program.shape(1, 4))
    relu = program.op("nn.relu", [x], np.maximum(x.array, 0))
    return clip(program, scaled(program, relu), 0, 3)


def wide(program):
    """Numbers whose magnitudes follow from their operators."""
    x = program.input(program.shape(1, 4), np.int8)
    return program.binary("multiply", cast(program, x, np.float32), program.same(3.3, (), np.float32))


def clip_of_steps(program):
    dtype, low, high = kind(program)
    return cast(program, integers(program, clip(program, wide(program), low, high)), dtype)


def clip_of_steps_around_zero(program):
    (dtype, low, high), zero = kind(program), program.rng.integers(1, 100)
    steps = integers(program, clip(program, wide(program), low - zero, high - zero))
    return cast(program, moved(program, steps, zero), dtype)


def of_bytes(program, zero=0):
    x = cast(program, program.input(program.shape(1, 4), np.uint8), np.float32)
    return back(program, x, zero) if zero else x


def scaled_by_one(around_zero):
    def generate(program):
        x = of_bytes(program, program.rng.integers(1, 100) if around_zero else 0)
        return rounded(program, program.binary("multiply", x, program.same(1 + 5e-7, (), np.float32)))

    return generate


def quantized_again(program):
    return cast(program, clip(program, integers(program, of_bytes(program)), 0, 255), np.uint8)


def quantized_again_around_zero(program):
    zero = program.rng.integers(1, 100)
    steps = moved(program, integers(program, of_bytes(program, zero)), zero)
    return cast(program, clip(program, steps, 0, 255), np.uint8)


GENERATORS = {
    "bytes_and_back": bytes_and_back, "bytes_and_back_around_zero": bytes_and_back_around_zero,
    "integers_and_back": integers_and_back, "integers_and_back_around_zero": integers_and_back_around_zero,
    "scale_of_scaled_sum": scale_of_scaled_sum, "integers_of_scaled_sum": integers_of_scaled_sum,
    "pool_of_dequantized": lambda program: pool(program, dequantized(program, False)),
    "pool_of_dequantized_around_zero": lambda program: pool(program, dequantized(program, True)),
    "relu_before_clip": relu_before_clip,
    "clip_of_steps": clip_of_steps, "clip_of_steps_around_zero": clip_of_steps_around_zero,
    "scaled_by_one": scaled_by_one(False), "scaled_by_one_around_zero": scaled_by_one(True),
    "quantized_again": quantized_again, "quantized_again_around_zero": quantized_again_around_zero,
}
