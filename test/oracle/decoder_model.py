"""Writes a small Llama with random weights, with the inputs and outputs that exported decoders have: its attention keeps keys and values in
buffers. Usage: decoder_model.py MODEL.onnx."""

import dataclasses
import sys

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper



@dataclasses.dataclass(frozen=True)
class Sizes:
    """Of a Llama: `shared` heads of keys and values serve `heads` heads of queries, of `size` numbers each."""

    vocabulary: int = 50
    hidden: int = 64
    layers: int = 2
    heads: int = 4
    shared: int = 2
    size: int = 16
    inner: int = 96
    capacity: int = 256
    """The rows of a cache."""

    def names(self, prefix):
        """The names of the caches, a key and a value of each layer."""
        return [f"{prefix}.{layer}.{kind}" for layer in range(self.layers) for kind in ("key", "value")]

    def past(self):
        """The inputs that are caches."""
        return self.names("past_key_values")

    def present(self):
        """The outputs that are caches."""
        return self.names("present")


SMALL = Sizes()


def decoder(sizes=SMALL):
    """The model: the logits of all words, and the caches with them. The mask has a 1 for each word of a sample, those before included."""
    random, weights, nodes = np.random.default_rng(5), {}, []
    past, present = sizes.past(), sizes.present()

    def weight(name, *shape):
        weights[name] = (random.standard_normal(shape) / np.sqrt(shape[0])).astype(np.float32)
        return name

    def constant(name, value):
        weights[name] = np.asarray(value)
        return name

    def node(kind, inputs, output, domain="", **attributes):
        outputs = output if isinstance(output, list) else [output]
        nodes.append(helper.make_node(kind, inputs, outputs, outputs[0], domain=domain, **attributes))
        return outputs[0]

    def norm(x, name):
        square = node("Mul", [x, x], f"{name}.square")
        mean = node("ReduceMean", [square, constant(f"{name}.axes", np.array([-1]))], f"{name}.mean")
        mean = node("Add", [mean, constant(f"{name}.epsilon", np.float32(1e-5))], f"{name}.above")
        x = node("Div", [x, node("Sqrt", [mean], f"{name}.root")], f"{name}.divided")
        return node("Mul", [x, constant(f"{name}.weight", (1 + 0.1 * random.standard_normal(sizes.hidden)).astype(np.float32))], name)

    angles = np.outer(np.arange(sizes.capacity), 100.0 ** (-np.arange(sizes.size // 2) / (sizes.size // 2)))
    cos, sin = constant("cos", np.cos(angles).astype(np.float32)), constant("sin", np.sin(angles).astype(np.float32))
    count = node("ReduceSum", ["attention_mask", constant("one", np.array([1]))], "count", keepdims=0)
    last = node("Cast", [node("Sub", [count, "one"], "before")], "last", to=TensorProto.INT32)
    shape = node("Shape", ["attention_mask"], "shape")
    total = node("Cast", [node("Gather", [shape, constant("second", np.array(1))], "longest")], "total", to=TensorProto.INT32)
    x = node("Gather", [weight("embedding", sizes.vocabulary, sizes.hidden), "input_ids"], "embedded")
    for layer in range(sizes.layers):
        name = f"layer{layer}"
        normed = norm(x, f"{name}.before")
        widths = {"q": sizes.heads * sizes.size, "k": sizes.shared * sizes.size, "v": sizes.shared * sizes.size}
        qkv = [node("MatMul", [normed, weight(f"{name}.w{part}", sizes.hidden, size)], f"{name}.{part}") for part, size in widths.items()]
        both = slice(2 * layer, 2 * layer + 2)
        attended = node(
            "GroupQueryAttention",
            [*qkv, *past[both], last, total, cos, sin],
            [f"{name}.attention", *present[both]],
            domain="com.microsoft",
            num_heads=sizes.heads,
            kv_num_heads=sizes.shared,
            do_rotary=1,
        )
        projected = node("MatMul", [attended, weight(f"{name}.wo", sizes.heads * sizes.size, sizes.hidden)], f"{name}.projected")
        x = node("Add", [x, projected], f"{name}.attended")
        normed = norm(x, f"{name}.behind")
        gate = node("MatMul", [normed, weight(f"{name}.gate", sizes.hidden, sizes.inner)], f"{name}.gated")
        gate = node("Mul", [gate, node("Sigmoid", [gate], f"{name}.sigmoid")], f"{name}.silu")
        up = node("MatMul", [normed, weight(f"{name}.up", sizes.hidden, sizes.inner)], f"{name}.upper")
        inner = node("Mul", [gate, up], f"{name}.both")
        x = node("Add", [x, node("MatMul", [inner, weight(f"{name}.down", sizes.inner, sizes.hidden)], f"{name}.lower")], f"{name}.out")
    node("MatMul", [norm(x, "norm"), weight("head", sizes.hidden, sizes.vocabulary)], "logits")

    words, before, all_words = "sequence_length", "past_sequence_length", "total_sequence_length"
    inputs = [
        helper.make_tensor_value_info("input_ids", TensorProto.INT64, ["batch_size", words]),
        helper.make_tensor_value_info("attention_mask", TensorProto.INT64, ["batch_size", all_words]),
        *(helper.make_tensor_value_info(name, TensorProto.FLOAT, ["batch_size", sizes.shared, before, sizes.size]) for name in past),
    ]
    outputs = [
        helper.make_tensor_value_info("logits", TensorProto.FLOAT, ["batch_size", words, sizes.vocabulary]),
        *(helper.make_tensor_value_info(name, TensorProto.FLOAT, ["batch_size", sizes.shared, all_words, sizes.size]) for name in present),
    ]
    initializers = [numpy_helper.from_array(value, name) for name, value in weights.items()]
    graph = helper.make_graph(nodes, "decoder", inputs, outputs, initializers)
    opsets = [helper.make_opsetid("", 18), helper.make_opsetid("com.microsoft", 1)]
    return helper.make_model(graph, opset_imports=opsets, ir_version=8)


if __name__ == "__main__":
    onnx.save(decoder(), sys.argv[1])
