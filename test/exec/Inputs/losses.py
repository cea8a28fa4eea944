"""Inputs and the expected results of losses.mlir, by numpy."""

import sys

import numpy as np

from one_node import standard_normal

command, inputs, *results = sys.argv[1:]


def fixed_point(numbers, multiplier, shift):
    """In Python's integers, which have no width."""
    dropped = 31 - shift
    return np.array([(int(number) * multiplier + (1 << (dropped - 1))) >> dropped for number in numbers], np.int32)


if command == "inputs":
    data = standard_normal(x=(2, 3, 4), p=(5, 4), q=(5, 4), like=(3, 1))
    data["p"] = np.abs(data["p"]) + np.float32(0.1)
    data["x"][0] *= np.float32(0.05)
    numbers = np.random.default_rng(3).integers(-(2**27), 2**27, 36)
    np.savez(inputs, **data, i=np.concatenate([numbers, [0, 1, -1, 12]]).astype(np.int32))
else:
    given, actual = np.load(inputs), np.load(results[0])
    x, p, q, i = (given[name] for name in ("x", "p", "q", "i"))
    expected = {
        "normal": x / np.sqrt(np.maximum((x * x).sum((1, 2), keepdims=True), 0.5)),
        "entropy": np.float32(-(np.log(p) * q).sum() / 5),
        "of_logits": np.float32(-(p * q).sum() / 5),
        "kept": x,
        "mask": np.ones_like(x),
        "sum": x.sum((0, 2))[:, None],
        "sum_to": x.sum(1, keepdims=True),
        "less": fixed_point(i, 1518500250, -3),
        "more": fixed_point(i, -1073741824, 2),
    }
    assert sorted(actual.files) == sorted(expected)
    for name, array in expected.items():
        np.testing.assert_allclose(actual[name], array, 1e-5, 1e-6, err_msg=name)
        assert actual[name].dtype == array.dtype, name
