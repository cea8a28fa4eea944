"""Writes models of single operators of TensorFlow Lite, many in a file: FOLDER/float.tflite, int8.tflite, uint8.tflite, int16.tflite ...

Each case has inputs and outputs of its own, whose names begin with the case's.
"""

import pathlib
import sys

import numpy as np
from flatbuffers import flexbuffers
from tflite_models import Model

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


# Cases for all types of numbers.
COMMON = {
    "conv_same": conv(SAME),
    "conv_valid": conv(VALID, activation=RELU),
    "conv_strided": conv(SAME, stride=2, activation=RELU6),
    "conv_dilated": conv(SAME, dilation=2),
    "conv_1x1": conv(VALID, kernel=(8, 1, 1, 5)),
    "conv_wide": conv(SAME, data=(1, 12, 12, 16), kernel=(32, 3, 3, 16), activation=RELU6),
    "depthwise_same": depthwise(SAME),
    "depthwise_strided": depthwise(SAME, stride=2, activation=RELU6),
    "depthwise_dilated": depthwise(VALID, dilation=2),
    "depthwise_times": depthwise(SAME, times=2),
    "depthwise_of_one": depthwise(SAME, times=8, channels=1),
    "transpose_conv_same": transpose_conv(SAME, 2, (10, 8)),
    "transpose_conv_valid": transpose_conv(VALID, 2, (11, 9)),
    "transpose_conv_one": transpose_conv(SAME, 1, (5, 4), bias=False),
    "dense": dense((3, 10)),
    "dense_relu": dense((3, 10), activation=RELU),
    "dense_kept": dense((2, 3, 10), keep=True, bias=False),
    "dense_flat": dense((2, 3, 10)),
    "max_pool_same": pool("MAX_POOL_2D", SAME),
    "max_pool_valid": pool("MAX_POOL_2D", VALID, activation=RELU),
    "average_pool_same": pool("AVERAGE_POOL_2D", SAME),
    "average_pool_valid": pool("AVERAGE_POOL_2D", VALID, stride=1),
    "average_pool_all": pool("AVERAGE_POOL_2D", VALID, size=(9, 8)),
    "add": binary("ADD"),
    "add_broadcast": binary("ADD", (2, 3, 4), (4,), fusedActivationFunction=RELU),
    "sub": binary("SUB"),
    "mul": binary("MUL", scale=0.02),
    "mul_broadcast": binary("MUL", (2, 1, 4), (3, 1), fusedActivationFunction=RELU6),
    "maximum": alike("MAXIMUM"),
    "minimum": alike("MINIMUM"),
    "relu": unary("RELU", out=0.037),
    "relu_scaled": unary("RELU", out=0.021),
    "relu6": unary("RELU6", out=0.037),
    "logistic": bounded("LOGISTIC", 8, -128),
    "tanh": bounded("TANH", 7, 0),
    "leaky_relu": unary("LEAKY_RELU", alpha=0.2),
    "prelu": prelu,
    "softmax": bounded("SOFTMAX", 8, -128, beta=1.0),
    "reshape": moved("RESHAPE", [ints(6, -1)]),
    "squeeze": moved("SQUEEZE", [], (2, 1, 3, 1), squeezeDims=np.array([1], np.int32)),
    "expand_dims": moved("EXPAND_DIMS", [ints(-2)]),
    "transpose": moved("TRANSPOSE", [ints(3, 0, 2, 1)]),
    "pad": moved("PAD", [ints([1, 0], [0, 2], [0, 0], [1, 1])]),
    "mirror_pad": moved("MIRROR_PAD", [ints([0, 0], [1, 2], [2, 1], [0, 0])], mode=0),
    "concatenation": concatenation,
    "split": split,
    "split_v": split_v,
    "unpack": unpack,
    "pack": pack(0),
    "pack_last": pack(-1),
    "slice": moved("SLICE", [ints(0, 1, 0, 2), ints(-1, 2, -1, 3)]),
    "strided_slice": strided((1, 0, -1), (3, 5, -7), (1, 2, -2)),
    "strided_slice_masks": strided((0, 1, 2), (0, 4, 3), (1, 1, 1), beginMask=1, endMask=3, shrinkAxisMask=4),
    "gather": lambda c: c.y("GATHER", [c.x(5, 3), c.c(ints(4, 0, 0))], scale=0.037),
    "gather_batches": lambda c: c.y("GATHER", [c.x(2, 4, 5, 3), c.c(ints([4, 0], [1, 2]))], axis=2, batchDims=1, scale=0.037),
    "gather_nd": lambda c: c.y("GATHER_ND", [c.x(4, 5, 3), c.c(ints([3, 0], [1, 2]))], scale=0.037),
    "space_to_depth": moved("SPACE_TO_DEPTH", [], (1, 4, 6, 3), blockSize=2),
    "depth_to_space": moved("DEPTH_TO_SPACE", [], (1, 2, 3, 12), blockSize=2),
    "space_to_batch": moved("SPACE_TO_BATCH_ND", [ints(2, 2), ints([0, 1], [1, 0])], (1, 3, 5, 2)),
    "batch_to_space": moved("BATCH_TO_SPACE_ND", [ints(2, 2), ints([0, 1], [0, 0])], (4, 2, 3, 2)),
    "resize_nearest": moved("RESIZE_NEAREST_NEIGHBOR", [ints(7, 5)], (1, 4, 3, 2)),
    "resize_nearest_centers": moved("RESIZE_NEAREST_NEIGHBOR", [ints(7, 5)], (1, 4, 3, 2), halfPixelCenters=True),
    "mean": reduction("MEAN", [1, 2]),
    "mean_kept": reduction("MEAN", [1, 2], keep=True, scale=0.02),
    "mean_last": reduction("MEAN", [-1]),
    "sum": reduction("SUM", [1, 3], scale=0.2),
    "reduce_max": reduction("REDUCE_MAX", [1]),
    "reduce_min": reduction("REDUCE_MIN", [0, 2], keep=True),
    "arg_max": lambda c: c.y("ARG_MAX", [c.x(3, 7), c.c(ints(-1))], dtype="int32", outputType=2),
    "top_k": lambda c: c.y("TOPK_V2", [c.x(3, 9), c.c(np.int32(4))], scale=0.037, more=["int32"]),
    "tile": moved("TILE", [ints(1, 2, 1, 3)]),
    "reverse": moved("REVERSE_V2", [ints(1, 2)]),
    "broadcast_to": moved("BROADCAST_TO", [ints(2, 3, 4)], (3, 1)),
    "select": lambda c: c.y("SELECT_V2", [c.raw("bool", 2, 1, 4), c.x(3, 4), c.x(2, 3, 1)], scale=0.037),
    "less": lambda c: c.y("LESS", [c.x(2, 3, 4), c.x(4)], dtype="bool"),
    "equal": lambda c: c.y("EQUAL", [c.x(2, 3, 4), c.x(4)], dtype="bool"),
}
# Those that a kernel has for bytes alone, or not for all types.
BYTES = {
    "resize_bilinear": moved("RESIZE_BILINEAR", [ints(7, 5)], (1, 4, 3, 2)),
    "resize_bilinear_corners": moved("RESIZE_BILINEAR", [ints(7, 5)], (1, 4, 3, 2), alignCorners=True),
    "resize_bilinear_centers": moved("RESIZE_BILINEAR", [ints(7, 5)], (1, 4, 3, 2), halfPixelCenters=True),
    "requantize": lambda c: c.y("QUANTIZE", [c.x(3, 50)], scale=0.029),
    "dequantize": lambda c: c.y("DEQUANTIZE", [c.x(3, 50)], dtype="float32"),
    "quantize": lambda c: c.y("QUANTIZE", [c.raw("float32", 3, 50)], scale=0.0071),
    "abs": unary("ABS", out=0.037),
    "hard_swish": unary("HARD_SWISH", out=0.037),
}
SIGNED = {
    "batch_matmul": lambda c: c.y("BATCH_MATMUL", [c.x(2, 3, 4), c.x(2, 4, 5, scale=0.02)], scale=0.05),
    "batch_matmul_turned": lambda c: c.y("BATCH_MATMUL", [c.x(2, 3, 4), c.x(1, 5, 4, scale=0.02)], scale=0.05, adjY=True),
    "conv_of_one_scale": conv(SAME, per_channel=False),
    "dense_each": dense((3, 10), per_channel=True),
    "exp": unary("EXP", scale=0.01),
    "rsqrt": lambda c: c.y("RSQRT", [c.x(3, 50, zero=-128)], scale=0.2, zero=-128),
    "log": lambda c: c.y("LOG", [c.x(3, 50, zero=-128)], scale=0.05, zero=-20),
    "elu": unary("ELU"),
    "gelu": unary("GELU", approximate=False),
    "gelu_by_tanh": unary("GELU", approximate=True),
}


