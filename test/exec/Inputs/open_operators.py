"""Compiles one operator at a time with open dimensions, each to one library, and compares what it computes with ONNX Runtime at several
sizes: open_operators.py FOLDER RELAYC [NAME...].
"""

import pathlib
import sys

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

TEST = pathlib.Path(__file__).parents[2]
sys.path += [str(TEST / "oracle"), str(TEST / "import" / "Inputs"), str(pathlib.Path(__file__).parent)]
from open_models import compared  # noqa: E402
from open_shapes import ints, scalar, shaped, weights  # noqa: E402

IMAGE = {"x": ["n", 4, "h", "w"]}
WORDS = {"x": ["n", "s", 8]}
LINE = {"x": ["n", "s"]}
TABLE = {"x": ["s", "d"]}
EVEN = {"x": ["n", 4, "h", "w"]}
TYPES = {"i": TensorProto.INT64, "j": TensorProto.INT32, "m": TensorProto.BOOL}
MICROSOFT = {"domain": "com.microsoft"}


def node(op, inputs, output, **attributes):
    """A node; two spaces between inputs stand for one that is absent."""
    return op, inputs.split(" "), output.split(), attributes


def floats(*values):
    """A constant of floats."""
    return np.array(values, np.float32)


def sized(operator, *, method, **attributes):
    """A node that makes an image twice as high and three rows higher, by sizes of its own shape."""
    return [
        *shaped("x", "of", "i0", "i1", "i2", "i3"),
        node("Mul", "of two", "twice"),
        node("Slice", "twice zero two", "front"),
        node("Div", "front two", "kept"),
        node("Slice", "twice two four", "grown"),
        node("Add", "grown three", "more"),
        node("Concat", "kept more", "sizes", axis=0),
        node(operator, "x nothing nothing sizes", "y", mode=method, **attributes),
    ]


def resized(mode, scales, **attributes):
    """A model of one Resize by scales."""
    return IMAGE, {"k": floats(1, 1, *scales)}, [node("Resize", "x nothing k", "y", mode=mode, **attributes)]


def cached(samples, now):
    """The inputs of attention with two heads of queries, one of keys, and a past."""
    words = {name: [samples, now, size] for name, size in (("q", 16), ("k", 8), ("v", 8))}
    return {**words, "a": [samples, 1, "p", 8], "c": [samples, 1, "p", 8]}


def grouped(total="all", all_words="Add now before", **attributes):
    """Attention of a language model's words behind those of its past."""
    operator, *operands = all_words.split()
    return [
        *shaped("q", "now", "i1"),
        *shaped("a", "before", "i2"),
        node(operator, " ".join(operands), "all"),
        *shaped("q", "samples", "i0"),
        node("Sub", "all one_long", "last"),
        node("Expand", "last samples", "lasts"),
        # The longest sample as data.
        node("ReduceMax", "lasts", "longest", keepdims=0),
        node("Add", "longest i1", "computed"),
        node("Cast", "lasts", "lengths", to=6),
        node("Cast", total, "total", to=6),
        node("GroupQueryAttention", "q k v a c lengths total", "y keys values", num_heads=2, kv_num_heads=1, **MICROSOFT, **attributes),
    ]


