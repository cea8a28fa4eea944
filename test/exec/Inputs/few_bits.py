"""Products with weights of few bits in blocks, compared with numpy's in doubles: ONNX Runtime's MatMulNBits, and ONNX's DequantizeLinear with
blocks before a MatMul."""

import sys

import numpy as np
import relay_mlir
from onnx import TensorProto, helper, numpy_helper

CASES = [
    # rows (0: open), outputs, inputs, block, bits, kind of zero points, element
    (1, 64, 128, 32, 4, None, np.float32),
    (3, 50, 100, 32, 4, "bytes", np.float32),
    (0, 37, 70, 16, 4, "floats", np.float32),
    (5, 33, 64, 64, 8, "bytes", np.float32),
    (0, 16, 96, 32, 2, "bytes", np.float32),
    (4, 20, 256, 128, 4, "bytes", np.float16),
    (9, 130, 48, 16, 8, None, np.float32),
    (2, 1, 8, 8, 4, None, np.float32),
]
"""Two and more rows, edges of vectors and blocks, one output, one block."""

ROWS = [1, 2, 7]
"""How many rows an open number of them is."""

LEVELS = ["native", "x86-64-v3", "x86-64-v2"]

TOLERANCE = {np.float32: 2e-6, np.float16: 2e-3}
"""Relative to the greatest sum of absolute products of a row."""


def bits_of(numbers, bits):
    """Rows of numbers in bytes, the first in the lowest bits; a row begins with a byte."""
    of_byte = 8 // bits
    rows, count = numbers.shape
    numbers = np.pad(numbers, [(0, 0), (0, -count % of_byte)]).reshape(rows, -1, of_byte)
    return sum(numbers[..., place].astype(np.uint32) << bits * place for place in range(of_byte)).astype(np.uint8)


def case(random, rows, outputs, inputs, block, bits, zeros, element):
    """A model of one node, and its weight in doubles."""
    blocks = -(-inputs // block)
    numbers = random.integers(0, 1 << bits, (outputs, blocks * block))
    scales = random.uniform(0.01, 0.02, (outputs, blocks)).astype(element)
    names, constants = ["x", "w", "s"], [bits_of(numbers, bits).reshape(outputs, blocks, -1), scales]
    points = np.full((outputs, blocks), 1 << bits - 1, np.float64)
    if zeros == "bytes":
        points = random.integers(0, 1 << bits, (outputs, blocks))
        constants.append(bits_of(points, bits).reshape(-1))
    elif zeros == "floats":
        points = random.uniform(0, 15, (outputs, blocks)).astype(element)
        constants.append(points)
    names += ["z"][: len(constants) - 2]
    weight = (numbers.reshape(outputs, blocks, block) - points[..., None].astype(np.float64)) * scales[..., None].astype(np.float64)
    attributes = {"K": inputs, "N": outputs, "bits": bits, "block_size": block}
    node = helper.make_node("MatMulNBits", names, ["y"], domain="com.microsoft", **attributes)
    kind = helper.np_dtype_to_tensor_dtype(np.dtype(element))
    graph = helper.make_graph(
        [node],
        "few_bits",
        [helper.make_tensor_value_info("x", kind, [rows or "rows", inputs])],
        [helper.make_tensor_value_info("y", kind, None)],
        [numpy_helper.from_array(value, name) for value, name in zip(constants, names[1:])],
    )
    opsets = [helper.make_opsetid("", 17), helper.make_opsetid("com.microsoft", 1)]
    return helper.make_model(graph, opset_imports=opsets, ir_version=8), weight.reshape(outputs, -1)[:, :inputs]


def dequantized(random, axis, kind, zeros):
    """A product with a weight of 40 rows and 24 columns that is dequantised, in blocks of 16 along an axis, and the weight in doubles."""
    shape = [40, 24]
    scales_shape = [-(-extent // 16) if place == axis else extent for place, extent in enumerate(shape)]
    least, most = {TensorProto.INT4: (-8, 8), TensorProto.UINT4: (0, 16), TensorProto.INT8: (-128, 128)}[kind]
    numbers = random.integers(least, most, shape)
    scales = random.uniform(0.01, 0.02, scales_shape).astype(np.float32)
    points = random.integers(least, most, scales_shape) if zeros else np.zeros(scales_shape, int)
    spread = lambda value: np.repeat(value, 16, axis)[: shape[0], : shape[1]]  # noqa: E731
    weight = (numbers - spread(points)) * spread(scales).astype(np.float64)
    constants = [helper.make_tensor("q", kind, shape, numbers.reshape(-1)), numpy_helper.from_array(scales, "s")]
    if zeros:
        constants.append(helper.make_tensor("z", kind, scales_shape, points.reshape(-1)))
    names = ["q", "s", "z"][: len(constants)]
    nodes = [
        helper.make_node("DequantizeLinear", names, ["w"], axis=axis, block_size=16),
        helper.make_node("MatMul", ["x", "w"], ["y"]),
    ]
    graph = helper.make_graph(
        nodes,
        "dequantized",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, [2, 3, 40])],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, None)],
        constants,
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 21)], ir_version=10), weight