def integers(op, *shapes, dtype="int32", out=None, **options):
    return lambda c: c.y(op, [c.raw(dtype, *shape) for shape in shapes], dtype=out or dtype, **options)


# Those of floats, and of numbers without scales.
FLOATS = {
    "conv_3d": lambda c: c.y("CONV_3D", [c.x(1, 4, 5, 6, 3), c.c(floats(2, 3, 2, 3, 4)), c.c(floats(4))], padding=SAME, strideD=1,
                             strideH=2, strideW=1),
    "div": lambda c: c.y("DIV", [c.x(2, 3, 4), c.c(floats(4, low=1, high=2))], fusedActivationFunction=RELU1),
    "squared_difference": binary("SQUARED_DIFFERENCE"),
    "pow": lambda c: c.y("POW", [c.c(floats(3, 4, low=0.5, high=2)), c.x(3, 4)]),
    "floor_div": lambda c: c.y("FLOOR_DIV", [c.x(3, 4), c.c(floats(3, 4, low=0.1, high=0.2))]),
    "floor_mod": lambda c: c.y("FLOOR_MOD", [c.x(3, 4), c.c(floats(3, 4, low=0.1, high=0.2))]),
    "atan2": binary("ATAN2"),
    "add_n": lambda c: c.y("ADD_N", [c.x(3, 4) for _ in range(3)]),
    **{name: unary(name.upper()) for name in ["abs", "ceil", "cos", "exp", "floor", "neg", "round", "sign", "sin", "square", "elu",
                                              "hard_swish", "relu_n1_to_1", "relu_0_to_1", "log_softmax", "zeros_like"]},
    **{name: unary(name.upper()) for name in ["rsqrt", "sqrt", "log"]},
    "gelu": unary("GELU", approximate=False),
    "gelu_by_tanh": unary("GELU", approximate=True),
    "batch_matmul": lambda c: c.y("BATCH_MATMUL", [c.x(2, 3, 4), c.x(2, 4, 5)]),
    "batch_matmul_broadcast": lambda c: c.y("BATCH_MATMUL", [c.x(3, 2, 4, 3), c.x(2, 5, 4)], adjX=True, adjY=True),
    "l2_normalization": unary("L2_NORMALIZATION", (3, 8)),
    "l2_pool": pool("L2_POOL_2D", SAME),
    "lrn": unary("LOCAL_RESPONSE_NORMALIZATION", (1, 2, 3, 9), radius=2, bias=1.5, alpha=0.3, beta=0.6),
    "softmax_of_beta": unary("SOFTMAX", (2, 3, 7), beta=0.5),
    "reduce_prod": reduction("REDUCE_PROD", [1]),
    "cumsum": lambda c: c.y("CUMSUM", [c.x(3, 6), c.c(np.int32(1))], exclusive=True, reverse=True),
    "cumsum_plain": lambda c: c.y("CUMSUM", [c.x(3, 6), c.c(np.int32(0))]),
    "one_hot": lambda c: c.y("ONE_HOT", [c.raw("int32", 2, 3), c.c(np.int32(5)), c.c(np.float32(2)), c.c(np.float32(-1))], axis=-1),
    "one_hot_first": lambda c: c.y("ONE_HOT", [c.raw("int32", 2, 3), c.c(np.int32(5)), c.c(np.float32(2)), c.c(np.float32(-1))], axis=0),
    "fill": lambda c: c.y("FILL", [c.c(ints(2, 3)), c.c(np.float32(1.5))]),
    "range": lambda c: c.y("RANGE", [c.c(np.float32(1)), c.c(np.float32(3)), c.c(np.float32(0.25))]),
    "shape": lambda c: c.y("SHAPE", [c.x(2, 3)], dtype="int32", outType=2),
    "rank": lambda c: c.y("RANK", [c.x(2, 3)], dtype="int32"),
    "padv2": lambda c: c.y("PADV2", [c.x(2, 3), c.c(ints([1, 0], [0, 2])), c.c(np.float32(0.5))]),
    "mirror_pad_symmetric": moved("MIRROR_PAD", [ints([0, 0], [1, 3])], (2, 3), mode=1),
    "scatter_nd": lambda c: c.y("SCATTER_ND", [c.c(ints([1], [3], [1])), c.x(3, 2), c.c(ints(5, 2))]),
    "sparse_to_dense": lambda c: c.y("SPARSE_TO_DENSE", [c.c(ints([0, 1], [2, 0])), c.c(ints(3, 4)), c.x(2), c.c(np.float32(-1))]),
    "embedding_lookup": lambda c: c.y("EMBEDDING_LOOKUP", [c.c(ints(2, 0, 2)), c.x(4, 3)]),
    "where": lambda c: c.y("WHERE", [c.raw("bool", 3, 4)], dtype="int64"),
    "dynamic_update_slice": lambda c: c.y("DYNAMIC_UPDATE_SLICE", [c.x(4, 5), c.x(2, 3), c.c(ints(1, 4))]),
    "dynamic_update_rows": lambda c: c.y("DYNAMIC_UPDATE_SLICE", [c.x(4, 5), c.x(2, 5), c.raw("int32", 2)]),
    "reverse_sequence": lambda c: c.y("REVERSE_SEQUENCE", [c.x(3, 5, 2), c.c(ints(2, 5, 0))], seqDim=1, batchDim=0),
    "matrix_diag": unary("MATRIX_DIAG", (2, 3)),
    "matrix_set_diag": lambda c: c.y("MATRIX_SET_DIAG", [c.x(2, 3, 4), c.x(2, 3)]),
    "segment_sum": lambda c: c.y("SEGMENT_SUM", [c.x(4, 3), c.c(ints(0, 0, 1, 2))]),
    "bucketize": lambda c: c.y("BUCKETIZE", [c.x(3, 4)], dtype="int32", boundaries=np.array([-0.5, 0, 0.5], np.float32)),
    "fake_quant": unary("FAKE_QUANT", min=-0.7, max=0.9, numBits=8),
    "cast": lambda c: c.y("CAST", [c.x(3, 4)], dtype="int32"),
    "cast_to_bool": lambda c: c.y("CAST", [c.raw("int32", 3, 4)], dtype="bool"),
    "resize_bilinear": moved("RESIZE_BILINEAR", [ints(7, 5)], (1, 4, 3, 2)),
    "resize_bilinear_corners": moved("RESIZE_BILINEAR", [ints(7, 5)], (1, 4, 3, 2), alignCorners=True),
    "resize_bilinear_centers": moved("RESIZE_BILINEAR", [ints(7, 5)], (1, 4, 3, 2), halfPixelCenters=True),
    "resize_nearest_corners": moved("RESIZE_NEAREST_NEIGHBOR", [ints(7, 5)], (1, 4, 3, 2), alignCorners=True),
    "int_add": integers("ADD", (2, 3), (3,)),
    "int_mul": integers("MUL", (2, 3), (3,), dtype="int64"),
    "int_floor_mod": lambda c: c.y("FLOOR_MOD", [c.raw("int32", 3, 4), c.c(ints(-3, 2, 5, -7))], dtype="int32"),
    "int_floor_div": lambda c: c.y("FLOOR_DIV", [c.raw("int32", 3, 4), c.c(ints(-3, 2, 5, -7))], dtype="int32"),
    "int_div": lambda c: c.y("DIV", [c.raw("int32", 3, 4), c.c(ints(-3, 2, 5, -7))], dtype="int32"),
    "int_sum": reduction("SUM", [0], dtype="int32", shape=(3, 4)),
    "int_mean": reduction("MEAN", [0], dtype="int32", shape=(3, 4)),
    "int_less": integers("LESS_EQUAL", (2, 3), (3,), out="bool"),
    "logical_and": integers("LOGICAL_AND", (2, 3), (3,), dtype="bool"),
    "logical_or": integers("LOGICAL_OR", (2, 3), (3,), dtype="bool"),
    "logical_not": integers("LOGICAL_NOT", (2, 3), dtype="bool"),
    "reduce_any": reduction("REDUCE_ANY", [0], dtype="bool", shape=(3, 4)),
    "reduce_all": reduction("REDUCE_ALL", [1], dtype="bool", shape=(3, 4)),
    "bitwise_xor": integers("BITWISE_XOR", (2, 3), (2, 3)),
    "right_shift": integers("RIGHT_SHIFT", (2, 3), (2, 3)),
    "unique": lambda c: c.y("UNIQUE", [c.raw("int32", 9)], dtype="int32", more=["int32"], idxOutType=2),
    "strided_slice_ellipsis": strided((1, 0, 0), (3, 0, 2), (1, 1, 1), shape=(4, 5, 6, 7), ellipsisMask=2),
    "strided_slice_new": strided((1, 0, 0), (3, 0, 2), (1, 1, 1), shape=(4, 5, 6), newAxisMask=2),
}
def variable(c, *shape):
    return c.graph.tensor(shape, "float32", c.named("state"), variable=True)


