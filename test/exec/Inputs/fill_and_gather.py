"""Inputs and the expected results of fill_and_gather.mlir, by numpy."""

import sys

import numpy as np

from one_node import standard_normal

command, inputs, *results = sys.argv[1:]
if command == "inputs":
    data = standard_normal(x=(2, 3), y=(2, 3), z=(2, 3))
    # Subscripts that count from the end, and some out of range.
    indices = np.array([[0, 2, -1, 1, -3], [5, -7, 10**12, 0, 0]], np.int64)
    rows = np.array([[1, 0, -2]], np.int32)
    np.savez(inputs, **data, i=indices, j=rows, f=np.float32(-2.75))
else:
    given, actual = np.load(inputs), np.load(results[0])
    x, y, z, i, j, f = (given[name] for name in "xyzijf")
    expected = {
        "stack": np.stack([x, y, z]),
        "stack_last": np.stack([x, y], axis=-1),
        # As np.take in its mode "wrap", which gets to the remainder by subtracting.
        "gather": np.stack([row[at % len(row)] for row, at in zip(x, i)]),
        "gather_first": np.take_along_axis(x, j, axis=0),
        "full": np.full((2, 2), f, np.int32),
        "full_own": np.full(4, f),
        "full_like": np.full_like(i, f),
        "zeros": np.zeros((3, 1)),
        "ones": np.ones(3, bool),
        "zeros_like": np.zeros_like(i),
        "ones_like": np.ones_like(x),
        "iota": np.indices((2, 3, 2), np.float32)[1],
        "iota_last": np.arange(4),
    }
    assert sorted(actual.files) == sorted(expected)
    for name, array in expected.items():
        np.testing.assert_array_equal(actual[name], array, name)
        assert actual[name].dtype == array.dtype, name
