"""What cases of operators of TensorFlow Lite are made of: nodes with random inputs, weights and options."""

import numpy as np

RANDOM = np.random.default_rng(1)
SAME, VALID = 0, 1
RELU, RELU1, RELU6, TANH = 1, 2, 3, 4


def floats(*shape, low=-1.0, high=1.0):
    return RANDOM.uniform(low, high, shape).astype(np.float32)


def ints(*values, dtype=np.int32):
    return np.array(values, dtype)


class Case:
    """The nodes of one case in a graph."""

    def __init__(self, graph, name, dtype):
        self.graph, self.name, self.dtype, self.count = graph, name, dtype, 0

    def named(self, what):
        self.count += 1
        return f"{self.name}.{what}{self.count}"

    def grain(self, scale=None, zero=None):
        """Scale and zero of activations, as tensors take them."""
        if self.dtype == "float32":
            return {}
        zeros = {"int8": 3, "uint8": 131, "int16": 0}
        return {"scale": scale or 0.037, "zero": zeros[self.dtype] if zero is None else zero}

    def x(self, *shape, scale=None, zero=None, dtype=None):
        dtype = dtype or self.dtype
        grain = {} if dtype not in ("int8", "uint8", "int16") else self.grain(scale, zero)
        return self.graph.input(shape, dtype, self.named("x"), **grain)

    def raw(self, dtype, *shape):
        return self.graph.input(shape, dtype, self.named("x"))

    def c(self, value, **keywords):
        return self.graph.constant(np.asarray(value), self.named("c"), **keywords)

    def y(self, op, inputs, shape=(), dtype=None, scale=None, zero=None, more=(), **options):
        """A node with one output, or one more for each type in `more`."""
        dtype = dtype or self.dtype
        grain = {} if dtype not in ("int8", "uint8", "int16") or scale == 0 else self.grain(scale or 0.043, zero)
        outputs = [self.graph.tensor(shape, dtype, self.named("y"), **grain)]
        outputs += [self.graph.tensor(shape, other, self.named("y"), **(grain if other == dtype else {})) for other in more]
        self.graph.op(op, inputs, outputs, **options)
        self.graph.output(*outputs)

    def weight(self, shape, outputs, per_channel=True, scale=0.01):
        """A weight and its scales."""
        if self.dtype == "float32":
            return self.c(floats(*shape)), None
        count = shape[outputs]
        if self.dtype == "uint8":
            value = RANDOM.integers(0, 256, shape, dtype=np.uint8)
            return self.c(value, scale=scale, zero=121), np.array([scale])
        value = RANDOM.integers(-127, 128, shape).astype(np.int8)
        scales = RANDOM.uniform(scale / 2, scale, count if per_channel else 1).astype(np.float32)
        return self.c(value, scale=scales, zero=0, axis=outputs), scales

    def bias(self, count, scales, scale=0.037):
        if self.dtype == "float32":
            return self.c(floats(count))
        dtype = np.int64 if self.dtype == "int16" else np.int32
        value = RANDOM.integers(-2000, 2000, count).astype(dtype)
        return self.c(value, scale=scales * np.float32(scale), zero=0, axis=0)


def conv(padding, stride=1, dilation=1, activation=0, per_channel=True, data=(2, 9, 8, 5), kernel=(6, 3, 2, 5)):
    def case(c):
        w, scales = c.weight(kernel, 0, per_channel)
        inputs = [c.x(*data), w, c.bias(kernel[0], scales)]
        c.y("CONV_2D", inputs, padding=padding, strideH=stride, strideW=stride, dilationHFactor=dilation,
            dilationWFactor=dilation, fusedActivationFunction=activation, scale=0.11)

    return case


def depthwise(padding, stride=1, dilation=1, times=1, activation=0, channels=6):
    def case(c):
        w, scales = c.weight((1, 3, 3, channels * times), 3)
        inputs = [c.x(2, 9, 8, channels), w, c.bias(channels * times, scales)]
        c.y("DEPTHWISE_CONV_2D", inputs, padding=padding, strideH=stride, strideW=stride, dilationHFactor=dilation,
            dilationWFactor=dilation, depthMultiplier=times, fusedActivationFunction=activation, scale=0.07)

    return case