DEQUANTIZED = [
    (0, TensorProto.INT4, False),
    (0, TensorProto.UINT4, True),
    (1, TensorProto.INT4, True),
    (0, TensorProto.INT8, True),
]


def inputs_of(random, rows, inputs, element):
    """Rows of numbers of very different sizes, some of them zero."""
    sizes = 10.0 ** random.integers(-3, 3, (rows, 1)) * (random.random((rows, inputs)) > 0.2)
    x = (random.standard_normal((rows, inputs)) * sizes).astype(element)
    x[-1, : inputs // 2] = 0
    return x


def is_right(y, x, weight, element):
    """Whether a result is as near to that in doubles as sums of this element are."""
    x = x.astype(np.float64)
    most = np.abs(x) @ np.abs(weight.T)
    limit = TOLERANCE[element] * np.max(most, axis=1, keepdims=True)
    return bool(np.all(np.abs(y.astype(np.float64) - x @ weight.T) <= limit))


def main():
    random = np.random.default_rng(0)
    wrong = count = 0
    for number, (rows, outputs, inputs, block, bits, zeros, element) in enumerate(CASES):
        model, weight = case(random, rows, outputs, inputs, block, bits, zeros, element)
        for level in LEVELS if number % 3 == 1 else LEVELS[:1]:
            libraries = [relay_mlir.compile(model, target=level, threads=threads, cache=False) for threads in (1, 2)]
            for given in [rows] if rows else ROWS:
                x = inputs_of(random, given, inputs, element)
                first, second = ([*library.run({"x": x}).values()][0] for library in libraries)
                count += 1
                if not is_right(first, x, weight, element) or not np.array_equal(first, second):
                    wrong += 1
                    print(f"case {number} at {level}, {given} rows, differs")
    for axis, kind, zeros in DEQUANTIZED:
        model, weight = dequantized(random, axis, kind, zeros)
        x = random.standard_normal((2, 3, 40)).astype(np.float32)
        [y] = relay_mlir.compile(model, cache=False).run({"x": x}).values()
        count += 1
        if not is_right(y.reshape(6, -1), x.reshape(6, -1), weight.T, np.float32):
            wrong += 1
            print(f"a weight of {kind} with blocks along {axis} differs")
    # What is not finite is not hidden.
    x = np.zeros((1, 128), np.float32)
    x[0, 5] = np.nan
    model, _ = case(random, *CASES[0])
    [y] = relay_mlir.compile(model, cache=False).run({"x": x}).values()
    if not np.isnan(y).all():
        print("NaN differs")
    print(f"{count - wrong} products are right")
    sys.exit(wrong != 0)


if __name__ == "__main__":
    main()
