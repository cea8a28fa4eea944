"""A model of many convolutions, each with an epilogue, and a comparison with ONNX Runtime."""

import sys

import numpy as np
from onnx import TensorProto, helper, numpy_helper

import several_nodes

# Operator, shape of the data, shape of the weight, attributes.
CASES = [
    ("Conv", (1, 48, 9, 11), (32, 48, 3, 3), {"pads": [1, 1, 1, 1], "strides": [2, 2]}),
    ("Conv", (1, 128, 14, 14), (256, 128, 3, 3), {"pads": [1, 1, 1, 1], "strides": [2, 2]}),
    ("Conv", (2, 32, 7, 7), (24, 32, 1, 1), {}),
    ("Conv", (1, 32, 7, 7), (1000, 32, 1, 1), {}),
    ("Conv", (1, 32, 10, 10), (64, 8, 3, 3), {"group": 4, "pads": [1, 1, 1, 1]}),
    ("Conv", (1, 34, 7, 7), (68, 17, 1, 1), {"group": 2}),
    ("Conv", (2, 12, 5, 9), (18, 4, 1, 1), {"group": 3}),
    ("Conv", (1, 15, 28, 28), (15, 1, 3, 3), {"group": 15, "pads": [1, 1, 1, 1]}),
    ("Conv", (1, 10, 17, 15), (10, 1, 3, 3), {"group": 10, "strides": [2, 2]}),
    ("Conv", (1, 10, 9, 9), (20, 1, 3, 3), {"group": 10, "dilations": [2, 2]}),
    ("Conv", (2, 6, 33), (9, 2, 5), {"group": 3, "pads": [2, 2]}),
    ("Conv", (1, 4, 5, 6, 19), (6, 4, 3, 1, 2), {"strides": [1, 2, 1]}),
    ("ConvTranspose", (1, 6, 7, 9), (6, 5, 3, 3), {"strides": [2, 2], "pads": [1, 1, 1, 1]}),
    ("ConvTranspose", (1, 4, 20), (4, 3, 4), {"strides": [3], "group": 2}),
    ("Conv", (1, 3, 2, 3), (3, 3, 2, 2), {}),
    # Bands of rows that do not divide them.
    ("Conv", (1, 64, 19, 17), (64, 1, 3, 3), {"group": 64, "pads": [1, 1, 1, 1]}),
    ("Conv", (1, 160, 37, 37), (160, 1, 5, 5), {"group": 160, "pads": [2, 2, 2, 2], "strides": [2, 2]}),
    # Thirteen and seven blocks of 16 channels, which no tile of several blocks divides; with Winograd's algorithm, too.
    ("Conv", (1, 200, 7, 7), (208, 200, 1, 1), {}),
    ("Conv", (1, 64, 14, 14), (112, 64, 3, 3), {"pads": [1, 1, 1, 1]}),
]
T = "ConvTranspose"
CASES += [
    # Phases of as many taps, of fewer, and none.
    (T, (1, 32, 9, 7), (32, 16, 2, 2), {"strides": [2, 2]}),
    (T, (2, 17, 8, 9), (17, 12, 4, 4), {"strides": [2, 2], "pads": [1, 1, 1, 1]}),
    (T, (1, 16, 5, 6), (16, 9, 5, 5), {"strides": [3, 3]}),
    (T, (1, 8, 5, 6), (8, 3, 1, 2), {"strides": [2, 3]}),
    # Padding that differs, up to what the kernel reaches, and more results than windows reach.
    (T, (1, 8, 6, 7), (8, 16, 4, 3), {"strides": [2, 3], "pads": [3, 0, 1, 2]}),
    (T, (1, 8, 6, 7), (8, 16, 3, 3), {"strides": [2, 2], "pads": [1, 1, 1, 1], "output_padding": [1, 0]}),
    (T, (1, 4, 3, 4), (4, 3, 2, 2), {"strides": [4, 3], "output_padding": [3, 2]}),
    (T, (1, 8, 6, 7), (8, 4, 3, 3), {"strides": [2, 1], "output_shape": [14, 8]}),
    (T, (1, 8, 6, 7), (8, 4, 5, 3), {"strides": [2, 2], "auto_pad": "SAME_UPPER"}),
    # The flipped kernel; dilated where it can be taken apart, where it can not, and of two groups.
    (T, (1, 16, 12, 11), (16, 16, 3, 3), {"pads": [1, 1, 1, 1]}),
    (T, (1, 6, 8, 9), (6, 4, 3, 2), {"dilations": [2, 3], "pads": [1, 2, 3, 0]}),
    (T, (1, 6, 8, 9), (6, 4, 3, 3), {"strides": [1, 2], "dilations": [2, 1]}),
    (T, (1, 6, 8, 9), (6, 4, 3, 3), {"strides": [2, 2], "dilations": [2, 2]}),
    (T, (1, 12, 8, 9), (12, 5, 4, 3), {"strides": [2, 2], "group": 2, "pads": [1, 0, 1, 1]}),
    (T, (1, 10, 8, 9), (10, 1, 4, 4), {"strides": [2, 2], "group": 10, "pads": [1, 1, 1, 1]}),
    (T, (1, 16, 33), (16, 8, 16), {"strides": [8], "pads": [4, 4]}),
    (T, (2, 6, 3, 4, 5), (6, 4, 2, 3, 4), {"strides": [2, 1, 3], "pads": [0, 1, 2, 1, 0, 1]}),
]
CASES += [
    # Vectors of output channels filled up, and pairs of input channels.
    ("Conv", (1, 17, 13, 12), (19, 17, 3, 3), {"pads": [1, 1, 1, 1]}),
    ("Conv", (2, 30, 11, 14), (50, 30, 3, 3), {"strides": [2, 2], "pads": [1, 1, 1, 1]}),
    # Lines as rows of an image.
    ("Conv", (2, 33, 99), (47, 33, 9), {"strides": [2], "pads": [4, 3]}),
    ("Conv", (1, 16, 40), (32, 16, 3), {"dilations": [4], "pads": [4, 4]}),
    ("Conv", (1, 2, 64), (24, 2, 10), {"strides": [5]}),
    # Volumes as stacks of images: planes left out, padded, far from each other, one, and on their own.
    ("Conv", (2, 15, 9, 11, 13), (31, 15, 3, 3, 3), {"strides": [2, 2, 2], "pads": [1, 1, 1, 1, 1, 1]}),
    ("Conv", (1, 32, 7, 9, 9), (64, 32, 2, 3, 3), {"dilations": [3, 1, 2], "pads": [2, 0, 1, 1, 1, 0]}),
    ("Conv", (1, 33, 3, 8, 9), (48, 33, 3, 3, 3), {"pads": [0, 1, 1, 0, 1, 1]}),
    ("Conv", (2, 16, 4, 7, 6), (20, 16, 1, 1, 1), {}),
    ("Conv", (1, 16, 5, 7, 6), (32, 16, 1, 1, 1), {"strides": [2, 2, 1]}),
]
CASES += [
    # Taps that meet nothing but padding: all but one, those of one side, rows only, and with a stride.
    ("Conv", (1, 32, 16, 16), (32, 32, 3, 3), {"dilations": [24, 24], "pads": [24, 24, 24, 24]}),
    ("Conv", (1, 32, 5, 9), (48, 32, 3, 3), {"dilations": [6, 2], "pads": [12, 2, 0, 2]}),
    ("Conv", (1, 16, 4, 9), (16, 8, 5, 3), {"dilations": [3, 1], "pads": [6, 1, 6, 1], "group": 2}),
    ("Conv", (2, 24, 7, 8), (16, 24, 3, 3), {"dilations": [8, 9], "pads": [8, 9, 8, 9], "strides": [2, 3]}),
    # Padding on one side that reaches over data that no tap meets.
    ("Conv", (1, 16, 6, 6), (16, 16, 2, 2), {"dilations": [9, 9], "pads": [0, 7, 9, 2]}),
    # Taken apart by taps, and by parts; with strides, different dilations, in a row, and over planes.
    ("Conv", (1, 512, 10, 11), (64, 512, 3, 3), {"dilations": [7, 8], "pads": [7, 8, 7, 8]}),
    ("Conv", (1, 64, 33, 30), (64, 64, 3, 3), {"dilations": [12, 14], "pads": [12, 14, 12, 14]}),
    ("Conv", (2, 64, 26, 24), (64, 64, 3, 4), {"dilations": [9, 6], "pads": [9, 9, 7, 10], "strides": [2, 1]}),
    ("Conv", (1, 128, 40), (128, 128, 3), {"dilations": [24], "pads": [24, 24]}),
    ("Conv", (1, 16, 6, 7, 5), (32, 16, 3, 1, 1), {"pads": [2, 0, 0, 1, 0, 0], "strides": [2, 1, 1]}),
]
CASES += [
    # 1 x 1 convolutions of channels that no vector divides, of few and of many pixels.
    ("Conv", (1, 200, 7, 7), (232, 200, 1, 1), {}),
    ("Conv", (1, 116, 14, 14), (116, 116, 1, 1), {}),
    ("Conv", (1, 40, 5, 5), (72, 40, 1, 1), {}),
]
CASES += [
    # Groups of half vectors of channels, which meet several inputs at a time.
    ("Conv", (2, 96, 9, 7), (96, 24, 3, 3), {"group": 4, "pads": [1, 1, 1, 1]}),
    ("Conv", (1, 80, 11, 30), (80, 40, 3, 3), {"group": 2, "strides": [2, 2], "pads": [0, 1, 1, 0]}),
    ("Conv", (1, 32, 6, 33), (32, 8, 3, 5), {"group": 4, "dilations": [1, 2]}),
    ("Conv", (1, 36, 5, 5), (24, 12, 1, 1), {"group": 3}),
    ("Conv", (1, 32, 5, 6), (48, 16, 3, 3), {"group": 2}),
]
# These read their weight from an input.
FREE_WEIGHTS = {CASES.index(case) for case in CASES if case[0] == T and case[1][1] in (6, 17)}


