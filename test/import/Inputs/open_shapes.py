"""Imports models with open dimensions, and compares the shapes of their outputs with ONNX Runtime's at several sizes.

Each model is a list of nodes on inputs whose dimensions have names; what they compute last is the output.
"""

import pathlib
import sys

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

sys.path.append(str(pathlib.Path(__file__).parents[2] / "oracle"))
from check_open_shapes import check  # noqa: E402

RANDOM = np.random.default_rng(0)
FLOATS = {"float32": TensorProto.FLOAT, "int64": TensorProto.INT64}


def weights(*shape):
    """A constant of floats."""
    return RANDOM.standard_normal(shape).astype(np.float32)


def ints(*values):
    """A constant of whole numbers."""
    return np.array(values, np.int64)


def scalar(value):
    """A whole number of rank 0."""
    return np.array(value, np.int64)


def node(op, inputs, output, **attributes):
    """A node with one output, or several whose names have spaces between them."""
    return op, inputs.split(), output.split(), attributes


def shaped(of, output, *parts):
    """Nodes that make a shape of dimensions of a tensor and of numbers, as PyTorch's exporter does."""
    nodes, joined = [node("Shape", of, f"{output}_of")], []
    for place, part in enumerate(parts):
        name = f"{output}_{place}"
        if isinstance(part, str):
            nodes += [node("Gather", f"{output}_of {part}", f"{name}_0"), node("Unsqueeze", f"{name}_0 zero_axis", name)]
        else:
            nodes.append(node("Constant", "", name, value=numpy_helper.from_array(ints(part))))
        joined.append(name)
    return [*nodes, node("Concat", " ".join(joined), output, axis=0)]


PLACES = {"zero_axis": ints(0), "i0": scalar(0), "i1": scalar(1), "i2": scalar(2), "i3": scalar(3)}

IMAGE = {"x": ["n", 4, "h", "w"]}
WORDS = {"x": ["n", "s", 16]}

