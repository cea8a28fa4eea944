"""Writes models of quantised products, as check_cases.py reads them."""

import pathlib
import sys

import cases
import numpy as np
from onnx import helper

RANDOM = np.random.default_rng(5)


def unsigned(*shape):
    return RANDOM.integers(0, 256, shape).astype(np.uint8)


def signed(*shape):
    return RANDOM.integers(-127, 128, shape).astype(np.int8)


def byte(number):
    return np.array(number, np.uint8)


def scale(number):
    return np.array(number, np.float32)


ROWS = {"x": unsigned(2, 8, 20)}
LAYER = {"xs": scale(0.02), "xz": byte(7), "w": signed(16, 8, 3), "ws": RANDOM.uniform(0.001, 0.002, 16).astype(np.float32)}
LAYER |= {"wz": np.zeros(16, np.int8), "ys": scale(0.03), "yz": byte(128), "b": RANDOM.integers(-900, 900, 16).astype(np.int32)}
STEPS = {"xs": scale(0.02), "xz": byte(7), "ws": scale(0.01), "wz": byte(120), "ys": scale(0.2), "yz": byte(128)}

# The operator, its operands in order, the inputs, the constants, and attributes.
CASES = {
    "conv_of_rows": ("ConvInteger", "x w z", ROWS, {"w": unsigned(16, 8, 3), "z": byte(7)}, {"pads": [1, 2], "strides": [2]}),
    "conv_of_each_row": ("ConvInteger", "x w", ROWS, {"w": unsigned(8, 1, 3)}, {"group": 8, "dilations": [2]}),
    "layer_of_rows": ("QLinearConv", "x xs xz w ws wz ys yz b", ROWS, LAYER, {"pads": [1, 1]}),
    "batches": ("MatMulInteger", "x y z w", {"x": unsigned(2, 3, 40, 9), "y": unsigned(2, 3, 9, 5)}, {"z": byte(7), "w": byte(100)}, {}),
    "few_rows": ("MatMulInteger", "x y z", {"x": unsigned(2, 3, 9), "y": signed(2, 9, 5)}, {"z": byte(7)}, {}),
    "broadcast_batches": ("MatMulInteger", "x y", {"x": unsigned(1, 3, 40, 9), "y": unsigned(2, 1, 9, 5)}, {}, {}),
    "quantised_batches": ("QLinearMatMul", "x xs xz y ws wz ys yz", {"x": unsigned(3, 40, 16), "y": unsigned(3, 16, 24)}, STEPS, {}),
}


def main():
    folder = pathlib.Path(sys.argv[1])
    entries = []
    for name, (operator, operands, inputs, constants, attributes) in CASES.items():
        node = helper.make_node(operator, operands.split(), ["result"], **attributes)
        made = cases.model([node], inputs, constants, ["result"], 13)
        entries.append(cases.write(folder, name, made, inputs, rtol=0, atol=0))
    cases.write_index(folder, entries)


main()
