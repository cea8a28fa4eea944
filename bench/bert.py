"""BERT-base (Devlin et al. 2018) for sequences of 128 tokens, as exporters of PyTorch write it.

Token, position and segment embeddings, 12 layers of 12 heads, 768 features and 3072 inside the
feed-forward part, gelu by erf, the mask as a large negative number added to the scores, and the
pooled first token. Weights are random, distributed as for training.
"""

import numpy as np
from onnx import TensorProto, helper

from builder import Builder

TOKENS, LAYERS, HEADS, FEATURES, HIDDEN, VOCABULARY = 128, 12, 12, 768, 3072, 30522
DEVIATION = 0.02


class Encoder(Builder):
    """The graph of the encoder; values are names."""

    def norm(self, value):
        """A normalization of the features of each token."""
        scale, bias = self.random(FEATURES, mean=1.0), self.random(FEATURES)
        return self.node("LayerNormalization", value, scale, bias, axis=-1, epsilon=1e-12)

    def linear(self, value, inputs, outputs):
        """x W + b."""
        product = self.node("MatMul", value, self.random(inputs, outputs))
        return self.node("Add", self.random(outputs), product)

    def heads(self, value, permutation):
        """The features of each head by themselves."""
        shape = self.constant([1, TOKENS, HEADS, FEATURES // HEADS], np.int64)
        value = self.node("Reshape", self.linear(value, FEATURES, FEATURES), shape)
        return self.node("Transpose", value, perm=permutation)

    def attention(self, value, mask):
        """What each token takes from the others."""
        query, values = (self.heads(value, [0, 2, 1, 3]) for _ in range(2))
        scores = self.node("MatMul", query, self.heads(value, [0, 2, 3, 1]))
        scores = self.node("Div", scores, self.constant(np.sqrt(FEATURES / HEADS)))
        weights = self.node("Softmax", self.node("Add", scores, mask), axis=-1)
        mixed = self.node("Transpose", self.node("MatMul", weights, values), perm=[0, 2, 1, 3])
        shape = self.constant([1, TOKENS, FEATURES], np.int64)
        return self.linear(self.node("Reshape", mixed, shape), FEATURES, FEATURES)

    def layer(self, value, mask):
        """Attention and the feed-forward part, each with its shortcut."""
        value = self.norm(self.node("Add", self.attention(value, mask), value))
        inner = self.gelu(self.linear(value, FEATURES, HIDDEN))
        return self.norm(self.node("Add", self.linear(inner, HIDDEN, FEATURES), value))

    def embed(self):
        """The sum of three embeddings."""
        tokens = self.node("Gather", self.random(VOCABULARY, FEATURES), "input_ids")
        segments = self.node("Gather", self.random(2, FEATURES), "token_type_ids")
        positions = self.constant(np.arange(TOKENS)[None], np.int64)
        positions = self.node("Gather", self.random(512, FEATURES), positions)
        value = self.node("Add", self.node("Add", tokens, segments), positions)
        return self.norm(value)

    def mask(self):
        """0 for tokens to look at, the least number for others, for each head and token."""
        axes = self.constant([1, 2], np.int64)
        mask = self.node("Unsqueeze", "attention_mask", axes)
        mask = self.node("Cast", mask, to=TensorProto.FLOAT)
        hidden = self.node("Sub", self.constant(1), mask)
        return self.node("Mul", hidden, self.constant(np.finfo(np.float32).min))


def bert_base(seed):
    """The model."""
    graph = Encoder(seed, DEVIATION)
    mask = graph.mask()
    value = graph.embed()
    for _ in range(LAYERS):
        value = graph.layer(value, mask)
    first = graph.node("Gather", value, graph.constant(0, np.int64), axis=1)
    weights = graph.random(FEATURES, FEATURES), graph.random(FEATURES)
    pooled = graph.node("Gemm", first, *weights, transB=1)
    graph.nodes += [
        helper.make_node("Identity", [value], ["last_hidden_state"], "last_hidden_state"),
        helper.make_node("Tanh", [pooled], ["pooler_output"], "pooler_output"),
    ]
    names = ["input_ids", "attention_mask", "token_type_ids"]
    outputs = {"last_hidden_state": [1, TOKENS, FEATURES], "pooler_output": [1, FEATURES]}
    return graph.model(
        "bert_base", {name: [1, TOKENS] for name in names}, outputs, TensorProto.INT64
    )


def bert_inputs(seed):
    """Two sentences, and a few places that are not used."""
    rng = np.random.default_rng(seed)
    place = np.arange(TOKENS)[None]
    return {
        "input_ids": rng.integers(0, VOCABULARY, (1, TOKENS)),
        "attention_mask": (place < 112).astype(np.int64),
        "token_type_ids": (place >= 64).astype(np.int64),
    }
