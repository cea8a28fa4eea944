"""Writes models of operators that are composed of several of Relay's, as check_cases.py reads them.

What Einsum computes is what numpy makes of it; of the others, ONNX Runtime.
"""

import pathlib
import sys

import cases
import numpy as np
import onnx
from onnx import helper

# Equations, and the shapes of what they are of.
EQUATIONS = [
    ("i,i->", [(5,), (5,)]),
    ("i,j->ij", [(3,), (4,)]),
    ("ij,jk", [(3, 4), (4, 5)]),
    ("ij,kj->ki", [(3, 4), (5, 4)]),
    ("bhqd,bhkd->bhqk", [(2, 3, 4, 5), (2, 3, 6, 5)]),
    ("bqhd,bkhd->bhqk", [(2, 4, 3, 5), (2, 6, 3, 5)]),
    ("bhqk,bkhd->bqhd", [(2, 3, 4, 6), (2, 6, 3, 5)]),
    ("bchw,bkhw->bck", [(2, 3, 4, 5), (2, 6, 4, 5)]),
    ("ij,ij->ij", [(3, 4), (3, 4)]),
    ("ij,i->ij", [(3, 4), (3,)]),
    ("ijk,ilm->jl", [(3, 4, 2), (3, 5, 2)]),
    ("ij,jk,kl->il", [(3, 4), (4, 5), (5, 2)]),
    ("ii->i", [(4, 4)]),
    ("ii", [(4, 4)]),
    ("iji->j", [(4, 3, 4)]),
    ("iii->i", [(3, 3, 3)]),
    ("ijij->ji", [(2, 3, 2, 3)]),
    ("ijk->kij", [(2, 3, 4)]),
    ("ijk->", [(2, 3, 4)]),
    ("...ij,...jk->...ik", [(2, 1, 3, 4), (5, 4, 2)]),
    ("...i,i->...", [(2, 3, 4), (4,)]),
    ("i...->...i", [(2, 3, 4)]),
    ("b...d,cd", [(2, 3, 4), (5, 4)]),
    (",ij->ji", [(), (2, 3)]),
    (" i j , j -> i ", [(2, 3), (3,)]),
    ("ij,jk->ik", [(0, 4), (4, 5)]),
    ("ij,jk->ik", [(3, 0), (0, 5)]),
    ("Ba,aA", [(2, 3), (3, 4)]),
]


def rows(*shape):
    """Numbers of both signs."""
    return np.random.default_rng(len(shape)).standard_normal(shape).astype(np.float32)


INFINITE = np.array([[1, 2, np.inf], [-np.inf, -np.inf, -np.inf], [1e4, 1e4, -np.inf]], np.float32)

# Regions in an image, across its edges, outside of it, and of no size: the first x and y, the last x and y.
REGIONS = np.array([[1, 2, 12, 9], [-5, -4, 6, 30], [60, 60, 80, 80], [4, 4, 4, 4]], np.float32)

# The first is a permutation, the second has no inverse.
MATRICES = np.stack([np.eye(4)[[2, 0, 3, 1]], np.outer(range(4), range(1, 5)), *rows(3, 4, 4)]).astype(np.float32)
NO_TENSOR = np.array([], np.float32)


def resized(sizes, **attributes):
    """An image whose elements are averaged as it shrinks."""
    arrays = [rows(1, 2, 13, 9), NO_TENSOR, NO_TENSOR, np.array(sizes)]
    return 18, "Resize", arrays, 3, {"antialias": 1, **attributes}


