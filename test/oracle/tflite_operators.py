"""Writes models of single operators of TensorFlow Lite, many in a file: FOLDER/float.tflite, int8.tflite, uint8.tflite, int16.tflite ...

Each case has inputs and outputs of its own, whose names begin with the case's.
"""

import pathlib
import sys

import numpy as np
from tflite_cases import (
    RELU,
    RELU1,
    RELU6,
    SAME,
    TANH,
    VALID,
    alike,
    binary,
    bounded,
    Case,
    concatenation,
    conv,
    dense,
    depthwise,
    floats,
    ints,
    moved,
    pack,
    pool,
    prelu,
    reduction,
    split,
    split_v,
    strided,
    transpose_conv,
    unary,
    unpack,
)
from tflite_models import Model
from tflite_states import STATES, control, detections, open_shapes, spectrum, suppression

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


def root(op, scale):
    """Of all bytes that are not below zero."""
    return lambda c: c.y(op, [c.x(40, 50, zero=-128)], scale=scale, zero=-128)


SIGNED = {
    "batch_matmul": lambda c: c.y("BATCH_MATMUL", [c.x(2, 3, 4), c.x(2, 4, 5, scale=0.02)], scale=0.05),
    "batch_matmul_turned": lambda c: c.y("BATCH_MATMUL", [c.x(2, 3, 4), c.x(1, 5, 4, scale=0.02)], scale=0.05, adjY=True),
    "conv_of_one_scale": conv(SAME, per_channel=False),
    "dense_each": dense((3, 10), per_channel=True),
    "exp": unary("EXP", scale=0.01),
    **{f"rsqrt_{scale}": root("RSQRT", scale) for scale in (0.2, 0.0173, 0.004)},
    "sqrt": root("SQRT", 0.0061),
    "log_below": lambda c: c.y("LOG", [c.x(3, 50)], scale=0.05, zero=20),
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