def rnn(c):
    inputs = [c.x(2, 5), c.c(floats(7, 5)), c.c(floats(7, 7, low=-0.3, high=0.3)), c.c(floats(7)), variable(c, 2, 7)]
    c.y("RNN", inputs, (2, 7), fusedActivationFunction=TANH)


def sequence_rnn(is_first):
    def case(c):
        x = c.x(*((4, 2, 5) if is_first else (2, 4, 5)))
        inputs = [x, c.c(floats(7, 5)), c.c(floats(7, 7, low=-0.3, high=0.3)), c.c(floats(7)), variable(c, 2, 7)]
        c.y("UNIDIRECTIONAL_SEQUENCE_RNN", inputs, timeMajor=is_first, fusedActivationFunction=RELU)

    return case


def weights(c, units, inputs, results, coupled=False, peepholes=False, projection=None, norms=False):
    """The inputs of a cell from the weights on; -1 for those that are left out."""
    gates = [not coupled, True, True, True]
    made = [c.c(floats(units, inputs)) if there else -1 for there in gates]
    made += [c.c(floats(units, results, low=-0.4, high=0.4)) if there else -1 for there in gates]
    made += [c.c(floats(units)) if peepholes and there else -1 for there in (not coupled, True, True)]
    made += [c.c(floats(units)) if there else -1 for there in gates]
    made += [c.c(floats(projection, units)), c.c(floats(projection))] if projection else [-1, -1]
    return made, [c.c(floats(units, low=0.5, high=1.5)) if there else -1 for there in gates] if norms else []