MODELS = {
    "perceptron": (
        {"x": ["n", 4]},
        {"w": weights(4, 8), "b": weights(8)},
        [node("Gemm", "x w b", "h"), node("Relu", "h", "r"), node("Softmax", "r", "y")],
    ),
    "convolutions": (
        IMAGE,
        {"w": weights(6, 4, 3, 3), "v": weights(6, 1, 3, 3), "u": weights(6, 3, 2, 2), "b": weights(6)},
        [
            node("Conv", "x w b", "a", strides=[2, 2], pads=[1, 1, 1, 1]),
            node("Conv", "a v", "c", group=6, auto_pad="SAME_UPPER"),
            node("MaxPool", "c", "d", kernel_shape=[3, 3], strides=[2, 2], pads=[1, 1, 1, 1]),
            node("AveragePool", "d", "e", kernel_shape=[2, 2], pads=[1, 0, 1, 0]),
            node("ConvTranspose", "e u", "y", strides=[2, 2]),
        ],
    ),
    "rounded_up": (
        IMAGE,
        {},
        [
            node("MaxPool", "x", "a", kernel_shape=[3, 3], strides=[2, 2], ceil_mode=1),
            node("AveragePool", "a", "y", kernel_shape=[2, 2], strides=[2, 2], ceil_mode=1),
        ],
    ),
    "classifier": (
        IMAGE,
        {"w": weights(5, 4), "s": weights(4), "b": weights(4), "m": weights(4), "v": weights(4) ** 2},
        [
            node("BatchNormalization", "x s b m v", "a"),
            node("InstanceNormalization", "a s b", "c"),
            node("GlobalAveragePool", "c", "d"),
            node("Flatten", "d", "e"),
            node("Gemm", "e w", "y", transB=1),
        ],
    ),
    "heads": (
        WORDS,
        {"w": weights(16, 16), "v": weights(16, 16), "g": weights(16), **PLACES},
        [
            node("MatMul", "x w", "q"),
            node("MatMul", "x v", "k"),
            *shaped("x", "apart", "i0", "i1", 4, 4),
            node("Reshape", "q apart", "q4"),
            node("Reshape", "k apart", "k4"),
            node("Transpose", "q4", "qt", perm=[0, 2, 1, 3]),
            node("Transpose", "k4", "kt", perm=[0, 2, 3, 1]),
            node("MatMul", "qt kt", "scores"),
            node("Softmax", "scores", "weights"),
            node("Transpose", "k4", "v4", perm=[0, 2, 1, 3]),
            node("MatMul", "weights v4", "mixed"),
            node("Transpose", "mixed", "back", perm=[0, 2, 1, 3]),
            *shaped("back", "together", "i0", "i1", 16),
            node("Reshape", "back together", "r"),
            node("LayerNormalization", "r g", "y"),
        ],
    ),
    "reshapes": (
        WORDS,
        {"rows": ints(-1, 16), "back": ints(0, 0, 2, -1), "flat": ints(-1)},
        [
            node("Reshape", "x rows", "a"),
            node("Reshape", "x back", "b"),
            node("Reshape", "b flat", "c"),
            node("Unsqueeze", "a axis", "y"),
        ],
    ),
    "sizes": (
        WORDS,
        {"two": ints(2), "last": ints(-1), "one": ints(1), **PLACES},
        [
            node("Shape", "x", "all"),
            node("Slice", "all zero_axis last", "front"),
            node("Mul", "front two", "twice"),
            node("Add", "twice one", "more"),
            node("Sub", "more zero_axis", "same"),
            node("Div", "same two", "half"),
            node("ReduceProd", "half", "unused"),
            node("ConstantOfShape", "same", "filled"),
            node("ConstantOfShape", "half", "halves"),
            node("Size", "x", "count"),
            node("Unsqueeze", "count zero_axis", "counts"),
            node("ConstantOfShape", "counts", "y"),
        ],
    ),
    "expansion": (
        {"x": ["n", 1, 4], "z": ["n", "s", 4]},
        {"minus": ints(-1, -1, -1), "ones": ints(1, 1, 1), **PLACES},
        [
            node("Shape", "z", "wanted"),
            node("Equal", "wanted minus", "is_free"),
            node("Where", "is_free ones wanted", "chosen"),
            node("Expand", "x chosen", "wide"),
            node("Add", "wide z", "y"),
        ],
    ),
    "slices": (
        WORDS,
        {"b": ints(1), "e": ints(-1), "far": ints(2**63 - 1), "axis": ints(1), "back": ints(-1), "least": ints(-(2**63) + 1)},
        [
            node("Slice", "x b e axis", "inner"),
            node("Slice", "x b far axis", "rest"),
            node("Slice", "x back least axis back", "reverse"),
            node("Slice", "x zero three axis two", "some"),
            node("Concat", "inner rest reverse some", "y", axis=1),
        ],
    ),
    "positions": (
        {"x": ["n", "s", 16]},
        {"ids": np.arange(64, dtype=np.int64)[None], "table": weights(64, 16), **PLACES},
        [
            node("Shape", "x", "of"),
            node("Gather", "of i1", "length"),
            node("Unsqueeze", "length zero_axis", "end"),
            node("Slice", "ids zero end axis", "these"),
            node("Gather", "table these", "embedded"),
            node("Add", "x embedded", "sum"),
            node("Slice", "sum end two axis", "none"),
            node("Slice", "sum zero end axis", "y"),
        ],
    ),
    "recurrent": (
        {"x": [3, "n", 4]},
        {"w": weights(2, 20, 4), "r": weights(2, 20, 5), "b": weights(2, 40)},
        [node("LSTM", "x w r b", "y last cell", direction="bidirectional", hidden_size=5)],
    ),
    "joined": (
        {"x": ["n", "a", 4], "z": ["n", "b", 4]},
        {"t": ints(2, 1, 3), "parts": ints(1, 3)},
        [
            node("Concat", "x z", "c", axis=1),
            node("Tile", "c t", "d"),
            node("Split", "c parts", "left right", axis=2),
            node("Mul", "left right", "y"),
        ],
    ),
    "reductions": (
        WORDS,
        {"axes": ints(1)},
        [
            node("ReduceMean", "x", "a", axes=[1], keepdims=0),
            node("ReduceMax", "x", "b", axes=[-1]),
            node("ReduceLogSumExp", "x", "d", axes=[0, 2], keepdims=0),
            node("ArgMax", "x", "c", axis=1),
            node("LpNormalization", "x", "y"),
        ],
    ),
    "images": (
        {"x": ["n", 4, "h", "w"]},
        {"scales": np.array([1, 1, 2, 3], np.float32), "pads": ints(0, 0, 1, 2, 0, 0, -1, 0), **PLACES},
        [
            node("Resize", "x nothing scales", "a", mode="nearest", coordinate_transformation_mode="asymmetric", nearest_mode="floor"),
            node("Pad", "x pads", "b"),
            node("DepthToSpace", "x", "c", blocksize=2),
            node("Shape", "x", "of"),
            node("Cast", "of", "floats", to=1),
            node("Mul", "floats scales", "scaled"),
            node("Floor", "scaled", "whole"),
            node("Cast", "whole", "sizes", to=7),
            node("Resize", "x nothing nothing sizes", "y", mode="nearest"),
        ],
    ),
    "lookups": (
        {"x": ["n", "s"], "m": ["n", "s"]},
        {"table": weights(2, 6), "i": ints(0, 3), "depth": scalar(3), "values": weights(2)},
        [
            node("Gather", "table x", "words"),
            node("Gather", "words i", "some", axis=2),
            node("OneHot", "x depth values", "hot"),
            node("GatherElements", "x m", "picked", axis=1),
            node("Cast", "m", "flags", to=9),
            node("Unsqueeze", "flags last", "wide"),
            node("Where", "wide words zero_float", "y"),
        ],
    ),
    "sums": (
        {"x": ["n", "s", 6], "z": ["n", "t", 6]},
        {"w": weights(6, 5)},
        [
            node("Einsum", "x z", "a", equation="bic,bjc->bij"),
            node("Einsum", "x w", "b", equation="bic,cd->bid"),
            node("TopK", "x three", "best places", axis=2),
            node("Softmax", "best", "y"),
        ],
    ),
    "used_as_data": (
        WORDS,
        {**PLACES},
        [
            node("Shape", "x", "of"),
            node("Gather", "of i1", "length"),
            node("Cast", "length", "divisor", to=1),
            node("Div", "x divisor", "y"),
        ],
    ),
}

