"""Writes small models of TensorFlow, with inputs and with what TensorFlow computes of them.

Each group of operators is one function that returns what each operator computes: a frozen graph `NAME.pb`, or a folder `NAME` that
`tf.saved_model.save` or Keras writes. Run by `./x tensorflow programs`; the files are committed, so that the test suite needs no
TensorFlow.
"""

import os
import shutil
import sys
from pathlib import Path

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
os.environ["CUDA_VISIBLE_DEVICES"] = ""
# TensorFlow's own kernels compute what is compared, not a library's.
os.environ["TF_ENABLE_ONEDNN_OPTS"] = "0"

import keras
import numpy as np
import tensorflow as tf
from operators import GROUPS, flow, flow_inputs
from tensorflow.python.framework.convert_to_constants import convert_variables_to_constants_v2

FOLDER = Path(__file__).parent / "programs"

# Graphs that are also written as text.
TEXTS = ("norms", "flow")
RANDOM = np.random.RandomState(5)


def save(path, inputs, outputs):
    """Writes what goes into a model, and what comes out of it."""
    np.savez_compressed(f"{path}.inputs.npz", **inputs)
    np.savez_compressed(f"{path}.outputs.npz", **{name: array(value) for name, value in outputs.items()})


def array(value):
    """An array; of complex numbers, one of pairs of their parts."""
    value = np.asarray(value)
    return np.stack([value.real, value.imag], -1) if np.iscomplexobj(value) else value


def frozen(function, inputs, lower=False):
    """A frozen graph of a function of tensors, whose placeholders have the names of the inputs."""
    specs = [tf.TensorSpec(value.shape, value.dtype, name=name) for name, value in inputs.items()]
    concrete = tf.function(function, autograph=False).get_concrete_function(*specs)
    graph = convert_variables_to_constants_v2(concrete, lower_control_flow=lower)
    return graph.graph.as_graph_def()


def stripped(graph):
    """A graph without what is only for debuggers."""
    nodes = [*graph.node, *(node for function in graph.library.function for node in function.node_def)]
    for node in nodes:
        node.ClearField("experimental_debug_info")
        for name in [name for name in node.attr if name.startswith("_")]:
            del node.attr[name]
    return graph


def operators(name, make, inputs, lower=False):
    """The frozen graph of a group of operators. If it is lowered, its branches and loops are nodes of the older form."""

    def function(*args):
        results = []
        for number, result in enumerate(make(*args)):
            results.append(tf.identity(result, name=f"out{number}"))
        return results

    graph = stripped(frozen(function, inputs, lower))
    # Behind the function's results are nodes that only return them.
    keep = [node for node in graph.node if not (node.op == "Identity" and node.name.startswith("Identity"))]
    del graph.node[:]
    graph.node.extend(keep)
    path = FOLDER / f"{name}.pb"
    path.write_bytes(graph.SerializeToString())
    if name in TEXTS:
        tf.io.write_graph(graph, str(FOLDER), f"{name}.pbtxt", as_text=True)
    results = tf.function(make, autograph=False)(*(tf.constant(value) for value in inputs.values()))
    save(path.with_suffix(""), inputs, {f"out{number}": result for number, result in enumerate(results)})


def saved(name, write, inputs):
    """A folder that a function writes, and what its signature for serving computes."""
    path = FOLDER / name
    shutil.rmtree(path, ignore_errors=True)
    write(str(path))
    shutil.rmtree(path / "assets", ignore_errors=True)
    (path / "fingerprint.pb").unlink(missing_ok=True)
    signature = tf.saved_model.load(str(path)).signatures["serving_default"]
    save(path, inputs, signature(**{key: tf.constant(value) for key, value in inputs.items()}))


class Scaled(tf.Module):
    """A module with variables, and functions that call each other."""

    def __init__(self):
        self.scale = tf.Variable(RANDOM.uniform(-1, 1, (4,)).astype("f4"), name="scale")
        self.shift = tf.Variable(np.float32(0.5), name="shift")
        self.table = tf.constant(RANDOM.uniform(-1, 1, (6, 4)).astype("f4"))

    @tf.function
    def scaled(self, x):
        return x * self.scale + self.shift

    @tf.function(
        input_signature=[tf.TensorSpec((None, 4), tf.float32, name="x"), tf.TensorSpec((3,), tf.int32, name="i")]
    )
    def __call__(self, x, i):
        rows = tf.gather(self.table, i)
        chosen = tf.switch_case(i[1], [lambda: x[0] * 2.0, lambda: tf.sin(x[0])])
        return {"scaled": self.scaled(x), "rows": self.scaled(rows), "chosen": chosen}


def network():
    """A convolutional network of Keras."""
    layers = keras.layers
    x = keras.Input((12, 12, 3), name="image")
    y = layers.Conv2D(8, 3, strides=2, padding="same", use_bias=False)(x)
    y = layers.BatchNormalization()(y)
    y = layers.ReLU(6.0)(y)
    z = layers.DepthwiseConv2D(3, padding="same", activation="swish")(y)
    z = layers.SeparableConv2D(8, 3, padding="same")(z)
    y = layers.Add()([y, z])
    y = layers.MaxPooling2D(2)(y)
    y = layers.LayerNormalization()(y)
    y = layers.GlobalAveragePooling2D()(y)
    return keras.Model(x, layers.Dense(5, activation="softmax")(y))


def recurrent():
    """A recurrent network of Keras, of more steps than are written out, with a mask."""
    layers = keras.layers
    words = keras.Input((20,), dtype="int32", name="words")
    x = layers.Embedding(20, 6, mask_zero=True)(words)
    x = layers.Bidirectional(layers.GRU(5, return_sequences=True))(x)
    return keras.Model(words, layers.LSTM(4)(x))


def main():
    only = sys.argv[1:]
    FOLDER.mkdir(exist_ok=True)
    tf.random.set_seed(7)
    keras.utils.set_random_seed(7)
    for name, (make, inputs) in GROUPS.items():
        if not only or name in only:
            operators(name, make, inputs(np.random.RandomState(11)))
    for name, lower in (("flow", False), ("lowered", True)):
        if not only or name in only:
            operators(name, flow, flow_inputs(np.random.RandomState(11)), lower)
    if not only or "recurrent" in only:
        model = recurrent()
        given = {"words": RANDOM.randint(0, 20, (2, 20)).astype("i4")}
        saved("recurrent", lambda path: model.export(path, verbose=False), given)
    if not only or "two" in only:
        module = Scaled()
        given = {"x": RANDOM.uniform(-1, 1, (2, 4)).astype("f4")}
        first = module.scaled.get_concrete_function(tf.TensorSpec((2, None), tf.float32, name="x"))
        saved(
            "two",
            lambda path: tf.saved_model.save(module, path, {"serving_default": first, "other": module.__call__}),
            given,
        )
    if not only or "module" in only:
        module = Scaled()
        given = {"x": RANDOM.uniform(-1, 1, (2, 4)).astype("f4"), "i": np.array([5, 0, 3], "i4")}
        saved("module", lambda path: tf.saved_model.save(module, path), given)
    if not only or "network" in only:
        model = network()
        given = {"image": RANDOM.uniform(-1, 1, (2, 12, 12, 3)).astype("f4")}
        saved("network", lambda path: model.export(path, verbose=False), given)


if __name__ == "__main__":
    main()
