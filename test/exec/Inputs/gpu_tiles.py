"""Inputs of gpu_tiles.mlir, and the expected results by numpy."""

import sys

import numpy as np

SHAPES = {"image": (2, 40, 9, 20), "none": (0, 64, 64), "x": (2, 6, 9, 13), "small": (1, 40, 2, 2)}
SHAPES |= {"w3": (6, 1, 3, 3), "w5": (6, 1, 5, 5), "w40": (40, 1, 3, 3), "wg": (9, 2, 3, 3)}


def windows(x, size, padding, stride=1, dilation=1, fill=0.0):
    """The elements at each tap of the windows, one array for each tap."""
    x = np.pad(x.astype(np.float64), [(0, 0), (0, 0), (padding, padding), (padding, padding)], constant_values=fill)
    reach = dilation * (size - 1)
    height, width = x.shape[2] - reach, x.shape[3] - reach
    for row in range(0, reach + 1, dilation):
        for column in range(0, reach + 1, dilation):
            yield x[:, :, row : row + height : stride, column : column + width : stride]


def depthwise(x, w, **window):
    taps = w.reshape(len(w), -1).T.astype(np.float64)
    return sum(tap[:, None, None] * part for tap, part in zip(taps, windows(x, w.shape[2], **window), strict=True))


def expected(given):
    x, w3 = given["x"], given["w3"]
    yield "nhwc", np.maximum(given["image"].transpose(0, 2, 3, 1), 0)
    yield "keys", given["heads"].transpose(0, 2, 3, 1)
    yield "turned", given["bytes"].T
    yield "none_turned", given["none"].transpose(0, 2, 1)
    yield "plain", np.maximum(depthwise(x, w3, padding=1), 0)
    yield "strided", depthwise(x, w3, padding=1, stride=2)
    yield "dilated", depthwise(x, w3, padding=2, dilation=2)
    yield "wide", depthwise(x, given["w5"], padding=0)
    yield "small_conv", depthwise(given["small"], given["w40"], padding=1)
    # Three outputs of each pair of channels.
    parts = [
        depthwise(x[:, [2 * (o // 3) + i for o in range(9)]], given["wg"][:, i : i + 1], padding=1) for i in range(2)
    ]
    yield "groups", sum(parts)
    yield "max", np.max(list(windows(x, 3, 1, 2, fill=-np.inf)), axis=0)
    counts = sum(windows(np.ones_like(x), 3, 1))
    yield "mean", sum(windows(x, 3, 1)) / counts


command, first, *rest = sys.argv[1:]
if command == "inputs":
    rng = np.random.default_rng(0)
    made = {name: rng.standard_normal(shape, np.float32) for name, shape in SHAPES.items()}
    made["heads"] = rng.standard_normal((2, 40, 3, 64)).astype(np.float16)
    made["bytes"] = rng.integers(-128, 128, (100, 33)).astype(np.int8)
    np.savez(first, **made)
else:
    given, actual = np.load(first), np.load(rest[0])
    for name, values in expected(given):
        np.testing.assert_allclose(actual[name], values, rtol=1e-4, atol=1e-5, err_msg=name)