# Inputs whose names begin with 'i' or 'j' are whole numbers, those with 'm' booleans, all others floats.
CASES = {
    # Elements in order.
    "topk": (WORDS, {"k": ints(3)}, [node("TopK", "x k", "y p", axis=-1)]),
    "topk_open": (LINE, {"k": ints(2)}, [node("TopK", "x k", "y p", axis=1, largest=0)]),
    "topk_many": ({"x": ["n", "s"]}, {"k": ints(30), "w": weights(40)}, [
        *shaped("x", "shape", "i0", 40),
        node("Expand", "w shape", "e"),
        node("TopK", "e k", "y p", axis=1),
    ]),
    "topk_all": (TABLE, {}, [
        *shaped("x", "k", "i0"),
        node("TopK", "x k", "y p", axis=0),
    ]),
    "topk_form": (TABLE, {}, [
        *shaped("x", "k", "i1"),
        node("Div", "k two", "half"),
        node("TopK", "x half", "y p", axis=1),
    ]),
    # Indices.
    "scatter_elements": ({"x": ["n", "s"], "u": ["n", "s"], "i": ["n", "s"]}, {}, [node("ScatterElements", "x i u", "y", axis=1, reduction="add")]),
    "scatter_elements_0": ({"x": ["n", "s"], "u": ["n", "s"], "i": ["n", "s"]}, {}, [
        node("Mul", "i zero", "first"),
        node("ScatterElements", "x first u", "y", axis=0, reduction="max"),
    ]),
    "scatter_nd": ({"x": ["n", "s", 4], "u": ["n", 4], "i": ["n", 2]}, {}, [node("ScatterND", "x i u", "y", reduction="add")]),
    "gather_nd": ({"x": ["n", "s", 4], "i": ["n", 2]}, {}, [node("GatherND", "x i", "y")]),
    "gather_nd_batch": ({"x": ["n", "s", 4], "i": ["n", "t", 1]}, {}, [node("GatherND", "x i", "y", batch_dims=1)]),
    "gather_elements": ({"x": ["n", "s"], "i": ["n", "t"]}, {}, [node("GatherElements", "x i", "y", axis=1)]),
    "one_hot": ({"i": ["n", "s"]}, {"k": scalar(5), "v": floats(0, 1)}, [node("OneHot", "i k v", "y", axis=1)]),
    "one_hot_open": ({"i": ["n", "s"]}, {"v": floats(0, 1)}, [
        node("Shape", "i", "of"),
        node("Gather", "of i1", "k"),
        node("OneHot", "i k v", "y"),
    ]),
    "non_zero_mask": ({"m": ["n", "s"], "x": ["n", "s"]}, {"v": floats(-1)}, [node("Where", "m x v", "y")]),
    "reverse_sequence": ({"x": ["s", "n", 3], "i": ["n"]}, {"one": ints(1)}, [
        node("Add", "i one", "lengths"),
        node("ReverseSequence", "x lengths", "y", batch_axis=1, time_axis=0),
    ]),
    # Images.
    "resize_nearest": resized("nearest", (2, 3), coordinate_transformation_mode="asymmetric", nearest_mode="floor"),
    "resize_nearest_half": resized("nearest", (2, 2)),
    "resize_linear": resized("linear", (2, 2), coordinate_transformation_mode="half_pixel"),
    "resize_nearest_ceil": resized("nearest", (3, 2), coordinate_transformation_mode="half_pixel", nearest_mode="ceil"),
    "resize_linear_asymmetric": resized("linear", (3, 2), coordinate_transformation_mode="asymmetric"),
    "resize_linear_corners": resized("linear", (2, 3), coordinate_transformation_mode="align_corners"),
    "resize_linear_pytorch": resized("linear", (2, 1), coordinate_transformation_mode="pytorch_half_pixel"),
    "resize_cubic": resized("cubic", (2, 2)),
    "resize_down": resized("linear", (0.5, 0.5)),
    "resize_part": resized("nearest", (1.5, 2.5)),
    "resize_sizes_nearest": (IMAGE, {"four": ints(4)}, sized("Resize", method="nearest")),
    "resize_sizes_linear": (IMAGE, {"four": ints(4)}, sized("Resize", method="linear", coordinate_transformation_mode="half_pixel")),
    "resize_sizes_corners": (IMAGE, {"four": ints(4)}, sized("Resize", method="linear", coordinate_transformation_mode="align_corners")),
    "resize_like": ({"x": ["n", 4, "h", "w"], "z": ["n", 2, "a", "b"]}, {"four": ints(4)}, [
        *shaped("z", "of_z", "i2", "i3"),
        *shaped("x", "of_x", "i0", "i1"),
        node("Concat", "of_x of_z", "sizes", axis=0),
        node("Resize", "x nothing nothing sizes", "y", mode="linear"),
    ]),
    "depth_to_space": (IMAGE, {}, [node("DepthToSpace", "x", "y", blocksize=2, mode="CRD")]),
    "space_to_depth": ({"x": ["n", 2, "h", "w"]}, {"k": ints(1, 1, 2, 2)}, [
        node("Tile", "x k", "e"),
        node("SpaceToDepth", "e", "y", blocksize=2),
    ]),
    "lrn": (IMAGE, {}, [node("LRN", "x", "y", size=3)]),
    "lrn_open": ({"x": ["n", "c", "h", "w"]}, {}, [node("LRN", "x", "y", size=5)]),
    "grid_sample": ({"x": ["n", 4, "h", "w"], "g": ["n", "a", "b", 2]}, {}, [node("GridSample", "x g", "y")]),
    "grid_sample_nearest": ({"x": ["n", 4, "h", "w"], "g": ["n", "a", "b", 2]}, {}, [node("GridSample", "x g", "y", mode="nearest", padding_mode="border")]),
    "roi_align": ({"x": ["n", 4, "h", "w"], "r": ["a", 4], "i": ["a"]}, {"k": floats(1)}, [
        node("Abs", "r", "positive"),
        node("Mul", "i zero", "first"),
        node("RoiAlign", "x positive first", "y", output_height=3, output_width=2, sampling_ratio=2),
    ]),
    "conv_same": (IMAGE, {"w": weights(6, 4, 3, 3)}, [node("Conv", "x w", "y", auto_pad="SAME_UPPER", strides=[2, 2])]),
    "conv_same_lower": (IMAGE, {"w": weights(6, 4, 2, 3)}, [node("Conv", "x w", "y", auto_pad="SAME_LOWER", strides=[2, 1])]),
    "pool_same": (IMAGE, {}, [node("MaxPool", "x", "y", auto_pad="SAME_UPPER", kernel_shape=[3, 3], strides=[2, 2])]),
    "average_same": (IMAGE, {}, [node("AveragePool", "x", "y", auto_pad="SAME_UPPER", kernel_shape=[3, 3], strides=[2, 2])]),
    "max_unpool": (IMAGE, {}, [
        node("Concat", "x x", "high", axis=2),
        node("Concat", "high high", "even", axis=3),
        node("MaxPool", "even", "best places", kernel_shape=[2, 2], strides=[2, 2]),
        node("MaxUnpool", "best places", "y", kernel_shape=[2, 2], strides=[2, 2]),
    ]),
    "global_max": (IMAGE, {}, [node("GlobalMaxPool", "x", "y")]),
    "lp_pool": (IMAGE, {}, [node("LpPool", "x", "y", kernel_shape=[2, 2], p=2)]),
    "conv_transpose": (IMAGE, {"w": weights(4, 3, 3, 3)}, [node("ConvTranspose", "x w", "y", strides=[2, 2], pads=[1, 1, 1, 1], output_padding=[1, 1])]),
    "conv_transpose_apart": (IMAGE, {"w": weights(4, 3, 2, 2)}, [node("ConvTranspose", "x w", "y", strides=[2, 2])]),
    "conv_transpose_even": (IMAGE, {"w": weights(4, 3, 4, 4)}, [node("ConvTranspose", "x w", "y", strides=[2, 2], pads=[1, 1, 1, 1])]),
    "conv_transpose_groups": (IMAGE, {"w": weights(4, 3, 5, 3)}, [node("ConvTranspose", "x w", "y", strides=[3, 1], group=2)]),
    "winograd": ({"x": ["n", 32, "h", "w"]}, {"w": weights(32, 32, 3, 3)}, [node("Conv", "x w", "y", pads=[1, 1, 1, 1])]),
    "affine_grid": ({"t": ["n", 2, 3], "x": ["n", 3, "h", "w"]}, {}, [
        node("Shape", "x", "of"),
        node("AffineGrid", "t of", "y"),
    ]),
    "col2im": ({"x": ["n", 12, 9]}, {"k": ints(4, 4), "b": ints(2, 2)}, [node("Col2Im", "x k b", "y")]),
    "deform_conv": ({"x": ["n", 3, "h", "w"], "o": ["n", 8, "h", "w"]}, {"w": weights(4, 3, 2, 2)}, [
        node("DeformConv", "x w o", "y", pads=[0, 0, 1, 1], kernel_shape=[2, 2]),
    ]),
    "instance_norm": (IMAGE, {"s": weights(4), "b": weights(4)}, [node("InstanceNormalization", "x s b", "y")]),
    "group_norm": (IMAGE, {"s": weights(2), "b": weights(2)}, [node("GroupNormalization", "x s b", "y", num_groups=2)]),
    # Sequences.
    "range": (LINE, {}, [
        node("Shape", "x", "of"),
        node("Gather", "of i1", "end"),
        node("Range", "i0 end i1", "places"),
        node("Cast", "places", "numbers", to=1),
        node("Add", "x numbers", "y"),
    ]),
    "range_step": (TABLE, {}, [
        node("Shape", "x", "of"),
        node("Gather", "of i1", "end"),
        node("Gather", "of i0", "more"),
        node("Add", "end more", "last"),
        node("Range", "i1 last i2", "y"),
    ]),
    "range_floats": (TABLE, {"a": np.array(0.5, np.float32), "b": np.array(1.5, np.float32)}, [
        node("Shape", "x", "of"),
        node("Gather", "of i1", "end"),
        node("Cast", "end", "last", to=1),
        node("Range", "a last b", "y"),
    ]),
    "cumsum": (LINE, {"axis": scalar(1)}, [node("CumSum", "x axis", "y")]),
    "cumsum_reverse": (WORDS, {"axis": scalar(0)}, [node("CumSum", "x axis", "y", exclusive=1, reverse=1)]),
    "cumsum_last": (WORDS, {"axis": scalar(2)}, [node("CumSum", "x axis", "y")]),
    "trilu": ({"x": ["n", "s", "t"]}, {}, [node("Trilu", "x", "y")]),
    "trilu_lower": ({"x": ["n", "s", "t"]}, {"k": scalar(-1)}, [node("Trilu", "x k", "y", upper=0)]),
    "causal": (WORDS, {"low": np.array(-1e9, np.float32)}, [
        *shaped("x", "square", "i1", "i1"),
        node("Expand", "low square", "full"),
        node("Trilu", "full i1", "mask"),
        node("Transpose", "x", "t", perm=[0, 2, 1]),
        node("MatMul", "x t", "scores"),
        node("Add", "scores mask", "masked"),
        node("Softmax", "masked", "y"),
    ]),
    "eye": ({"x": ["s", "t"]}, {}, [node("EyeLike", "x", "y", k=1)]),
    "tile_open": (LINE, {}, [
        *shaped("x", "times", "i0", 2),
        node("Tile", "x times", "y"),
    ]),
    "expand_open": ({"x": ["n", 1], "z": ["n", "s"]}, {}, [
        node("Shape", "z", "wanted"),
        node("Expand", "x wanted", "y"),
    ]),
    "split_equal": ({"x": ["n", "s"]}, {}, [
        node("Concat", "x x", "both", axis=1),
        node("Split", "both", "y z", axis=1, num_outputs=2),
    ]),
    "split_odd": ({"x": ["n", "s"]}, {}, [node("Split", "x", "y z", axis=1, num_outputs=2)]),
    "split_parts": ({"x": ["n", "s"]}, {"one": ints(1)}, [
        *shaped("x", "of", "i1"),
        node("Sub", "of one", "rest"),
        node("Concat", "one rest", "parts", axis=0),
        node("Split", "x parts", "y z", axis=1),
    ]),
    "slice_open": (WORDS, {"axis": ints(1)}, [
        *shaped("x", "end", "i1"),
        node("Div", "end two", "half"),
        node("Slice", "x half end axis", "y"),
    ]),
    "slice_back": (WORDS, {"axis": ints(1), "back": ints(-1), "far": ints(-1000)}, [
        *shaped("x", "end", "i1"),
        node("Div", "end two", "half"),
        node("Slice", "x half far axis back", "y"),
    ]),
    "slice_negative": (WORDS, {"axis": ints(1), "minus": ints(-1)}, [
        *shaped("x", "end", "i1"),
        node("Div", "end two", "half"),
        node("Mul", "half minus", "start"),
        node("Slice", "x start end axis", "y"),
    ]),
    "pad_open": (LINE, {}, [
        *shaped("x", "width", "i0"),
        node("Concat", "zero zero zero width", "pads", axis=0),
        node("Pad", "x pads", "y"),
    ]),
    "pad_edge": (IMAGE, {"pads": ints(0, 0, 1, 2, 0, 0, 2, 1)}, [node("Pad", "x pads", "y", mode="edge")]),
    "pad_reflect": (IMAGE, {"pads": ints(0, 0, 1, 2, 0, 0, 2, 1)}, [node("Pad", "x pads", "y", mode="reflect")]),
    "pad_multiple": (LINE, {"k": ints(8)}, [
        *shaped("x", "width", "i1"),
        node("Mod", "width k", "over"),
        node("Sub", "k over", "left"),
        node("Mod", "left k", "more"),
        node("Concat", "zero zero zero more", "pads", axis=0),
        node("Pad", "x pads", "y"),
    ]),
    "center_crop": (LINE, {"k": ints(4), "axes": ints(1)}, [node("CenterCropPad", "x k", "y", axes=[1])]),
    "constant_of_shape": (TABLE, {}, [
        node("Shape", "x", "of"),
        node("ConstantOfShape", "of", "y", value=numpy_helper.from_array(floats(2.5))),
    ]),
    "reshape_forms": (WORDS, {}, [
        *shaped("x", "shape", "i0", -1, 4),
        node("Reshape", "x shape", "a"),
        *shaped("x", "last", "i1", "i0", 8),
        node("Reshape", "a last", "y"),
    ]),
    "concat_shapes": ({"x": ["n", "s"], "z": ["n", "t"]}, {}, [node("Concat", "x z", "y", axis=1)]),
    "einsum": ({"x": ["n", "s", 8], "z": ["n", "t", 8]}, {}, [node("Einsum", "x z", "y", equation="bij,bkj->bik")]),
    "einsum_heads": ({"x": ["n", "s", 2, 4], "z": ["n", "t", 2, 4]}, {}, [node("Einsum", "x z", "y", equation="bihd,bjhd->bhij")]),
    "einsum_diagonal": ({"x": ["n", "s", "s"]}, {}, [node("Einsum", "x", "y", equation="bii->bi")]),
    "layer_norm": (WORDS, {"g": weights(8), "b": weights(8)}, [node("LayerNormalization", "x g b", "y")]),
    "layer_norm_open": ({"x": ["n", 4, "s"]}, {}, [
        *shaped("x", "of", "i2"),
        node("ConstantOfShape", "of", "g", value=numpy_helper.from_array(floats(1.5))),
        node("LayerNormalization", "x g", "y"),
    ]),
    "mean_variance": (IMAGE, {}, [node("MeanVarianceNormalization", "x", "y", axes=[0, 2, 3])]),
    "lp_norm": (LINE, {}, [node("LpNormalization", "x", "y", axis=1, p=1)]),
    "hardmax": (LINE, {}, [node("Hardmax", "x", "y", axis=1)]),
    "arg_max": (LINE, {}, [node("ArgMax", "x", "y", axis=1, keepdims=0)]),
    "reduce_all": (IMAGE, {}, [node("ReduceMean", "x", "y", keepdims=0)]),
    "reduce_l2": (IMAGE, {}, [node("ReduceL2", "x two", "y")]),
    "log_softmax": (LINE, {}, [node("LogSoftmax", "x", "y", axis=0)]),
    "gemm": ({"x": ["n", "k"], "z": ["k", "m"]}, {}, [node("Gemm", "x z", "y", alpha=0.5)]),
    "matmul": ({"x": ["n", "s", "t"], "z": ["n", "t", "u"]}, {}, [node("MatMul", "x z", "y")]),
    "matmul_broadcast": ({"x": ["n", "s", "t"], "z": ["t", "u"]}, {}, [node("MatMul", "x z", "y")]),
    "unique_names": ({"x": ["n", "s"], "z": ["a", "u"]}, {}, [
        node("Transpose", "z", "t", perm=[1, 0]),
        node("MatMul", "x t", "y"),
    ]),
    "squeeze": ({"x": ["n", 1, "s"]}, {"axis": ints(1)}, [node("Squeeze", "x axis", "y")]),
    "dft": ({"x": ["n", 8, 1]}, {}, [node("DFT", "x", "y")]),
    "stft": ({"x": ["n", "s", 1]}, {"step": scalar(2), "window": np.hanning(3).astype(np.float32)}, [node("STFT", "x step window", "y")]),
    "negative_log": ({"x": ["n", 4], "i": ["n"]}, {}, [node("NegativeLogLikelihoodLoss", "x i", "y")]),
    "cross_entropy": ({"x": ["n", 4, "s"], "i": ["n", "s"]}, {}, [node("SoftmaxCrossEntropyLoss", "x i", "y")]),
    "compress": ({"x": ["n", 4]}, {"c": np.array([True, False, True, True])}, [node("Compress", "x c", "y", axis=1)]),
    "quantize": (WORDS, {"s": np.array(0.1, np.float32), "z": np.array(3, np.uint8)}, [
        node("QuantizeLinear", "x s z", "q"),
        node("DequantizeLinear", "q s z", "y"),
    ]),
    "dynamic_quantize": (WORDS, {"w": np.arange(32, dtype=np.uint8).reshape(8, 4)}, [
        node("DynamicQuantizeLinear", "x", "q s z"),
        node("MatMulInteger", "q w z", "y"),
    ]),
    "bitshift": ({"i": ["n", "s"]}, {"k": scalar(1)}, [node("Mod", "i two", "y")]),
    # Attention.
    "attention": ({"q": ["n", 2, "s", 4], "k": ["n", 2, "t", 4], "v": ["n", 2, "t", 4]}, {}, [node("Attention", "q k v", "y")]),
    "attention_causal": ({"q": ["n", 4, "s", 4], "k": ["n", 2, "s", 4], "v": ["n", 2, "s", 4]}, {}, [node("Attention", "q k v", "y", is_causal=1)]),
    "attention_mask": ({"q": ["n", 2, "s", 4], "k": ["n", 2, "t", 4], "v": ["n", 2, "t", 4], "b": ["s", "t"]}, {}, [
        node("Attention", "q k v b", "y"),
    ]),
    "attention_past": ({"q": ["n", 2, "s", 4], "k": ["n", 2, "s", 4], "v": ["n", 2, "s", 4], "a": ["n", 2, "p", 4], "c": ["n", 2, "p", 4]}, {}, [
        node("Attention", "q k v  a c", "y keys values", is_causal=1),
    ]),
    "rms_norm": (WORDS, {"g": weights(8)}, [node("RMSNormalization", "x g", "y")]),
    "ms_attention": (WORDS, {"w": weights(8, 24), "b": weights(24)}, [
        node("Attention", "x w b", "y", num_heads=2, unidirectional=1, **MICROSOFT),
    ]),
    "multi_head": ({"q": ["n", "s", 8], "k": ["n", "t", 8], "v": ["n", "t", 8]}, {}, [
        node("MultiHeadAttention", "q k v", "y", num_heads=2, **MICROSOFT),
    ]),
    "embedded": ({"j": ["n", "s"]}, {"w": weights(4, 8), "p": weights(64, 8), "g": weights(8), "b": weights(8)}, [
        node("EmbedLayerNormalization", "j  w p  g b", "y counts", **MICROSOFT),
    ]),
    "skipped": ({"x": ["n", "s", 8], "z": ["n", "s", 8]}, {"g": weights(8), "b": weights(8)}, [
        node("SkipLayerNormalization", "x z g b", "y", **MICROSOFT),
    ]),
    "rotary": ({"x": ["n", "s", 8], "i": ["n", "s"]}, {"c": weights(64, 2), "d": weights(64, 2)}, [
        node("RotaryEmbedding", "x i c d", "y", num_heads=2, rotary_embedding_dim=4, **MICROSOFT),
    ]),
    "grouped": (cached("n", 1), {}, grouped()),
    "grouped_prompt": (cached(1, "s"), {}, grouped(do_rotary=0)),
    # The number of all words as data, with a past that grows, and in a buffer.
    "grouped_total": (cached("n", 1), {}, grouped("computed")),
    "grouped_prompt_total": (cached(1, "s"), {}, grouped("computed")),
    "grouped_buffer_total": ({**cached(1, "s"), "a": [1, 1, 100, 8], "c": [1, 1, 100, 8]}, {}, [
        *grouped("computed", "Identity now"),
        node("Identity", "y", "attended"),
    ]),
    "gelu": (WORDS, {}, [node("Gelu", "x", "y", approximate="tanh")]),
    "mish": (WORDS, {}, [node("Mish", "x", "y")]),
}
SIZES = [(2, 3), (1, 5), (3, 8), (4, 21)]