def lstm(is_first=True, clip=0.0, **what):
    def case(c):
        results = what.get("projection") or 6
        x = c.x(*((4, 2, 5) if is_first else (2, 4, 5)))
        made, norms = weights(c, 6, 5, results, **what)
        inputs = [x] + made + [variable(c, 2, results), variable(c, 2, 6)] + norms
        c.y("UNIDIRECTIONAL_SEQUENCE_LSTM", inputs, timeMajor=is_first, fusedActivationFunction=TANH, cellClip=clip)

    return case


def one_lstm(c):
    made, _ = weights(c, 6, 5, 6)
    inputs = [c.x(2, 5)] + made + [variable(c, 2, 6), variable(c, 2, 6)]
    c.y("LSTM", inputs, fusedActivationFunction=TANH)


def both_lstms(c):
    first, second = weights(c, 6, 5, 6)[0], weights(c, 6, 5, 6)[0]
    kept = [variable(c, 2, 6) for _ in range(4)]
    inputs = [c.x(4, 2, 5)] + first + second + kept + [-1] * 9
    c.y("BIDIRECTIONAL_SEQUENCE_LSTM", inputs, timeMajor=True, mergeOutputs=True, fusedActivationFunction=TANH)


def svdf(c):
    inputs = [c.x(2, 5), c.c(floats(8, 5)), c.c(floats(8, 3)), c.c(floats(4)), variable(c, 2, 24)]
    c.y("SVDF", inputs, rank=2, fusedActivationFunction=RELU)


