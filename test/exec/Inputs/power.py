"""Inputs of power.mlir, and the errors of its results."""

import sys

import numpy as np

import units

COUNT = 400009
TINY = np.finfo(np.float32).tiny
# The errors allowed, in units in the last place, where multiplications serve. Elsewhere it is 1.
BOUNDS = {"3": 2, "-2": 2}
SPECIAL = [0, 1, 2, 3, 0.5, 2.5, np.inf, np.nan, 1e-40, 3e38, 16777215, 16777216, 1e30]


def inputs():
    """Each special number to the power of each other one, numbers of all magnitudes, and numbers near 1 to large powers."""
    rng = np.random.default_rng(0)
    special = np.array([sign * number for number in SPECIAL for sign in (1, -1)], np.float32)
    pairs = [grid.ravel() for grid in np.meshgrid(special, special)]
    count = (COUNT - len(pairs[0])) // 3
    wide = np.exp(rng.uniform(-100, 88, count)) * rng.choice([-1, 1], count), rng.integers(-6, 7, count)
    near = rng.uniform(0.5, 2, count), rng.uniform(-120, 120, count)
    rest = COUNT - len(pairs[0]) - 2 * count
    plain = np.exp(rng.uniform(-88, 88, rest)), rng.uniform(-3, 3, rest)
    x, y = (np.concatenate(parts, dtype=np.float32, casting="same_kind") for parts in zip(pairs, wide, near, plain))
    return {"x": x, "y": y}


def check(name, x, y, found):
    """Compares with what C says of doubles."""
    with np.errstate(all="ignore"):
        expected = np.power(x.astype(np.float64), y.astype(np.float64))
        rounded = expected.astype(np.float32)
    ends = np.isinf(rounded) | (expected == 0)
    np.testing.assert_array_equal(found[ends], rounded[ends], err_msg=name)
    np.testing.assert_array_equal(np.signbit(found[ends]), np.signbit(rounded[ends]), err_msg=name)
    subnormal = (np.abs(expected) < TINY) & ~ends
    np.testing.assert_array_less(np.abs(found[subnormal] - expected[subnormal]), 2e-45, err_msg=name)
    plain = np.isfinite(rounded) & ~ends & ~subnormal
    units.check(name, x, expected, found, plain, BOUNDS.get(name, 1))


command, path, *results = sys.argv[1:]
if command == "inputs":
    np.savez(path, **inputs())
else:
    given, actual = np.load(path), np.load(results[0])
    for name in actual:
        y = given["y"] if name == "y" else np.full(COUNT, float(name), np.float32)
        check(name, given["x"], y, actual[name])