def element_of(name):
    """The element type of an input by its name."""
    return TYPES.get(name[0], TensorProto.FLOAT)


def model_of(name):
    """The model of a case."""
    inputs, constants, nodes = CASES[name]
    known = {
        "zero": ints(0), "two": ints(2), "three": ints(3), "nothing": floats(), "i0": scalar(0), "i1": scalar(1), "i2": scalar(2), "i3": scalar(3),
        "zero_axis": ints(0), "one_long": ints(1), **constants,
    }  # fmt: skip
    made = [helper.make_node(op, reads, gives, **attributes) for op, reads, gives, attributes in nodes]
    read = {text for entry in made for text in entry.input}
    outputs = [onnx.ValueInfoProto(name=text) for text in made[-1].output]
    ports = [helper.make_tensor_value_info(text, element_of(text), dims) for text, dims in inputs.items()]
    initializers = [numpy_helper.from_array(value, text) for text, value in known.items() if text in read]
    graph = helper.make_graph(made, "open", ports, outputs, initializers)
    newer = any(entry.op_type in ("Attention", "RMSNormalization") and not entry.domain for entry in made)
    versions = [helper.make_opsetid("", 23 if newer else 20), helper.make_opsetid("com.microsoft", 1)]
    return helper.make_model(graph, opset_imports=versions, ir_version=10)


def sizes_of(inputs):
    """Choices of the sizes of a case's named dimensions: images are at least 6 x 6."""
    names = sorted({dim for dims in inputs.values() for dim in dims if isinstance(dim, str)})
    least = {"h": 6, "w": 6}
    choices = []
    for place, (small, large) in enumerate(SIZES):
        sizes = {name: max(large if name in "shwtu" else small, least.get(name, 1)) for name in names}
        choices.append({name: size + (place if name in "wt" else 0) for name, size in sizes.items()})
    return choices


def main():
    folder, relayc = pathlib.Path(sys.argv[1]), sys.argv[2]
    folder.mkdir(exist_ok=True)
    failed = False
    for name in sys.argv[3:] or CASES:
        inputs = CASES[name][0]
        for line in compared(folder, relayc, name, model_of(name), sizes_of(inputs)):
            failed = True
            print(f"{name}: {line}", flush=True)
    sys.exit(failed)


if __name__ == "__main__":
    main()
