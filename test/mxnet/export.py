"""Writes small graphs of MXNet, with inputs and with what MXNet computes of them.

Each group is one graph that returns what each of its functions computes. Run by `./x mxnet programs`; the files are committed, so that the
test suite needs no MXNet.
"""

import os
import sys
from pathlib import Path

# MXNet's own operators compute what is compared, not a library's.
os.environ["MXNET_SUBGRAPH_BACKEND"] = "NONE"

import mxnet as mx
import numpy as np
from mxnet import sym
from mxnet.gluon import nn

FOLDER = Path(__file__).parent / "programs"
RANDOM = np.random.RandomState(5)


def floats(*shape):
    return RANDOM.uniform(-2, 2, shape).astype("f4")


def elementwise(x, y):
    positive = sym.abs(x) + 0.5
    small = sym.clip(x, a_min=-0.9, a_max=0.9)
    return [
        *(getattr(sym, name)(x) for name in (
            "abs", "ceil", "cos", "erf", "exp", "expm1", "fix", "floor", "negative", "relu", "rint", "round", "sigmoid",
            "sign", "sin", "softsign", "square", "tanh", "trunc", "logical_not", "cbrt", "cosh", "sinh", "arctan",
            "arcsinh", "hard_sigmoid", "degrees", "radians", "identity", "BlockGrad", "tan",
        )),
        *(getattr(sym, name)(positive) for name in ("log", "log2", "log10", "log1p", "rsqrt", "sqrt", "reciprocal")),
        *(getattr(sym, name)(small) for name in ("arccos", "arcsin", "arctanh")),
        sym.arccosh(positive + 1.0),
        x + y, x - y, x * y, x / (y + 3.0), sym.broadcast_maximum(x, y), sym.broadcast_minimum(x, y),
        sym.broadcast_power(positive, y), sym.broadcast_mod(x, y + 3.0), x > y, sym.broadcast_lesser_equal(x, y),
        sym.broadcast_equal(x, x), x + 2.0, 2.0 - x, x - 1.5, 3.0 / positive, x / 3.0, x * 0.5, positive**1.5, 2.0**x,
        x > 0.5, x <= 0.5, x == 0.5, sym.maximum(x, 0.5), sym.minimum(x, 0.5), sym.add_n(x, y, x),
        sym.smooth_l1(x, scalar=1.5), sym.cast(x, dtype="int32"), sym.cast(x, dtype="float64"), sym.Dropout(x, p=0.3),
        sym.LogisticRegressionOutput(x, sym.var("label")),
    ]  # fmt: skip


def activation(x, s):
    kinds = ("relu", "sigmoid", "tanh", "softrelu", "softsign")
    return [
        *(sym.Activation(x, act_type=kind) for kind in kinds),
        *(sym.LeakyReLU(x, act_type=kind, slope=0.3) for kind in ("leaky", "elu", "selu", "gelu")),
        sym.LeakyReLU(x, gamma=s, act_type="prelu"), sym.LeakyReLU(x), sym.softmax(x, axis=1), sym.softmax(x, temperature=2.0),
        sym.log_softmax(x, axis=-2), sym.softmin(x), sym.SoftmaxActivation(x), sym.SoftmaxActivation(x, mode="channel"),
        sym.SoftmaxOutput(sym.Flatten(x), sym.var("label")), sym.SoftmaxOutput(x, sym.var("label2"), multi_output=True),
    ]  # fmt: skip


