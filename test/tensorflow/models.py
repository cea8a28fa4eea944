"""Compares networks with random weights with TensorFlow: models.py [--size N] [NAME...] [WAY...].

Each network is written in the ways that are named, or in three (exported by Keras, saved by TensorFlow, frozen), compiled by relayc and
run. Prints a row for each: the greatest difference, of the range of the output. `formats` writes six networks in each way. `--size N` makes
images N by N.
"""

import argparse
import json
import os
import re
import subprocess
import tempfile
from pathlib import Path

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
os.environ["CUDA_VISIBLE_DEVICES"] = ""
# TensorFlow's own kernels compute what is compared, not a library's.
os.environ["TF_ENABLE_ONEDNN_OPTS"] = "0"

import keras
import numpy as np
import tensorflow as tf
from keras import layers
from tensorflow.lite.python.convert import ConverterError
from tensorflow.python.framework.convert_to_constants import convert_variables_to_constants_v2

RELAYC = os.environ.get("RELAYC", Path(__file__).parents[2] / "target/debug/relayc")
NAMES = [
    "ResNet50", "ResNet101V2", "MobileNet", "MobileNetV2", "MobileNetV3Small", "MobileNetV3Large", "EfficientNetB0",
    "EfficientNetV2B0", "DenseNet121", "InceptionV3", "InceptionResNetV2", "NASNetMobile", "Xception", "VGG16", "ConvNeXtTiny",
]  # fmt: skip
SIZES = {"InceptionV3": 299, "InceptionResNetV2": 299, "Xception": 299}
# The smallest sizes of images, where they are not small.
SMALLEST = {"InceptionV3": 75, "InceptionResNetV2": 75, "Xception": 71}
# The networks that are written in each way.
FORMATS = ["ResNet50", "MobileNetV3Small", "EfficientNetB0", "InceptionV3", "encoder", "GRU"]
# The greatest difference, of the range.
TOLERANCE = 1e-4


def image_network(name):
    """A network of keras.applications."""

    def make():
        size = SIZES.get(name, 224)
        model = getattr(keras.applications, name)(weights=None, input_shape=(size, size, 3), classifier_activation=None)
        # Statistics of random weights, so that no layer is the identity.
        random = np.random.RandomState(2)
        for layer in model.layers:
            if isinstance(layer, layers.BatchNormalization):
                shape = layer.moving_mean.shape
                layer.moving_mean.assign(random.normal(0, 0.05, shape))
                layer.moving_variance.assign(random.uniform(0.7, 1.3, shape))
        return model, random.uniform(-1, 1, (1, size, size, 3)).astype("f4")

    return make


def encoder():
    """An encoder as BERT's, of four layers."""
    tokens = keras.Input((48,), dtype="int32", name="tokens")
    x = layers.Embedding(1000, 128)(tokens) + layers.Embedding(48, 128)(keras.ops.arange(48))
    x = layers.LayerNormalization(epsilon=1e-12)(x)
    for _ in range(4):
        attended = layers.MultiHeadAttention(4, 32)(x, x)
        x = layers.LayerNormalization(epsilon=1e-12)(x + attended)
        hidden = layers.Dense(512, activation="gelu")(x)
        x = layers.LayerNormalization(epsilon=1e-12)(x + layers.Dense(128)(hidden))
    model = keras.Model(tokens, layers.Dense(10)(x))
    return model, np.random.RandomState(1).randint(0, 1000, (2, 48)).astype("i4")


def recurrent(layer):
    """A network that labels the words of a text."""

    def make():
        tokens = keras.Input((40,), dtype="int32", name="tokens")
        x = layers.Embedding(500, 32)(tokens)
        x = layer()(x)
        return keras.Model(tokens, layers.Dense(7)(x)), np.random.RandomState(1).randint(0, 500, (2, 40)).astype("i4")

    return make


def masked():
    """An LSTM that stops at the end of each text."""
    tokens = keras.Input((24,), dtype="int32", name="tokens")
    x = layers.Embedding(500, 32, mask_zero=True)(tokens)
    model = keras.Model(tokens, layers.Dense(3)(layers.LSTM(24, use_cudnn=False)(x)))
    data = np.random.RandomState(1).randint(1, 500, (3, 24)).astype("i4")
    data[0, 10:] = 0
    data[1, 20:] = 0
    return model, data


