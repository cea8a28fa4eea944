"""Writes models of numbers and windows at their ends, as check_cases.py reads them.

What they compute is what ONNX Runtime makes of them, but for what a case says itself.
"""

import itertools
import pathlib
import sys

import cases
import numpy as np
from onnx import TensorProto, helper

INFINITY = np.float32(np.inf)
NAN = np.float32(np.nan)


def node(operator, inputs, outputs, **attributes):
    """A node; operands and results are named in one text each."""
    return helper.make_node(operator, inputs.split(), outputs.split(), **attributes)


def image(*numbers, dtype=np.float32):
    """A line of numbers as an image of one channel."""
    return np.array(numbers, dtype).reshape(1, 1, -1)


def places():
    """Where the least numbers lie, in windows that begin in the padding. The last window has no element of the image."""
    line = {"kernel_shape": [3], "pads": [1, 1]}
    square = {"kernel_shape": [2, 2], "pads": [1, 1, 1, 1]}
    nodes = [
        node("MaxPool", "floats", "floats_max floats_at", **line),
        node("MaxPool", "signed", "signed_max signed_at", **line),
        node("MaxPool", "unsigned", "unsigned_max unsigned_at", kernel_shape=[2], pads=[1, 1]),
        node("MaxPool", "least", "least_max least_at", **square, dilations=[2, 2]),
        node("MaxPool", "least", "columns_max columns_at", **square, strides=[2, 1], storage_order=1),
        node("MaxPool", "one", "_ nowhere", kernel_shape=[2], pads=[1, 1], dilations=[2]),
    ]
    least = np.full((2, 2, 3, 4), -INFINITY)
    least[1, 0, 1, 2] = 5
    inputs = {
        "floats": image(-INFINITY, -INFINITY, 5),
        "signed": image(-128, -128, 5, dtype=np.int8),
        "unsigned": image(0, 0, 0, dtype=np.uint8),
        "least": least,
        "one": image(7),
    }
    names = [name for name in itertools.chain(*(made.output for made in nodes)) if name != "_"]
    return 12, nodes, inputs, {}, names, {}


def maxima_of_nan():
    """ONNX Runtime has another value where it is asked for places. Here NaN is the greatest either way, and the first one counts, as in numpy."""
    x = image(1, NAN, 2, 3, NAN, NAN, -INFINITY, NAN, 0)
    windows = np.lib.stride_tricks.sliding_window_view(np.pad(x[0, 0], 1, constant_values=-INFINITY), 3)
    # The window's first element lies one before its place.
    at = windows.argmax(axis=1) + np.arange(len(windows)) - 1
    expected = {"alone": windows.max(axis=1).reshape(x.shape), "at": at.reshape(x.shape)}
    expected["beside"] = expected["alone"]
    attributes = {"kernel_shape": [3], "pads": [1, 1]}
    nodes = [node("MaxPool", "x", "alone", **attributes), node("MaxPool", "x", "beside at", **attributes)]
    return 12, nodes, {"x": x}, {}, list(expected), expected


def large_windows():
    """Windows that are larger than the image. ONNX Runtime rounds a number between -1 and 0 to 0 where ONNX's text rounds it down."""
    nodes = [
        node("MaxPool", "x", "max", kernel_shape=[3], ceil_mode=1),
        node("MaxPool", "x", "max_beside at", kernel_shape=[5], strides=[2], ceil_mode=1),
        node("MaxPool", "x", "max_of_all", kernel_shape=[3], strides=[2], ceil_mode=1),
        node("MaxPool", "x", "max_down", kernel_shape=[4], strides=[2]),
        node("MaxPool", "x", "down", kernel_shape=[3], strides=[2]),
        node("AveragePool", "x", "mean", kernel_shape=[4], strides=[2], ceil_mode=1, count_include_pad=1),
        node("AveragePool", "x", "mean_of_all", kernel_shape=[3], strides=[2], ceil_mode=1, count_include_pad=1),
        node("LpPool", "x", "norm", kernel_shape=[3], ceil_mode=1),
    ]
    names = [name for made in nodes for name in made.output]
    return 18, nodes, {"x": image(7, 8)}, {}, names, {"down": np.zeros((1, 1, 0), np.float32)}