def model():
    """All cases side by side; the input of each is x<number>, its output y<number>."""
    rng = np.random.default_rng(0)
    nodes, inputs, outputs, weights, arrays = [], [], [], [], {}
    for number, (kind, data, weight, attributes) in enumerate(CASES):
        arrays[f"x{number}"] = rng.standard_normal(data, np.float32)
        groups = attributes.get("group", 1)
        channels = weight[0] if kind == "Conv" else weight[1] * groups
        for name, shape in (("w", weight), ("b", (channels,))):
            array = rng.standard_normal(shape, np.float32)
            if name == "w" and number in FREE_WEIGHTS:
                arrays[f"w{number}"] = array
                inputs.append(helper.make_tensor_value_info(f"w{number}", TensorProto.FLOAT, shape))
                continue
            weights.append(numpy_helper.from_array(array, f"{name}{number}"))
        names = [f"{name}{number}" for name in "xwb"]
        nodes.append(helper.make_node(kind, names, [f"c{number}"], **attributes))
        nodes.append(helper.make_node("Relu", [f"c{number}"], [f"y{number}"]))
        inputs.append(helper.make_tensor_value_info(names[0], TensorProto.FLOAT, data))
        outputs.append(helper.make_tensor_value_info(f"y{number}", TensorProto.FLOAT, None))
    return helper.make_graph(nodes, "convs", inputs, outputs, weights), arrays


command, path, inputs, *results = sys.argv[1:]
if command == "make":
    several_nodes.save(path, inputs, *model())
else:
    expected = several_nodes.expected(path, inputs)
    for actual in map(np.load, results):
        for name in expected:
            # Winograd's algorithm loses digits of the sums' magnitude, not of each number's.
            magnitude = np.abs(expected[name]).max()
            np.testing.assert_allclose(
                actual[name], expected[name], rtol=1e-4, atol=1e-4 + 1e-5 * magnitude, err_msg=name
            )