def window(x, w, b, g, t):
    return [
        sym.Convolution(x, w, b, kernel=(3, 3), num_filter=8, pad=(1, 1)),
        sym.Convolution(x, w, kernel=(3, 3), num_filter=8, stride=(2, 1), dilate=(1, 2), no_bias=True),
        sym.Convolution(x, g, kernel=(3, 3), num_filter=4, num_group=4, pad=(1, 0), no_bias=True),
        sym.Deconvolution(x, t, kernel=(3, 3), num_filter=2, stride=(2, 2), pad=(1, 1), adj=(1, 1)),
        sym.Pooling(x, kernel=(3, 3), stride=(2, 2), pool_type="max"),
        sym.Pooling(x, kernel=(3, 3), stride=(2, 2), pool_type="max", pooling_convention="full"),
        sym.Pooling(x, kernel=(2, 2), pad=(1, 1), pool_type="avg"),
        sym.Pooling(x, kernel=(2, 2), pad=(1, 1), pool_type="avg", count_include_pad=False),
        sym.Pooling(x, kernel=(2, 3), stride=(2, 2), pool_type="avg", pooling_convention="full"),
        sym.Pooling(x, kernel=(2, 2), stride=(2, 2), pool_type="sum"),
        sym.Pooling(x, kernel=(2, 2), stride=(2, 2), pool_type="lp", p_value=2),
        sym.Pooling(x, global_pool=True, pool_type="avg", kernel=(1, 1)),
        sym.Pooling(x, global_pool=True, pool_type="max"),
        sym.UpSampling(x, scale=2, sample_type="nearest"), sym.contrib.AdaptiveAvgPooling2D(x, output_size=3),
        sym.contrib.BilinearResize2D(x, height=11, width=5), sym.LRN(x, nsize=3),
        sym.FullyConnected(x, sym.reshape(w, shape=(8, -1)).slice_axis(axis=1, begin=0, end=7), b, num_hidden=8, flatten=False),
    ]  # fmt: skip


def norm(x, s, b, l, m, g):
    mean, var = sym.var("mean", shape=(4,), dtype="float32"), sym.var("var", shape=(4,), dtype="float32")
    return [
        sym.BatchNorm(x, s, b, mean, var, fix_gamma=False, eps=1e-4), sym.BatchNorm(x, s, b, mean, var),
        sym.LayerNorm(x, l, m), sym.InstanceNorm(x, s, b), sym.GroupNorm(x, g, g, num_groups=2),
        *(sym.L2Normalization(x, mode=mode) for mode in ("instance", "channel", "spatial")),
    ]  # fmt: skip


def reduce(x):
    return [
        sym.sum(x), sym.sum(x, axis=1), sym.mean(x, axis=(0, 2), keepdims=True), sym.max(x, axis=1, exclude=True),
        sym.min(x, axis=-1), sym.prod(x, axis=2), sym.norm(x), sym.norm(x, ord=1, axis=1), sym.argmax(x, axis=1),
        sym.argmin(x, axis=-1, keepdims=True), sym.argmax(x), sym.argsort(x, axis=1), sym.topk(x, k=2, axis=2),
        *sym.topk(x, k=2, ret_typ="both"), sym.argmax_channel(sym.Flatten(x)), sym.topk(x, k=1, ret_typ="value", is_ascend=True),
    ]  # fmt: skip


def shape(x, y):
    return [
        sym.reshape(x, shape=(0, -1)), sym.reshape(x, shape=(-1, 4)), sym.reshape(x, shape=(-2,)),
        sym.reshape(x, shape=(-3, 0)), sym.reshape(x, shape=(0, -4, 3, -1, 0)), sym.reshape(x, shape=(0, 0, -4, -1, 2)),
        sym.reshape(x, shape=(-1, 0), reverse=True), sym.Flatten(x), sym.transpose(x), sym.transpose(x, axes=(1, 0, 2)),
        sym.SwapAxis(x, dim1=0, dim2=2), sym.expand_dims(x, axis=1), sym.squeeze(sym.expand_dims(x, axis=-1)),
        sym.Concat(x, x * 2.0, dim=1), sym.stack(x, x, axis=-1), sym.tile(x, reps=(2, 1)), sym.tile(x, reps=(2, 1, 1, 2)),
        sym.repeat(x, repeats=2, axis=1), sym.repeat(x, repeats=2), sym.broadcast_axis(sym.slice_axis(x, axis=1, begin=0, end=1), axis=1, size=3),
        sym.broadcast_to(sym.slice_axis(x, axis=0, begin=0, end=1), shape=(5, 0, 0)), sym.zeros_like(x), sym.ones_like(x),
        sym.pad(sym.expand_dims(x, axis=0), mode="constant", pad_width=(0, 0, 0, 0, 1, 2, 0, 1), constant_value=3.0),
        sym.pad(sym.expand_dims(x, axis=0), mode="edge", pad_width=(0, 0, 0, 0, 1, 2, 0, 1)),
        sym.pad(sym.expand_dims(x, axis=0), mode="reflect", pad_width=(0, 0, 0, 0, 1, 2, 0, 1)),
        sym.depth_to_space(y, block_size=2), sym.space_to_depth(y, block_size=2), sym.broadcast_like(sym.sum(x, axis=1, keepdims=True), x),
        sym.reshape_like(sym.Flatten(x), x), sym.broadcast_add(x, sym.arange(0, 4)), sym.broadcast_add(x, sym.arange(2, 8, step=0.5, repeat=2).reshape((6, 4))),
        sym.broadcast_add(x, sym.zeros((4,))), sym.broadcast_mul(x, sym.ones((6, 1)) + 1.0), sym.full((2, 2), 3.0),
    ]  # fmt: skip


