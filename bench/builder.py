"""A graph of ONNX that grows node by node, with random weights."""

import numpy as np
from onnx import TensorProto, checker, helper, numpy_helper, shape_inference


class Builder:
    """Values are names; weights have the given standard deviation."""

    def __init__(self, seed, deviation):
        self.rng = np.random.default_rng(seed)
        self.deviation = deviation
        self.nodes = []
        self.weights = []

    def node(self, kind, *inputs, **attributes):
        """Adds a node and returns the name of its output."""
        name = f"{kind.lower()}_{len(self.nodes)}"
        self.nodes.append(helper.make_node(kind, inputs, [f"{name}_out"], name, **attributes))
        return f"{name}_out"

    def constant(self, value, dtype=np.float32):
        """Adds a constant and returns its name."""
        name = f"constant_{len(self.weights)}"
        self.weights.append(numpy_helper.from_array(np.array(value, dtype), name))
        return name

    def random(self, *shape, mean=0.0, deviation=None):
        """Adds random weights and returns their name."""
        numbers = self.rng.standard_normal(shape, np.float32)
        return self.constant(mean + (deviation or self.deviation) * numbers)

    def gelu(self, value):
        """x (1 + erf(x / sqrt 2)) / 2."""
        erf = self.node("Erf", self.node("Div", value, self.constant(np.sqrt(2))))
        product = self.node("Mul", value, self.node("Add", erf, self.constant(1)))
        return self.node("Mul", product, self.constant(0.5))

    def model(self, name, inputs, outputs, dtype=TensorProto.FLOAT):
        """The model; inputs, of one type, and outputs are shapes by name. An output without one
        gets what follows from the nodes."""

        def ports(shapes, dtype):
            return [helper.make_tensor_value_info(key, dtype, dims) for key, dims in shapes.items()]

        body = helper.make_graph(
            self.nodes, name, ports(inputs, dtype), ports(outputs, TensorProto.FLOAT), self.weights
        )
        opset = [helper.make_opsetid("", 17)]
        model = helper.make_model(body, opset_imports=opset, ir_version=8)
        if None in outputs.values():
            model = shape_inference.infer_shapes(model)
        checker.check_model(model)
        return model