def transpose_conv(padding, stride, size, bias=True):
    def case(c):
        w, scales = c.weight((4, 3, 3, 5), 0)
        inputs = [c.c(ints(1, *size, 4)), w, c.x(1, 5, 4, 5)] + ([c.bias(4, scales)] if bias else [])
        c.y("TRANSPOSE_CONV", inputs, padding=padding, strideH=stride, strideW=stride, scale=0.11)

    return case


def dense(shape, activation=0, keep=False, bias=True, per_channel=False):
    def case(c):
        w, scales = c.weight((7, shape[-1]), 0, per_channel)
        inputs = [c.x(*shape), w, c.bias(7, scales) if bias else -1]
        c.y("FULLY_CONNECTED", inputs, keepNumDims=keep, fusedActivationFunction=activation, scale=0.09)

    return case


def pool(op, padding, size=(3, 2), stride=2, activation=0, data=(2, 9, 8, 5)):
    def case(c):
        c.y(op, [c.x(*data)], padding=padding, filterHeight=size[0], filterWidth=size[1], strideH=stride, strideW=stride,
            fusedActivationFunction=activation, scale=0.037)

    return case


def binary(op, lhs=(2, 3, 4), rhs=(2, 3, 4), dtype=None, **options):
    return lambda c: c.y(op, [c.x(*lhs), c.x(*rhs, scale=0.021, zero=None)], dtype=dtype, **options)


def alike(op, lhs=(2, 3, 4), rhs=(2, 3, 4), **options):
    """Of one scale."""
    return lambda c: c.y(op, [c.x(*lhs), c.x(*rhs)], scale=0.037, **options)


def unary(op, shape=(2, 3, 40), scale=None, out=None, zero=None, **options):
    return lambda c: c.y(op, [c.x(*shape, scale=scale)], scale=out, zero=zero, **options)


def bounded(op, bits, zero, **options):
    """Whose result has a scale that kernels prescribe."""

    def case(c):
        zeros = {"int8": zero, "uint8": zero + 128, "int16": 0}
        scale = 2**-15 if c.dtype == "int16" else 2.0**-bits
        x = c.x(4, 20, scale=2**-12 if c.dtype == "int16" else 0.05)
        c.y(op, [x], scale=scale, zero=zeros.get(c.dtype), **options)

    return case


def moved(op, inputs, shape=(2, 3, 4, 6), **options):
    """An operator that moves elements: the result has the scale of the data."""
    return lambda c: c.y(op, [c.x(*shape)] + [c.c(value) for value in inputs], scale=0.037, **options)


def reduction(op, axes, keep=False, shape=(2, 3, 4, 6), scale=0.037, dtype=None):
    return lambda c: c.y(op, [c.x(*shape, dtype=dtype), c.c(ints(*axes))], keepDims=keep, scale=scale, dtype=dtype)


def concatenation(c):
    # Kernels requantise bytes without a sign alone.
    other = 0.02 if c.dtype == "uint8" else None
    c.y("CONCATENATION", [c.x(2, 3), c.x(2, 5, scale=other), c.x(2, 1)], axis=-1, scale=0.037)


def prelu(c):
    slope = c.c(floats(4)) if c.dtype == "float32" else c.c(
        RANDOM.integers(0, 100, 4).astype(c.dtype), scale=0.006, zero=20)
    c.y("PRELU", [c.x(2, 3, 5, 4), slope])


def split(c):
    c.y("SPLIT", [c.c(ints(2)), c.x(2, 3, 6)], numSplits=3, scale=0.037, more=[c.dtype] * 2)


def split_v(c):
    c.y("SPLIT_V", [c.x(2, 3, 6), c.c(ints(1, -1, 3)), c.c(ints(-1))], numSplits=3, scale=0.037, more=[c.dtype] * 2)


def unpack(c):
    c.y("UNPACK", [c.x(2, 3, 6)], num=3, axis=1, scale=0.037, more=[c.dtype] * 2)


def pack(axis):
    return lambda c: c.y("PACK", [c.x(2, 3), c.x(2, 3)], valuesCount=2, axis=axis, scale=0.037)


def strided(begin, end, strides, shape=(4, 5, 6), **masks):
    return lambda c: c.y("STRIDED_SLICE", [c.x(*shape)] + [c.c(ints(*it)) for it in (begin, end, strides)], scale=0.037, **masks)
