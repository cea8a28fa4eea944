"""Inputs and the expected results of integers.mlir, by numpy."""

import sys

import numpy as np

command, inputs, *results = sys.argv[1:]
if command == "inputs":
    least, greatest = np.iinfo(np.int32).min, np.iinfo(np.int32).max
    values = np.array([least, -7, -1, 0, 1, 7, greatest, 100, -3], np.int32)
    divisors = np.array([least, -1, 0, 1, 2, -3, greatest], np.int32)
    rng = np.random.default_rng(0)
    a, b = (rng.integers(-9, 9, shape, np.int32) for shape in [(5, 7), (7, 19)])
    np.savez(inputs, x=np.repeat(values, 7), y=np.tile(divisors, 9), a=a, b=b)
else:
    given, got = np.load(inputs), np.load(results[0])
    x, y = given["x"], given["y"]
    with np.errstate(all="ignore"):
        # numpy's // and % round towards minus infinity; fmod keeps the sign of x.
        expected = {
            "divide": np.where(y == 0, 0, np.trunc(x / y.astype(np.float64)).astype(np.int64)).astype(np.int32),
            "mod": np.fmod(x, y),
            "floor_divide": x // y,
            "floor_mod": x % y,
            "matmul": given["a"] @ given["b"],
        }
    for name, value in expected.items():
        np.testing.assert_array_equal(got[name], value, err_msg=name)
