"""Writes small models of Keras, with inputs and with what Keras computes of them.

Each group is one model whose outputs are what each of its functions computes. Run by `./x keras programs`; the files are committed, so that
the test suite needs no Keras.
"""

import os
import shutil
import sys
import zipfile
from pathlib import Path

os.environ["KERAS_BACKEND"] = "tensorflow"
os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"

import keras
import numpy as np
from keras import layers, ops

FOLDER = Path(__file__).parent / "programs"
DESCRIBED = Path(__file__).parent / "described"
RANDOM = np.random.RandomState(5)


def floats(*shape):
    return RANDOM.uniform(-2, 2, shape).astype("f4")


def activation(x):
    names = [
        "relu",
        "relu6",
        "leaky_relu",
        "softmax",
        "log_softmax",
        "elu",
        "celu",
        "selu",
        "softplus",
        "softsign",
        "soft_shrink",
        "hard_shrink",
        "squareplus",
        "sparse_plus",
        "sparse_sigmoid",
        "silu",
        "gelu",
        "glu",
        "tanh",
        "tanh_shrink",
        "hard_tanh",
        "sigmoid",
        "exponential",
        "hard_sigmoid",
        "hard_silu",
        "log_sigmoid",
        "mish",
        "linear",
    ]
    return [
        *(layers.Activation(name)(x) for name in names),
        layers.ReLU(max_value=1.5, negative_slope=0.1, threshold=0.3)(x),
        layers.ReLU(max_value=1.0)(x),
        layers.LeakyReLU(negative_slope=0.2)(x),
        layers.ELU(alpha=0.7)(x),
        layers.PReLU(alpha_initializer="uniform", shared_axes=[1])(x),
        layers.Softmax(axis=1)(x),
        layers.Softmax(axis=[1, 2])(x),
    ]


def convolution(x, s, v):
    y = layers.Permute((3, 1, 2))(x)
    return [
        layers.Conv2D(6, 3, padding="same", strides=2, activation="relu")(x),
        layers.Conv2D(6, (3, 2), dilation_rate=2, use_bias=False)(x),
        layers.Conv2D(6, 3, groups=2, padding="same")(x),
        layers.DepthwiseConv2D(3, depth_multiplier=2, padding="same")(x),
        layers.SeparableConv2D(5, 3, strides=2, padding="same")(x),
        layers.Conv2DTranspose(5, 3, strides=2, padding="same")(x),
        layers.Conv2DTranspose(5, 2, strides=3)(x),
        layers.Conv2DTranspose(5, 4, strides=2)(x),
        layers.Conv2D(4, 1)(y),
        layers.Conv1D(5, 3, padding="causal", dilation_rate=2)(s),
        layers.Conv1D(5, 2, strides=2, padding="same")(s),
        layers.DepthwiseConv1D(3)(s),
        layers.SeparableConv1D(4, 3, padding="same")(s),
        layers.Conv1DTranspose(3, 3, strides=2, padding="same")(s),
        layers.Conv3D(3, 2, padding="same")(v),
        layers.Conv3DTranspose(2, 2, strides=2)(v),
        layers.MaxPooling2D(2)(x),
        layers.MaxPooling2D(3, strides=2, padding="same")(x),
        layers.AveragePooling2D(3, strides=2, padding="same")(x),
        layers.AveragePooling1D(2)(s),
        layers.MaxPooling1D(3, strides=1, padding="same")(s),
        layers.AveragePooling3D(2)(v),
        layers.MaxPooling3D(2)(v),
        layers.GlobalAveragePooling2D(keepdims=True)(x),
        layers.GlobalAveragePooling1D()(s),
        layers.GlobalMaxPooling1D()(s),
        layers.GlobalMaxPooling2D()(x),
        layers.GlobalAveragePooling3D()(v),
        layers.GlobalMaxPooling3D()(v),
        layers.AdaptiveAveragePooling2D((2, 3))(x),
        layers.AdaptiveMaxPooling1D(3)(s),
    ]


