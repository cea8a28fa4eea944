"""Writes a small Llama with random weights, with the inputs and outputs that exported decoders have: its attention keeps keys and values in
buffers. Usage: decoder_model.py MODEL.onnx."""

import sys

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

VOCABULARY, HIDDEN, LAYERS, HEADS, SHARED, SIZE, INNER = 50, 64, 2, 4, 2, 16, 96
CAPACITY = 256
CACHES = [f"{layer}.{kind}" for layer in range(LAYERS) for kind in ("key", "value")]
PAST, PRESENT = [f"past_key_values.{cache}" for cache in CACHES], [f"present.{cache}" for cache in CACHES]
RANDOM = np.random.default_rng(5)


def decoder():
    """The model: the logits of all words, and the caches with them. The mask has a 1 for each word of a sample, those before included."""
    random, weights, nodes = np.random.default_rng(5), {}, []

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
        return node("Mul", [x, constant(f"{name}.weight", (1 + 0.1 * random.standard_normal(HIDDEN)).astype(np.float32))], name)

    angles = np.outer(np.arange(CAPACITY), 100.0 ** (-np.arange(SIZE // 2) / (SIZE // 2)))
    cos, sin = constant("cos", np.cos(angles).astype(np.float32)), constant("sin", np.sin(angles).astype(np.float32))
    count = node("ReduceSum", ["attention_mask", constant("one", np.array([1]))], "count", keepdims=0)
    last = node("Cast", [node("Sub", [count, "one"], "before")], "last", to=TensorProto.INT32)
    shape = node("Shape", ["attention_mask"], "shape")
    total = node("Cast", [node("Gather", [shape, constant("second", np.array(1))], "longest")], "total", to=TensorProto.INT32)
    x = node("Gather", [weight("embedding", VOCABULARY, HIDDEN), "input_ids"], "embedded")
    for layer in range(LAYERS):
        name = f"layer{layer}"
        normed = norm(x, f"{name}.before")
        sizes = {"q": HEADS * SIZE, "k": SHARED * SIZE, "v": SHARED * SIZE}
        qkv = [node("MatMul", [normed, weight(f"{name}.w{part}", HIDDEN, size)], f"{name}.{part}") for part, size in sizes.items()]
        both = slice(2 * layer, 2 * layer + 2)
        attended = node(
            "GroupQueryAttention",
            [*qkv, *PAST[both], last, total, cos, sin],
            [f"{name}.attention", *PRESENT[both]],
            domain="com.microsoft",
            num_heads=HEADS,
            kv_num_heads=SHARED,
            do_rotary=1,
        )
        projected = node("MatMul", [attended, weight(f"{name}.wo", HEADS * SIZE, HIDDEN)], f"{name}.projected")
        x = node("Add", [x, projected], f"{name}.attended")
        normed = norm(x, f"{name}.behind")
        gate = node("MatMul", [normed, weight(f"{name}.gate", HIDDEN, INNER)], f"{name}.gated")
        gate = node("Mul", [gate, node("Sigmoid", [gate], f"{name}.sigmoid")], f"{name}.silu")
        up = node("MatMul", [normed, weight(f"{name}.up", HIDDEN, INNER)], f"{name}.upper")
        inner = node("Mul", [gate, up], f"{name}.both")
        x = node("Add", [x, node("MatMul", [inner, weight(f"{name}.down", INNER, HIDDEN)], f"{name}.lower")], f"{name}.out")
    node("MatMul", [norm(x, "norm"), weight("head", HIDDEN, VOCABULARY)], "logits")

    words, before, all_words = "sequence_length", "past_sequence_length", "total_sequence_length"
    inputs = [
        helper.make_tensor_value_info("input_ids", TensorProto.INT64, ["batch_size", words]),
        helper.make_tensor_value_info("attention_mask", TensorProto.INT64, ["batch_size", all_words]),
        *(helper.make_tensor_value_info(name, TensorProto.FLOAT, ["batch_size", SHARED, before, SIZE]) for name in PAST),
    ]
    outputs = [
        helper.make_tensor_value_info("logits", TensorProto.FLOAT, ["batch_size", words, VOCABULARY]),
        *(helper.make_tensor_value_info(name, TensorProto.FLOAT, ["batch_size", SHARED, all_words, SIZE]) for name in PRESENT),
    ]
    initializers = [numpy_helper.from_array(value, name) for name, value in weights.items()]
    graph = helper.make_graph(nodes, "decoder", inputs, outputs, initializers)
    opsets = [helper.make_opsetid("", 18), helper.make_opsetid("com.microsoft", 1)]
    return helper.make_model(graph, opset_imports=opsets, ir_version=8)


if __name__ == "__main__":
    onnx.save(decoder(), sys.argv[1])