# The operator set, the operator, its inputs as arrays, how many of them are constants, its attributes.
CASES = {
    "determinants": (11, "Det", [MATRICES], 0, {}),
    "determinant_of_a_number": (11, "Det", [rows(1, 1)], 0, {}),
    "wrapped": (19, "Pad", [rows(3, 4), np.array([7, 2, 1, 9])], 1, {"mode": "wrap"}),
    "wrapped_and_cut": (19, "Pad", [rows(5, 4), np.array([-1, 2, 2, -1])], 1, {"mode": "wrap"}),
    "shrunk_lines": resized([1, 2, 5, 9], mode="linear"),
    "shrunk_and_grown": resized([1, 2, 4, 20], mode="linear"),
    "shrunk_by_cubes": resized([1, 2, 5, 4], mode="cubic"),
    "shrunk_inside": resized([1, 2, 5, 4], mode="cubic", exclude_outside=1),
    "shrunk_with_corners": resized([1, 2, 6, 4], mode="linear", coordinate_transformation_mode="align_corners"),
    "group_norm_of_volumes": (18, "GroupNormalization", [rows(2, 6, 3, 4, 2), rows(3), rows(3)], 2, {"num_groups": 3}),
    "group_norm_by_channel": (21, "GroupNormalization", [rows(2, 6, 5), rows(6), rows(6)], 2, {"num_groups": 2}),
    "log_sum_exp_of_infinities": (18, "ReduceLogSumExp", [INFINITE, np.array([1])], 1, {}),
    "log_sum_exp_of_infinities_without_axis": (13, "ReduceLogSumExp", [INFINITE], 0, {"axes": [1], "keepdims": 0}),
    "length_of_integers": (18, "ReduceL2", [np.array([[3, 4], [6, 8]], np.int32), np.array([1])], 1, {"keepdims": 0}),
    "length_of_a_number": (18, "ReduceL2", [np.array(-3, np.float32)], 0, {}),
    "sizes_of_half": (18, "ReduceL1", [rows(3, 4), np.array([-2, -1])], 1, {"keepdims": 0}),
    "lp_norm_of_nothing": (13, "LpNormalization", [np.array([[0, 0], [3, 4]], np.float32)], 0, {"p": 2, "axis": 1}),
    "gather_nd_of_two_batches": (
        13,
        "GatherND",
        [rows(2, 3, 4, 5), np.array([[[[1], [-1]], [[0], [2]], [[3], [-4]]]] * 2)],
        0,
        {"batch_dims": 2},
    ),
    "gather_nd_of_all": (12, "GatherND", [rows(2, 3), np.array([[1, -1], [-2, 0], [0, 1]])], 0, {}),
    "gather_nd_of_one": (12, "GatherND", [rows(2, 3), np.array([1, 2])], 0, {}),
    "one_hot_of_floats": (
        11,
        "OneHot",
        [np.array([[0, 2, -1], [5, 1, -3]], np.float32), np.array(3, np.float32), np.array([-1, 7], np.float32)],
        [1],
        {"axis": 1},
    ),
    "range_downwards": (11, "Range", [np.array(10), np.array(-2), np.array(-5)], [1, 2, 0], {}),
    "range_of_floats": (11, "Range", [np.float32(0), np.float32(1), np.float32(0.3)], [0, 1, 2], {}),
    "range_of_nothing": (11, "Range", [np.array(3), np.array(3), np.array(1)], [0, 1, 2], {}),
    "triangle_of_integers": (14, "Trilu", [np.arange(24).reshape(2, 3, 4), np.array(-1)], 1, {"upper": 0}),
    "eye_above": (9, "EyeLike", [np.zeros((3, 5), np.int32)], 0, {"k": 2, "dtype": onnx.TensorProto.FLOAT}),
    "hardmax_of_rows": (11, "Hardmax", [np.array([[[1, 3], [3, 0]]], np.float32)], 0, {"axis": 1}),
    "space_to_depth": (13, "SpaceToDepth", [rows(2, 3, 4, 6)], 0, {"blocksize": 2}),
    "one_side_of_a_transform": (17, "DFT", [rows(2, 9, 3, 1)], 0, {"axis": 1, "onesided": 1}),
    "transform_of_a_longer_circle": (20, "DFT", [rows(2, 9, 2), np.array(12)], 1, {}),
    "transform_of_a_shorter_circle": (20, "DFT", [rows(2, 9, 2), np.array(7)], 1, {"inverse": 1}),
    "back_from_one_side": (20, "DFT", [rows(2, 4, 2), np.array(7)], 1, {"inverse": 1, "onesided": 1}),
    "transforms_of_windows": (
        17,
        "STFT",
        [rows(2, 40, 1), np.array(5), np.hanning(16).astype(np.float32), np.array(16)],
        [1, 3],
        {"onesided": 1},
    ),
    "bands_of_frequencies": (
        17,
        "MelWeightMatrix",
        [np.array(40), np.array(400), np.array(16000), np.float32(0), np.float32(8000)],
        5,
        {},
    ),
    "regions_of_two_images": (
        16,
        "RoiAlign",
        [rows(2, 3, 7, 9), REGIONS, np.array([1, 0, 1, 0])],
        0,
        {"output_height": 3, "output_width": 2, "sampling_ratio": 2, "spatial_scale": 0.5},
    ),
    "regions_of_whole_pixels": (
        10,
        "RoiAlign",
        [rows(2, 3, 7, 9), REGIONS, np.array([1, 0, 1, 0])],
        1,
        {"output_height": 2, "output_width": 3, "sampling_ratio": 3, "mode": "avg"},
    ),
    "greatest_of_regions": (
        16,
        "RoiAlign",
        [rows(2, 3, 7, 9), REGIONS, np.array([1, 0, 1, 0])],
        0,
        {"output_height": 2, "output_width": 2, "sampling_ratio": 1, "mode": "max"},
    ),
    "places_in_padding": (
        12,
        "MaxPool",
        [rows(2, 3, 7, 6)],
        0,
        {"kernel_shape": [3, 2], "strides": [2, 2], "pads": [1, 0, 1, 1], "storage_order": 1},
    ),
    "places_in_volumes": (
        12,
        "MaxPool",
        [rows(1, 2, 5, 4, 6)],
        0,
        {"kernel_shape": [2, 2, 3], "dilations": [2, 1, 1], "strides": [1, 2, 2], "ceil_mode": 1},
    ),
    "places_of_ties": (12, "MaxPool", [np.ones((1, 2, 6), np.float32)], 0, {"kernel_shape": [3], "strides": [2]}),
    "places_of_bytes": (
        12,
        "MaxPool",
        [np.arange(48, dtype=np.int8).reshape(1, 2, 4, 6) - 40],
        0,
        {"kernel_shape": [2, 2], "pads": [1, 1, 0, 0]},
    ),
    "unpooled_into_a_shape": (
        11,
        "MaxUnpool",
        [rows(1, 2, 2, 2), np.array([[[[0, 3], [12, 24]], [[25, 29], [40, 49]]]]), np.array([1, 2, 5, 5])],
        [2],
        {"kernel_shape": [2, 2], "strides": [2, 2]},
    ),
    "columns_of_volumes": (
        18,
        "Col2Im",
        [rows(2, 24, 2 * 3 * 2), np.array([4, 5, 3]), np.array([2, 2, 2])],
        2,
        {"strides": [2, 2, 1], "dilations": [1, 1, 1], "pads": [0, 1, 0, 0, 0, 0]},
    ),
    "columns_that_overlap": (
        18,
        "Col2Im",
        [rows(2, 18, 25), np.array([5, 5]), np.array([3, 3])],
        2,
        {"pads": [1, 1, 1, 1]},
    ),
    "rnn_of_other_activations": (
        14,
        "RNN",
        [rows(3, 2, 4), rows(2, 5, 4), rows(2, 5, 5) / 4],
        2,
        {"hidden_size": 5, "direction": "bidirectional", "activations": ["LeakyRelu", "Affine"]}
        | {"activation_alpha": [0.3, 0.5], "activation_beta": [0.1, 0.2]},
    ),
    "gru_both_ways": (
        14,
        "GRU",
        [rows(7, 2, 4), rows(2, 15, 4), rows(2, 15, 5), rows(2, 30), np.array([7, 3], np.int32), rows(2, 2, 5)],
        [1, 2, 3, 5],
        {"hidden_size": 5, "direction": "bidirectional"},
    ),
    "gru_reset_late": (
        22,
        "GRU",
        [rows(40, 3, 4), rows(1, 15, 4), rows(1, 15, 5), rows(1, 30)],
        3,
        {"hidden_size": 5, "linear_before_reset": 1, "clip": 0.8},
    ),
    "lstm_with_all": (
        14,
        "LSTM",
        [rows(5, 2, 4), rows(2, 12, 4), rows(2, 12, 3), rows(2, 24), np.array([2, 5], np.int32)]
        + [rows(2, 2, 3), rows(2, 2, 3) + 1, rows(2, 9)],
        [1, 2, 3, 7],
        {"hidden_size": 3, "direction": "bidirectional", "clip": 1.5},
    ),
    "lstm_backwards": (
        7,
        "LSTM",
        [rows(6, 1, 4), rows(1, 12, 4), rows(1, 12, 3)],
        2,
        {"hidden_size": 3, "direction": "reverse", "input_forget": 1},
    ),
    "scatter_rows": (13, "ScatterND", [rows(4, 5, 6), np.array([[0], [-1]]), rows(2, 5, 6)], [1], {}),
    "scatter_numbers": (
        11,
        "ScatterND",
        [rows(3, 4), np.array([[[0, 1], [2, -4]], [[1, 1], [0, 3]]]), rows(2, 2)],
        0,
        {},
    ),
    "scatter_sums": (16, "ScatterND", [rows(3, 4), np.array([[1], [1], [2]]), rows(3, 4)], 0, {"reduction": "add"}),
    "scatter_in_part": (
        11,
        "ScatterElements",
        [rows(3, 4, 5), np.array([[[0, 1, -1], [3, 2, 0]], [[1, 1, 3], [0, 0, 1]]]).transpose(0, 2, 1)[:, :2], rows(2, 2, 2)],
        0,
        {"axis": 1},
    ),
    "scatter_products": (
        16,
        "ScatterElements",
        [rows(3, 4), np.array([[0, 2, 2, 1], [1, 2, 0, 0]]), rows(2, 4)],
        1,
        {"axis": 0, "reduction": "mul"},
    ),
    "scatter_greatest": (
        18,
        "ScatterElements",
        [rows(3, 4), np.array([[0, 2, 2, 1, 0]] * 2), rows(2, 5)],
        0,
        {"axis": -1, "reduction": "max"},
    ),
    "top_of_ties": (11, "TopK", [np.array([[3, 1, 3, 2, 1, 3]]), np.array([4])], 1, {}),
    "top_downwards": (11, "TopK", [rows(5, 3, 2), np.array([3])], 1, {"axis": 0, "largest": 0}),
    "top_of_none": (11, "TopK", [rows(5, 3), np.array([0])], 1, {}),
    "grid_mirrored": (
        16,
        "GridSample",
        [rows(2, 3, 5, 4), rows(2, 6, 7, 2) * 3],
        0,
        {"padding_mode": "reflection", "mode": "bilinear"},
    ),
    "grid_cubic": (
        16,
        "GridSample",
        [rows(2, 3, 5, 1), rows(2, 6, 7, 2) * 2],
        0,
        {"padding_mode": "reflection", "mode": "bicubic", "align_corners": 1},
    ),
    "sums_of_many": (14, "CumSum", [np.arange(5000, dtype=np.int64).reshape(2, 2500), np.array(1)], 1, {}),
    "sums_of_blocks": (14, "CumSum", [np.arange(512, dtype=np.int32).reshape(128, 4), np.array(-2)], 1, {"exclusive": 1}),
    "sums_backwards": (11, "CumSum", [rows(130, 3), np.array(0)], 1, {"exclusive": 1, "reverse": 1}),
    "sums_of_one": (11, "CumSum", [rows(3, 1), np.array(1)], 1, {"exclusive": 1}),
    "sums_of_nothing": (11, "CumSum", [rows(3, 0), np.array(1)], 1, {}),
    "celu": (12, "Celu", [rows(3, 4)], 0, {"alpha": 0.7}),
    "only_negative": (10, "IsInf", [INFINITE], 0, {"detect_positive": 0}),
    "no_infinity": (10, "IsInf", [INFINITE], 0, {"detect_positive": 0, "detect_negative": 0}),
}