def norm(x):
    return [
        layers.BatchNormalization(moving_mean_initializer="uniform", beta_initializer="uniform")(x),
        layers.BatchNormalization(axis=1, scale=False, gamma_initializer="uniform")(x),
        layers.LayerNormalization(gamma_initializer="uniform")(x),
        layers.LayerNormalization(axis=[1, 2], gamma_initializer="uniform", beta_initializer="uniform")(x),
        layers.LayerNormalization(scale=False, epsilon=1e-2)(x),
        layers.LayerNormalization(rms_scaling=True, gamma_initializer="uniform")(x),
        layers.GroupNormalization(2, gamma_initializer="uniform", beta_initializer="uniform")(x),
        layers.GroupNormalization(-1)(x),
        layers.RMSNormalization()(x),
        layers.UnitNormalization()(x),
        layers.UnitNormalization(axis=[1, 2])(x),
        layers.SpectralNormalization(layers.Dense(3))(x),
    ]


def shape(x, y):
    z = layers.Flatten()(x)
    return [
        z,
        layers.Reshape((4, -1))(x),
        layers.Reshape((-1,))(x),
        layers.Permute((2, 1, 3))(x),
        layers.RepeatVector(3)(z),
        layers.Cropping2D(((1, 0), (1, 2)))(x),
        layers.Cropping1D(1)(y),
        layers.ZeroPadding2D((1, 2))(x),
        layers.ZeroPadding1D((1, 2))(y),
        layers.UpSampling2D((2, 3))(x),
        layers.UpSampling2D(2, interpolation="bilinear")(x),
        layers.UpSampling1D(2)(y),
        layers.Resizing(5, 7)(x),
        layers.CenterCrop(2, 3)(x),
        layers.Rescaling(1 / 127.5, offset=-1)(x),
        layers.Normalization(mean=[0.1, 0.2, 0.3, 0.4], variance=[1.0, 2.0, 3.0, 4.0])(x),
        layers.Discretization(bin_boundaries=[-1.0, 0.0, 1.0])(y),
        layers.Dropout(0.5)(layers.GaussianNoise(0.1)(y)),
        layers.RandomFlip()(x),
    ]


def merge(x, y, z):
    return [
        layers.Add()([x, y, x]),
        layers.Subtract()([x, y]),
        layers.Multiply()([x, y]),
        layers.Average()([x, y]),
        layers.Maximum()([x, y]),
        layers.Minimum()([x, y]),
        layers.Concatenate(axis=1)([x, y]),
        layers.Concatenate()([x, y]),
        layers.Dot(axes=(2, 2))([x, y]),
        layers.Dot(axes=1, normalize=True)([x, y]),
        layers.Add()([x, z]),
        layers.Dense(3, activation="tanh")(x),
        layers.EinsumDense("abc,cde->abde", output_shape=(None, 2, 3), bias_axes="de")(x),
    ]


def operation(x, y):
    return [
        x + y, x - 1.0, 2.0 * x, x / (y + 3.0), -x, abs(x), x**2.0, ops.maximum(x, 0.5), ops.exp(x), ops.sqrt(ops.square(x)),
        x > y, ops.where(x > 0.0, x, y), ops.clip(x, -0.5, 0.5), ops.sum(x, axis=1), ops.mean(x, axis=[1, 2], keepdims=True),
        ops.max(x, axis=-1), ops.var(x, axis=1), ops.std(x, axis=2), ops.argmax(x, axis=1), ops.logsumexp(x, axis=2),
        ops.reshape(x, (-1, 12)), ops.transpose(x, (0, 2, 1)), ops.expand_dims(x, 1), ops.squeeze(ops.expand_dims(x, 1), 1),
        ops.concatenate([x, y], axis=2), ops.stack([x, y], axis=1), *ops.split(x, 2, axis=2), ops.flip(x, axis=1),
        ops.repeat(x, 2, axis=1), ops.tile(x, (1, 2, 1)), x[:, 0], x[:, 1:, ::2], x[..., -1], x[:, None, :, 1:3], x[:, ::-1],
        ops.matmul(x, ops.transpose(y, (0, 2, 1))), ops.einsum("abc,adc->abd", x, y), ops.softmax(x, axis=1), ops.relu(x),
        ops.sigmoid(x), ops.gelu(x), ops.silu(x), ops.cast(x, "int32"), ops.pad(x, ((0, 0), (1, 2), (0, 1))),
        ops.take(x, np.array([2, 0]), axis=1), ops.one_hot(ops.cast(abs(x), "int32"), 3), *ops.top_k(x, 2), ops.log1p(abs(x)),
        ops.erf(x), ops.swapaxes(x, 1, 2), ops.moveaxis(x, 1, 2), ops.round(x), ops.floor(x), ops.mod(x, 0.7), ops.sign(x),
        ops.zeros_like(x), ops.isnan(x), ops.logical_and(x > 0, y > 0), ops.rsqrt(abs(x) + 1.0), ops.normalize(x, axis=-1),
    ]  # fmt: skip