def resource(c):
    """A variable to which each run adds."""
    handle = c.graph.tensor((), "resource", c.named("handle"))
    c.graph.op("VAR_HANDLE", [], [handle], sharedName="sum", container="")
    before, after = (c.graph.tensor((2, 3), "float32", c.named("value")) for _ in range(2))
    c.graph.op("READ_VARIABLE", [handle], [before])
    c.graph.op("ADD", [before, c.x(2, 3)], [after])
    c.graph.op("ASSIGN_VARIABLE", [handle, after], [])
    c.graph.output(after)


# What keeps something from run to run.
STATES = {
    "rnn": rnn,
    "sequence_rnn": sequence_rnn(True),
    "sequence_rnn_batches": sequence_rnn(False),
    "lstm": one_lstm,
    "sequence_lstm": lstm(),
    "sequence_lstm_batches": lstm(is_first=False, clip=0.4),
    "sequence_lstm_coupled": lstm(coupled=True, peepholes=True),
    "sequence_lstm_projected": lstm(projection=4, peepholes=True),
    "sequence_lstm_normalised": lstm(norms=True),
    "both_lstms": both_lstms,
    "svdf": svdf,
}


def flags(**values):
    builder = flexbuffers.Builder()
    with builder.Map():
        for key, value in values.items():
            builder.Key(key)
            builder.Add(value)
    return bytes(builder.Finish())


