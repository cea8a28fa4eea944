"""The cases of zero_sizes.py: operators with their operands, some of whose extents are letters."""

import numpy as np
import onnx

SIZES = {"N": 2, "C": 4, "H": 5, "W": 3, "M": 6, "K": 7, "B": 3, "R": 33}

# Several operators that become one kernel.
ATTENTION = "operators of an attention"

REDUCTIONS = "L1 L2 LogSum LogSumExp Max Mean Min Prod SumSquare".split()


class Const:
    """An operand that the model holds: numbers of a shape, or what a function of the sizes says."""

    def __init__(self, value):
        self.value = value


class Typed:
    """An operand of another type than f32."""

    def __init__(self, shape, dtype):
        self.shape, self.dtype = shape, dtype


def ints(*values):
    """A list of sizes, axes or pads."""
    return np.array(values, np.int64)


def floats(*values):
    """A list of scales."""
    return np.array(values, np.float32)


def text(array):
    """An operand that is a constant whatever the sizes are."""
    return Const(lambda _: array)


def cases():
    """Yields operators with their operands, attributes, and operator set."""
    unary = "Abs Ceil Cos Elu Erf Exp Floor HardSigmoid HardSwish Identity LeakyRelu Log Neg Reciprocal Relu Round Selu"
    unary += " Sigmoid Sign Sin Softplus Softsign Sqrt Tanh ThresholdedRelu IsNaN Dropout Shape Size Celu IsInf Shrink"
    unary += " Acos Acosh Asin Asinh Atan Atanh Cosh Sinh Tan"
    for operator in unary.split():
        yield operator, ["N C"], {}
    yield "Gelu", ["N C"], {}, 20
    yield "Mish", ["N C"], {}, 18
    yield "Swish", ["N C"], {}, 24
    yield "SwiGLU", ["N C", "N C"], {}, 28
    yield "Not", [Typed("N C", bool)], {}
    for operator in "Add Sub Mul Div Pow Equal Greater GreaterOrEqual Less LessOrEqual Max Min Mean Sum".split():
        yield operator, ["N C", "N C"], {}
        yield operator, ["N C", Const("C")], {}
        yield operator, ["N 1 C", "H 1"], {}
    for operator in "And Or Xor".split():
        yield operator, [Typed("N C", bool), Typed("1 C", bool)], {}
    for operator in "BitwiseAnd BitwiseOr BitwiseXor".split():
        yield operator, [Typed("N C", np.int32), Typed("1 C", np.int32)], {}, 18
    yield "BitwiseNot", [Typed("N C", np.int32)], {}, 18
    yield "BitShift", [Typed("N C", np.uint32), Typed("N C", np.uint32)], {"direction": "LEFT"}
    yield "Mod", [Typed("N C", np.int32), Typed("N C", np.int32)], {}
    yield "Mod", ["N C", "C"], {"fmod": 1}
    yield "Where", [Typed("N 1", bool), "N C", "C"], {}
    yield "PRelu", ["N C", "C"], {}
    yield "Clip", ["N C", text(np.float32(0)), text(np.float32(3))], {}
    yield "Cast", ["N C"], {"to": onnx.TensorProto.INT32}
    yield "CastLike", ["N C", Typed("1", np.int32)], {}
    yield "Cast", [Typed("N C", np.int64)], {"to": onnx.TensorProto.FLOAT}

    for operator in ("Affine", "ParametricSoftplus", "ScaledTanh"):
        yield operator, ["N C"], {"alpha": 2.0, "beta": 0.5}, 7
    yield "Scale", ["N C"], {"scale": 2.0}, 7
    yield "ImageScaler", ["N 3 H W"], {"bias": [1.0, 2.0, 3.0]}, 7
    yield "Crop", ["N C H W"], {"border": [0, 0, 0, 0]}, 7
    grams = {"min_gram_length": 1, "max_gram_length": 1, "max_skip_count": 0, "mode": "TF"}
    grams |= {"ngram_counts": [0], "ngram_indexes": [0, 1], "pool_int64s": [2, 3]}
    yield "TfIdfVectorizer", [Typed("N C", np.int32)], grams

    for operator in (f"Reduce{name}" for name in REDUCTIONS):
        for keep in (0, 1):
            yield operator, ["N C H"], {"axes": [1], "keepdims": keep}
        yield operator, ["N C H"], {"axes": [0, 2]}
        yield operator, ["N C H"], {}
        yield operator, ["N C H", text(ints(-1))], {}, 18
        yield operator, ["N C H", text(ints())], {"noop_with_empty_axes": 1}, 18
    for axes in (ints(1), ints(0, 2), ints()):
        yield "ReduceSum", ["N C H", text(axes)], {}
        yield "ReduceSum", ["N C H", text(axes)], {"keepdims": 0, "noop_with_empty_axes": 1}
    yield "ReduceSum", [Typed("N R", np.int64), text(ints(1))], {}
    for operator in ("ArgMax", "ArgMin"):
        for axis in (0, 1):
            yield operator, ["N C"], {"axis": axis}
    for operator in ("Softmax", "LogSoftmax"):
        for axis in (0, 1, 2):
            yield operator, ["N C H"], {"axis": axis}
        yield operator, ["N C H"], {"axis": 1}, 11
    for axis in (0, 1):
        yield "Hardmax", ["N C H"], {"axis": axis}
        yield "LpNormalization", ["N C"], {"axis": axis}
    yield "Hardmax", ["N C H"], {"axis": 1}, 11
    yield "CumSum", ["N C", text(np.int64(1))], {}
    yield "CumSum", ["R 3 C", text(np.int64(0))], {"exclusive": 1, "reverse": 1}
    yield "CumProd", ["N C", text(np.int64(1))], {}, 26
    yield "TopK", ["N C", text(ints(0))], {"outputs": 2}
    yield "TopK", ["N C", text(ints(2))], {"outputs": 2}

    yield ATTENTION, ["N C M 16", "N C R 16", "N C R 16"], {}
    yield ATTENTION, ["N C M K", "N C R K", "N C R 16"], {}
    yield "Attention", ["N C M 16", "N C R 16", "N C R 16"], {}, 23
    yield "Attention", ["N C M 16", "N 1 R 16", "N 1 R 8", "M R"], {"is_causal": 1}, 23
    yield "RotaryEmbedding", ["N C M 16", "N M 8", "N M 8"], {}, 23
    yield "SimplifiedLayerNormalization", ["N C H", "H"], {}
    heads = {"q_num_heads": 6, "kv_num_heads": 3, "outputs": 2}
    yield "LinearAttention", ["N H 12", "N H 6", "N H W"], heads | {"update_rule": "linear"}, 27
    yield "LinearAttention", ["N H 12", "N H 6", "N H 9", "N 3 2 3", "N H 6", "N H 1"], heads, 27
    yield "CausalConvWithState", ["N C H", Const("C 1 3"), "C"], {"activation": "silu", "outputs": 2}, 27
    yield "CausalConvWithState", ["N C H", "C 1 3", "C", "N C 2"], {"outputs": 2}, 27
    yield "MatMul", ["M K", "K R"], {}
    yield "MatMul", ["M K", Const("K R")], {}
    yield "MatMul", ["B M K", "B K R"], {}
    yield "MatMul", ["B M K", Const("K R")], {}
    yield "MatMul", ["B 1 M K", "N K R"], {}
    yield "MatMul", ["K", "K R"], {}
    yield "MatMul", ["M K", "K"], {}
    yield "MatMul", ["K", "K"], {}
    for bias in ("R", "M 1", "M R"):
        yield "Gemm", ["M K", Const("K R"), bias], {"alpha": 0.5, "beta": 2.0}
    yield "Gemm", ["K M", "R K"], {"transA": 1, "transB": 1}

    for equation in ("bmk,bkr->bmr", "bmk,bkr->b", "bmk,bkr"):
        yield "Einsum", ["B M K", "B K R"], {"equation": equation}
    yield "Einsum", ["M K", "M K"], {"equation": "mk,mk->m"}
    yield "Einsum", ["N N"], {"equation": "ii->i"}
    yield "Einsum", ["N C H"], {"equation": "nch->hn"}
    bytes_of = lambda count: Const(lambda sizes: np.ones((count, sizes["C"], 3, 3), np.uint8))
    scale, zero = text(np.float32(0.5)), text(np.uint8(1))
    yield "MatMulInteger", [Typed("M K", np.uint8), Typed("K R", np.uint8), zero], {}
    yield "QLinearMatMul", [Typed("M K", np.uint8), scale, zero, Typed("K R", np.uint8), scale, zero, scale, zero], {}
    yield "ConvInteger", [Typed("N C H 6", np.uint8), bytes_of(6), zero], {"pads": [1, 1, 1, 1]}
    quantized = [Typed("N C H 6", np.uint8), scale, zero, bytes_of(6), scale, zero, scale, zero]
    yield "QLinearConv", quantized, {"pads": [1, 1, 1, 1]}
    yield "QuantizeLinear", ["N C", scale, zero], {}
    by_channel = [Const(lambda sizes: np.ones(sizes["C"], np.float32)), Const(lambda sizes: np.ones(sizes["C"], np.int8))]
    yield "QuantizeLinear", ["N C H", *by_channel], {}
    yield "DequantizeLinear", [Typed("N C", np.uint8), scale, zero], {}
    yield "DequantizeLinear", [Typed("N C H", np.int8), *by_channel], {}
    yield "DynamicQuantizeLinear", ["N C"], {"outputs": 3}
    for operator, gates, outputs in (("RNN", 1, 2), ("GRU", 3, 2), ("LSTM", 4, 3)):
        weights = [Const(f"1 {gates * 6} C"), Const(f"1 {gates * 6} 6")]
        yield operator, ["W N C", *weights], {"hidden_size": 6, "outputs": outputs}

    for weight in ("M C 3 3", "M C 1 1"):
        yield "Conv", ["N C H 6", Const(weight), Const("M")], {"pads": [1, 1, 1, 1]}
        yield "Conv", ["N C H 6", weight], {"strides": [2, 2], "pads": [1, 1, 1, 1]}
    yield "Conv", ["N 16 H 16", Const("16 16 3 3")], {"pads": [1, 1, 1, 1]}
    yield "Conv", ["N C H 6", Const("C 1 3 3")], {"group": SIZES["C"], "pads": [1, 1, 1, 1]}
    yield "Conv", ["N C H", Const("M C 3")], {"pads": [1, 1]}
    yield "Conv", ["N C H 3 4", Const("M C 2 2 2")], {"pads": [1, 1, 1, 1, 1, 1]}
    yield "ConvTranspose", ["N C H 4", Const("C M 3 3"), Const("M")], {"strides": [2, 2]}
    yield "ConvTranspose", ["N C H 4", "C M 2 2"], {"pads": [1, 1, 1, 1]}
    yield "ConvTranspose", ["N C H 4", Const("C M 1 1")], {"pads": [2, 1, 0, 1]}
    yield "ConvTranspose", ["N C H", Const("C M 2")], {"strides": [3], "pads": [2, 2]}
    for operator in ("MaxPool", "AveragePool"):
        yield operator, ["N C H 6"], {"kernel_shape": [3, 3], "pads": [1, 1, 1, 1]}
        yield operator, ["N C H 6"], {"kernel_shape": [2, 2], "strides": [2, 2]}
        yield operator, ["N C H"], {"kernel_shape": [3], "pads": [1, 1]}
    yield "AveragePool", ["N C H 6"], {"kernel_shape": [3, 3], "pads": [1, 1, 1, 1], "count_include_pad": 1}
    yield "LpPool", ["N C H 6"], {"kernel_shape": [3, 3], "pads": [1, 1, 1, 1]}, 18
    for operator in ("GlobalAveragePool", "GlobalLpPool", "GlobalMaxPool"):
        yield operator, ["N C H W"], {}
    yield "LRN", ["N C H W"], {"size": 3}
    scale = [Const("C"), Const("C")]
    yield "BatchNormalization", ["N C H W", *scale, Const("C"), Const("C")], {}
    yield "BatchNormalization", ["N C H W", "C", "C", "C", "C"], {}
    yield "InstanceNormalization", ["N C H W", *scale], {}
    yield "GroupNormalization", ["N C H W", Const("2"), Const("2")], {"num_groups": 2}, 18
    yield "GroupNormalization", ["N C H", *scale], {"num_groups": 2}, 21
    yield "MeanVarianceNormalization", ["N C H W"], {}
    yield "RMSNormalization", ["N H C", Const("C")], {}, 23
    yield "LayerNormalization", ["N H C", *scale], {}
    yield "LayerNormalization", ["N H C", "C"], {"axis": -1}

    yield "Concat", ["N C", "M C", Const("K C")], {"axis": 0}
    yield "Concat", ["N C", "N K"], {"axis": 1}
    yield "Split", ["M C"], {"axis": 0, "outputs": 2}
    yield "Split", ["M C", Const(lambda s: ints(s["C"], 0))], {"axis": 1, "outputs": 2}
    yield "Split", ["M C", Const(lambda s: ints(0, s["C"]))], {"axis": 1, "outputs": 2}
    for count in (2, 0):
        picks = Const(lambda _, count=count: np.zeros((count, 1), np.int64))
        yield "Gather", ["N C H", picks], {"axis": 0}
        yield "Gather", ["N C H", picks], {"axis": 2}
    yield "Gather", ["N C H", Typed("B", np.int64)], {"axis": 1}
    yield "GatherElements", ["N C", Const(lambda s: np.zeros((s["N"], 2), np.int64))], {"axis": 1}
    yield "GatherElements", ["N C", Const(lambda s: np.zeros((0, s["C"]), np.int64))], {"axis": 0}
    for count in (2, 0):
        lists = Const(lambda _, count=count: np.zeros((count, 2), np.int64))
        yield "GatherND", ["N C H", lists], {}
    yield "GatherND", ["N C H", Const(lambda s: np.zeros((s["N"], 2, 1), np.int64))], {"batch_dims": 1}
    yield "Compress", ["N C", Const(lambda s: np.arange(s["C"]) % 2 == 0)], {"axis": 1}
    yield "Compress", ["N C", text(np.zeros(0, bool))], {"axis": 0}
    yield "NonZero", [Const(lambda s: np.arange(s["N"] * s["C"], dtype=np.float32).reshape(s["N"], s["C"]) % 3)], {}
    yield "NonZero", ["N C"], {}
    yield "NonMaxSuppression", ["M N 4", "M C N", text(ints(3))], {}
    yield "Unique", ["N C"], {}
    yield "Unique", ["N C"], {"axis": 0}
    yield "ReverseSequence", ["M N C", Typed("N", np.int64)], {}
    for reduction in ("none", "sum"):
        for operator in ("NegativeLogLikelihoodLoss", "SoftmaxCrossEntropyLoss"):
            labels = Const(lambda s: np.zeros((s["N"], s["H"]), np.int64))
            yield operator, ["N C H", labels, "C"], {"reduction": reduction, "ignore_index": 7}, 13
    none = Const(lambda s: np.zeros((0, s["C"]), np.int64))
    nothing = Const(lambda s: np.zeros((0, s["C"]), np.float32))
    yield "Scatter", ["N C", none, nothing], {}, 9
    yield "ScatterElements", ["N C", none, nothing], {}
    yield "ScatterElements", ["N C", none, nothing], {"axis": 1}
    yield "ScatterND", ["N C", text(np.zeros((0, 1), np.int64)), nothing], {}
    yield "ScatterND", ["N C", text(ints(1).reshape(1, 1)), "1 C"], {}
    for depth in (3, 0):
        yield "OneHot", [Typed("N C", np.int64), text(ints(depth)), text(floats(0, 1))], {"axis": 1}
    yield "Range", [text(np.int64(3)), text(np.int64(3)), text(np.int64(1))], {}
    yield "EyeLike", ["N C"], {}
    yield "BitCast", ["N C"], {"to": onnx.TensorProto.INT32}, 26
    yield "Det", ["N C C"], {}
    yield "Bernoulli", ["N C"], {}
    for distribution in ("RandomNormal", "RandomUniform"):
        yield distribution, [], {"shape": [0, 3]}
        yield f"{distribution}Like", ["N C"], {}
    yield "Multinomial", ["N C"], {"sample_size": 3}
    yield "Trilu", ["N C H"], {}
    yield "Trilu", ["N C", text(np.int64(1))], {"upper": 0}
    for end in (9, 1, 0):
        yield "Slice", ["N C H", text(ints(0)), text(ints(end)), text(ints(1))], {}
    yield "Slice", ["N C", text(ints(-1, 0)), text(ints(-9, 2)), text(ints(0, 1)), text(ints(-1, 2))], {}
    yield "Tile", ["N C", text(ints(2, 3))], {}
    yield "Tile", ["N C", text(ints(2, 0))], {}
    yield "Expand", ["N 1", Const(lambda s: ints(s["B"], 1, s["C"]))], {}
    for mode in ("constant", "reflect", "edge"):
        yield "Pad", ["N C", text(ints(0, 1, 0, 2))], {"mode": mode}
        yield "Pad", ["N C", text(ints(0, 0, 0, -1))], {"mode": mode}
    yield "CenterCropPad", ["N C", text(ints(3, 0))], {}, 18
    yield "CenterCropPad", ["N C", text(ints(3))], {"axes": [1]}, 18
    yield "Pad", ["N C", text(ints(-1, 0, -1, 0))], {}
    yield "Pad", ["N C", text(ints(-2, 0, 0, -4))], {}
    yield "Pad", ["N C", text(ints(-3, 2, 4, -5))], {}
    yield "Transpose", ["N C H"], {"perm": [2, 0, 1]}
    yield "Transpose", ["N C H"], {"perm": [0, 2, 1]}
    yield "Reshape", ["N C H", Const(lambda s: ints(s["H"], s["N"] * s["C"]))], {"allowzero": 1}
    yield "Reshape", ["N C H", text(ints(0, -1))], {}
    yield "Reshape", ["N C H", text(ints(0, 0, 0))], {}
    yield "Flatten", ["N C H"], {"axis": 1}
    yield "Flatten", ["N C H"], {"axis": 3}
    yield "Flatten", ["N C H"], {"axis": 0}
    yield "Squeeze", ["N 1 C", text(ints(1))], {}
    yield "Squeeze", ["N C", text(ints(0))], {}
    yield "Unsqueeze", ["N C", text(ints(0, 3))], {}
    yield "ConstantOfShape", [Const(lambda s: ints(s["N"], 3, s["C"]))], {}
    yield "DepthToSpace", ["N C H W"], {"blocksize": 2}
    yield "SpaceToDepth", ["N C M 4"], {"blocksize": 2}
    yield "DFT", ["N 8 1"], {"axis": 1}, 17
    yield "DFT", ["N 8 C 2", text(np.int64(6)), text(np.int64(1))], {}, 20
    yield "DFT", ["N 5 C 2", text(np.int64(8)), text(np.int64(1))], {"inverse": 1, "onesided": 1}, 20
    yield "STFT", ["N 16 1", text(np.int64(4)), text(np.ones(8, np.float32))], {}, 17
    bands = [text(np.int64(3)), text(np.int64(16)), text(np.int64(8000)), text(np.float32(0)), text(np.float32(4000))]
    yield "MelWeightMatrix", bands, {}, 17
    for operator in ("BlackmanWindow", "HammingWindow", "HannWindow"):
        for size in (5, 1, 0):
            yield operator, [text(np.int64(size))], {}
    for mode in ("nearest", "linear", "cubic"):
        scales = floats(1, 1, 2, 0.5)
        yield "Resize", ["N C H W", text(floats()), text(scales)], {"mode": mode}
        sizes = Const(lambda s: ints(s["N"], s["C"], 4, 4))
        yield "Resize", ["N C H W", text(floats()), text(floats()), sizes], {"mode": mode}
    yield "Resize", ["N C H W", text(floats()), text(floats()), Const(lambda s: ints(s["N"], s["C"], 0, 4))], {}
    yield "AffineGrid", ["N 2 3", Const(lambda s: ints(s["N"], s["C"], s["H"], s["W"]))], {}, 20
    yield "GridSample", ["N C H W", "N 4 6 2"], {"mode": "bilinear"}
    for mode in ("avg", "max"):
        images = Const(lambda s: np.zeros(s["R"], np.int64))
        attributes = {"mode": mode, "sampling_ratio": 2, "output_height": 3, "output_width": 2}
        yield "RoiAlign", ["N C H W", "R 4", images], attributes
    regions = Const(lambda sizes: np.zeros((sizes["R"], 5), np.float32))
    yield "MaxRoiPool", ["1 C H W", regions], {"pooled_shape": [2, 2]}
    yield "DeformConv", ["N C 6 5", "B C 3 2", "N 12 4 4"], {}, 19
    places = Const(lambda s: np.zeros((s["N"], s["C"], s["H"], s["W"]), np.int64))
    yield "MaxUnpool", ["N C H W", places], {"kernel_shape": [2, 2], "strides": [2, 2]}
    yield "Col2Im", ["N M 6", text(ints(4, 3)), text(ints(2, 1))], {"strides": [2, 1]}, 18
    yield "TensorScatter", ["N C H W", "N C 2 W"], {}, 24
    yield "TensorScatter", ["N C H", "N C 2", Const(lambda s: np.zeros(s["N"], np.int64))], {"mode": "circular", "axis": 2}, 24
    yield "Upsample", ["N C H W", text(floats(1, 1, 2, 2))], {}, 9
