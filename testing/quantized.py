"""Random networks of quantised operators, in all forms that ONNX has: between QuantizeLinear and DequantizeLinear, as QLinear operators, and
with sums of integers. They give what ONNX Runtime does within a step of the last quantisation, and the same bits on all processors."""

import numpy as np
import onnxruntime
from onnx import TensorProto, helper, numpy_helper

import emulated

LEVELS = ["native", "x86-64-v2", "x86-64-v3", "x86-64-v4"]
"""The processors of which this machine runs the code itself."""


class Graph:
    """A graph that grows; its weights have random bytes. Those of QLinear operators have 7 bits: with 8, ONNX Runtime's sums saturate on
    processors without instructions for bytes."""

    def __init__(self, random):
        self.random = random
        self.nodes, self.constants = [], []
        self.form = str(self.random.choice(["qdq", "qdq", "qlinear", "integer"]))
        # Most networks are of images; some are of rows or volumes.
        self.rank = int(random.choice([2, 2, 2, 1, 3] if self.form == "qdq" else [2, 2, 1]))
        # ONNX Runtime has sums of integers for unsigned data only.
        self.type = self.random.choice([np.uint8] if self.form == "integer" else [np.uint8, np.int8])

    def node(self, kind, *inputs, **attributes):
        name = f"{kind.lower()}_{len(self.nodes)}"
        self.nodes.append(helper.make_node(kind, inputs, [name], name, **attributes))
        return name

    def constant(self, value):
        self.constants.append(numpy_helper.from_array(np.asarray(value), f"constant_{len(self.constants)}"))
        return self.constants[-1].name

    def zero(self, kind):
        """A zero point of a type, which is often where most data has it."""
        usual = {np.uint8: [0, 128, 117], np.int8: [0, -128, 5]}[kind]
        return kind(self.random.choice(usual))

    def weight(self, *shape):
        """Bytes, scales and zero points of a weight; the last two are of each output if there are several."""
        bits = 8 if self.form == "qdq" else 7
        # With signed data, its QLinear operators take signed weights only.
        kinds = 2 if self.form == "qlinear" and self.type is np.int8 else 4
        kind, zero = [(np.int8, 0), (np.int8, 0), (np.uint8, 128), (np.uint8, 121)][self.random.integers(kinds)]
        values = self.random.integers(-(2 ** (bits - 1)), 2 ** (bits - 1), shape)
        values = (values + (128 if kind is np.uint8 else 0)).astype(kind)
        count = [shape[0]] if self.random.integers(2) else []
        scale = self.random.uniform(0.5, 1.5, count).astype(np.float32) / np.float32(74 * np.sqrt(np.prod(shape[1:])))
        return self.constant(values), self.constant(scale), self.constant(np.full(count, zero, kind))

    def quantized(self, value, scale, zero):
        return self.node("QuantizeLinear", value, scale, zero)

    def step(self):
        """A scale and a zero point of data between -3 and 3."""
        return self.constant(np.float32(6 / 255)), self.constant(self.zero(self.type))

    def conv(self, data, steps, channels, outputs):
        """A convolution of quantised data, and the steps of its result, with a size of its own."""
        random, rank = self.random, self.rank
        kernel, groups = int(random.choice([1, 3])), 1
        if outputs == channels and random.integers(3) == 0:
            groups = channels
        weight, scale, zero = self.weight(outputs, channels // groups, *[kernel] * rank)
        window = {
            "kernel_shape": [kernel] * rank,
            "pads": [kernel // 2] * 2 * rank,
            "strides": [int(random.choice([1, 2]))] * rank,
            "group": groups,
        }
        result = self.step()
        if self.form == "qlinear":
            return self.node("QLinearConv", data, *steps, weight, scale, zero, *result, **window), result
        if self.form == "integer":
            # ONNX Runtime takes one zero point of the weight.
            zero = self.constant(numpy_helper.to_array(self.constants[self.place(zero)]).reshape(-1)[0])
            sums = self.node("ConvInteger", data, weight, steps[1], zero, **window)
            floats = self.node("Mul", self.node("Cast", sums, to=TensorProto.FLOAT), self.constant(np.float32(2e-4)))
            return self.quantized(floats, *result), result
        floats = [self.node("DequantizeLinear", data, *steps), self.node("DequantizeLinear", weight, scale, zero, axis=0)]
        return self.biased("Conv", floats, outputs, window, result)

    def transposed(self, data, steps, channels, outputs):
        """A transposed convolution between QuantizeLinear and DequantizeLinear, and the steps of its result."""
        random, rank = self.random, self.rank
        kernel, stride, groups = int(random.integers(1, 5)), int(random.integers(1, 4)), 1
        if outputs == channels and random.integers(3) == 0:
            groups = channels
        weight, scale, zero = self.weight(outputs // groups, channels, *[kernel] * rank)
        # The outputs of a transposed convolution are along the second axis.
        stored = self.constants[self.place(weight)]
        weight = self.constant(np.ascontiguousarray(numpy_helper.to_array(stored).swapaxes(0, 1)))
        window = {
            "kernel_shape": [kernel] * rank,
            "strides": [stride] * rank,
            "pads": [int(random.integers(kernel))] * 2 * rank,
            "output_padding": [int(random.integers(stride))] * rank,
            "group": groups,
        }
        floats = [self.node("DequantizeLinear", data, *steps), self.node("DequantizeLinear", weight, scale, zero, axis=1)]
        return self.biased("ConvTranspose", floats, outputs, window, self.step())

    def biased(self, kind, floats, outputs, window, result):
        """A convolution of floats with a bias, perhaps a ReLU, quantised."""
        bias = self.constant(self.random.uniform(-0.3, 0.3, outputs).astype(np.float32))
        floats = self.node(kind, *floats, bias, **window)
        if self.random.integers(2):
            floats = self.node("Relu", floats)
        return self.quantized(floats, *result), result

    def place(self, name):
        """Where a constant is in the list."""
        return next(number for number, known in enumerate(self.constants) if known.name == name)

    def product(self, data, steps, inputs, outputs):
        """Rows of all numbers of a sample, by a matrix."""
        weight, scale, zero = self.weight(outputs, inputs)
        result = self.step()
        transposed = self.constant(np.ascontiguousarray(numpy_helper.to_array(self.constants[self.place(weight)]).T))
        if self.form == "qlinear":
            return self.node("QLinearMatMul", data, *steps, transposed, scale, zero, *result), result
        if self.form == "integer":
            sums = self.node("MatMulInteger", data, transposed, steps[1], zero)
            floats = self.node("Mul", self.node("Cast", sums, to=TensorProto.FLOAT), self.constant(np.float32(1e-4)))
            return self.quantized(floats, *result), result
        floats = [self.node("DequantizeLinear", data, *steps), self.node("DequantizeLinear", transposed, scale, zero, axis=1)]
        return self.quantized(self.node("MatMul", *floats), *result), result


def network(random):
    """A model with its inputs, and its form."""
    graph = Graph(random)
    channels, size = int(random.choice([3, 4, 8, 20, 64])), int(random.integers(5, 12))
    shape = (2, channels, *[size if graph.rank < 3 else 5] * graph.rank)
    steps = graph.step()
    data = graph.quantized("x", *steps)
    for _ in range(random.integers(1, 3)):
        outputs = int(random.choice([channels, 7, 16, 40, 96]))
        is_transposed = graph.form == "qdq" and random.integers(3) == 0
        data, steps = (graph.transposed if is_transposed else graph.conv)(data, steps, channels, outputs)
        channels = outputs
    model = lambda result, kind: helper.make_model(  # noqa: E731
        helper.make_graph(
            graph.nodes,
            "quantized",
            [helper.make_tensor_value_info("x", TensorProto.FLOAT, shape)],
            [helper.make_tensor_value_info(result, kind, None)],
            graph.constants,
        ),
        opset_imports=[helper.make_opsetid("", 17)],
        ir_version=8,
    )
    kind = helper.np_dtype_to_tensor_dtype(np.dtype(graph.type))
    inputs = {"x": random.uniform(-3, 3, shape).astype(np.float32)}
    [found] = reference(model(data, kind)).run(None, inputs)
    flat = graph.node("Flatten", data)
    data, steps = graph.product(flat, steps, int(np.prod(found.shape[1:])), int(random.choice([1, 10, 33])))
    return model(data, kind), inputs, graph.form


def reference(model):
    """ONNX Runtime without optimisations."""
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.log_severity_level = 4
    return onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])


def steps_apart(ours, expected):
    """The greatest difference of bytes."""
    return int(np.abs(ours.astype(int) - expected.astype(int)).max(initial=0))


def case(rng, folder, programs):
    """Makes a network and compiles it for all processors; what is wrong with the results."""
    model, inputs, form = network(rng)
    path, given = folder / "model.onnx", folder / "inputs.npz"
    path.write_bytes(model.SerializeToString())
    np.savez(given, **inputs)
    [expected] = reference(model).run(None, inputs)
    name, results = model.graph.output[0].name, {}
    for level in LEVELS:
        for threads in ("1", "2") if level == LEVELS[0] else ("1",):
            output = folder / "outputs.npz"
            words = ["--target", level, "--threads", threads, "--inputs", given, "--outputs", output]
            outcome = programs.relayc("run", path, *words)
            fault = outcome.fault() or (outcome.refused and f"refused\n{outcome.errors}")
            if fault:
                return "wrong", f"{level}, {threads} threads: {fault}"
            with np.load(output) as arrays:
                results[level, threads] = arrays[name]
    if emulated.is_here():
        for target in emulated.TARGETS:
            try:
                results[target, "1"] = emulated.outputs(programs.folder / "relayc", path, inputs, target, folder)[name]
            except RuntimeError as reason:
                return "wrong", f"{target}: {reason}"
    first, *others = results
    apart = steps_apart(results[first], expected)
    if apart > 1:
        return "wrong", f"{form}: {apart} steps from ONNX Runtime's"
    different = [other for other in others if not np.array_equal(results[first], results[other])]
    return ("wrong", f"{form}: other bits for {different}") if different else ("agrees", "")