def select(x, i, e):
    return [
        sym.slice(x, begin=(0, 1), end=(1, 5)), sym.slice(x, begin=(None, -3), end=(None, None)),
        sym.slice(x, begin=(None, 4), end=(None, 0), step=(None, -2)), sym.slice_axis(x, axis=1, begin=-4, end=None),
        sym.slice_like(x, e, axes=(1,)), *sym.split(x, num_outputs=2, axis=1), *sym.split(x, num_outputs=2, axis=0, squeeze_axis=True),
        *sym.split_v2(x, (1, 3), axis=1), sym.take(x, i, axis=1), sym.take(x, i + 9.0), sym.take(x, i - 9.0, axis=2, mode="wrap"),
        sym.Embedding(i, e, input_dim=5, output_dim=3), sym.one_hot(i, depth=6), sym.one_hot(i, depth=4, on_value=2.0, off_value=-1.0),
        sym.where(x > 0.0, x, x * 0.1), sym.reverse(x, axis=1), sym.reverse(x, axis=(0, 2)), sym.pick(e, sym.tile(sym.slice_axis(i, axis=0, begin=1, end=2), reps=(5,)) - 1.0, axis=1),
        sym.dot(e, e, transpose_b=True), sym.dot(x, sym.transpose(x, axes=(2, 1, 0))), sym.batch_dot(x, x, transpose_b=True),
    ]  # fmt: skip


def recurrent(x, l, g, t, r, s, c):
    one, both = sym.slice_axis(s, axis=0, begin=0, end=1), sym.slice_axis(s, axis=0, begin=1, end=3)
    return [
        sym.RNN(x, l, s, c, state_size=4, num_layers=2, bidirectional=True, mode="lstm", state_outputs=True, p=0.5),
        sym.RNN(x, l, s, c, state_size=4, num_layers=2, bidirectional=True, mode="lstm"),
        sym.RNN(x, g, one, state_size=4, num_layers=1, mode="gru", state_outputs=True),
        sym.RNN(x, t, both, state_size=4, num_layers=2, mode="rnn_tanh", state_outputs=True),
        sym.RNN(x, r, both, state_size=4, num_layers=1, bidirectional=True, mode="rnn_relu"),
    ]


def network():
    """A residual block of gluon with what is around it."""
    net = nn.HybridSequential()
    with net.name_scope():
        net.add(nn.Conv2D(8, 3, padding=1, use_bias=False), nn.BatchNorm(), nn.Activation("relu"), nn.MaxPool2D(2))
        net.add(mx.gluon.model_zoo.vision.BasicBlockV1(16, 2, downsample=True, in_channels=8))
        net.add(nn.GlobalAvgPool2D(), nn.Dropout(0.5), nn.Dense(10))
    net.initialize(mx.init.Xavier())
    net.hybridize()
    return net


def recurrent_network():
    """Layers of gluon over more steps than are written out, whose first states are zeros."""
    net = nn.HybridSequential()
    with net.name_scope():
        net.add(mx.gluon.rnn.LSTM(5, num_layers=2, layout="NTC", bidirectional=True, input_size=3), mx.gluon.rnn.GRU(4, layout="NTC", input_size=10))
        net.add(nn.Dense(3, flatten=False, in_units=4))
    net.initialize(mx.init.Xavier())
    net.hybridize()
    return net


