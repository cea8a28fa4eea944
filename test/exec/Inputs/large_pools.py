"""Inputs and the expected results of large_pools.mlir, window by window by numpy."""

import sys

import numpy as np

# The shape, where its spatial dimensions begin; of these the windows' extents, strides, dilations, and padding before.
CASES = {
    "spp": ((1, 24, 20, 20), 2, (13, 13), (1, 1), (1, 1), (6, 6)),
    "odd": ((2, 3, 17, 23), 2, (7, 5), (1, 2), (1, 1), (3, 0)),
    "ceil": ((1, 5, 19, 21), 2, (9, 6), (2, 1), (1, 1), (1, 2)),
    "dilated": ((1, 2, 25, 25), 2, (5, 6), (1, 1), (2, 3), (4, 5)),
    "last": ((1, 14, 15, 6), 1, (6, 7), (1, 1), (1, 1), (3, 3)),
    "blocks": ((1, 2, 12, 14, 16), 2, (9, 9), (1, 1), (1, 1), (4, 4)),
    "cube": ((1, 3, 9, 10, 11), 2, (5, 4, 5), (1, 1, 1), (1, 1, 1), (2, 1, 2)),
    "integers": ((1, 3, 12, 12), 2, (5, 5), (1, 1), (1, 1), (2, 2)),
}


def inputs():
    rng = np.random.default_rng(0)
    for name, (shape, *_) in CASES.items():
        if name == "integers":
            yield f"{name}_x", rng.integers(-1000, -1, shape, np.int32)
            continue
        # Less than 0, as padding must not win.
        x = -1 - rng.random(shape, np.float32)
        x.flat[:: x.size // 3 + 1] = np.nan
        x.flat[5 :: x.size // 2] = -np.inf
        yield f"{name}_x", x


def pooled(x, first, size, strides, dilation, before, positions):
    """The maxima of the windows, at `positions` of each spatial dimension."""
    result = np.empty(x.shape[:first] + positions + x.shape[first + len(size) :], x.dtype)
    for place in np.ndindex(*positions):
        window = x
        for dim, at in enumerate(place):
            start = at * strides[dim] - before[dim]
            inside = [start + k * dilation[dim] for k in range(size[dim])]
            inside = [k for k in inside if 0 <= k < x.shape[first + dim]]
            window = window.take(inside, axis=first + dim)
        axes = tuple(range(first, first + len(size)))
        result[(slice(None),) * first + place] = window.max(axes)
    return result


command, path, *rest = sys.argv[1:]
if command == "inputs":
    np.savez(path, **dict(inputs()))
else:
    given, actual = np.load(path), np.load(rest[0])
    for name, (_, first, *window) in CASES.items():
        found = actual[name]
        positions = found.shape[first : first + len(window[0])]
        expected = pooled(given[f"{name}_x"], first, *window, positions)
        np.testing.assert_array_equal(found, expected, err_msg=name)
