"""Compares networks of keras.applications, and sequence models, with random weights, with Keras: models.py [--size N] [NAME...].

Each model is saved (as .keras, some as .h5, some by tf_keras), compiled by relayc and run in a process of its own. Prints a row for each:
the greatest difference, of the range of the output. Images are of the network's own size, or N by N.
"""

import argparse
import os
import re
import subprocess
import tempfile
from pathlib import Path

os.environ["KERAS_BACKEND"] = "tensorflow"
os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"

import keras
import numpy as np
from keras import layers, ops

RELAYC = os.environ.get("RELAYC", Path(__file__).parents[2] / "target/debug/relayc")
# The greatest difference, of the range.
TOLERANCE = 1e-4
SIZES = {"InceptionV3": 299, "InceptionResNetV2": 299, "Xception": 299, "NASNetLarge": 331}
# The smallest sizes, where they are not small.
SMALLEST = {"InceptionV3": 75, "InceptionResNetV2": 75, "Xception": 71}
APPLICATIONS = [
    "ConvNeXtBase", "ConvNeXtLarge", "ConvNeXtSmall", "ConvNeXtTiny", "ConvNeXtXLarge", "DenseNet121", "DenseNet169",
    "DenseNet201", "EfficientNetB0", "EfficientNetB1", "EfficientNetB2", "EfficientNetB3", "EfficientNetB4", "EfficientNetB5",
    "EfficientNetB6", "EfficientNetB7", "EfficientNetV2B0", "EfficientNetV2B1", "EfficientNetV2B2", "EfficientNetV2B3",
    "EfficientNetV2L", "EfficientNetV2M", "EfficientNetV2S", "InceptionResNetV2", "InceptionV3", "MobileNet", "MobileNetV2",
    "MobileNetV3Large", "MobileNetV3Small", "NASNetLarge", "NASNetMobile", "ResNet101", "ResNet101V2", "ResNet152",
    "ResNet152V2", "ResNet50", "ResNet50V2", "VGG16", "VGG19", "Xception",
]  # fmt: skip
# Those that are saved as .h5, too, and those that tf_keras saves.
LEGACY = ("EfficientNetB0", "InceptionV3", "MobileNetV2", "NASNetMobile", "ResNet50", "VGG16")
KERAS_2 = ("DenseNet121", "EfficientNetB0", "MobileNetV2", "MobileNetV3Small", "ResNet50V2", "Xception")
RANDOM = np.random.default_rng(1)


def tagger():
    """Tags of words, of which some do not count."""
    words = keras.Input((None,), dtype="int32")
    h = layers.Embedding(50, 16, mask_zero=True)(words)
    h = layers.Bidirectional(layers.LSTM(12, return_sequences=True))(h)
    h = layers.Bidirectional(layers.GRU(8, return_sequences=True))(h)
    return keras.Model(words, layers.TimeDistributed(layers.Dense(5, activation="softmax"))(h))


def transformer():
    """Two blocks of an encoder, with a mask."""
    words = keras.Input((24,), dtype="int32")
    h = layers.Embedding(50, 16, mask_zero=True)(words) + layers.Embedding(24, 16)(ops.arange(24))
    for _ in range(2):
        a = layers.MultiHeadAttention(4, 4)(layers.LayerNormalization()(h), layers.LayerNormalization()(h))
        h = layers.Add()([h, a])
        d = layers.Dense(32, activation="gelu")(layers.LayerNormalization()(h))
        h = h + layers.Dense(16)(d)
    return keras.Model(words, layers.Dense(3)(layers.GlobalAveragePooling1D()(h)))


def forecaster():
    """Convolutions in time, a GRU and attention."""
    x = keras.Input((40, 6))
    h = layers.Conv1D(16, 5, padding="causal", activation="relu")(x)
    h = layers.GRU(16, return_sequences=True)(h)
    h = layers.Attention()([h, h])
    return keras.Model(x, layers.Dense(1)(layers.Flatten()(h)))


SEQUENCES = {"tagger": tagger, "transformer": transformer, "forecaster": forecaster}


def given(shape, element):
    """A sample."""
    shape = [1, *(20 if extent is None else extent for extent in shape[1:])]
    if element.startswith("int"):
        made = RANDOM.integers(1, 50, shape).astype(element)
        made[:, -5:] = 0
        return made
    return RANDOM.uniform(0, 255 if len(shape) == 4 else 1, shape).astype(element)