def save_network(name, net, x):
    """Writes a network of gluon with its arrays."""
    expected = net(mx.nd.array(x)).asnumpy()
    graph = net(sym.var("x", shape=x.shape))
    graph.save(str(FOLDER / f"{name}-symbol.json"))
    arrays = {param.name: param.data() for param in net.collect_params().values()}
    mx.nd.save(str(FOLDER / f"{name}-0000.params"), {f"arg:{key}": value for key, value in arrays.items()})
    np.savez_compressed(FOLDER / f"{name}.inputs.npz", x=x)
    np.savez_compressed(FOLDER / f"{name}.outputs.npz", **{graph.name: expected})


def write(name, outputs, values):
    """Writes a graph with its inputs and outputs."""
    heads = [one for output in outputs for one in (list(output) if len(output.list_outputs()) > 1 else [output])]
    heads = [sym.identity(head, name=f"out{number}") for number, head in enumerate(heads)]
    group = sym.Group(heads)
    given = {key: mx.nd.array(value, dtype=value.dtype) for key, value in values.items()}
    # Labels are read in training only.
    missing = [key for key in group.list_arguments() if key not in given]
    bound = dict(given)
    if missing:
        shapes, _, _ = group.infer_shape(
            **{key: value.shape for key, value in given.items() if key in group.list_arguments()}
        )
        found = dict(zip(group.list_arguments(), shapes))
        bound.update({key: mx.nd.zeros(found[key]) for key in missing})
    aux = {key: bound.pop(key) for key in group.list_auxiliary_states()}
    executor = group.bind(mx.cpu(), {key: bound[key] for key in group.list_arguments()}, aux_states=aux)
    results = executor.forward(is_train=False)
    group.save(str(FOLDER / f"{name}-symbol.json"), remove_amp_cast=False)
    np.savez_compressed(FOLDER / f"{name}.inputs.npz", **values)
    named = {f"out{number}": result.asnumpy() for number, result in enumerate(results)}
    np.savez_compressed(FOLDER / f"{name}.outputs.npz", **named)


def symbols(values):
    return [sym.var(key, shape=value.shape, dtype=str(value.dtype)) for key, value in values.items()]


GROUPS = {
    "activation": (activation, {"x": floats(2, 4, 3), "s": np.abs(floats(4)) / 4}),
    "elementwise": (elementwise, {"x": floats(3, 4), "y": floats(3, 4)}),
    "norm": (
        norm,
        {"x": floats(2, 4, 5, 6), "s": floats(4), "b": floats(4), "l": floats(6), "m": floats(6), "g": floats(2), "mean": floats(4), "var": np.abs(floats(4))},
    ),
    "recurrent": (
        recurrent,
        {"x": floats(5, 2, 3), "l": floats(736) / 2, "g": floats(108), "t": floats(76), "r": floats(72) / 2, "s": floats(4, 2, 4), "c": floats(4, 2, 4)},
    ),
    "reduce": (reduce, {"x": floats(3, 5, 4)}),
    "select": (select, {"x": floats(2, 6, 4), "i": np.array([0, 3, 1], "f4"), "e": floats(5, 3)}),
    "shape": (shape, {"x": floats(2, 6, 4), "y": floats(1, 4, 2, 6)}),
    "window": (
        window,
        {"x": floats(2, 4, 8, 7), "w": floats(8, 4, 3, 3), "b": floats(8), "g": floats(4, 1, 3, 3), "t": floats(4, 2, 3, 3)},
    ),
}  # fmt: skip


def main(names):
    FOLDER.mkdir(exist_ok=True)
    for name, (functions, values) in GROUPS.items():
        if not names or name in names:
            with mx.name.NameManager():
                inputs = symbols({key: value for key, value in values.items() if key not in ("mean", "var")})
                write(name, functions(*inputs), values)
    if not names or "network" in names:
        save_network("network", network(), floats(1, 3, 16, 16))
    if not names or "recurrent_network" in names:
        save_network("recurrent_network", recurrent_network(), floats(2, 30, 3))


main(sys.argv[1:])
