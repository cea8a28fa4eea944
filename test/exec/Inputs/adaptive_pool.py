"""Inputs and the expected results of adaptive_pool.mlir, by numpy."""

import itertools
import sys

import numpy as np

from one_node import standard_normal


def windows(space, positions):
    """The slices that the positions cover."""
    starts = np.floor(np.arange(positions) * space / positions).astype(int)
    ends = np.ceil(np.arange(1, positions + 1) * space / positions).astype(int)
    return [slice(start, end) for start, end in zip(starts, ends)]


def pool(reduce, x, size):
    """An adaptive pool over the dimensions after the first two."""
    axes = tuple(range(2, x.ndim))
    result = np.empty(x.shape[:2] + size, x.dtype)
    all_windows = [windows(x.shape[axis], size[axis - 2]) for axis in axes]
    for position in itertools.product(*map(range, size)):
        window = tuple(of[at] for of, at in zip(all_windows, position))
        result[(..., *position)] = reduce(x[(..., *window)], axis=axes)
    return result


def blocks(x):
    """From NCHW to NCHW16c."""
    batch, channels, *space = x.shape
    return x.reshape(batch, channels // 16, 16, *space).transpose(0, 1, 3, 4, 2)


command, inputs, *results = sys.argv[1:]
if command == "inputs":
    shapes = {"x": (2, 3, 7), "y": (1, 2, 8, 5), "z": (1, 2, 3, 4, 7), "last": (1, 6, 5, 3)}
    np.savez(inputs, **standard_normal(**shapes, blocks=(1, 2, 8, 5, 16)))
else:
    given, actual = np.load(inputs), np.load(results[0])
    x, y, z = given["x"], given["y"], given["z"]
    first = given["last"].transpose(0, 3, 1, 2)
    unblocked = given["blocks"].transpose(0, 1, 4, 2, 3).reshape(1, 32, 8, 5)
    expected = {
        "avg1d": pool(np.mean, x, (3,)),
        "max1d_larger": pool(np.max, x, (9,)),
        "avg2d": pool(np.mean, y, (4, 3)),
        "max2d": pool(np.max, y, (3, 3)),
        "avg2d_one": y.mean(axis=(2, 3), keepdims=True),
        "avg2d_same": y,
        "avg2d_last": pool(np.mean, first, (4, 2)).transpose(0, 2, 3, 1),
        "avg3d": pool(np.mean, z, (2, 2, 3)),
        "max3d": pool(np.max, z, (3, 2, 5)),
        "avg2d_blocks": blocks(pool(np.mean, unblocked, (3, 3))),
        "max2d_blocks": blocks(pool(np.max, unblocked, (4, 1))),
    }
    for name, array in expected.items():
        np.testing.assert_allclose(actual[name], array, rtol=1e-5, atol=1e-6, err_msg=name)
