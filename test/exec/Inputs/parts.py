"""Inputs and the expected results of parts.mlir, by numpy in double precision."""

import sys

import numpy as np

from one_node import standard_normal


def expected(given):
    a, b, c, d, e = (given[name].astype(np.float64) for name in "abcde")
    yield "a_sum", a.sum()
    yield "a_mean", a.mean(keepdims=True)
    yield "a_max", a.max()
    yield "a_channels", a.mean((0, 2, 3), keepdims=True)
    yield "a_pool", a.mean((2, 3), keepdims=True)
    yield "b_sum", b.sum()
    yield "b_max", b.max()
    yield "b_argmax", b.argmax()
    yield "c_sum", c.sum(0)
    yield "c_max", c.max(0)
    yield "c_argmin", c.argmin(0)
    exps = np.exp(d - d.max())
    yield "d_softmax", exps / exps.sum()
    yield "d_variance", d.var(keepdims=True)
    yield "e_min", e.min((0, 1))
    yield "e_norm", np.sqrt((e * e).sum())
    yield "f_sum", given["f"].sum(dtype=np.int32)


command, first, *rest = sys.argv[1:]
if command == "inputs":
    made = standard_normal(a=(1, 6, 256, 256), b=(500009,), c=(16411, 24), d=(1, 300007), e=(3, 100003, 3))
    for array in made.values():
        # Sums far from 0.
        array += 0.5
    # Equals, of which the first wins: in two parts, and at a part's end.
    made["b"][[270_000, 270_001, 499_999]] = 9
    made["c"][[5, 16_410], 1] = -9
    made["c"][16_000:, 2] = np.nan
    made["c"][16_410, 3] = np.inf
    f = np.random.default_rng(1).integers(-(2**30), 2**30, 400_000).astype(np.int32)
    np.savez(first, **made, f=f)
elif command == "check":
    given, actual = np.load(first), np.load(rest[0])
    with np.errstate(invalid="ignore"):
        for name, values in expected(given):
            np.testing.assert_allclose(actual[name], values, rtol=1e-4, err_msg=name)
else:
    one, two = np.load(first), np.load(rest[0])
    for name in one:
        assert one[name].tobytes() == two[name].tobytes(), name