def detections(regular):
    """The boxes of a detector, with scores that decrease so that no two are equal."""

    def case(c):
        codes = c.c(floats(1, 20, 4))
        scores = c.c(RANDOM.permutation(80).reshape(1, 20, 4).astype(np.float32) / 80)
        anchors = c.c(np.concatenate([floats(20, 2, low=0, high=1), floats(20, 2, low=0.3, high=0.6)], 1))
        options = flags(max_detections=6, max_classes_per_detection=1, detections_per_class=5, use_regular_nms=regular,
                        nms_score_threshold=0.3, nms_iou_threshold=0.4, num_classes=3, y_scale=10.0, x_scale=10.0, h_scale=5.0,
                        w_scale=5.0)
        # The interpreter gets the tensors from a sum, so that nothing is computed while it is prepared.
        moved = c.graph.tensor((1, 20, 4), "float32", c.named("y"))
        c.graph.op("ADD", [codes, c.x(1, 20, 4)], [moved])
        outputs = [c.graph.tensor((), "float32", c.named("y")) for _ in range(4)]
        c.graph.op("TFLite_Detection_PostProcess", [moved, scores, anchors], outputs, custom=options)
        c.graph.output(*outputs)

    return case


def suppression(c):
    boxes = np.concatenate([floats(12, 2, low=0, high=1), floats(12, 2, low=1, high=2)], 1)
    inputs = [c.c(boxes), c.c(RANDOM.permutation(12).astype(np.float32) / 12), c.c(np.int32(5)), c.c(np.float32(0.6)), c.c(np.float32(0.1))]
    c.y("NON_MAX_SUPPRESSION_V4", inputs, dtype="int32", more=["int32"])


def spectrum(height):
    def case(c):
        made = c.graph.tensor((), "complex64", c.named("z"))
        c.graph.op("RFFT2D", [c.x(3, height, 12), c.c(ints(height, 16))], [made])
        c.y("COMPLEX_ABS", [made])
        c.y("IMAG", [made])
        c.y("REAL", [made])

    return case


FLOATS |= {
    "detections": detections(False),
    "regular_detections": detections(True),
    "non_max_suppression": suppression,
    "rfft": spectrum(1),
    "rfft_of_images": spectrum(4),
}


