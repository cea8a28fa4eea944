"""Networks, and their error in a narrow float beside ONNX Runtime's f32.

For bf16, the networks are of f32, and the compiler narrows them. For f16, the networks are of f16,
and ONNX Runtime has the same weights in f32.
"""

import subprocess
import sys

import numpy as np
import onnx
import onnxruntime
from onnx import TensorProto, helper, numpy_helper

# The least and the largest error / the range of the output. bf16 has 8 bits of precision, f16 has 11,
# and errors of some layers add up. A network in f32 has a hundredth of the least error.
ERRORS = {"bf16": (1e-4, 3e-2), "f16": (1e-5, 4e-3)}


class Network:
    """A graph being made: each method adds a node and returns the name of its output."""

    def __init__(self, element):
        self.rng = np.random.default_rng(0)
        self.element = element
        self.type = helper.np_dtype_to_tensor_dtype(np.dtype(element))
        self.nodes, self.weights = [], []

    def node(self, kind, *inputs, **attributes):
        output = f"v{len(self.nodes)}"
        self.nodes.append(helper.make_node(kind, inputs, [output], **attributes))
        return output

    def array(self, array):
        if array.dtype == np.float32:
            array = array.astype(self.element)
        name = f"w{len(self.weights)}"
        self.weights.append(numpy_helper.from_array(array, name))
        return name

    def random(self, *shape, inputs=1):
        """Numbers that keep the variance of what has so many inputs."""
        return self.array(self.rng.standard_normal(shape, np.float32) / np.float32(inputs) ** 0.5)

    def conv(self, x, channels, outputs, kernel, group=1, strides=1):
        count = channels // group * kernel**2
        weight = self.random(outputs, channels // group, kernel, kernel, inputs=count / 2)
        attributes = {"pads": [kernel // 2] * 4, "strides": [strides] * 2, "group": group}
        return self.node("Conv", x, weight, self.random(outputs, inputs=16), **attributes)

    def dense(self, x, inputs, outputs):
        product = self.node("MatMul", x, self.random(inputs, outputs, inputs=inputs))
        return self.node("Add", product, self.random(outputs, inputs=16))

    def norm(self, x, size):
        return self.node("LayerNormalization", x, self.array(np.ones(size, np.float32)), axis=-1)

    def model(self, name, x, output):
        outputs = [helper.make_tensor_value_info(output, self.type, None)]
        graph = helper.make_graph(self.nodes, name, [x], outputs, self.weights)
        made = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
        return onnx.shape_inference.infer_shapes(made)


def in_single(model):
    """The same network with its numbers in f32."""
    model = onnx.ModelProto.FromString(model.SerializeToString())
    for weight in model.graph.initializer:
        array = numpy_helper.to_array(weight)
        if array.dtype == np.float16:
            weight.CopyFrom(numpy_helper.from_array(array.astype(np.float32), weight.name))
    graph = model.graph
    for value in (*graph.input, *graph.output, *graph.value_info):
        if value.type.tensor_type.elem_type == TensorProto.FLOAT16:
            value.type.tensor_type.elem_type = TensorProto.FLOAT
    return model


def convolutions(element):
    """Of each kind that has a schedule of its own: few channels, Winograd's, depthwise, in groups."""
    n = Network(element)
    relu = lambda x: n.node("Relu", x)
    x = relu(n.conv("x", 3, 32, 7, strides=2))
    x = n.node("MaxPool", x, kernel_shape=[3, 3], pads=[1] * 4, strides=[2, 2])
    x = relu(n.node("Add", n.conv(relu(n.conv(x, 32, 32, 3)), 32, 32, 3), x))
    x = n.node("Clip", n.conv(x, 32, 32, 3, group=32), n.array(np.float32(0)), n.array(np.float32(6)))
    x = n.node("Concat", relu(n.conv(x, 32, 64, 1)), relu(n.conv(x, 32, 16, 3, group=2)), axis=1)
    x = n.node("Relu", n.conv(x, 80, 48, 3, strides=2))
    x = n.node("Flatten", n.node("GlobalAveragePool", x))
    x = n.dense(x, 48, 10)
    shape = (1, 3, 64, 64)
    given = helper.make_tensor_value_info("x", n.type, shape)
    return n.model("convolutions", given, x), n.rng.standard_normal(shape, np.float32).astype(element)


def attention(element, length=40, width=64, heads=4, words=50):
    """A table of words, attention, and two dense layers with a Gelu between them."""
    n = Network(element)
    x = n.norm(n.node("Gather", n.random(words, width), "x"), width)

    def split(x, order):
        shape = n.array(np.array([1, length, heads, width // heads]))
        return n.node("Transpose", n.node("Reshape", x, shape), perm=order)

    query, value = (split(n.dense(x, width, width), [0, 2, 1, 3]) for _ in range(2))
    key = split(n.dense(x, width, width), [0, 2, 3, 1])
    scale = n.array(np.float32((width // heads) ** -0.5))
    scores = n.node("Mul", n.node("MatMul", query, key), scale)
    mixed = n.node("MatMul", n.node("Softmax", scores, axis=-1), value)
    mixed = n.node("Transpose", mixed, perm=[0, 2, 1, 3])
    mixed = n.node("Reshape", mixed, n.array(np.array([1, length, width])))
    x = n.norm(n.node("Add", x, n.dense(mixed, width, width)), width)
    y = n.dense(x, width, 4 * width)
    half = n.node("Mul", y, n.array(np.float32(0.5)))
    erf = n.node("Erf", n.node("Mul", y, n.array(np.float32(0.5**0.5))))
    y = n.node("Mul", half, n.node("Add", erf, n.array(np.float32(1))))
    x = n.norm(n.node("Add", x, n.dense(y, 4 * width, width)), width)
    given = helper.make_tensor_value_info("x", TensorProto.INT64, (1, length))
    return n.model("attention", given, x), n.rng.integers(0, words, (1, length))


def few_keys(element):
    """An attention with fewer keys than a vector has lanes."""
    n = Network(element)
    keys = n.node("Tanh", n.random(1, 4, 3))
    scores = n.node("Mul", n.node("MatMul", "x", keys), n.array(np.float32(0.5)))
    x = n.node("MatMul", n.node("Softmax", scores, axis=-1), n.random(1, 3, 4))
    shape = (1, 24, 4)
    given = helper.make_tensor_value_info("x", n.type, shape)
    return n.model("few_keys", given, x), n.rng.standard_normal(shape, np.float32).astype(element)


def others(element):
    """Convolutions of a line and a volume, reductions of rows, dot products, and a recurrence."""
    n = Network(element)
    x = n.node("Conv", "x", n.random(16, 8, 5, inputs=40), pads=[2, 2])
    volume = n.node("Reshape", x, n.array(np.array([1, 4, 16, 8, 8])))
    volume = n.node("Conv", volume, n.random(4, 4, 3, 3, 3, inputs=108), pads=[1] * 6)
    x = n.node("Add", x, n.node("Reshape", volume, n.array(np.array([1, 16, 256]))))
    rows = n.node("Reshape", x, n.array(np.array([16, 256])))
    largest = n.node("ReduceMax", rows, axes=[1], keepdims=0)
    means = n.node("ReduceMean", n.node("Tanh", rows), axes=[1], keepdims=0)
    some = [n.node("Gather", rows, n.array(np.array(at)), axis=0) for at in ([5], [0, 3])]
    dots = [n.node("Gemm", few, rows, transB=1, alpha=1 / 16) for few in some]
    steps = n.node("Reshape", x, n.array(np.array([8, 1, 512])))
    weights = n.random(1, 64, 512, inputs=512), n.random(1, 64, 16, inputs=16)
    state = n.node("LSTM", steps, *weights, n.random(1, 128, inputs=16), hidden_size=16)
    flat = [n.node("Reshape", part, n.array(np.array([-1]))) for part in (*dots, state)]
    shape = (1, 8, 256)
    given = helper.make_tensor_value_info("x", n.type, shape)
    made = n.model("others", given, n.node("Concat", largest, means, *flat, axis=0))
    return made, n.rng.standard_normal(shape, np.float32).astype(element)


def weights(library):
    """The bytes of a library's constants."""
    found = subprocess.run(["relayc", "inspect", library], check=True, capture_output=True, text=True)
    line = next(line for line in found.stdout.splitlines() if line.startswith("weights: "))
    return int(line.split()[1])


command, *arguments = sys.argv[1:]
if command == "make":
    stem, narrow = arguments
    for make in (convolutions, attention, few_keys, others):
        made, given = make(np.float16 if narrow == "f16" else np.float32)
        onnx.save(made, f"{stem}.{make.__name__}.onnx")
        np.savez(f"{stem}.{make.__name__}.in.npz", x=given)
elif command == "check":
    stem, count, narrow = f"{arguments[0]}.{arguments[1]}", int(arguments[2]), arguments[3]
    model = onnx.load(f"{stem}.onnx")
    element = model.graph.output[0].type.tensor_type.elem_type
    reference = in_single(model).SerializeToString()
    session = onnxruntime.InferenceSession(reference, providers=["CPUExecutionProvider"])
    given = dict(np.load(f"{stem}.in.npz"))
    if given["x"].dtype == np.float16:
        given["x"] = given["x"].astype(np.float32)
    expected = session.run(None, given)[0]
    for number in range(count):
        (actual,) = np.load(f"{stem}.{number}.npz").values()
        assert helper.np_dtype_to_tensor_dtype(actual.dtype) == element
        error = np.abs(actual - expected).max() / np.ptp(expected)
        print(f"{stem}.{number}: error {error:.1e} of the range")
        least, largest = ERRORS[narrow]
        assert least <= error <= largest
else:
    narrow, wide = map(weights, arguments)
    assert 0.5 * wide <= narrow <= 0.52 * wide, f"{narrow} bytes of constants, {wide} in f32"
