"""Gradients, norms, losses and deformed images, by plain loops over their definitions."""

import itertools
import math
import sys
from pathlib import Path

import numpy as np

from relay_cases import Case, check

relayc, folder = sys.argv[1], Path(sys.argv[2])
random = np.random.default_rng(7)


def normal(*shape):
    return random.standard_normal(shape).astype(np.float32)


def windows(shape, size, strides, padding, ceil):
    """The first row and column of each window, by its place."""
    counts = []
    for extent, side, stride, before, after in zip(shape, size, strides, padding[:2], padding[2:]):
        room = extent + before + after - side
        counts.append((-(-room // stride) if ceil else room // stride) + 1)
    return counts, {
        (i, j): (i * strides[0] - padding[0], j * strides[1] - padding[1]) for i, j in itertools.product(*map(range, counts))
    }


def pool_grad(grad, x, size, strides, padding, share, ceil=False):
    result = np.zeros_like(x)
    _, starts = windows(x.shape[2:], size, strides, padding, ceil)
    for (i, j), (top, left) in starts.items():
        rows = [row for row in range(top, top + size[0]) if 0 <= row < x.shape[2]]
        columns = [column for column in range(left, left + size[1]) if 0 <= column < x.shape[3]]
        for n, c in itertools.product(range(x.shape[0]), range(x.shape[1])):
            part = np.ix_([n], [c], rows, columns)
            result[part] += share(x[part][0, 0], grad[n, c, i, j], (top, left))
    return result


def to_largest(window, grad, _):
    shares = np.zeros_like(window)
    shares[np.unravel_index(window.argmax(), window.shape)] = grad
    return shares


def weight_grad(grad, x, size, strides, padding, dilation, groups):
    outputs, inputs = grad.shape[1], x.shape[1]
    x = np.pad(x, [(0, 0), (0, 0), (padding[0], padding[2]), (padding[1], padding[3])])
    result = np.zeros((outputs, inputs // groups, *size))
    for o, i, a, b in itertools.product(*map(range, result.shape)):
        channel = o // (outputs // groups) * (inputs // groups) + i
        rows = slice(a * dilation[0], a * dilation[0] + strides[0] * grad.shape[2], strides[0])
        columns = slice(b * dilation[1], b * dilation[1] + strides[1] * grad.shape[3], strides[1])
        part = x[:, channel, rows, columns][:, : grad.shape[2], : grad.shape[3]]
        result[o, i, a, b] = (part * grad[:, o]).sum()
    return result.astype(np.float32)


def group_norm(x, gamma, beta, groups, axis, epsilon):
    parts = x.reshape(*x.shape[:axis], groups, -1)
    parts = (parts - parts.mean(-1, keepdims=True)) / np.sqrt(parts.var(-1, keepdims=True) + epsilon)
    vector = [1] * x.ndim
    vector[axis] = x.shape[axis]
    return parts.reshape(x.shape) * gamma.reshape(vector) + beta.reshape(vector)


def nll_loss(predictions, targets, weights, reduction, ignored):
    is_counted = targets != ignored
    classes = np.where(is_counted, targets, 0)
    losses = -np.take_along_axis(predictions, classes[:, None], 1)[:, 0] * weights[classes] * is_counted
    counted = (weights[classes] * is_counted).sum()
    result = {"none": losses, "sum": losses.sum(), "mean": losses.sum() / counted}[reduction]
    return np.asarray(result, np.float32)


def between(image, y, x):
    """An image [c, h, w] at a place between pixels, and at its edge beyond."""
    y, x = min(max(y, 0), image.shape[1] - 1), min(max(x, 0), image.shape[2] - 1)
    low = math.floor(y), math.floor(x)
    high = min(low[0] + 1, image.shape[1] - 1), min(low[1] + 1, image.shape[2] - 1)
    far = y - low[0], x - low[1]
    rows = [(low[0], 1 - far[0]), (high[0], far[0])]
    columns = [(low[1], 1 - far[1]), (high[1], far[1])]
    return sum(down * across * image[:, i, j] for (i, down), (j, across) in itertools.product(rows, columns))


def deformed(x, offset, w, strides, padding, dilation, offset_groups, groups):
    batch, inputs, height, width = x.shape
    outputs, of_group, a, b = w.shape
    _, _, rows, columns = offset.shape
    moved = np.zeros((batch, inputs, a, b, rows, columns))
    for n, g, p, q, i, j in itertools.product(range(batch), range(offset_groups), range(a), range(b), range(rows), range(columns)):
        first = g * 2 * a * b + 2 * (p * b + q)
        y = i * strides[0] - padding[0] + p * dilation[0] + offset[n, first, i, j]
        z = j * strides[1] - padding[1] + q * dilation[1] + offset[n, first + 1, i, j]
        if 0 <= y < height and 0 <= z < width:
            part = slice(g * inputs // offset_groups, (g + 1) * inputs // offset_groups)
            moved[n, part, p, q, i, j] = between(x[n, part], y, z)
    result = np.zeros((batch, outputs, rows, columns))
    for o in range(outputs):
        first = o // (outputs // groups) * of_group
        result[:, o] = np.einsum("ncpqij,cpq->nij", moved[:, first : first + of_group], w[o])
    return result.astype(np.float32)


def roi_align(x, rois, cells, scale, samples, mode):
    result = np.zeros((len(rois), x.shape[1], *cells), np.float32)
    height, width = x.shape[2:]
    for m, (image, *edges) in enumerate(rois):
        left, top, right, bottom = np.array(edges) * scale
        sides = [max(bottom - top, 1) / cells[0], max(right - left, 1) / cells[1]]
        counts = [samples if samples > 0 else math.ceil(side) for side in sides]
        for i, j in itertools.product(*map(range, cells)):
            found = []
            for p, q in itertools.product(*map(range, counts)):
                y = top + (i + (p + 0.5) / counts[0]) * sides[0]
                z = left + (j + (q + 0.5) / counts[1]) * sides[1]
                inside = -1 <= y <= height and -1 <= z <= width
                found.append(between(x[int(image)], y, z) if inside else np.zeros(x.shape[1]))
            result[m, :, i, j] = np.mean(found, 0) if mode == "avg" else np.max(found, 0)
    return result


def fixed_point(x, multiplier, left, right, shifts_left):
    result = np.empty_like(x)
    for i, j in itertools.product(*map(range, x.shape)):
        number = int(x[i, j]) << int(left[j]) if shifts_left else int(x[i, j])
        dropped = 31 + int(right[j])
        result[i, j] = (number * int(multiplier[j]) + (1 << (dropped - 1))) >> dropped
    return result


def gradient_cases():
    size, strides, padding = (3, 2), (2, 1), (1, 0, 1, 1)
    attrs = "pool_size=[3, 2], strides=[2, 1], padding=[1, 0, 1, 1]"
    for ceil in (False, True):
        x = np.round(normal(2, 3, 6, 5) * 2)
        shape, _ = windows(x.shape[2:], size, strides, padding, ceil)
        grad = normal(2, 3, *shape)
        inputs, tail = {"g": grad, "x": x}, ", ceil_mode=True" if ceil else ""
        expected = pool_grad(grad, x, size, strides, padding, to_largest, ceil)
        yield Case(f"nn.max_pool2d_grad({{g}}, {{x}}, {attrs}{tail})", inputs, expected)
        spread = lambda window, grad, _: np.full_like(window, grad / window.size)
        expected = pool_grad(grad, x, size, strides, padding, spread, ceil)
        yield Case(f"nn.avg_pool2d_grad({{g}}, {{x}}, {attrs}{tail})", inputs, expected)
    inputs = {"g": grad.transpose(0, 2, 3, 1), "x": x.transpose(0, 2, 3, 1)}
    expected = pool_grad(grad, x, size, strides, padding, to_largest, True).transpose(0, 2, 3, 1)
    yield Case(f'nn.max_pool2d_grad({{g}}, {{x}}, {attrs}, layout="NHWC", ceil_mode=True)', inputs, expected)
    x = normal(2, 3, 6, 5)
    grad = normal(2, 3, 3, 5)
    whole = lambda window, grad, _: np.full_like(window, grad / 6)
    expected = pool_grad(grad, x, size, strides, padding, whole)
    yield Case(f"nn.avg_pool2d_grad({{g}}, {{x}}, {attrs}, count_include_pad=True)", {"g": grad, "x": x}, expected)
    x, grad = normal(2, 4, 9, 7), normal(2, 6, 4, 5)
    call = "nn.conv2d_backward_weight({g}, {x}, strides=[2, 1], padding=[1, 0, 0, 2], dilation=[1, 2], kernel_size=[3, 3], "
    rest = 'groups=2, channels=6, data_layout="NCHW", kernel_layout="NCHW", out_layout="OIHW")'
    expected = weight_grad(grad, x, (3, 3), (2, 1), (1, 0, 0, 2), (1, 2), 2)
    yield Case(call + rest, {"g": grad, "x": x}, expected, 1e-4)


def cases():
    yield from gradient_cases()
    x, gamma, beta = normal(2, 6, 3, 4), normal(6), normal(6)
    inputs = {"x": x, "g": gamma, "b": beta}
    yield Case("nn.group_norm({x}, {g}, {b}, num_groups=3, epsilon=0.01f)", inputs, group_norm(x, gamma, beta, 3, 1, 0.01), 1e-4)
    expected = group_norm(x.transpose(0, 2, 3, 1), gamma, np.zeros(6), 2, 3, 1e-5).astype(np.float32)
    call = "nn.group_norm({x}, {g}, {b}, num_groups=2, axis=-1, center=False)"
    yield Case(call, inputs | {"x": x.transpose(0, 2, 3, 1)}, expected, 1e-4)
    predictions, targets = normal(4, 5, 3), random.integers(0, 5, (4, 3)).astype(np.int32)
    targets[1, 2] = targets[3, 0] = -1
    weights = abs(normal(5))
    inputs = {"p": predictions, "t": targets, "w": weights}
    for reduction in ("none", "sum", "mean"):
        expected = nll_loss(predictions, targets, weights, reduction, -1)
        yield Case(f'nn.nll_loss({{p}}, {{t}}, {{w}}, reduction="{reduction}", ignore_index=-1)', inputs, expected)
    one = {"p": predictions[0, :, 0], "t": np.int64(2), "w": weights}
    yield Case("nn.nll_loss({p}, {t}, {w})", one, -predictions[0, 2, 0])
    x, w = normal(2, 4, 6, 5), normal(6, 2, 3, 2)
    offset = normal(2, 24, 3, 4) * 1.5
    expected = deformed(x, offset, w, (2, 1), (1, 0, 0, 0), (1, 1), 2, 2)
    attrs = "strides=[2, 1], padding=[1, 0, 0, 0], deformable_groups=2, groups=2, kernel_size=[3, 2], channels=6"
    inputs = {"x": x, "o": offset, "w": w}
    yield Case(f"nn.deformable_conv2d({{x}}, {{o}}, {{w}}, {attrs})", inputs, expected, 1e-4)
    inputs = {"x": x.transpose(0, 2, 3, 1), "o": offset.transpose(0, 2, 3, 1), "w": w.transpose(2, 3, 1, 0)}
    layouts = 'data_layout="NHWC", kernel_layout="HWIO"'
    call = f"nn.deformable_conv2d({{x}}, {{o}}, {{w}}, {attrs}, {layouts})"
    yield Case(call, inputs, expected.transpose(0, 2, 3, 1), 1e-4)
    rois = np.array([[0, 0, 0, 8, 6], [1, 2.3, 2, 4, 4], [0, 6, 1, 30, 30], [1, -7, 0, 3, 5]], np.float32)
    for samples, mode in [(2, "avg"), (-1, "avg"), (2, "max")]:
        expected = roi_align(x, rois, (2, 3), 0.5, samples, mode)
        attrs = f'pooled_size=[2, 3], spatial_scale=0.5f, sample_ratio={samples}, mode="{mode}"'
        yield Case(f"vision.roi_align({{x}}, {{r}}, {attrs})", {"x": x, "r": rois}, expected, 1e-4)
    inputs = {"x": x.transpose(0, 2, 3, 1), "r": rois}
    yield Case(f'vision.roi_align({{x}}, {{r}}, {attrs}, layout="NHWC")', inputs, expected.transpose(0, 2, 3, 1), 1e-4)
    x = random.integers(-(2**20), 2**20, (4, 5)).astype(np.int32)
    multiplier = random.integers(2**30, 2**31 - 1, 5).astype(np.int32)
    left, right = (random.integers(0, 5, 5).astype(np.int32) for _ in range(2))
    inputs = {"x": x, "m": multiplier, "l": left, "r": right}
    for shifts in (False, True):
        call = f"fixed_point_multiply_per_axis({{x}}, {{m}}, {{l}}, {{r}}, is_lshift_required={shifts}, is_rshift_required=True, axes=[1])"
        yield Case(call, inputs, fixed_point(x, multiplier, left, right, shifts))


check(relayc, folder, "gradients", list(cases()))
