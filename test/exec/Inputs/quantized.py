"""Compiles random networks of quantised operators, in all forms that ONNX has: between QuantizeLinear and DequantizeLinear, as QLinear
operators, and with sums of integers. Compares them with ONNX Runtime's, which computes the first form in floats when it does not optimise."""

import pathlib
import sys

import numpy as np
import onnxruntime
import relay_mlir
from onnx import TensorProto, helper, numpy_helper

NETWORKS = 12
"""How many networks there are."""

EVERY = 6
"""Each so many networks is compiled for all levels."""

LEVELS = ["native", "x86-64-v2", "x86-64-v3", "x86-64-v4"]


class Graph:
    """A graph that grows; its weights have random bytes. Those of QLinear operators have 7 bits: with 8, ONNX Runtime's sums saturate on
    processors without instructions for bytes."""

    def __init__(self, seed):
        self.random = np.random.default_rng(seed)
        self.nodes, self.constants = [], []
        self.form = str(self.random.choice(["qdq", "qlinear", "integer"]))
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
        random = self.random
        kernel, groups = int(random.choice([1, 3])), 1
        if outputs == channels and random.integers(3) == 0:
            groups = channels
        weight, scale, zero = self.weight(outputs, channels // groups, kernel, kernel)
        window = {"kernel_shape": [kernel] * 2, "pads": [kernel // 2] * 4, "strides": [int(random.choice([1, 2]))] * 2, "group": groups}
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
        bias = self.constant(random.uniform(-0.3, 0.3, outputs).astype(np.float32))
        floats = self.node("Conv", *floats, bias, **window)
        if random.integers(2):
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


def network(seed):
    """A model with its inputs."""
    graph = Graph(seed)
    random = graph.random
    channels, size = int(random.choice([3, 4, 8, 20])), int(random.integers(5, 12))
    shape = (2, channels, size, size)
    steps = graph.step()
    data = graph.quantized("x", *steps)
    for _ in range(random.integers(1, 3)):
        outputs = int(random.choice([channels, 7, 16, 40]))
        data, steps = graph.conv(data, steps, channels, outputs)
        channels = outputs
    model = lambda result, kind: helper.make_model(  # noqa: E731
        helper.make_graph(
            graph.nodes,
            f"quantized{seed}",
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


def main():
    pathlib.Path(sys.argv[1]).mkdir(exist_ok=True)
    wrong = 0
    for seed in range(NETWORKS):
        model, inputs, form = network(seed)
        [expected] = reference(model).run(None, inputs)
        results = {}
        for level in LEVELS if seed % EVERY == 0 else LEVELS[:1]:
            for threads in (1, 2):
                compiled = relay_mlir.compile(model, target=level, threads=threads, cache=False)
                [results[level, threads]] = compiled.run(inputs).values()
        first, *others = results.values()
        steps = np.abs(first.astype(int) - expected.astype(int)).max()
        if steps > 1 or any(not np.array_equal(first, other) for other in others):
            wrong += 1
            print(f"network {seed} ({form}) differs by {steps} steps; the same bits: {[np.array_equal(first, other) for other in others]}")
    print(f"{NETWORKS - wrong} networks are right")
    sys.exit(wrong != 0)


if __name__ == "__main__":
    main()
