"""Random graphs of ONNX operators.

A graph grows operator by operator, each on values that are there already. What it computes must not depend on the last
bit of a sum: operators that jump (Floor, Greater, ArgMax ...) take exact values only, which are quarters of small
integers; what could grow without bound is bent back (Tanh), and divisors stay away from zero.
"""

import math

import numpy as np
from onnx import helper, numpy_helper

OPSET = 20
EXTENTS = [1, 1, 2, 3, 4, 5, 7, 8, 9, 16, 17, 24, 32, 33]

# The most elements of a value, so that a run takes milliseconds.
ELEMENTS = 1 << 15

# A graph without elements somewhere is one of so many.
EMPTY_ONE_OF = 25


class Value:
    """A tensor of the graph; `exact` if it is the same whatever the order of sums and the rounding of exp."""

    def __init__(self, name, shape, dtype, exact):
        self.name, self.shape, self.dtype, self.exact = name, tuple(shape), np.dtype(dtype), exact

    @property
    def rank(self):
        return len(self.shape)

    @property
    def is_float(self):
        return self.dtype.kind == "f"


class Network:
    """A graph that grows."""

    def __init__(self, rng):
        self.rng = rng
        self.nodes, self.weights, self.inputs, self.values = [], [], [], []

    # Making values.

    def choice(self, items):
        return items[int(self.rng.integers(len(items)))]

    def chance(self, one_of):
        return self.rng.integers(one_of) == 0

    def extent(self):
        return self.choice(EXTENTS)

    def numbers(self, shape, dtype=np.float32):
        """Quarters of small integers, or small integers."""
        dtype = np.dtype(dtype)
        if dtype.kind == "b":
            return self.rng.integers(0, 2, shape).astype(dtype)
        if dtype.kind == "u":
            return self.rng.integers(0, 8, shape).astype(dtype)
        if dtype.kind == "i":
            return self.rng.integers(-8, 9, shape).astype(dtype)
        return (self.rng.integers(-8, 9, shape) / 4).astype(dtype)

    def constant(self, array):
        name = f"w{len(self.weights)}"
        self.weights.append(numpy_helper.from_array(np.asarray(array), name))
        return name

    def weight(self, shape, fan_in):
        """Weights that keep the size of sums of so many products."""
        numbers = self.rng.standard_normal(shape) / math.sqrt(max(1, fan_in))
        return self.constant(numbers.astype(np.float32))

    def input(self, dtype=np.float32):
        rank = self.choice([1, 2, 3, 3, 4, 4, 4, 5])
        shape = [self.extent() for _ in range(rank)]
        while math.prod(shape) > ELEMENTS:
            shape[int(np.argmax(shape))] //= 2
        if self.chance(EMPTY_ONE_OF):
            shape[int(self.rng.integers(rank))] = 0
        value = Value(f"x{len(self.inputs)}", shape, dtype, True)
        self.inputs.append(value)
        self.values.append(value)
        return value

    def node(self, kind, inputs, shape, dtype=np.float32, exact=False, outputs=1, **attributes):
        """Adds an operator; its first result."""
        names = [f"v{len(self.nodes)}_{index}" for index in range(outputs)]
        inputs = [value.name if isinstance(value, Value) else value for value in inputs]
        self.nodes.append(helper.make_node(kind, inputs, names, f"n{len(self.nodes)}", **attributes))
        value = Value(names[0], shape, dtype, exact)
        if math.prod(shape) <= ELEMENTS:
            self.values.append(value)
        return value

    def of(self, accept):
        """One of the values that `accept` likes, later ones more often; None if there is none."""
        values = [value for value in self.values if accept(value)]
        if not values:
            return None
        return values[max(int(self.rng.integers(len(values))) for _ in range(2))]

    def floats(self, accept=lambda value: True):
        return self.of(lambda value: value.is_float and accept(value))

    # The whole.

    def model(self):
        """The model; every value that nothing reads is an output."""
        read = {name for node in self.nodes for name in node.input}
        made = [value for value in self.values if value not in self.inputs and value.name not in read]
        outputs = made[-4:] or [self.floats() or self.inputs[0]]
        if outputs[0] in self.inputs:
            outputs = [self.node("Identity", outputs, outputs[0].shape, outputs[0].dtype)]

        def info(value):
            return helper.make_tensor_value_info(value.name, helper.np_dtype_to_tensor_dtype(value.dtype), value.shape)

        names = [value.name for value in outputs]
        graph = helper.make_graph(
            self.needed(names), "random", [info(value) for value in self.inputs], [info(v) for v in outputs], self.weights
        )
        opsets = [helper.make_opsetid("", OPSET)]
        return helper.make_model(graph, opset_imports=opsets, ir_version=10)

    def needed(self, names):
        """The nodes from which the outputs follow: others would be outputs that nobody compares."""
        needed, kept = set(names), []
        for node in reversed(self.nodes):
            if needed.intersection(node.output):
                kept.append(node)
                needed.update(node.input)
        return kept[::-1]

    def feeds(self):
        return {value.name: self.numbers(value.shape, value.dtype) for value in self.inputs}