def compare(path, expected, values):
    """What comes of a file."""
    folder = path.parent
    np.savez(folder / "in.npz", **values)
    shapes = [
        part for name, value in values.items() for part in ("--shape", f"{name}={','.join(map(str, value.shape))}")
    ]
    command = [RELAYC, "run", path, *shapes, "--inputs", folder / "in.npz", "--outputs", folder / "out.npz"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        return f"refused: {done.stderr.strip()[:300]}"
    outputs = np.load(folder / "out.npz")
    (found,) = (outputs[key] for key in outputs.files)
    if found.shape != expected.shape:
        return f"DIFFERS: {found.shape}, not {expected.shape}"
    # One number has no range but its size.
    span = np.ptp(expected) or np.abs(expected).max()
    worst = np.abs(found.astype("f8") - expected).max() / span
    return f"{'agrees' if worst <= TOLERANCE else 'DIFFERS'} ({worst:.1e})"


def made_by(tensor):
    """The layer that makes a tensor; one behind it if that one only drops numbers in training."""
    history = tensor._keras_history
    layer = getattr(history, "operation", None) or history.layer
    return made_by(layer.input) if type(layer).__name__ == "Dropout" else layer


def ends_of_branches(model):
    """The names of the layers that make what sums add."""
    sums = [layer for layer in model.layers if type(layer).__name__ == "Add"]
    return {made_by(tensor).name for layer in sums for tensor in layer.input}


def spread(model, rng):
    """Weights of normalisations like those of a trained network: statistics of data, different ones in each, and small
    factors at the ends of residual branches. Without these, deep networks enlarge rounding errors."""
    norms = [layer for layer in model.layers if "BatchNormalization" in type(layer).__name__]
    momenta = [layer.momentum for layer in norms]
    for layer in norms:
        layer.momentum = 0.0
    if norms:
        model(rng.uniform(0, 255, (8, *model.inputs[0].shape[1:])).astype("f4"), training=True)
    for layer, momentum in zip(norms, momenta):
        layer.momentum = momentum
        layer.set_weights(
            [one * rng.uniform(0.9, 1.1, one.shape) + rng.uniform(0, 0.05, one.shape) for one in layer.get_weights()]
        )
    ends = ends_of_branches(model)
    for layer in norms:
        if layer.name in ends and layer.scale:
            gamma, *rest = layer.get_weights()
            layer.set_weights([0.2 * gamma, *rest])


def size_of(name, size):
    """The size of a network's images: its own, or a given one if that is not too small."""
    return max(size, SMALLEST.get(name, 32)) if size else SIZES.get(name, 224)


def check(name, ending, kind, given_size):
    """Prints the row of a model."""
    library = keras
    if kind == "tf_keras":
        import tf_keras as library
    library.utils.set_random_seed(3)
    if name in SEQUENCES:
        model = SEQUENCES[name]()
    else:
        size = size_of(name, given_size)
        model = getattr(library.applications, name)(
            weights=None, input_shape=(size, size, 3), classifier_activation=None
        )
        spread(model, np.random.default_rng(2))
    names = [layer.name for layer in model.layers if type(layer).__name__ == "InputLayer"]
    types = [one.dtype if isinstance(one.dtype, str) else one.dtype.name for one in model.inputs]
    values = {name: given(one.shape, element) for name, one, element in zip(names, model.inputs, types)}
    expected = np.asarray(model(next(iter(values.values())), training=False)).astype("f8")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"model{ending}"
        model.save(path)
        row = re.sub(r"[|]", "/", compare(path, expected, values))
    print(f"| {name} | {kind}, `{ending}` | {row} |", flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--size", type=int)
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    for name in options.names or [*APPLICATIONS, *SEQUENCES]:
        keras.backend.clear_session()
        check(name, ".keras", "Keras 3", options.size)
        if name in (*LEGACY, *SEQUENCES):
            check(name, ".h5", "Keras 3", options.size)
        if name in KERAS_2:
            check(name, ".h5", "tf_keras", options.size)
            check(name, ".keras", "tf_keras", options.size)


main()
