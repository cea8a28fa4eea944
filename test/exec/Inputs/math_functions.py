"""Inputs of math.mlir and fast_math.mlir, and the errors of their results."""

import math
import sys

import numpy as np

import units

# Results below this are subnormal, where units are no measure of a relative error; exp gives 0 for some more.
TINY = np.finfo(np.float32).tiny
SMALLEST = {"exp": 2.0**-125.5, "fast_exp": 2.0**-125.5}

FUNCTIONS = {
    # What is computed, and the error allowed in units in the last place.
    "exp": (np.exp, 1),
    "log": (np.log, 1),
    "tanh": (np.tanh, 5),
    "erf": (np.vectorize(math.erf), 3),
    "sin": (np.sin, 2),
    "cos": (np.cos, 2),
    "sigmoid": (lambda x: 1 / (1 + np.exp(-x)), 3),
    # Those of libm.
    "acos": (np.arccos, 2),
    "acosh": (np.arccosh, 3),
    "asin": (np.arcsin, 2),
    "asinh": (np.arcsinh, 3),
    "atan": (np.arctan, 2),
    "atanh": (np.arctanh, 3),
    "cosh": (np.cosh, 3),
    "log10": (np.log10, 3),
    "log2": (np.log2, 2),
    "sinh": (np.sinh, 3),
    "tan": (np.tan, 2),
    "fast_exp": (np.exp, 8),
    "fast_tanh": (np.tanh, 5),
    "fast_erf": (np.vectorize(math.erf), 3),
}

# Errors where no libm is: on GPUs.
WITHOUT_LIBM = {"tan": 4}


def inputs():
    """Numbers of both signs: evenly between -10 and 10, of all magnitudes, and special ones."""
    rng = np.random.default_rng(0)
    special = [0.0, -0.0, np.inf, -np.inf, np.nan, 88.0, -87.0, 89.0, -104.0, 3e38, -3e38]
    # The last numbers whose exponentials are finite and not subnormal, and the first whose are.
    edges = np.array([88.72283173, 88.72283936, -87.33654022, -87.33654785], np.float32)
    # Where the last bits of NaN are not 0.
    special += [np.uint32(0x7FC00001 + 2**k).view(np.float32) for k in range(20)]
    # Subnormal numbers of all magnitudes, the least normal one and the last before it.
    special += [1.5 * 2.0**k for k in range(-148, -126)] + [2.0**-149, 2.0**-126, 2.0**-126 - 2.0**-149]
    near = rng.uniform(-88, 88.8, 20000)
    special = np.concatenate([np.array(special, np.float32), edges])
    even = rng.uniform(-10, 10, 100000)
    # Angles up to where libm is called and beyond, and the numbers nearest to a multiple of pi/2.
    angles = rng.uniform(-2e5, 2e5, 39998)
    quarters = rng.integers(-70000, 70000, 40000) * (np.pi / 2)
    turned = np.concatenate([angles, [-1e5, 1e5], quarters])
    wide = np.exp(rng.uniform(-80, 4.45, 200000 - len(special))) * rng.choice([-1, 1], 200000 - len(special))
    return np.concatenate([special, near, even, turned, wide], dtype=np.float32, casting="same_kind")


command, path, *results = sys.argv[1:]
bounds = WITHOUT_LIBM if results[1:] == ["gpu"] else {}
if command == "inputs":
    np.savez(path, x=inputs())
else:
    x, actual = np.load(path)["x"], np.load(results[0])
    for name in actual:
        function, bound = FUNCTIONS[name]
        with np.errstate(all="ignore"):
            expected = function(x.astype(np.float64))
            rounded = expected.astype(np.float32)
        found = actual[name]
        plain = np.isfinite(rounded) & (np.abs(expected) >= SMALLEST.get(name, TINY))
        nothing = np.abs(found) <= np.abs(expected) * 1.001 + TINY
        np.testing.assert_array_equal(nothing[~plain & np.isfinite(rounded)], True, err_msg=name)
        infinite = np.isinf(rounded)
        np.testing.assert_array_equal(found[infinite], rounded[infinite], err_msg=name)
        units.check(name, x, expected, found, plain, bounds.get(name, bound))
