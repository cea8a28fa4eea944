"""Writes layers of bytes between QuantizeLinear and DequantizeLinear, and what numpy computes of them, as network.py does.

    quantized.py FOLDER dense ROWS INPUTS OUTPUTS [OUTPUTS ...]
    quantized.py FOLDER conv [--groups GROUPS] KERNEL HEIGHT WIDTH STRIDE DILATION CHANNELS [CHANNELS ...]

Kernels are square, with as much padding as keeps the size of an image. The first one has the stride. All scales are powers of two, and
sums are below 2^24, so that f32 holds each number exactly: the results have the same bits in any order.
"""

import argparse

import numpy as np
from files import Network
from onnx import numpy_helper

parser = argparse.ArgumentParser()
parser.add_argument("folder")
parser.add_argument("kind", choices=["dense", "conv"])
parser.add_argument("--groups", type=int, default=1)
parser.add_argument("numbers", type=int, nargs="+")
options = parser.parse_args()
random = np.random.default_rng(11)
network = Network()
STEP, ZERO, WEIGHT_STEP = np.float32(2**-5), np.uint8(97), np.float32(2**-7)


def constant(value):
    """The name of a constant of its own type."""
    name = f"c{len(network.weights)}"
    network.weights.append(numpy_helper.from_array(np.asarray(value), name))
    return name


def quantized(value):
    """A value in bytes, and what these stand for."""
    known = network.node("QuantizeLinear", value, constant(STEP), constant(ZERO))
    return network.node("DequantizeLinear", known, constant(STEP), constant(ZERO))


def bytes_of(numbers):
    """The bytes of numbers, in integers of 64 bits."""
    return np.clip(np.rint(numbers / STEP) + int(ZERO), 0, 255).astype(np.int64)


def weight_of(shape, axis):
    """The name of a weight in signed bytes, and the bytes."""
    values = random.integers(-128, 128, shape).astype(np.int8)
    outputs = shape[axis]
    scales = constant(np.full(outputs, WEIGHT_STEP, np.float32))
    name = network.node("DequantizeLinear", constant(values), scales, constant(np.zeros(outputs, np.int8)), axis=axis)
    return name, values.astype(np.int64)


def layer(sums, bias):
    """The numbers that sums of products of bytes stand for, with a bias."""
    assert np.abs(sums).max() < 2**24
    return sums * (float(STEP) * float(WEIGHT_STEP)) + bias


def dense(rows, *sizes):
    """Products of matrices; the input, the result and what it should be."""
    data = random.uniform(-3, 3, (rows, sizes[0])).astype(np.float32)
    name, known = quantized("x"), bytes_of(data)
    for inputs, outputs in zip(sizes, sizes[1:]):
        weight, values = weight_of((inputs, outputs), 1)
        bias = random.integers(-64, 64, outputs).astype(np.float32) * STEP
        numbers = layer((known - int(ZERO)) @ values, bias)
        name = network.node("MatMul", name, weight)
        name = quantized(network.node("Add", name, constant(bias)))
        known = bytes_of(numbers)
    return data, name, known


def conv(side, height, width, stride, dilation, *sizes):
    """Convolutions, likewise."""
    groups, reach = options.groups, dilation * (side - 1)
    around = (reach // 2, reach - reach // 2)
    data = random.uniform(-3, 3, (1, sizes[0], height, width)).astype(np.float32)
    name, known = quantized("x"), bytes_of(data)
    for inputs, outputs in zip(sizes, sizes[1:]):
        weight, values = weight_of((outputs, inputs // groups, side, side), 0)
        bias = random.integers(-64, 64, outputs).astype(np.float32) * STEP
        padded = np.pad(known - int(ZERO), [(0, 0), (0, 0), around, around])
        windows = np.lib.stride_tricks.sliding_window_view(padded, (reach + 1, reach + 1), (2, 3))
        windows = windows[:, :, ::stride, ::stride, ::dilation, ::dilation]
        parts = zip(np.split(values, groups), np.split(windows, groups, axis=1))
        sums = [np.einsum("oihw,niyxhw->noyx", *part, optimize=True) for part in parts]
        numbers = layer(np.concatenate(sums, axis=1), bias[:, None, None])
        window = {"strides": [stride] * 2, "dilations": [dilation] * 2, "group": groups, "pads": [around[0]] * 2 + [around[1]] * 2}
        name = network.node("Relu", network.node("Conv", name, weight, constant(bias), **window))
        name, known, stride = quantized(name), bytes_of(np.maximum(numbers, 0)), 1
    return data, name, known


data, name, known = {"dense": dense, "conv": conv}[options.kind](*options.numbers)
network.write(options.folder, data, name, (known - int(ZERO)) * np.float64(STEP), 0)
