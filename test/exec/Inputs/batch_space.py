"""Inputs and the expected results of batch_space.mlir: what stands where is said element by element."""

import itertools
import sys

import numpy as np

# The data, the blocks, the padding and what is put there.
TO_BATCH = {
    "x": ((2, 5, 3, 2), (2, 3), ((1, 2), (0, 3)), 0),
    "line": ((3, 4), (2,), ((0, 0),), 0),
    "volume": ((1, 2, 3, 4), (1, 3, 2), ((0, 0), (2, 1), (1, 1)), -1.5),
    "doubles": ((1, 2, 2), (2, 2), ((0, 0), (2, 0)), 0.1),
    "bytes": ((1, 3, 1), (2,), ((0, 1),), 255),
    "longs": ((1, 3, 1), (2,), ((1, 0),), -7),
    "flags": ((1, 3, 1), (2,), ((1, 0),), 1),
    "none": ((0, 4), (2,), ((0, 0),), 0),
    "empty": ((1, 0), (2,), ((1, 1),), 4),
}
# The data, the blocks and what is dropped.
TO_SPACE = {
    "batches": ((12, 4, 3, 2), (2, 3), ((1, 2), (0, 4))),
    "lines": ((6, 2), (2,), ((0, 0),)),
    "halves": ((6, 1, 1), (2, 3), ((1, 0), (0, 2))),
    "nothing": ((4, 1), (4,), ((3, 1),)),
    "no_batch": ((0, 2), (3,), ((1, 1),)),
}
TYPES = {"doubles": np.float64, "bytes": np.uint8, "longs": np.int64, "flags": bool, "halves": np.float16}


def space_to_batch(data, blocks, paddings, value):
    padded = np.pad(data, [(0, 0), *paddings] + [(0, 0)] * (data.ndim - 1 - len(blocks)), constant_values=value)
    n = len(data)
    places = list(itertools.product(*map(range, blocks)))
    parts = [padded[(slice(None), *(slice(at, None, step) for at, step in zip(place, blocks)))] for place in places]
    return np.concatenate(parts) if n else padded[(slice(None), *(slice(0, None, step) for step in blocks))]


def batch_to_space(data, blocks, crops):
    places = list(itertools.product(*map(range, blocks)))
    n, spatial = len(data) // len(places), data.shape[1:1 + len(blocks)]
    result = np.empty((n, *(extent * step for extent, step in zip(spatial, blocks)), *data.shape[1 + len(blocks):]), data.dtype)
    for number, place in enumerate(places):
        target = (slice(None), *(slice(at, None, step) for at, step in zip(place, blocks)))
        result[target] = data[number * n:(number + 1) * n]
    return result[(slice(None), *(slice(low, size - high) for size, (low, high) in zip(result.shape[1:], crops)))]


command, inputs, *results = sys.argv[1:]
if command == "inputs":
    rng = np.random.default_rng(0)
    cases = {**TO_BATCH, **TO_SPACE}
    np.savez(inputs, **{name: rng.integers(0, 99, case[0]).astype(TYPES.get(name, np.float32)) for name, case in cases.items()})
else:
    given, actual = np.load(inputs), np.load(results[0])
    expected = {name: space_to_batch(given[name], *case[1:]) for name, case in TO_BATCH.items()}
    expected |= {name: batch_to_space(given[name], *case[1:]) for name, case in TO_SPACE.items()}
    assert sorted(actual.files) == sorted(f"{name}_out" for name in expected)
    for name, array in expected.items():
        np.testing.assert_array_equal(actual[f"{name}_out"], array, name)
        assert actual[f"{name}_out"].dtype == array.dtype, name
