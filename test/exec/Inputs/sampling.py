"""Inputs and the expected results of sampling.mlir, by plain loops over the definitions."""

import itertools
import math
import sys

import numpy as np

from one_node import standard_normal

command, inputs, *results = sys.argv[1:]
ROWS, COLUMNS = 5, 6


def at(image, row, column, is_border):
    """A pixel of an image, or what is beside it."""
    inside = 0 <= row < ROWS and 0 <= column < COLUMNS
    if not inside and not is_border:
        return np.zeros(3, np.float32)
    return image[:, min(max(row, 0), ROWS - 1), min(max(column, 0), COLUMNS - 1)]


def sampled(image, y, x, is_nearest=False, is_border=False):
    """An image at a place between pixels."""
    if is_nearest:
        return at(image, round(y), round(x), is_border)
    low = math.floor(y), math.floor(x)
    shares = y - low[0], x - low[1]
    total = np.zeros(3)
    for down, across in itertools.product((0, 1), (0, 1)):
        share = (shares[0] if down else 1 - shares[0]) * (shares[1] if across else 1 - shares[1])
        total += share * at(image, low[0] + down, low[1] + across, is_border)
    return total


def grid_sample(x, grid, is_aligned, **how):
    result = np.zeros((2, 3, 4, 3))
    for n, i, j in itertools.product(range(2), range(4), range(3)):
        across, down = ((grid[n, part, i, j] + 1) / 2 for part in (0, 1))
        place = (down * (ROWS - 1), across * (COLUMNS - 1)) if is_aligned else (down * ROWS - 0.5, across * COLUMNS - 0.5)
        result[n, :, i, j] = sampled(x[n], *place, **how)
    return result


def crop(x, boxes, of, size, outside, is_nearest):
    result = np.full((3, 3, *size), outside, float)
    for m, i, j in itertools.product(range(3), range(size[0]), range(size[1])):
        place = []
        for axis, (step, count, extent) in enumerate([(i, size[0], ROWS), (j, size[1], COLUMNS)]):
            first, last = boxes[m, axis], boxes[m, axis + 2]
            part = first + (last - first) * step / (count - 1) if count > 1 else (first + last) / 2
            place.append(part * (extent - 1))
        if 0 <= place[0] <= ROWS - 1 and 0 <= place[1] <= COLUMNS - 1:
            result[m, :, i, j] = sampled(x[of[m]], *place, is_nearest=is_nearest, is_border=True)
    return result


def dilation(x, w):
    padded = np.pad(x, [(0, 0), (0, 0), (1, 1), (0, 1)], constant_values=-np.inf)
    windows = np.lib.stride_tricks.sliding_window_view(padded, (2, 3), axis=(2, 3))[:, :, ::2]
    return (windows + w[:, None, None]).max((-2, -1))


def correlation(x, y, kernel, away, first, second, padding, join):
    x, y = (np.pad(part, [(0, 0), (0, 0), (padding,) * 2, (padding,) * 2]) for part in (x, y))
    radius, border = away // second, away + kernel // 2
    size = [math.ceil((extent - 2 * border) / first) for extent in x.shape[2:]]
    steps = list(itertools.product(range(-radius, radius + 1), repeat=2))
    result = np.zeros((2, len(steps), *size))
    for number, (down, across) in enumerate(steps):
        for i, j in itertools.product(*map(range, size)):
            row, column = i * first + away, j * first + away
            patch = x[:, :, row : row + kernel, column : column + kernel]
            row, column = row + down * second, column + across * second
            other = y[:, :, row : row + kernel, column : column + kernel]
            result[:, number, i, j] = join(patch, other).mean((1, 2, 3))
    return result


def away_from_zero(number):
    return int(math.floor(number + 0.5) if number >= 0 else math.ceil(number - 0.5))


def pool(x, rois):
    result = np.zeros((4, 3, 2, 3), np.float32)
    for m, (image, *edges) in enumerate(rois):
        left, top, right, bottom = (away_from_zero(edge * 0.5) for edge in edges)
        height, width = max(bottom - top + 1, 1), max(right - left + 1, 1)
        for i, j in itertools.product(range(2), range(3)):
            rows = range(top + i * height // 2, top + math.ceil((i + 1) * height / 2))
            columns = range(left + j * width // 3, left + math.ceil((j + 1) * width / 3))
            rows = [row for row in rows if 0 <= row < ROWS]
            columns = [column for column in columns if 0 <= column < COLUMNS]
            if rows and columns:
                result[m, :, i, j] = x[int(image)][:, rows][:, :, columns].max((1, 2))
    return result


if command == "inputs":
    data = standard_normal(x=(2, 3, 5, 6), y=(2, 3, 5, 6), maps=(2, 2, 3), grid=(2, 2, 4, 3), w=(3, 2, 3))
    boxes = np.array([[0.1, 0.2, 0.9, 0.7], [-0.2, 0.3, 0.5, 1.4], [0.8, 0.9, 0.3, 0.1]], np.float32)
    rois = np.array([[0, 0, 0, 8, 6], [1, 2, 2, 4, 4], [0, 6, 1, 30, 30], [1, -7, 0, 3, 5]], np.float32)
    np.savez(inputs, **data, boxes=boxes, of=np.array([1, 0, 1], np.int32), rois=rois)
else:
    given, actual = np.load(inputs), np.load(results[0])
    x, y, maps, grid = (given[name] for name in ("x", "y", "maps", "grid"))
    places = np.stack([*np.meshgrid(np.linspace(-1, 1, 3), np.linspace(-1, 1, 4)), np.ones((4, 3))])
    boxes, of = given["boxes"], given["of"]
    expected = {
        "affine": np.einsum("ndk,kij->ndij", maps, places),
        "bilinear": grid_sample(x, grid, True),
        "nearest": grid_sample(x, grid, False, is_nearest=True),
        "border": grid_sample(x, grid, False, is_border=True),
        "crop": crop(x, boxes, of, (4, 3), -9, False),
        "crop_nearest": crop(x, boxes, of, (1, 3), 0, True),
        "dilation": dilation(x, given["w"]),
        "correlation": correlation(x, y, 1, 2, 1, 1, 2, np.multiply),
        "difference": correlation(x, y, 3, 2, 2, 2, 2, lambda one, other: abs(one - other)),
        "pool": pool(x, given["rois"]),
    }
    assert sorted(actual.files) == sorted(expected)
    for name, array in expected.items():
        np.testing.assert_allclose(actual[name], array, 1e-4, 1e-5, err_msg=name)