def recurrent(x, t):
    long = layers.ZeroPadding1D((0, 14))(x)
    e = layers.Embedding(6, 4, mask_zero=True)(t)
    states = layers.LSTM(3, return_state=True)(x)
    cells = layers.StackedRNNCells([layers.LSTMCell(3), layers.GRUCell(2), layers.LSTMCell(4)])
    return [
        layers.SimpleRNN(3, return_sequences=True)(x),
        layers.SimpleRNN(3, go_backwards=True, return_sequences=True, bias_initializer="uniform")(x),
        layers.GRU(3, bias_initializer="uniform")(x),
        layers.GRU(3, reset_after=False, bias_initializer="uniform", return_sequences=True)(x),
        layers.LSTM(3, bias_initializer="uniform", return_sequences=True)(x),
        layers.LSTM(3, activation="relu", recurrent_activation="hard_sigmoid", use_bias=False)(x),
        *states,
        layers.LSTM(3)(x, initial_state=states[1:]),
        layers.GRU(3, bias_initializer="uniform", return_sequences=True)(long),
        layers.LSTM(3, go_backwards=True)(long),
        layers.LSTM(3, return_sequences=True)(e),
        layers.GRU(3)(e),
        layers.LSTM(3, go_backwards=True)(e),
        layers.Bidirectional(layers.LSTM(3, return_sequences=True))(e),
        layers.Bidirectional(layers.GRU(3), merge_mode="sum")(e),
        layers.Bidirectional(layers.LSTM(2, return_sequences=True), merge_mode="ave")(x),
        layers.Bidirectional(layers.SimpleRNN(2), backward_layer=layers.SimpleRNN(2, go_backwards=True))(x),
        layers.RNN(cells, return_sequences=True)(x),
        layers.RNN(layers.GRUCell(3))(x),
        layers.TimeDistributed(layers.Dense(2))(x),
        layers.TimeDistributed(keras.Sequential([layers.Dense(3, activation="relu"), layers.Dense(2)]))(x),
        layers.GlobalAveragePooling1D()(e),
        layers.LSTM(2)(layers.Masking(0.0)(long)),
        layers.GRU(2)(layers.Concatenate()([e, e])),
    ]


def video(x, y, z):
    """Recurrent layers that convolve."""
    long = layers.ZeroPadding2D((7, 0))(x)
    states = layers.ConvLSTM1D(3, 3, return_state=True)(x)
    same = layers.ConvLSTM1D(3, 3, padding="same", return_sequences=True)
    return [
        *states,
        same(x),
        same(x, initial_state=[layers.ZeroPadding1D(1)(state) for state in states[1:]]),
        layers.ConvLSTM1D(2, 3, strides=2, go_backwards=True, return_sequences=True, bias_initializer="uniform")(long),
        layers.ConvLSTM2D(2, 3, padding="same", return_sequences=True, bias_initializer="uniform")(y),
        layers.ConvLSTM2D(2, (2, 3), activation="relu", recurrent_activation="hard_sigmoid", use_bias=False)(y),
        layers.ConvLSTM2D(2, 2, dilation_rate=2)(y),
        layers.Bidirectional(layers.ConvLSTM2D(2, 2))(y),
        layers.ConvLSTM3D(2, 2)(z),
    ]


