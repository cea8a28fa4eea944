"""Products of numbers of few bits, weights in tiles, and marks on values, by numpy."""

import itertools
import sys
from pathlib import Path

import numpy as np

from relay_cases import Case, check

relayc, folder = sys.argv[1], Path(sys.argv[2])
random = np.random.default_rng(13)


def packed(x, bits, pack_axis, bit_axis, dtype):
    width = np.dtype(dtype).itemsize * 8
    x = np.moveaxis(x, pack_axis, -1)
    x = x.reshape(*x.shape[:-1], -1, width)
    words = []
    for bit in range(bits):
        of_bit = (x >> bit) & 1
        word = sum(of_bit[..., at].astype(object) << (width - 1 - at) for at in range(width))
        words.append(np.moveaxis(word.astype(dtype), -1, pack_axis))
    return np.stack(words, bit_axis)


def conv2d(x, w, strides, padding, dilation=(1, 1)):
    """NHWC by HWIO."""
    x = np.pad(x, [(0, 0), (padding[0], padding[2]), (padding[1], padding[3]), (0, 0)])
    reach = [(side - 1) * step + 1 for side, step in zip(w.shape, dilation)]
    rows, columns = ((x.shape[axis + 1] - reach[axis]) // strides[axis] + 1 for axis in (0, 1))
    result = np.zeros((x.shape[0], rows, columns, w.shape[3]), w.dtype)
    for i, j in itertools.product(range(w.shape[0]), range(w.shape[1])):
        part = x[:, i * dilation[0] :: strides[0], j * dilation[1] :: strides[1]][:, :rows, :columns]
        result += part @ w[i, j]
    return result


def tiles(w, columns, rows, is_turned):
    matrix = w.reshape(-1, w.shape[3])
    matrix = np.pad(matrix, [(0, -matrix.shape[0] % (4 * rows)), (0, -matrix.shape[1] % columns)])
    parts = matrix.reshape(matrix.shape[0] // rows, rows, matrix.shape[1] // columns, columns)
    return parts.transpose(2, 0, 3, 1) if is_turned else parts.transpose(2, 0, 1, 3)


def conv3d(x, w, padding):
    x = np.pad(x, [(0, 0), (0, 0), *zip(padding[:3], padding[3:])])
    windows = np.lib.stride_tricks.sliding_window_view(x, w.shape[2:], (2, 3, 4))
    return np.einsum("ncdhwijk,ocijk->nodhw", windows, w).astype(np.float32)


def volume_cases():
    for kernel, tile in [((3, 3, 3), 2), ((1, 3, 3), 4), ((2, 2, 3), 3)]:
        x = random.standard_normal((2, 3, 5, 6, 7)).astype(np.float32)
        w = random.standard_normal((4, 3, *kernel)).astype(np.float32)
        attrs = f"tile_size={tile}, kernel_size={list(kernel)}, channels=4, padding=[1, 0, 1, 0, 1, 2]"
        weight = f"nn.contrib_conv3d_winograd_weight_transform({{w}}, tile_size={tile})"
        call = f"nn.contrib_conv3d_winograd_without_weight_transform({{x}}, {weight}, {attrs})"
        yield Case(call, {"x": x, "w": w}, conv3d(x, w, (1, 0, 1, 0, 1, 2)), 1e-4)


def cases():
    yield from volume_cases()
    x = random.integers(0, 256, (2, 64, 3)).astype(np.uint8)
    yield Case('nn.bitpack({x}, bits=3, pack_axis=1, bit_axis=2, pack_type="uint32")', {"x": x}, packed(x, 3, 1, 2, np.uint32))
    yield Case('nn.bitpack({x}, pack_axis=1, bit_axis=0, pack_type="uint8", name="pack")', {"x": x}, packed(x, 1, 1, 0, np.uint8))
    x, w = random.integers(0, 16, (3, 40)).astype(np.uint8), random.integers(0, 4, (5, 40)).astype(np.uint8)
    wide = x.astype(np.int64), w.astype(np.int64)
    for unipolar in (False, True):
        factor = 2 * wide[1] - 3 if unipolar else wide[1]
        attrs = f'units=5, data_bits=4, weight_bits=2, pack_dtype="uint32", out_dtype="int32", unipolar={unipolar}'
        expected = (wide[0] @ factor.T).astype(np.int32)
        yield Case(f"nn.bitserial_dense({{x}}, {{w}}, {attrs})", {"x": x, "w": w}, expected)
    x, w = random.integers(0, 4, (2, 6, 5, 8)).astype(np.int8), random.integers(0, 2, (3, 2, 8, 4)).astype(np.int8)
    attrs = 'strides=[2, 1], padding=[1, 0, 1, 0], kernel_size=[3, 2], channels=4, activation_bits=2, pack_dtype="uint8"'
    expected = conv2d(x.astype(np.int16), 2 * w.astype(np.int16) - 1, (2, 1), (1, 0, 1, 0))
    layouts = 'data_layout="NHWC", kernel_layout="HWIO", out_dtype="int16"'
    yield Case(f"nn.bitserial_conv2d({{x}}, {{w}}, {attrs}, {layouts})", {"x": x, "w": w}, expected)
    inputs = {"x": x.transpose(0, 3, 1, 2), "w": w.transpose(3, 2, 0, 1)}
    expected = conv2d(x.astype(np.int32), w.astype(np.int32), (2, 1), (1, 0, 1, 0)).transpose(0, 3, 1, 2)
    yield Case(f'nn.bitserial_conv2d({{x}}, {{w}}, {attrs}, out_dtype="int32", unipolar=False)', inputs, expected)
    for dtype, sums in [(np.float32, np.float32), (np.int8, np.int32)]:
        x, w = (random.integers(-9, 9, shape).astype(dtype) for shape in [(2, 6, 5, 3), (3, 2, 3, 7)])
        yield Case("nn.contrib_conv2d_gemm_weight_transform({w}, tile_N=4, tile_K=2)", {"w": w}, tiles(w, 4, 2, dtype == np.int8))
        attrs = 'strides=[2, 1], padding=[1, 0, 1, 0], dilation=[1, 2], channels=7, kernel_size=[3, 2], data_layout="NHWC", '
        attrs += f'kernel_layout="HWIO", out_dtype="{np.dtype(sums).name}"'
        inputs = {"x": x, "w": tiles(w, 4, 2, dtype == np.int8)}
        expected = conv2d(x.astype(sums), w.astype(sums), (2, 1), (1, 0, 1, 0), (1, 2))
        yield Case(f"nn.contrib_conv2d_gemm_without_weight_transform({{x}}, {{w}}, {attrs})", inputs, expected)
    x = random.standard_normal((3, 4)).astype(np.float32)
    inputs = {"x": x, "s": np.float32(0.1), "l": np.float32(-8), "h": np.float32(7)}
    rounded = np.clip(x / np.float32(0.1), -8, 7)
    rounded = np.sign(rounded) * np.floor(abs(rounded) + 0.5) * np.float32(0.1)
    yield Case("relay.op.annotation.simulated_quantize({x}, {s}, {l}, {h}, kind=1)", inputs, rounded)
    yield Case("relay.op.annotation.simulated_quantize({x}, {s}, {l}, {h}, kind=0)", inputs, x)
    scales = np.float32([0.1, 0.2, 0.4])
    rounded = np.clip(x[:, :3] / scales, -8, 7)
    rounded = np.sign(rounded) * np.floor(abs(rounded) + 0.5) * scales
    own = {**inputs, "x": x[:, :3].copy(), "s": scales}
    yield Case("relay.op.annotation.simulated_quantize({x}, {s}, {l}, {h}, kind=2, axis=1)", own, rounded)
    call = "tanh(annotation.stop_fusion(annotation.checkpoint(exp({x}))))"
    yield Case(call, {"x": x}, np.tanh(np.exp(x)))
    call = 'annotation.compiler_end(exp(annotation.compiler_begin({x}, compiler="dnnl")), compiler="dnnl")'
    yield Case(f'annotation.cast_hint({call}, dtype="int8")', {"x": x}, np.exp(x))


check(relayc, folder, "bits", list(cases()))
