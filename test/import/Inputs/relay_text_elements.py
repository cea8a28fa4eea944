"""Inputs and the expected results of relay_text_elements.mlir's numeric.relay, by numpy."""

import sys

import numpy as np


def conv2d(x, w):
    """A convolution of 3 x 3 in integers of 64 bits."""
    windows = np.lib.stride_tricks.sliding_window_view(x.astype(np.int64), (3, 3), axis=(2, 3))
    return np.einsum("nchwij,ocij->nohw", windows, w.astype(np.int64))


command, first, *rest = sys.argv[1:]
if command == "inputs":
    rng = np.random.default_rng(0)
    small = {"d": (2, 8), "e": (5, 8)}
    given = {name: rng.integers(-128, 128, shape, np.int8) for name, shape in small.items()}
    given["x"] = rng.integers(0, 256, (1, 3, 8, 8), np.uint8)
    given["w"] = rng.integers(-128, 128, (4, 3, 3, 3), np.int8)
    given["h"] = rng.standard_normal((2, 8), np.float32).astype(np.float16)
    np.savez(first, **given)
else:
    given = np.load(first)
    padded = np.pad(given["x"], ((0, 0), (0, 0), (1, 1), (1, 1)))
    sums = conv2d(given["x"], given["w"])
    assert np.abs(sums).max() > 2**15, "nothing wraps"
    h = given["h"]
    wanted = [
        np.lib.stride_tricks.sliding_window_view(conv2d(padded, given["w"]), (3, 3), axis=(2, 3)).max((4, 5)).astype(np.int32),
        sums.astype(np.int16),
        given["d"].astype(np.int32) @ given["e"].astype(np.int32).T,
        h.astype(np.float32) @ h.astype(np.float32).T,
        np.pad(h, ((0, 1), (2, 0)), constant_values=-3),
    ]
    results = list(np.load(rest[0]).values())
    assert len(results) == len(wanted)
    for result, expected in zip(results, wanted):
        assert result.dtype == expected.dtype
        np.testing.assert_allclose(result, expected, rtol=1e-6 if result.dtype == np.float32 else 0)