def attention(q, v, t):
    e = layers.Embedding(6, 4, mask_zero=True)(t)
    return [
        layers.MultiHeadAttention(2, 3, value_dim=2)(q, v),
        layers.MultiHeadAttention(2, 3, use_bias=False)(q, q, use_causal_mask=True),
        layers.MultiHeadAttention(2, 3)(e, e),
        *layers.MultiHeadAttention(2, 3, output_shape=5)(q, v, return_attention_scores=True),
        layers.GroupQueryAttention(3, 4, 2)(q, v),
        layers.Attention()([q, v]),
        layers.Attention(use_scale=True, score_mode="concat")([q, v]),
        layers.Attention()([e, e], use_causal_mask=True),
        layers.AdditiveAttention()([q, v]),
    ]


def network(a, b):
    """Models in a model, and layers that are called twice."""
    image = keras.Input((8, 8, 3))
    h = layers.Conv2D(4, 3, padding="same", use_bias=False)(image)
    h = layers.BatchNormalization(moving_mean_initializer="uniform")(h)
    h = layers.ReLU()(h)
    h = layers.Conv2D(4, 3, padding="same")(h)
    h = layers.BatchNormalization()(h)
    tower = keras.Model(image, layers.GlobalAveragePooling2D()(h), name="tower")
    head = keras.Sequential(
        [layers.Dense(5, activation="relu"), layers.BatchNormalization(), layers.Dense(2)], name="head"
    )
    shared = layers.Dense(4, name="shared")
    x, y = tower(a), tower(b)
    both = layers.Concatenate()([shared(x), shared(y), shared(shared(x))])
    return [head(both), layers.Softmax()(head(both * 0.5))]


def mixed(x):
    policy = {"dtype": "mixed_float16"}
    h = layers.Dense(8, activation="relu", **policy)(x)
    h = layers.LayerNormalization(**policy)(h)
    return [layers.Dense(3, activation="softmax", **policy)(h)]


def tokens(*shape):
    made = RANDOM.randint(1, 6, shape)
    made[0, 4:] = 0
    made[1, 2:3] = 0
    return made.astype("i4")


GROUPS = {
    "activation": (activation, {"x": floats(2, 3, 4)}),
    "attention": (attention, {"q": floats(2, 3, 4), "v": floats(2, 5, 4), "t": tokens(2, 6)}),
    "convolution": (convolution, {"x": floats(2, 7, 6, 4), "s": floats(2, 9, 4), "v": floats(2, 4, 4, 4, 2)}),
    "merge": (merge, {"x": floats(2, 3, 4), "y": floats(2, 3, 4), "z": floats(2, 4)}),
    "mixed": (mixed, {"x": floats(2, 6)}),
    "network": (network, {"a": floats(2, 8, 8, 3), "b": floats(2, 8, 8, 3)}),
    "norm": (norm, {"x": floats(2, 3, 4, 6)}),
    "operation": (operation, {"x": floats(2, 3, 4), "y": floats(2, 3, 4)}),
    "recurrent": (recurrent, {"x": floats(2, 5, 4), "t": tokens(2, 6)}),
    "shape": (shape, {"x": floats(2, 4, 6, 4), "y": floats(2, 5, 3)}),
    "video": (video, {"x": floats(2, 4, 6, 3), "y": floats(2, 3, 5, 4, 2), "z": floats(2, 2, 3, 4, 3, 2)}),
}

# Groups that are written as an .h5 file, too, as Keras writes them for what came before .keras.
LEGACY = ("network", "recurrent")

# Groups whose weights lie in the file as they are, as Keras writes them; in the others they are compressed, which makes the files smaller.
STORED = ("network",)

# Groups that are also described in JSON, with a file of weights beside that.
ALONE = ("network",)


def model_of(functions, values):
    """The model of a group, whose outputs have their numbers as names."""
    inputs = {name: keras.Input(value.shape[1:], dtype=str(value.dtype), name=name) for name, value in values.items()}
    made = functions(*inputs.values())
    named = [layers.Identity(name=f"out{number}", dtype=str(one.dtype))(one) for number, one in enumerate(made)]
    model = keras.Model(list(inputs.values()), named)
    # No weight is 0 or 1 for all elements.
    model.set_weights(
        [
            np.asarray(one) + (RANDOM.uniform(0, 0.3, one.shape) if one.dtype.kind == "f" else 0)
            for one in model.get_weights()
        ]
    )
    return model