# What LiteRT's reference kernels do not have, or compute otherwise than TensorFlow: it is compared with the default ones. The reference of
# LOCAL_RESPONSE_NORMALIZATION leaves out the last neighbour, and that of SUM reads bytes with a sign as bytes without one.
DEFAULT = {"ceil", "elu", "lrn", "round", "segment_sum", "sum"}
# What no kernel has for a type.
ABSENT = {"uint8": {"abs"}, "int16": {"arg_max", "depth_to_space", "space_to_depth", "prelu"}}
# What kernels of 16 bits interpolate in tables: a few steps of 2^-15 away from the function.
TABLES = {"logistic", "tanh", "softmax"}
KINDS = {
    "float": ("float32", {**COMMON, **FLOATS}),
    "int8": ("int8", {**COMMON, **BYTES, **SIGNED}),
    "uint8": ("uint8", {**COMMON, **BYTES}),
    "int16": ("int16", {name: case for name, case in COMMON.items() if name not in TABLES}),
    "int16_tables": ("int16", {name: COMMON[name] for name in sorted(TABLES)}),
}
FILES = {}
for kind, (kind_dtype, kind_cases) in KINDS.items():
    there = {name: case for name, case in kind_cases.items() if name not in ABSENT.get(kind_dtype, ())}
    FILES[kind] = (kind_dtype, {name: case for name, case in there.items() if name not in DEFAULT})
    if any(name in DEFAULT for name in there):
        FILES[f"{kind}_default"] = (kind_dtype, {name: case for name, case in there.items() if name in DEFAULT})


def write(path, dtype, cases):
    model = Model()
    graph = model.graph()
    for name, case in cases.items():
        case(Case(graph, name, dtype))
    path.write_bytes(model.bytes())


def binary_graph(model, op, right):
    """A graph of one operator of a tensor and a number."""
    graph = model.graph(op)
    x = graph.input((2, 3), "float32", "x")
    y = graph.tensor((2, 3), "float32", "y")
    graph.op(op, [x, graph.constant(np.float32(right), "c")], [y])
    graph.output(y)


def control(path):
    """A branch, and a loop that doubles a tensor while a counter is below a number that is an input."""
    model = Model()
    main = model.graph()
    binary_graph(model, "ADD", 1)
    binary_graph(model, "MUL", 3)
    condition, body = model.graph("condition"), model.graph("body")
    for graph in (condition, body):
        graph.count = graph.input((), "int32", "i")
        graph.limit = graph.input((), "int32", "n")
        graph.x = graph.input((2, 3), "float32", "x")
    less = condition.tensor((), "bool", "less")
    condition.op("LESS", [condition.count, condition.limit], [less])
    condition.output(less)
    more, twice = body.tensor((), "int32", "more"), body.tensor((2, 3), "float32", "twice")
    body.op("ADD", [body.count, body.constant(np.int32(1), "one")], [more])
    body.op("MUL", [body.x, body.constant(np.float32(2), "two")], [twice])
    body.output(more, body.limit, twice)
    holds, x = main.input((), "bool", "holds"), main.input((2, 3), "float32", "x")
    limit, zero = main.input((), "int32", "limit"), main.constant(np.int32(0), "zero")
    chosen = main.tensor((2, 3), "float32", "chosen")
    main.op("IF", [holds, x], [chosen], thenSubgraphIndex=1, elseSubgraphIndex=2)
    made = [main.tensor((), "int32", "steps"), main.tensor((), "int32", "same"), main.tensor((2, 3), "float32", "doubled")]
    main.op("WHILE", [zero, limit, x], made, condSubgraphIndex=3, bodySubgraphIndex=4)
    main.output(chosen, made[0], made[2])
    path.write_bytes(model.bytes())


def open_shapes(path):
    """A network for any number of images of any size."""
    model = Model()
    graph = model.graph()
    x = graph.input((1, 1, 1, 3), "float32", "x", open_shape=(-1, -1, -1, 3))
    first = graph.tensor((1, 1, 1, 4), "float32", "first")
    graph.op("CONV_2D", [x, graph.constant(floats(4, 3, 3, 3), "w"), graph.constant(floats(4), "b")], [first], padding=SAME,
             strideH=2, strideW=2, fusedActivationFunction=RELU6)
    mean = graph.tensor((1, 4), "float32", "mean")
    graph.op("MEAN", [first, graph.constant(ints(1, 2), "axes")], [mean])
    dense = graph.tensor((1, 5), "float32", "dense")
    graph.op("FULLY_CONNECTED", [mean, graph.constant(floats(5, 4), "v"), -1], [dense])
    graph.output(first, dense)
    path.write_bytes(model.bytes())


def main():
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for name, (dtype, cases) in FILES.items():
        write(folder / f"{name}.tflite", dtype, cases)
    write(folder / "states.tflite", "float32", STATES)
    control(folder / "control.tflite")
    open_shapes(folder / "open.tflite")


if __name__ == "__main__":
    main()
