"""The operators of random graphs: each function adds one or some to the graph, or does nothing where no value fits."""

import math

import numpy as np
from onnx import TensorProto

from networks import Network, Value


def unary(g):
    x = g.floats()
    kind = g.choice(
        "Relu Tanh Sigmoid Erf Neg Abs Softplus Elu LeakyRelu HardSigmoid HardSwish Selu Gelu Sin Cos Softsign "
        "Identity ThresholdedRelu Clip Sqrt Log Reciprocal Exp".split()
    )
    if x is None:
        return
    exact = x.exact and kind in ("Relu", "Neg", "Abs", "Identity")
    if kind in ("Sqrt", "Log", "Reciprocal"):
        size = g.node("Abs", [x], x.shape, exact=x.exact)
        x = g.node("Add", [size, g.constant(np.float32(0.5))], x.shape, exact=x.exact)
    # Sines and exponentials are taken of small numbers: bf16 rounds a large number off by a good part of a turn, or changes
    # its exponential by a factor of e.
    if kind == "Exp" or (kind in ("Sin", "Cos") and not x.exact):
        x = g.node("Tanh", [x], x.shape)
    if kind == "ThresholdedRelu" and not x.exact:
        kind = "Relu"
    operands = [x]
    if kind == "Clip":
        operands += [g.constant(np.float32(-0.5)), g.constant(np.float32(1.0))]
    attributes = {"approximate": g.choice(["none", "tanh"])} if kind == "Gelu" else {}
    g.node(kind, operands, x.shape, exact=exact, **attributes)


def jump(g):
    """Operators with steps, of exact values."""
    x = g.floats(lambda value: value.exact)
    if x is None:
        return
    kind = g.choice(["Floor", "Ceil", "Round", "Sign", "Greater", "Less", "Equal", "GreaterOrEqual", "LessOrEqual"])
    if kind in ("Floor", "Ceil", "Round", "Sign"):
        g.node(kind, [x], x.shape, exact=True)
        return
    condition = g.node(kind, [x, g.constant(np.float32(0.25))], x.shape, np.bool_, True)
    if g.chance(2):
        condition = g.node("Not", [condition], x.shape, np.bool_, True)
    other = g.constant(g.numbers(broadcastable(g, x.shape)))
    g.node("Where", [condition, x, other], x.shape, exact=True)


def broadcastable(g, shape):
    """A shape that does not change `shape` when broadcast to it."""
    start = int(g.rng.integers(len(shape) + 1))
    return tuple(1 if g.chance(3) else extent for extent in shape[start:])


def binary(g):
    x = g.floats()
    if x is None:
        return
    kind = g.choice(["Add", "Sub", "Mul", "Max", "Min", "Div", "Pow", "PRelu", "Mod", "Mean", "Sum"])
    same = g.floats(lambda value: value.shape == x.shape and value is not x)
    if kind == "Pow":
        base = g.node("Add", [g.node("Abs", [x], x.shape), g.constant(np.float32(0.5))], x.shape)
        g.node("Tanh", [g.node("Pow", [base, g.constant(np.float32(1.5))], x.shape)], x.shape)
    elif kind == "Div":
        divisor = 1 + np.abs(g.numbers(broadcastable(g, x.shape)))
        g.node("Div", [x, g.constant(divisor)], x.shape)
    elif kind == "PRelu":
        g.node("PRelu", [x, g.constant(g.numbers(broadcastable(g, x.shape)))], x.shape)
    elif kind == "Mod":
        if x.exact:
            g.node("Mod", [x, g.constant(np.float32(1.5))], x.shape, exact=True, fmod=1)
    elif same is not None and g.chance(2):
        product = g.node(kind, [x, same], x.shape, exact=x.exact and same.exact and kind in ("Add", "Sub", "Max", "Min"))
        if kind == "Mul":
            g.node("Tanh", [product], x.shape)
    else:
        other = g.constant(g.numbers(broadcastable(g, x.shape)))
        swap = g.chance(2)
        exact = x.exact and kind in ("Add", "Sub", "Max", "Min")
        g.node(kind, [other, x] if swap else [x, other], x.shape, exact=exact)