def bounds_the_wrong_way_round():
    """The upper bound counts."""
    nodes = [node("Clip", "x low high", "y"), node("Clip", "n more less", "m")]
    constants = {"low": np.float32(1.5), "high": np.float32(-2), "more": np.int32(5), "less": np.int32(2)}
    inputs = {"x": np.array([1, 2, 3, -5], np.float32), "n": np.array([1, 3, 9], np.int32)}
    return 13, nodes, inputs, constants, ["y", "m"], {}


def products_over_nothing():
    """A sum of nothing is 0, of tensors that are known and of those that are not.

    ONNX Runtime 1.31 does not write `y`: it returns what the memory held before. The others are its own.
    """
    nodes = [node("MatMul", "x v", "y"), node("MatMul", "n m", "k"), node("MatMul", "m t", "l")]
    empty = lambda *shape, dtype=np.int64: np.zeros(shape, dtype)
    inputs = {"x": empty(3, 0, dtype=np.float32), "v": empty(0, dtype=np.float32)}
    constants = {"n": empty(3, 0), "m": empty(0), "t": empty(0, 2)}
    return 13, nodes, inputs, constants, ["y", "k", "l"], {"y": inputs["x"] @ inputs["v"]}


def powers():
    """The exponent is of another type, which holds numbers that the base's does not."""
    exponents = {"half": "wide", "single": "long", "odd": "integers", "near": "double"}
    nodes = [node("Pow", f"{base} {exponent}", f"{base}_{exponent}") for base, exponent in exponents.items()]
    nodes += [node("Pow", "single known", "single_known"), node("Pow", "half cube", "half_cube")]
    inputs = {
        "half": np.array([-2, 1.001, 3], np.float16),
        "wide": np.array([2049.5, 7e4, 1 / 3], np.float32),
        "single": np.array([-1, -1, 2], np.float32),
        "long": np.array([2**24 + 1, 3, -5]),
        "odd": np.array([-1, -1.5], np.float32),
        "integers": np.array([2**24 + 1, 3], np.int32),
        "near": np.array([1 + 2**-20, 0.9], np.float32),
        "double": np.array([2**24 + 0.5, 1 / 3]),
    }
    constants = {"known": np.array([2**24 + 1, 3, -5]), "cube": np.array(3)}
    return 13, nodes, inputs, constants, [made.output[0] for made in nodes], {}


HALVES = np.random.default_rng(5).uniform(1, 3, (2, 3, 4)).astype(np.float16)


def moments_of_halves():
    """The moments of narrow floats are of f32."""
    nodes = [
        node("LayerNormalization", "x last", "_ mean spread"),
        node("LayerNormalization", "x both", "_2 mean_of_both", axis=1),
        node("LayerNormalization", "wide doubles", "_3 mean_of_doubles"),
    ]
    constants = {"last": np.ones(4, np.float16), "both": np.ones((3, 4), np.float16), "doubles": np.ones(4)}
    inputs = {"x": HALVES, "wide": HALVES.astype(np.float64)}
    return 17, nodes, inputs, constants, ["mean", "spread", "mean_of_both", "mean_of_doubles"], {}


def squares_of_halves():
    """Squares and sums that f16 does not hold, of results that it does."""
    nodes = [
        node("RMSNormalization", "x last", "by_root", axis=-1),
        node("LayerNormalization", "x both", "normal", axis=1),
        node("LayerNormalization", "x last last", "beside mean", axis=-1),
    ]
    constants = {"last": np.ones(4, np.float16), "both": np.ones((3, 4), np.float16)}
    return 23, nodes, {"x": HALVES * np.float16(1e4)}, constants, ["by_root", "normal", "beside"], {}


