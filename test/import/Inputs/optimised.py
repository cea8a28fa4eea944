"""Writes what ONNX Runtime's optimisers and quantisers make of small networks, as check_cases.py reads it.

What they compute is what ONNX Runtime makes of them. So each says which of ONNX Runtime's own operators it has to hold.
"""

import pathlib
import sys

import cases
import numpy as np
import onnx
import onnxruntime
from onnx import TensorProto, helper
from onnxruntime import quantization

sys.path.insert(0, str(pathlib.Path(__file__).parents[3] / "bench"))

import bert
from builder import Builder

# A small encoder: tokens, layers, heads, features, features inside of the feed-forward part, words.
SIZES = {"TOKENS": 12, "LAYERS": 2, "HEADS": 2, "FEATURES": 32, "HIDDEN": 64, "VOCABULARY": 50}

IMAGE = [2, 4, 16, 16]


class Images(Builder):
    """The graph of a network of convolutions; values are names."""

    def conv(self, value, outputs, inputs, extent, **attributes):
        """A convolution that keeps the extents, with a bias."""
        weight, bias = self.random(outputs, inputs, extent, extent), self.random(outputs)
        return self.node("Conv", value, weight, bias, pads=[extent // 2] * 4, **attributes)


def images(seed):
    """Convolutions, one with a shortcut, and a layer behind their mean."""
    graph = Images(seed, 0.2)
    first = graph.node("Relu", graph.conv("image", 8, 4, 3))
    inner = graph.node("LeakyRelu", graph.conv(first, 8, 8, 3), alpha=0.1)
    second = graph.node("Relu", graph.node("Add", graph.conv(inner, 8, 8, 1), first))
    pooled = graph.node("Flatten", graph.node("GlobalAveragePool", second))
    last = graph.node("Gemm", pooled, graph.random(5, 8), graph.random(5), transB=1)
    graph.nodes.append(helper.make_node("Sigmoid", [last], ["y"], "y"))
    return graph.model("images", {"image": IMAGE}, {"y": [IMAGE[0], 5]}, TensorProto.FLOAT)


def encoder(seed):
    """A BERT of a few features."""
    for name, size in SIZES.items():
        setattr(bert, name, size)
    return bert.bert_base(seed)


def optimised(path):
    """What ONNX Runtime makes of a model before it runs it, without what is for this processor alone."""
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_EXTENDED
    options.optimized_model_filepath = str(path.with_suffix(".optimised.onnx"))
    onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
    return onnx.load(options.optimized_model_filepath)


class Samples(quantization.CalibrationDataReader):
    """Inputs to find the ranges of tensors by."""

    def __init__(self, seed):
        random = np.random.default_rng(seed)
        self.samples = iter([{"image": random.standard_normal(IMAGE).astype(np.float32)} for _ in range(4)])

    def get_next(self):
        return next(self.samples, None)


def in_bytes(path):
    """A model of images whose operators are quantised, each for itself."""
    made = path.with_suffix(".bytes.onnx")
    kind = quantization.QuantFormat.QOperator
    bytes_ = quantization.QuantType.QUInt8
    quantization.quantize_static(path, made, Samples(1), kind, activation_type=bytes_, weight_type=bytes_)
    return onnx.load(made)


def products_in_bytes(path):
    """A model whose products are of bytes, into which numbers are made when it runs."""
    made = path.with_suffix(".dynamic.onnx")
    quantization.quantize_dynamic(path, made)
    return optimised(made)


def own(model):
    """ONNX Runtime's own operators that a model has."""
    return {node.op_type for node in model.graph.node if node.domain == "com.microsoft"}


def main():
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    paths = {"images": folder / "images.onnx", "encoder": folder / "encoder.onnx"}
    onnx.save(images(3), paths["images"])
    onnx.save(encoder(4), paths["encoder"])
    image = {"image": np.random.default_rng(5).standard_normal(IMAGE).astype(np.float32)}
    words = {name: array.astype(np.int64) for name, array in bert.bert_inputs(6).items()}
    words["attention_mask"][:, -2:] = 0
    entries = []
    for name, made, inputs, expected, atol in (
        ("images", optimised(paths["images"]), image, {"FusedConv"}, 1e-4),
        ("encoder", optimised(paths["encoder"]), words, {"SkipLayerNormalization", "FusedMatMul", "Gelu"}, 1e-4),
        ("images_in_bytes", in_bytes(paths["images"]), image, {"QLinearAdd"}, 2e-2),
        ("encoder_in_bytes", products_in_bytes(paths["encoder"]), words, {"DynamicQuantizeMatMul"}, 2e-2),
    ):
        missing = expected - own(made)
        if missing:
            raise SystemExit(f"{name} has {sorted(own(made))}, not {sorted(missing)}")
        entries.append(cases.write(folder, name, made, inputs, atol=atol))
    cases.write_index(folder, entries)


main()
