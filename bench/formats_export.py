"""Writes ResNet-50, MobileNetV2 and a BERT of four layers in the formats of a framework, for formats.py:

    formats_export.py torch|keras|keras-onnx|mxnet FOLDER

torch writes .onnx, .pt2 and .pt. keras writes .keras, .h5, .pb, .tflite and folders of SavedModel, keras-onnx the .onnx of each .keras,
which PyTorch computes then. mxnet writes a graph and its .onnx, of images alone. The weights are random; each framework has its own layout.
"""

import os
import sys
from pathlib import Path


def of_torch(folder):
    import torch
    import torchvision
    import transformers

    class Bert(torch.nn.Module):
        def __init__(self):
            super().__init__()
            config = transformers.BertConfig(
                num_hidden_layers=4, hidden_size=512, num_attention_heads=8, intermediate_size=2048, vocab_size=8000
            )
            self.bert = transformers.BertModel(config)

        def forward(self, words):
            return self.bert(words).last_hidden_state

    image = torch.randn(1, 3, 224, 224)
    networks = {
        "resnet50": (torchvision.models.resnet50(), image),
        "mobilenet_v2": (torchvision.models.mobilenet_v2(), image),
        "bert": (Bert(), torch.randint(0, 8000, (1, 128))),
    }
    for name, (network, example) in networks.items():
        network.eval()
        torch.export.save(torch.export.export(network, (example,)), folder / f"{name}.pt2")
        with torch.no_grad():
            torch.jit.save(torch.jit.trace(network, example, strict=False), folder / f"{name}.pt")
        torch.onnx.export(network, (example,), folder / f"{name}.onnx", dynamo=False, opset_version=17)


def of_keras(folder):
    import keras
    import tensorflow as tf
    from keras import layers, ops
    from tensorflow.python.framework.convert_to_constants import convert_variables_to_constants_v2

    def bert(width=512, words=128):
        given = keras.Input((words,), dtype="int32")
        h = layers.Embedding(8000, width)(given) + layers.Embedding(words, width)(ops.arange(words))
        h = layers.LayerNormalization()(h)
        for _ in range(4):
            h = layers.LayerNormalization()(h + layers.MultiHeadAttention(8, width // 8)(h, h))
            inner = layers.Dense(4 * width, activation="gelu")(h)
            h = layers.LayerNormalization()(h + layers.Dense(width)(inner))
        return keras.Model(given, h)

    networks = {
        "resnet50_keras": keras.applications.ResNet50(weights=None),
        "mobilenet_v2_keras": keras.applications.MobileNetV2(weights=None),
        "bert_keras": bert(),
    }
    for name, network in networks.items():
        network.save(folder / f"{name}.keras")
        network.save(folder / f"{name}.h5")
        network.export(folder / f"{name}.savedmodel", verbose=False)
        given = tf.TensorSpec((1, *network.inputs[0].shape[1:]), network.inputs[0].dtype)
        function = tf.function(lambda x, network=network: network(x, training=False)).get_concrete_function(given)
        graph = convert_variables_to_constants_v2(function).graph.as_graph_def()
        (folder / f"{name}.pb").write_bytes(graph.SerializeToString())
        converter = tf.lite.TFLiteConverter.from_saved_model(str(folder / f"{name}.savedmodel"))
        (folder / f"{name}.tflite").write_bytes(converter.convert())


def of_keras_onnx(folder):
    os.environ["KERAS_BACKEND"] = "torch"
    import keras
    import torch

    for path in sorted(folder.glob("*.keras")):
        network = keras.saving.load_model(path)
        shape = (1, *network.inputs[0].shape[1:])
        given = torch.zeros(shape, dtype=getattr(torch, network.inputs[0].dtype))
        torch.onnx.export(network.eval(), (given,), path.with_suffix(".onnx"), dynamo=True, external_data=False)


def of_mxnet(folder):
    import mxnet as mx
    import numpy as np
    from mxnet.gluon.model_zoo import vision

    for name, zoo in (("resnet50_mxnet", "resnet50_v1"), ("mobilenet_v2_mxnet", "mobilenetv2_1.0")):
        network = vision.get_model(zoo)
        network.initialize(mx.init.Xavier())
        network.hybridize()
        shape = (1, 3, 224, 224)
        network(mx.nd.zeros(shape))
        network.export(str(folder / name))
        files = (str(folder / f"{name}{ending}") for ending in ("-symbol.json", "-0000.params"))
        mx.onnx.export_model(*files, [shape], np.float32, str(folder / f"{name}.onnx"))


def main():
    folder = Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    writers = {"torch": of_torch, "keras": of_keras, "keras-onnx": of_keras_onnx, "mxnet": of_mxnet}
    writers[sys.argv[1]](folder)


if __name__ == "__main__":
    main()