def roundings_to_bf16():
    """Each is rounded once, to a subnormal number, too, of a constant as at run time."""
    ties = [1.3945314, 1.39453125, 1 + 3 * 2**-8, 2 - 2**-9, -(1 + 2**-8 + 2**-20), 3.3895e38]
    small = [1.3775324e-40, -1.1754942e-38, 2.0**-134, 3 * 2.0**-134, 2.0**-134 + 2.0**-149, -1e-45, -0.0]
    numbers = np.array([*ties, *small, np.inf, -np.inf, np.nan], np.float32)
    integers = np.array([257, 2**24 + 2**16 + 1, -(2**40 + 1)])
    nodes = []
    for name in ("numbers", "known", "integers", "known_integers"):
        nodes += [
            node("Cast", name, f"{name}_narrow", to=TensorProto.BFLOAT16),
            node("Cast", f"{name}_narrow", f"{name}_back", to=TensorProto.FLOAT),
        ]
    constants = {"known": numbers, "known_integers": integers}
    inputs = {"numbers": numbers, "integers": integers}
    return 13, nodes, inputs, constants, [made.output[0] for made in nodes[1::2]], {}


def slices():
    """All starts, ends and steps around an axis of four: each slice's extent and its numbers, at most 12 slices in one list."""
    bounds = [-(2**63), *range(-6, 7), 2**62]
    nodes, constants, lists = [], {"x": np.arange(1, 5), "axis": np.array([0])}, []
    constants |= {f"at{bound}": np.array([bound]) for bound in bounds}
    steps = [1, 2, 5, -1, -3, -4]
    constants |= {f"step{step}": np.array([step]) for step in steps}
    for start, end, step in itertools.product(bounds, bounds, steps):
        name = f"slice{len(nodes)}"
        nodes += [
            node("Slice", f"x at{start} at{end} axis step{step}", name),
            node("Shape", name, f"{name}_extent"),
        ]
        lists += [f"{name}_extent", name]
    groups = [lists[first : first + 24] for first in range(0, len(lists), 24)]
    nodes += [helper.make_node("Concat", group, [f"list{i}"], axis=0) for i, group in enumerate(groups)]
    nodes.append(helper.make_node("Concat", [f"list{i}" for i in range(len(groups))], ["all"], axis=0))
    # The same of numbers that are not known. ONNX Runtime takes the last end for one before the axis, where ONNX's text and numpy do not.
    for name, start, end, step in [("one", -7, -9, -1), ("some", 9, -(2**63), -3), ("none", 3, 2**63 - 1, -2)]:
        constants |= {f"{name}_from": np.array([start]), f"{name}_to": np.array([end]), f"{name}_by": np.array([step])}
        nodes.append(node("Slice", f"y {name}_from {name}_to axis {name}_by", name))
    y = np.arange(12, dtype=np.float32).reshape(4, 3)
    return 13, nodes, {"y": y}, constants, ["all", "one", "some", "none"], {"none": y[3 : 2**63 - 1 : -2]}


# What makes each case, and the relative error allowed.
CASES = {
    places: 0,
    maxima_of_nan: 0,
    large_windows: 1e-6,
    bounds_the_wrong_way_round: 0,
    products_over_nothing: 0,
    powers: 1e-6,
    moments_of_halves: 1e-5,
    squares_of_halves: 1e-3,
    roundings_to_bf16: 0,
    slices: 0,
}


def case(folder, make, rtol):
    """Writes a case; returns its entry of the index."""
    opset, nodes, inputs, constants, outputs, given = make()
    made = cases.model(nodes, inputs, constants, outputs, opset)
    expected = given if set(given) == set(outputs) else cases.outputs_of(made, inputs) | given
    return cases.write(folder, make.__name__, made, inputs, expected, rtol=rtol, atol=0)


def main():
    folder = pathlib.Path(sys.argv[1])
    cases.write_index(folder, [case(folder, make, rtol) for make, rtol in CASES.items()])


main()
