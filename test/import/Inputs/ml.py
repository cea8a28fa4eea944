"""Writes models of operators of the domain ai.onnx.ml, as check_cases.py reads them; what they compute is what ONNX Runtime makes of them."""

import pathlib
import sys

import cases
import numpy as np
from onnx import helper, numpy_helper

RANDOM = np.random.default_rng(5)
FLOATS = RANDOM.standard_normal((3, 4)).astype(np.float32)
WHOLE = np.array([[3, 1, 4], [1, -5, 9]])
KEYS = {"keys_int64s": [1, 3, 9]}
NUMBERS = np.array([0.5, np.nan, -0.0, 7, np.inf], np.float32)


def tensor(values, dtype):
    """A list of an attribute."""
    return numpy_helper.from_array(np.array(values, dtype), "list")


# By name: the operator, the version of its domain, its inputs, and its attributes.
CASES = {
    "binarizer": ("Binarizer", 1, [FLOATS], {"threshold": 0.25}),
    "binarizer_at_zero": ("Binarizer", 1, [np.array([[-1, 0, 1]], np.float32)], {}),
    "columns": ("ArrayFeatureExtractor", 1, [FLOATS, np.array([[3, 0, 3]])], {}),
    "columns_of_a_list": ("ArrayFeatureExtractor", 1, [FLOATS[0], np.array([2, 1])], {}),
    "columns_of_rank_3": ("ArrayFeatureExtractor", 1, [FLOATS.reshape(3, 2, 2), np.array([1])], {}),
    "ints_to_floats": ("LabelEncoder", 2, [WHOLE], {**KEYS, "values_floats": [0.5, 1.5, -2.0]}),
    "with_a_default": (
        "LabelEncoder",
        2,
        [WHOLE],
        {**KEYS, "values_floats": [0.5, 1.5, -2.0], "default_float": 100.0},
    ),
    "floats_to_ints": (
        "LabelEncoder",
        4,
        [NUMBERS],
        {"keys_floats": [0.5, float("nan"), 0.0], "values_int64s": [10, 20, 30], "default_int64": -7},
    ),
    "tensors": (
        "LabelEncoder",
        4,
        [WHOLE],
        {
            "keys_tensor": tensor([3, 4, 9], np.int64),
            "values_tensor": tensor([30, 40, 90], np.float32),
            "default_tensor": tensor([-1], np.float32),
        },
    ),
}


def case(operator, version, arrays, attributes):
    """A model of one node, and its inputs."""
    named = {f"x{place}": array for place, array in enumerate(arrays)}
    node = helper.make_node(operator, list(named), ["y"], domain="ai.onnx.ml", **attributes)
    made = cases.model([node], named, {}, ["y"], 17)
    made.opset_import.append(helper.make_opsetid("ai.onnx.ml", version))
    return made, named


def main():
    folder = pathlib.Path(sys.argv[1])
    cases.write_index(folder, [cases.write(folder, name, *case(*of)) for name, of in CASES.items()])


main()
