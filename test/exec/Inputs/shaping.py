"""Inputs and the expected results of shaping.mlir, by numpy and plain loops."""

import sys

import numpy as np

from one_node import standard_normal

command, inputs, *results = sys.argv[1:]


def reversed_parts(x, lengths):
    """Of each place of axis 1, the first elements of axis 2 reversed."""
    result = x.copy()
    for at, length in enumerate(lengths):
        result[:, at, :length] = x[:, at, :length][:, ::-1]
    return result


def masked(x, lengths, mask):
    """Axis 0 is time, axis 1 the batch."""
    result = x.copy()
    for at, length in enumerate(lengths):
        result[length:, at] = mask
    return result


def with_band(matrices, band, low, high):
    """Matrices with diagonals from `band`, of which those above the main one are on the right of a row, and the others on the left."""
    result = matrices.copy()
    rows, columns = matrices.shape[-2:]
    width = band.shape[-1]
    for row in range(rows):
        for column in range(columns):
            diagonal = column - row
            if low <= diagonal <= high:
                length = min(rows, columns - diagonal) if diagonal >= 0 else min(rows + diagonal, columns)
                place = row if diagonal >= 0 else column
                place += width - length if diagonal >= 0 else 0
                result[:, row, column] = band[:, high - diagonal, place]
    return result


def reorg(x, stride):
    """Darknet's layer of this name."""
    samples, channels, rows, columns = x.shape
    fewer, result = channels // stride**2, np.empty_like(x)
    for n in range(samples):
        source, target = x[n].ravel(), result[n].ravel()
        for c in range(channels):
            for y in range(rows):
                for z in range(columns):
                    part = c // fewer
                    across = z * stride + part % stride
                    down = y * stride + part // stride
                    place = across + columns * stride * (down + rows * stride * (c % fewer))
                    target[z + columns * (y + rows * c)] = source[place]
        result[n] = target.reshape(x[n].shape)
    return result.reshape(samples, channels * stride**2, rows // stride, columns // stride)


def dilated(x):
    result = np.full((3, 3, 7), 0.5, x.dtype)
    result[::2, :, ::2] = x
    return result


def one_hot(indices):
    """Each index as five numbers, behind all axes."""
    return np.where(indices[..., None] == np.arange(5), 7, -2)


if command == "inputs":
    shapes = {"x": (2, 3, 4), "m": (2, 4, 5), "d": (2, 4), "band": (2, 3, 4), "image": (1, 8, 4, 6), "v": (2, 5)}
    data = standard_normal(**shapes, values=(3,), f=(), buffer=(2, 7, 4))
    lists = np.sort(np.round(standard_normal(lists=(2, 9))["lists"] * 2) / 2, axis=1)
    data["v"] = np.round(data["v"] * 2) / 2
    np.savez(
        inputs,
        **data,
        lists=lists,
        list=lists[0],
        i=np.array([[0, 4, -1], [5, 2, 3]]),
        n=np.array([0, 3, 2], np.int32),
        nd=np.array([[0, 1, -1, 0, 1], [2, 0, 1, -3, 2]]),
        k=np.int64(1),
        flat=np.array([0, 1, 5, 23, 59, 30, 12]),
        shape=np.array([3, 4, 5]),
        p=np.array([3, 0, 5, 1, 4, 2], np.int32),
        at=np.array([[0, 1], [2, 3], [9, 0]], np.int32),
    )
else:
    given, actual = np.load(inputs), np.load(results[0])
    x, i, n, nd, m, d, band, image = (given[name] for name in ("x", "i", "n", "nd", "m", "d", "band", "image"))
    dense = np.full((3, 4), given["f"])
    dense[0, 1], dense[2, 3] = given["values"][:2]
    main = m.copy()
    main[:, range(4), range(4)] = d
    grids = np.meshgrid(given["values"], given["list"])
    windows = np.lib.stride_tricks.sliding_window_view(m, (2, 3), axis=(1, 2))[:, ::2, ::2]
    blocks = image.reshape(1, 8, 2, 2, 3, 2).transpose(0, 3, 5, 1, 2, 4)
    products = np.cumprod(x.astype(np.float64), axis=-1)
    expected = {
        "reverse": x[..., ::-1],
        "repeat": np.repeat(x, 3, axis=1),
        "one_hot": one_hot(i).astype(np.int32),
        "one_hot_inside": one_hot(i).transpose(0, 2, 1).astype(np.float32),
        "gather_nd": x[nd[0], nd[1]],
        "reverse_sequence": reversed_parts(x, n),
        "sequence_mask": masked(x, n, -1),
        "slice_like": m[:, :3, :4],
        "reshape_like": x.reshape(2, 3, 2, 2),
        "broadcast_to_like": np.broadcast_to(x[:, 1:2], x.shape),
        "cast_like": i.astype(np.float32),
        "ndarray_size": np.array(24, np.int32),
        "upper": np.triu(m, 1),
        "lower": np.tril(m, 1),
        "unravel": np.array(np.unravel_index(given["flat"], given["shape"])),
        "set_diag": main,
        "set_band": with_band(m, band, -1, 1),
        "dilate": dilated(x),
        "symmetric": np.pad(x, [(0, 0), (1, 2), (4, 1)], "symmetric"),
        "reflect": np.pad(x, [(0, 0), (1, 0), (0, 3)], "reflect"),
        "space_to_depth": blocks.reshape(1, 32, 2, 3),
        "reorg": reorg(image, 2),
        "fifo": np.concatenate([given["buffer"], x], 1)[:, -7:],
        "windows": windows,
        "grid_a": grids[0],
        "grid_b": grids[1],
        "cumsum": np.cumsum(x, axis=1),
        "cumprod": np.concatenate([np.ones((2, 3, 1)), products[..., :-1]], -1),
        "inverse": np.argsort(given["p"]).astype(np.int32),
        "searched": np.searchsorted(given["list"], given["v"]).astype(np.int32),
        "searched_right": np.stack(
            [np.searchsorted(line, values, "right") for line, values in zip(given["lists"], given["v"])]
        ),
        "dense": dense,
    }
    assert sorted(actual.files) == sorted(expected)
    for name, array in expected.items():
        np.testing.assert_allclose(actual[name], array, 1e-6, 1e-6, err_msg=name)
        assert actual[name].dtype == array.dtype, name