def window(g, length):
    """Kernel, stride, dilation and padding of one dimension that leave something of it; None if nothing fits."""
    kernel = min(g.choice([1, 1, 2, 3, 3, 5, 7]), max(1, length))
    dilation = g.choice([1, 1, 1, 2, 3])
    stride = g.choice([1, 1, 1, 2, 3])
    reach = (kernel - 1) * dilation + 1
    low, high = (int(g.rng.integers(0, reach)) for _ in range(2))
    if length + low + high < reach:
        dilation, low, high = 1, 0, 0
        reach = kernel
    out = (length + low + high - reach) // stride + 1
    return (kernel, stride, dilation, low, high, out) if length >= 1 and out >= 1 else None


def windows(g, x):
    found = [window(g, length) for length in x.shape[2:]]
    return None if None in found else [list(column) for column in zip(*found)]


def conv(g):
    x = g.floats(lambda value: value.rank in (3, 4, 5))
    found = x and windows(g, x)
    if not found:
        return
    kernel, strides, dilations, low, high, out = found
    batch, channels = x.shape[:2]
    divisors = [group for group in range(1, channels + 1) if channels % group == 0]
    group = g.choice([1, 1, g.choice(divisors), channels]) if divisors else 1
    per_group = g.choice([1, 2, 3, 4, 8, 16])
    outputs = group * per_group if group < 8 else group * g.choice([1, 1, 2])
    fan_in = channels // group * math.prod(kernel)
    operands = [x, g.weight((outputs, channels // group, *kernel), fan_in)]
    if g.chance(2):
        operands.append(g.weight((outputs,), 1))
    value = g.node(
        "Conv", operands, (batch, outputs, *out), strides=strides, dilations=dilations, pads=low + high, group=group
    )
    if g.chance(2):
        g.node(g.choice(["Relu", "Sigmoid", "Tanh", "HardSwish"]), [value], value.shape)


def conv_transpose(g):
    x = g.floats(lambda value: value.rank in (3, 4) and math.prod(value.shape) <= 4096)
    if x is None or 0 in x.shape:
        return
    spatial = x.rank - 2
    kernel = [g.choice([1, 2, 3, 4]) for _ in range(spatial)]
    strides = [g.choice([1, 2, 3]) for _ in range(spatial)]
    pads = [int(g.rng.integers(0, size)) for size in kernel]
    extra = [int(g.rng.integers(0, stride)) for stride in strides]
    out = [
        (length - 1) * stride + size - 2 * pad + more
        for length, stride, size, pad, more in zip(x.shape[2:], strides, kernel, pads, extra)
    ]
    if min(out) < 1:
        return
    outputs = g.choice([1, 2, 3, 8])
    weight = g.weight((x.shape[1], outputs, *kernel), x.shape[1] * math.prod(kernel))
    attributes = {"strides": strides, "pads": pads + pads, "output_padding": extra}
    g.node("ConvTranspose", [x, weight], (x.shape[0], outputs, *out), **attributes)


def pool(g):
    x = g.floats(lambda value: value.rank in (3, 4, 5))
    if x is None:
        return
    kind = g.choice(["MaxPool", "AveragePool", "GlobalAveragePool", "GlobalMaxPool"])
    if kind.startswith("Global"):
        if 0 not in x.shape:
            g.node(kind, [x], (*x.shape[:2], *[1] * (x.rank - 2)), exact=x.exact and "Max" in kind)
        return
    found = windows(g, x)
    if not found:
        return
    kernel, strides, _, _, _, _ = found
    # Padding is smaller than the kernel, as ONNX Runtime asks for.
    low, high = ([int(g.rng.integers(0, size)) for size in kernel] for _ in range(2))
    out = [
        (length + a + b - size) // stride + 1
        for length, a, b, size, stride in zip(x.shape[2:], low, high, kernel, strides)
    ]
    if min(out) < 1:
        return
    attributes = {"count_include_pad": int(g.rng.integers(2))} if kind == "AveragePool" else {}
    shape = (*x.shape[:2], *out)
    g.node(kind, [x], shape, exact=False, kernel_shape=kernel, strides=strides, pads=low + high, **attributes)


def normalization(g):
    x = g.floats(lambda value: value.rank >= 3 and 0 not in value.shape)
    if x is None:
        return
    channels = x.shape[1]
    scale = g.constant((0.5 + np.abs(g.numbers((channels,)))).astype(np.float32))
    bias = g.constant(g.numbers((channels,)))
    kind = g.choice(["BatchNormalization", "InstanceNormalization", "LayerNormalization", "LRN"])
    if kind == "BatchNormalization":
        mean = g.constant(g.numbers((channels,)))
        variance = g.constant((0.5 + np.abs(g.numbers((channels,)))).astype(np.float32))
        g.node(kind, [x, scale, bias, mean, variance], x.shape)
    elif kind == "InstanceNormalization":
        g.node(kind, [x, scale, bias], x.shape, epsilon=0.1)
    elif kind == "LayerNormalization":
        last = x.shape[-1:]
        operands = [x, g.constant(1 + np.abs(g.numbers(last))), g.constant(g.numbers(last))]
        g.node(kind, operands, x.shape, axis=-1, epsilon=0.1)
    elif x.rank == 4:
        g.node(kind, [x], x.shape, size=g.choice([1, 3, 5]))


def softmax(g):
    x = g.floats(lambda value: value.rank >= 1)
    if x is not None:
        g.node(g.choice(["Softmax", "LogSoftmax"]), [x], x.shape, axis=int(g.rng.integers(-x.rank, x.rank)))


def matmul(g):
    x = g.floats(lambda value: value.rank >= 2)
    if x is None:
        return
    rows, depth = x.shape[-2:]
    columns = g.choice([1, 2, 3, 8, 16, 31, 32, 48, 64])
    if g.chance(2):
        batch = x.shape[:-2] if g.chance(2) else ()
        other = g.weight((*batch, depth, columns), depth)
        product = g.node("MatMul", [x, other], (*x.shape[:-1], columns))
        if g.chance(2):
            g.node("Add", [product, g.weight((columns,), 1)], product.shape)
        return
    partner = g.floats(lambda value: value.rank == x.rank and value.shape[:-2] == x.shape[:-2] and value.shape[-1] == depth)
    order = [*range(x.rank - 2), x.rank - 1, x.rank - 2]
    swapped = g.node("Transpose", [partner], [partner.shape[axis] for axis in order], exact=partner.exact, perm=order)
    scores = g.node("MatMul", [x, swapped], (*x.shape[:-1], partner.shape[-2]))
    scaled = g.node("Mul", [scores, g.constant(np.float32(1 / math.sqrt(max(1, depth))))], scores.shape)
    if g.chance(2):
        weights = g.node("Softmax", [scaled], scores.shape, axis=-1)
        g.node("MatMul", [weights, partner], (*weights.shape[:-1], depth))
    else:
        g.node("Tanh", [scaled], scores.shape)


def gemm(g):
    x = g.floats(lambda value: value.rank == 2)
    if x is None:
        return
    trans_a, trans_b = (int(g.rng.integers(2)) for _ in range(2))
    rows, depth = x.shape[::-1] if trans_a else x.shape
    columns = g.choice([1, 3, 8, 32, 50])
    weight = g.weight((columns, depth) if trans_b else (depth, columns), depth)
    bias = g.weight(g.choice([(columns,), (1, columns), (rows, 1), (rows, columns), ()]), 1)
    g.node("Gemm", [x, weight, bias], (rows, columns), transA=trans_a, transB=trans_b, alpha=0.5, beta=1.5)


def reduce(g):
    x = g.floats(lambda value: value.rank >= 1 and 0 not in value.shape)
    if x is None:
        return
    kind = g.choice(["ReduceSum", "ReduceMean", "ReduceMax", "ReduceMin", "ReduceProd"])
    axes = [axis for axis in range(x.rank) if g.chance(2)] or [x.rank - 1]
    keeps = int(g.rng.integers(2))
    shape = [1 if axis in axes else extent for axis, extent in enumerate(x.shape) if axis not in axes or keeps]
    if kind == "ReduceProd":
        x = g.node("Tanh", [x], x.shape)
    count = math.prod(x.shape[axis] for axis in axes)
    axes = [axis - x.rank if g.chance(2) else axis for axis in axes]
    value = g.node(kind, [x, g.constant(np.array(axes, np.int64))], shape, exact=x.exact and kind in ("ReduceMax", "ReduceMin"), keepdims=keeps)
    if kind == "ReduceSum":
        g.node("Mul", [value, g.constant(np.float32(1 / math.sqrt(count)))], shape)


def arg(g):
    x = g.floats(lambda value: value.rank >= 1 and value.exact and 0 not in value.shape)
    if x is None:
        return
    axis, keeps = int(g.rng.integers(x.rank)), int(g.rng.integers(2))
    shape = [1 if at == axis else extent for at, extent in enumerate(x.shape) if at != axis or keeps]
    index = g.node(g.choice(["ArgMax", "ArgMin"]), [x], shape, np.int64, True, axis=axis, keepdims=keeps)
    g.node("Cast", [index], shape, exact=True, to=TensorProto.FLOAT)


def reshape(g):
    x = g.of(lambda value: value.rank > 0)
    if x is None:
        return
    kind = g.choice(["Reshape", "Flatten", "Squeeze", "Unsqueeze", "Transpose", "Transpose"])
    if kind == "Transpose":
        order = [int(axis) for axis in g.rng.permutation(x.rank)]
        g.node(kind, [x], [x.shape[axis] for axis in order], x.dtype, x.exact, perm=order)
    elif kind == "Flatten":
        axis = int(g.rng.integers(x.rank + 1))
        g.node(kind, [x], (math.prod(x.shape[:axis]), math.prod(x.shape[axis:])), x.dtype, x.exact, axis=axis)
    elif kind == "Squeeze":
        axes = [axis for axis, extent in enumerate(x.shape) if extent == 1]
        if axes:
            axis = g.choice(axes)
            shape = [extent for at, extent in enumerate(x.shape) if at != axis]
            g.node(kind, [x, g.constant(np.array([axis], np.int64))], shape, x.dtype, x.exact)
    elif kind == "Unsqueeze":
        axis = int(g.rng.integers(x.rank + 1))
        if x.rank < 5:
            shape = [*x.shape[:axis], 1, *x.shape[axis:]]
            g.node(kind, [x, g.constant(np.array([axis], np.int64))], shape, x.dtype, x.exact)
    elif 0 not in x.shape:
        shape, left = [], math.prod(x.shape)
        while left > 1 and len(shape) < 3:
            factor = g.choice([divisor for divisor in range(1, min(left, 64) + 1) if left % divisor == 0])
            shape.append(factor)
            left //= factor
        shape.append(left)
        written = list(shape)
        written[int(g.rng.integers(len(shape)))] = -1
        g.node(kind, [x, g.constant(np.array(written, np.int64))], shape, x.dtype, x.exact)


def concat(g):
    x = g.floats(lambda value: value.rank >= 1)
    if x is None:
        return
    axis = int(g.rng.integers(x.rank))

    def fits(value):
        rest = [extent for at, extent in enumerate(value.shape) if at != axis]
        return value.rank == x.rank and rest == [extent for at, extent in enumerate(x.shape) if at != axis]

    parts = [x] + [g.floats(fits) for _ in range(int(g.rng.integers(1, 3)))]
    extent = sum(part.shape[axis] for part in parts)
    shape = [extent if at == axis else size for at, size in enumerate(x.shape)]
    g.node("Concat", parts, shape, exact=all(part.exact for part in parts), axis=axis)


def split(g):
    x = g.floats(lambda value: value.rank >= 1 and max(value.shape, default=0) >= 2)
    if x is None:
        return
    axis = int(np.argmax(x.shape))
    first = int(g.rng.integers(0 if g.chance(8) else 1, x.shape[axis]))
    sizes = [first, x.shape[axis] - first]
    shapes = [[size if at == axis else extent for at, extent in enumerate(x.shape)] for size in sizes]
    value = g.node("Split", [x, g.constant(np.array(sizes, np.int64))], shapes[0], exact=x.exact, outputs=2, axis=axis)
    g.values.append(Value(value.name[:-1] + "1", shapes[1], np.float32, x.exact))


def cut(g):
    x = g.floats(lambda value: value.rank >= 1 and 0 not in value.shape)
    if x is None:
        return
    axis = int(g.rng.integers(x.rank))
    length = x.shape[axis]
    step = g.choice([1, 1, 2, 3, -1, -2])
    indices = range(length)[slice(None, None, 1)]
    start, end = sorted(int(at) for at in g.rng.integers(0, length + 1, 2))
    if step < 0:
        start, end = (end, start)
    kept = len(indices[slice(start, end, step)])
    if kept == 0:
        return
    shape = [kept if at == axis else extent for at, extent in enumerate(x.shape)]
    operands = [g.constant(np.array([number], np.int64)) for number in (start, end, axis, step)]
    g.node("Slice", [x, *operands], shape, exact=x.exact)


def pad(g):
    x = g.floats(lambda value: value.rank >= 1 and 0 not in value.shape)
    if x is None:
        return
    mode = g.choice(["constant", "edge", "reflect"])

    def amount(length):
        if g.chance(2):
            return 0
        if mode == "constant":
            return int(g.rng.integers(-(length - 1) // 2, 4))
        return int(g.rng.integers(0, min(3, length)))

    low, high = ([amount(length) for length in x.shape] for _ in range(2))
    shape = [length + a + b for length, a, b in zip(x.shape, low, high)]
    if min(shape) < 1:
        return
    operands = [x, g.constant(np.array(low + high, np.int64))]
    if mode == "constant":
        operands.append(g.constant(np.float32(0.75)))
    g.node("Pad", operands, shape, exact=x.exact, mode=mode)


def repeat(g):
    x = g.floats(lambda value: value.rank >= 1)
    if x is None:
        return
    if g.chance(2):
        counts = [g.choice([1, 1, 2, 3]) for _ in x.shape]
        shape = [extent * count for extent, count in zip(x.shape, counts)]
        g.node("Tile", [x, g.constant(np.array(counts, np.int64))], shape, exact=x.exact)
        return
    shape = [g.choice([1, 3]) if extent == 1 else extent for extent in x.shape]
    if g.chance(2):
        shape = [2, *shape]
    g.node("Expand", [x, g.constant(np.array(shape, np.int64))], shape, exact=x.exact)


def gather(g):
    x = g.floats(lambda value: value.rank >= 1 and 0 not in value.shape)
    if x is None:
        return
    axis = int(g.rng.integers(x.rank))
    length = x.shape[axis]
    if g.chance(3):
        shape = [max(1, extent // 2) if at != axis else 4 for at, extent in enumerate(x.shape)]
        index = g.rng.integers(-length, length, shape).astype(np.int64)
        g.node("GatherElements", [x, g.constant(index)], shape, exact=x.exact, axis=axis)
        return
    shape = g.choice([(), (1,), (3,), (2, 2)])
    index = g.rng.integers(-length, length, shape).astype(np.int64)
    result = [*x.shape[:axis], *shape, *x.shape[axis + 1 :]]
    g.node("Gather", [x, g.constant(index)], result, exact=x.exact, axis=axis)


def images(g):
    x = g.floats(lambda value: value.rank == 4 and 0 not in value.shape)
    if x is None:
        return
    batch, channels, height, width = x.shape
    if channels % 4 == 0 and g.chance(2):
        mode = g.choice(["DCR", "CRD"])
        shape = (batch, channels // 4, height * 2, width * 2)
        g.node("DepthToSpace", [x], shape, exact=x.exact, blocksize=2, mode=mode)
        return
    scales = np.array([1, 1, g.choice([1, 2, 3]), g.choice([1, 2, 3])], np.float32)
    shape = (batch, channels, height * int(scales[2]), width * int(scales[3]))
    mode = g.choice(["nearest", "linear"])
    place = g.choice(["asymmetric", "half_pixel"])
    attributes = {"nearest_mode": "floor"} if mode == "nearest" else {}
    operands = [x, "", g.constant(scales)]
    g.node("Resize", operands, shape, mode=mode, coordinate_transformation_mode=place, **attributes)


def integers(g):
    x = g.of(lambda value: value.dtype.kind in "iu" and value.exact)
    if x is None:
        return
    kind = g.choice(["Add", "Sub", "Mul", "Max", "Min", "Cast", "Neg", "Abs"])
    small = g.constant(g.numbers((), x.dtype))
    if kind == "Cast":
        g.node("Cast", [x], x.shape, exact=True, to=TensorProto.FLOAT)
    elif kind in ("Neg", "Abs"):
        if x.dtype.kind == "i":
            g.node(kind, [x], x.shape, x.dtype, True)
    elif kind in ("Max", "Min") and x.dtype.itemsize < 4:
        return
    else:
        product = g.node(kind, [x, small], x.shape, x.dtype, True)
        if kind == "Mul":
            # So that a float holds it to the digit.
            limit = g.constant(np.array(64, x.dtype))
            if x.dtype.itemsize >= 4:
                g.node("Min", [product, limit], x.shape, x.dtype, True)


OPERATORS = (
    [unary] * 4
    + [binary] * 4
    + [conv] * 5
    + [matmul] * 4
    + [pool] * 2
    + [reduce] * 2
    + [reshape] * 4
    + [jump, conv_transpose, normalization, softmax, gemm, arg, concat, split, cut, pad, repeat, gather, images, integers]
)


def random_network(rng):
    """A graph of up to 13 operators, and of what these need beside them."""
    network = Network(rng)
    network.input()
    for _ in range(int(rng.integers(0, 3))):
        network.input(network.choice([np.float32, np.float32, np.int32, np.int64, np.uint8, np.int8]))
    for _ in range(int(rng.integers(1, 14))):
        network.choice(OPERATORS)(network)
    return network