# Constants that several models use.
COMMON = {
    "axis": ints(1),
    "zero": ints(0),
    "two": ints(2),
    "three": ints(3),
    "last": ints(-1),
    "nothing": np.array([], np.float32),
    "zero_float": np.array(0, np.float32),
}


def model_of(inputs, constants, nodes, element):
    """A model whose outputs are all that its nodes compute of floats, or last."""
    made = [helper.make_node(op, reads, gives, **attributes) for op, reads, gives, attributes in nodes]
    known = {**COMMON, **constants}
    read = {name for entry in made for name in entry.input}
    computed = [name for entry in made for name in entry.output]
    ports = [helper.make_tensor_value_info(name, element, dims) for name, dims in inputs.items()]
    initializers = [numpy_helper.from_array(value, name) for name, value in known.items() if name in read]
    outputs = [onnx.ValueInfoProto(name=name) for name in computed]
    graph = helper.make_graph(made, "open", ports, outputs, initializers)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)


def element_of(name):
    """The element type of a model's inputs."""
    return TensorProto.INT64 if name == "lookups" else TensorProto.FLOAT


def sizes_of(inputs):
    """Several choices of the sizes of a model's named dimensions."""
    names = sorted({dim for dims in inputs.values() for dim in dims if isinstance(dim, str)})
    sizes = [dict(zip(names, numbers)) for numbers in ((2, 3, 5), (1, 7, 4), (5, 12, 9), (3, 8, 3), (17, 33, 40))]
    return [{key: max(value, 6) if key in "hw" else value for key, value in choice.items()} for choice in sizes]


def main():
    folder, relayc = pathlib.Path(sys.argv[1]), sys.argv[2]
    folder.mkdir(exist_ok=True)
    chosen = sys.argv[3:] or MODELS
    failed = False
    for name in chosen:
        inputs, constants, nodes = MODELS[name]
        path = folder / f"{name}.onnx"
        onnx.save(model_of(inputs, constants, nodes, element_of(name)), path)
        for line in check(relayc, path, sizes_of(inputs)):
            failed = True
            print(f"{name}: {line}")
    sys.exit(failed)


if __name__ == "__main__":
    main()