def keras_2(k, x, t):
    """A network of Keras 2, with functions of TensorFlow between layers, a model in it, and layers that are called twice."""
    layers = k.layers
    h = layers.Conv2D(4, 3, padding="same", activation="hard_sigmoid")(x)
    h = layers.BatchNormalization(moving_mean_initializer="uniform")(h)
    h = layers.DepthwiseConv2D(3, padding="same")(h)
    h = layers.LeakyReLU()(h) + 0.5 * h
    h = h[:, 1:, :-1] / 2.0
    inner = k.Sequential([k.Input((3, 4)), layers.Dense(4, activation="relu"), layers.Dense(3)], name="inner")
    row = layers.GlobalMaxPooling2D()(h)
    rows = layers.RepeatVector(3)(row)
    e = layers.Embedding(6, 4, mask_zero=True)(t)
    both = layers.Concatenate()([inner(rows), inner(rows * 2.0)])
    return [
        layers.Flatten()(both),
        layers.Bidirectional(layers.LSTM(3, return_sequences=True, recurrent_activation="hard_sigmoid"))(e),
        layers.GRU(3, bias_initializer="uniform")(e),
        layers.RNN([layers.LSTMCell(2), layers.GRUCell(3)])(rows),
        layers.MultiHeadAttention(2, 3)(rows, rows),
        layers.Softmax()(layers.Activation("gelu")(row)),
    ]


def write_keras_2():
    """Writes a model of tf_keras in both formats."""
    import tf_keras

    tf_keras.utils.set_random_seed(3)
    values = {"x": floats(2, 6, 5, 3), "t": tokens(2, 6)}
    inputs = [tf_keras.Input(value.shape[1:], dtype=str(value.dtype), name=name) for name, value in values.items()]
    made = keras_2(tf_keras, *inputs)
    named = [tf_keras.layers.Activation("linear", name=f"out{number}")(one) for number, one in enumerate(made)]
    model = tf_keras.Model(inputs, named)
    outputs = [np.asarray(one) for one in keras.tree.flatten(model(list(values.values()), training=False))]
    model.save(FOLDER / "keras_2.h5")
    model.save(FOLDER / "keras_2.keras")
    compress(FOLDER / "keras_2.keras")
    np.savez_compressed(FOLDER / "keras_2.inputs.npz", **values)
    np.savez_compressed(FOLDER / "keras_2.outputs.npz", **{f"out{number}": one for number, one in enumerate(outputs)})
    describe(model, "keras_2", "keras_2.h5")


def describe(model, name, weights):
    """Writes a model as a description with a file of weights beside it, and copies what the model computes."""
    DESCRIBED.mkdir(exist_ok=True)
    (DESCRIBED / f"{name}.json").write_text(model.to_json())
    model.save_weights(DESCRIBED / weights)
    for kind in ("inputs", "outputs"):
        shutil.copy(FOLDER / f"{name}.{kind}.npz", DESCRIBED)


def compress(path):
    """Compresses the entries of a zip file."""
    with zipfile.ZipFile(path) as source:
        entries = {name: source.read(name) for name in source.namelist()}
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as target:
        for name, content in entries.items():
            target.writestr(name, content)


def main(names):
    FOLDER.mkdir(exist_ok=True)
    for name, (functions, values) in GROUPS.items():
        if names and name not in names:
            continue
        keras.utils.set_random_seed(3)
        model = model_of(functions, values)
        outputs = keras.tree.flatten(model(list(values.values()), training=False))
        outputs = [np.asarray(one) for one in outputs]
        model.save(FOLDER / f"{name}.keras")
        np.savez_compressed(FOLDER / f"{name}.inputs.npz", **values)
        np.savez_compressed(
            FOLDER / f"{name}.outputs.npz", **{f"out{number}": one for number, one in enumerate(outputs)}
        )
        if name not in STORED:
            compress(FOLDER / f"{name}.keras")
        if name in LEGACY:
            model.save(FOLDER / f"{name}.h5")
        if name in ALONE:
            describe(model, name, f"{name}.weights.h5")
    if not names or "keras_2" in names:
        write_keras_2()


main(sys.argv[1:])