NETWORKS = {name: image_network(name) for name in NAMES}
NETWORKS |= {
    "encoder": encoder,
    "LSTM": recurrent(lambda: layers.LSTM(48, return_sequences=True)),
    "LSTM, last step": recurrent(lambda: layers.LSTM(48)),
    "GRU": recurrent(lambda: layers.GRU(48, return_sequences=True)),
    "SimpleRNN, backwards": recurrent(lambda: layers.SimpleRNN(48, return_sequences=True, go_backwards=True)),
    "bidirectional LSTM": recurrent(lambda: layers.Bidirectional(layers.LSTM(48, return_sequences=True))),
    "stateless cell": recurrent(lambda: layers.RNN(layers.StackedRNNCells([layers.LSTMCell(16), layers.GRUCell(24)]))),
    "masked LSTM": masked,
    "ConvLSTM1D": recurrent(
        lambda: keras.Sequential([layers.Reshape((10, 4, 32)), layers.ConvLSTM1D(8, 3, padding="same")])
    ),
}


def frozen(model, path, lower):
    spec = tf.TensorSpec((None, *model.inputs[0].shape[1:]), model.inputs[0].dtype, name="x")
    concrete = tf.function(lambda x: model(x)).get_concrete_function(spec)
    graph = convert_variables_to_constants_v2(concrete, lower_control_flow=lower)
    path.write_bytes(graph.graph.as_graph_def().SerializeToString())


def lite(model, path):
    """Writes a file of TensorFlow Lite; its batch stays open."""
    path.write_bytes(tf.lite.TFLiteConverter.from_keras_model(model).convert())


WAYS = {
    "exported": lambda model, path: model.export(str(path), verbose=False),
    "saved": lambda model, path: tf.saved_model.save(model, str(path)),
    "frozen": lambda model, path: frozen(model, path.with_suffix(".pb"), False),
    "frozen, lowered": lambda model, path: frozen(model, path.with_suffix(".pb"), True),
    ".keras": lambda model, path: model.save(path.with_suffix(".keras")),
    ".h5": lambda model, path: model.save(path.with_suffix(".h5")),
    ".tflite": lambda model, path: lite(model, path.with_suffix(".tflite")),
}


def input_name(path):
    """The name of a model's only input."""
    done = subprocess.run([RELAYC, "inspect", "--json", path], capture_output=True, text=True, check=True)
    (port,) = json.loads(done.stdout)["inputs"]
    return port["name"]


def compare(model, data, way, folder):
    """What comes of a network that was written in one way."""
    try:
        WAYS[way](model, folder / "model")
    except ConverterError:
        return "not converted"
    (path,) = folder.glob("model*")
    expected = np.asarray(model(data, training=False))
    name = input_name(path)
    np.savez(folder / "in.npz", **{name: data})
    shape = ",".join(str(extent) for extent in data.shape)
    command = [RELAYC, "run", path, "--shape", f"{name}={shape}", "--inputs", folder / "in.npz"]
    done = subprocess.run([*command, "--outputs", folder / "out.npz"], capture_output=True, text=True, check=False)
    if done.returncode:
        return f"refused: {done.stderr.strip()}"
    outputs = np.load(folder / "out.npz")
    (found,) = (outputs[key] for key in outputs.files)
    worst = np.abs(found - expected).max() / np.ptp(expected)
    return f"{'agrees' if worst <= TOLERANCE else 'DIFFERS'} ({worst:.1e})"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--size", type=int)
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    names = options.names
    if options.size:
        SIZES.update({name: max(options.size, SMALLEST.get(name, 32)) for name in NAMES})
    if "formats" in names:
        names = [*FORMATS, *WAYS]
    ways = [name for name in names if name in WAYS] or ["exported", "saved", "frozen, lowered"]
    for name in [name for name in names if name not in WAYS] or NETWORKS:
        keras.utils.set_random_seed(3)
        keras.backend.clear_session()
        model, data = NETWORKS[name]()
        found = []
        for way in ways:
            with tempfile.TemporaryDirectory() as folder:
                result = re.sub(r"[|\n]+", "/", compare(model, data, way, Path(folder)))
                found.append(result)
        print(f"| {name} | {' | '.join(found)} |", flush=True)


if __name__ == "__main__":
    main()