# The outputs of operators that have several.
OUTPUTS = {
    "GRU": ["y", "h"],
    "LSTM": ["y", "h", "c"],
    "MaxPool": ["y", "places"],
    "RNN": ["y", "h"],
    "TopK": ["y", "places"],
}


def einsum():
    """All equations in a model, its inputs, and what numpy computes."""
    nodes, inputs, outputs = [], {}, {}
    for number, (equation, shapes) in enumerate(EQUATIONS):
        names = [f"x{number}_{place}" for place in range(len(shapes))]
        arrays = [np.asarray(rows(*shape), np.float32) for shape in shapes]
        inputs |= dict(zip(names, arrays))
        outputs[f"y{number}"] = np.asarray(np.einsum(equation.replace(" ", ""), *arrays))
        nodes.append(helper.make_node("Einsum", names, [f"y{number}"], equation=equation))
    return cases.model(nodes, inputs, {}, outputs, 12), inputs, outputs


def of_node(opset, operator, arrays, constants, attributes):
    """A model of one node, and its inputs. A number of constants is that of the last inputs."""
    if isinstance(constants, int):
        constants = range(len(arrays) - constants, len(arrays))
    named = {f"x{place}": np.asarray(array) for place, array in enumerate(arrays)}
    names = OUTPUTS.get(operator, ["y"])
    node = helper.make_node(operator, list(named), names, **attributes)
    known = {f"x{place}": named.pop(f"x{place}") for place in constants}
    return cases.model([node], named, known, names, opset), named


def main():
    folder = pathlib.Path(sys.argv[1])
    entries = [cases.write(folder, name, *of_node(*case)) for name, case in CASES.items()]
    entries.append(cases.write(folder, "einsum", *einsum()))
    cases.write_index(folder, entries)


if __name__ == "__main__":
    main()
