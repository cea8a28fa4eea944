"""Inputs and the expected results of rows.mlir, by numpy in double precision."""

import sys

import numpy as np

from one_node import standard_normal

ROWS = {"a": (5, 1), "b": (4, 3), "c": (6, 17), "d": (7, 127), "e": (64, 256)}


def softmax(x, axis):
    exps = np.exp(x - x.max(axis, keepdims=True))
    return exps / exps.sum(axis, keepdims=True)


def log_softmax(x):
    shifted = x - x.max(-1, keepdims=True)
    return shifted - np.log(np.exp(shifted).sum(-1, keepdims=True))


def expected(given):
    for name in ROWS:
        x = given[name].astype(np.float64)
        yield f"{name}_softmax", softmax(x, -1)
        yield f"{name}_log_softmax", log_softmax(x)
        yield f"{name}_sum", x.sum(1)
        yield f"{name}_max", x.max(1)
        yield f"{name}_argmax", x.argmax(1)
    x = given["x"].astype(np.float64)
    yield "x_first", x.sum(0)
    yield "x_middle", x.max(1)
    yield "x_outer", x.mean((0, 1))
    yield "x_inner", x.mean((1, 2))
    yield "x_apart", x.min((0, 2))
    yield "x_all", x.sum()
    yield "x_arg_first", x.argmax(0)
    yield "x_arg_middle", x.argmin(1)
    yield "x_softmax", softmax(x, 1)


command, first, *rest = sys.argv[1:]
if command == "inputs":
    made = standard_normal(**ROWS, x=(3, 33, 40))
    for name, (_, length) in ROWS.items():
        made[name][0] *= 40
        if length > 1:
            made[name][1, length // 2] = -np.inf
            made[name][2, length - 1] = np.nan
            made[name][3, 0] = np.nan
    np.savez(first, **made)
elif command == "check":
    given, actual = np.load(first), np.load(rest[0])
    with np.errstate(invalid="ignore"):
        for name, values in expected(given):
            np.testing.assert_allclose(actual[name], values, rtol=1e-4, atol=1e-5, err_msg=name)
else:
    one, two = np.load(first), np.load(rest[0])
    for name in one:
        assert one[name].tobytes() == two[name].tobytes(), name
