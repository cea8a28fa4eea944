"""Writes ResNet-50, MobileNetV2 and a BERT of four layers in the formats of a framework, for formats.py: formats_export.py torch|keras FOLDER.

torch writes .onnx, .pt2 and .pt, keras writes .keras, .h5, .pb, .tflite and folders of SavedModel. The weights are random. Keras has the networks of
images alone, in its own layout.
"""

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
    from tensorflow.python.framework.convert_to_constants import convert_variables_to_constants_v2

    networks = {"resnet50": keras.applications.ResNet50, "mobilenet_v2": keras.applications.MobileNetV2}
    for name, make in networks.items():
        network = make(weights=None)
        network.save(folder / f"{name}.keras")
        network.save(folder / f"{name}.h5")
        network.export(folder / f"{name}.savedmodel", verbose=False)
        given = tf.TensorSpec((1, 224, 224, 3))
        function = tf.function(lambda x, network=network: network(x, training=False)).get_concrete_function(given)
        graph = convert_variables_to_constants_v2(function).graph.as_graph_def()
        (folder / f"{name}.pb").write_bytes(graph.SerializeToString())
        converter = tf.lite.TFLiteConverter.from_saved_model(str(folder / f"{name}.savedmodel"))
        (folder / f"{name}.tflite").write_bytes(converter.convert())


def main():
    folder = Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    {"torch": of_torch, "keras": of_keras}[sys.argv[1]](folder)


if __name__ == "__main__":
    main()
