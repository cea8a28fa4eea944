"""Inputs and the expected results of resize.mlir, by ONNX Runtime."""

import sys

import numpy as np

from one_node import run, standard_normal


def resize(x, size, mode="linear", coordinates="half_pixel", rounding="round_prefer_floor"):
    """Data of layout NC... at another size. Opset 11 is the one with tf_half_pixel_for_nn."""
    sizes = np.array(x.shape[:2] + size, np.int64)
    nothing = np.zeros(0, np.float32)
    modes = {"coordinate_transformation_mode": coordinates, "nearest_mode": rounding}
    return run("Resize", [x, nothing, nothing, sizes], 11, mode=mode, **modes)


def nearest(x, size, coordinates, rounding):
    return resize(x, size, "nearest", coordinates, rounding)


def blocks(x):
    """From NCHW to NCHW16c."""
    batch, channels, *space = x.shape
    return x.reshape(batch, channels // 16, 16, *space).transpose(0, 1, 3, 4, 2)


command, inputs, *results = sys.argv[1:]
if command == "inputs":
    shapes = {"x": (2, 3, 7), "y": (1, 2, 4, 5), "last": (1, 4, 5, 2), "z": (1, 2, 3, 4, 5)}
    ints = np.random.default_rng(1).integers(-1000, 1000, (1, 2, 4, 5), np.int32)
    np.savez(inputs, **standard_normal(**shapes, blocks=(1, 2, 4, 5, 16)), i=ints)
else:
    given, actual = np.load(inputs), np.load(results[0])
    x, y, i, z = (given[name] for name in "xyiz")
    last = given["last"].transpose(0, 3, 1, 2)
    unblocked = given["blocks"].transpose(0, 1, 4, 2, 3).reshape(1, 32, 4, 5)
    expected = {
        "linear_half": resize(x, (12,)),
        "linear_corners": resize(x, (12,), coordinates="align_corners"),
        "linear_asymmetric": resize(x, (5,), coordinates="asymmetric"),
        "linear_pytorch": resize(x, (1,), coordinates="pytorch_half_pixel"),
        "linear_tf": resize(x, (12,), coordinates="tf_half_pixel_for_nn"),
        "nearest_floor": nearest(x, (12,), "half_pixel", "floor"),
        "nearest_ceil": nearest(x, (12,), "half_pixel", "ceil"),
        "nearest_down": nearest(x, (14,), "asymmetric", "round_prefer_floor"),
        "nearest_up": nearest(x, (14,), "asymmetric", "round_prefer_ceil"),
        "nearest_tf": nearest(x, (12,), "tf_half_pixel_for_nn", "floor"),
        "nearest_corners": nearest(x, (13,), "align_corners", "round_prefer_floor"),
        "image_linear": resize(y, (9, 3)),
        "image_nearest": nearest(y, (8, 10), "asymmetric", "floor"),
        "image_ints": resize(i, (9, 3)),
        "image_last": resize(last, (9, 3), coordinates="align_corners").transpose(0, 2, 3, 1),
        "volume_linear": resize(z, (5, 3, 8)),
        "volume_nearest": nearest(z, (6, 8, 10), "asymmetric", "floor"),
        "up_nearest": nearest(y, (8, 15), "asymmetric", "floor"),
        "up_linear": resize(y, (6, 10), coordinates="asymmetric"),
        "up_corners": resize(y, (8, 10), coordinates="align_corners"),
        "up_last": nearest(last, (8, 10), "align_corners", "round_prefer_ceil").transpose(0, 2, 3, 1),
        "up3d_linear": resize(z, (6, 6, 10)),
        "up3d_nearest": nearest(z, (6, 6, 10), "half_pixel", "floor"),
        "blocks_linear": blocks(resize(unblocked, (9, 3))),
        "blocks_nearest": blocks(nearest(unblocked, (8, 10), "asymmetric", "floor")),
    }
    assert sorted(actual.files) == sorted(expected)
    for name, array in expected.items():
        # A float that is an integer but for its rounding may be truncated to the one before it.
        tolerance = 1 if array.dtype == np.int32 else 1e-5
        np.testing.assert_allclose(actual[name], array, rtol=1e-4, atol=tolerance, err_msg=name)
