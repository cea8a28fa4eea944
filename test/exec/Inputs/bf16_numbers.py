"""Inputs and the expected results of bf16_numbers.mlir, by numpy, which has no bf16: ours is the nearest f32
of 8 bits, of two the even one."""

import sys

import numpy as np

from one_node import standard_normal


def rounded(x):
    """The nearest number of 8 significant bits, or fewer of a subnormal one; more than the largest becomes infinite."""
    x = np.asarray(x, np.float64)
    unit = np.maximum(np.frexp(x)[1], -125) - 8
    near = np.ldexp(np.rint(np.ldexp(x, -unit)), unit)
    with np.errstate(over="ignore"):
        largest = np.ldexp(1 - 2.0**-8, 128)
        return np.where(np.abs(near) > largest, np.copysign(np.inf, x), near).astype(np.float32)


# Ties to both sides, a carry into the exponent, the largest, what rounds to infinity, no numbers, and subnormal ones.
HARD = np.array(
    [0, -0.0, 1, 1 + 2**-8, 1 + 3 * 2**-8, 2 - 2**-9, -(1 + 2**-8), 1 + 2**-8 + 2**-20, 255.5, 3e-38,
     3.3895e38, 3.4e38, -3.4028234e38, np.inf, -np.inf, np.nan, 1.3775324e-40, -1.1754942e-38, 2.0**-134,
     3 * 2.0**-134, 2.0**-134 + 2.0**-149, -1e-45],
    np.float32,
)  # fmt: skip

command, inputs, *results = sys.argv[1:]
if command == "inputs":
    drawn = standard_normal(x=64, y=64, d=64)
    drawn["x"][: len(HARD)] = HARD
    integers = np.arange(64) ** 3 - 1000
    np.savez(inputs, x=drawn["x"], y=drawn["y"] * 3, d=drawn["d"].astype(np.float64) / 3, i=integers)
else:
    given = np.load(inputs)
    y, narrow = rounded(given["y"]), rounded(given["d"].astype(np.float32))
    rows = y.reshape(4, 16)
    integers = rounded(given["i"])
    expected = {
        "rounded": rounded(given["x"]),
        "exact": y,
        "from_f64": narrow,
        "to_f64": y.astype(np.float64),
        "from_i64": integers,
        "to_i32": y.astype(np.int32),
        "less": y < integers,
        "once": rounded(y * y + y),
        "twice": narrow - given["d"].astype(np.float32),
        "sum": rounded(rows.sum(axis=1, dtype=np.float64)),
        "moved": np.concatenate([rows.T, rows.T], axis=1),
        "argmax": rows.argmax(axis=1),
    }
    for actual, plain in zip(map(np.load, results), [False, False, True]):
        if plain:
            # Each operator is a kernel, which rounds.
            expected["once"] = rounded(rounded(y * y) + y)
        for name, array in expected.items():
            assert actual[name].dtype == array.dtype, name
            # A sum of f32 may be on the other side of a tie.
            tolerance = 2**-8 if name == "sum" else 0
            np.testing.assert_allclose(actual[name], array, rtol=tolerance, atol=0, err_msg=name)
