"""Runs models of operators that draw random numbers, and compares them with a plain evaluation of Philox 4x32-10, and with what is known of
their distributions."""

import pathlib
import subprocess
import sys

import numpy as np
import onnx
from onnx import TensorProto, helper


def philox(counter, key):
    """The four words for a counter of four words and a key of two (Salmon and others, 2011)."""
    counter, key = list(counter), list(key)
    for _ in range(10):
        one, other = 0xD2511F53 * counter[0], 0xCD9E8D57 * counter[2]
        high = [other >> 32, one >> 32]
        low = [other & 0xFFFFFFFF, one & 0xFFFFFFFF]
        counter = [high[0] ^ counter[1] ^ key[0], low[0], high[1] ^ counter[3] ^ key[1], low[1]]
        key = [(key[0] + 0x9E3779B9) & 0xFFFFFFFF, (key[1] + 0xBB67AE85) & 0xFFFFFFFF]
    return counter


# The known answers of the authors' library, Random123.
ONES = 0xFFFFFFFF
assert philox([0] * 4, [0] * 2) == [0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8]
assert philox([ONES] * 4, [ONES] * 2) == [0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD]


def words(count, key):
    """The first two words of each element."""
    return np.array([philox([place, 0, 0, 0], key)[:2] for place in range(count)], np.uint64).T


def key_of(seed):
    """The key of a float seed."""
    return [int(np.float32(seed).view(np.uint32)), 0]


def run(relayc, folder, name, nodes, inputs, outputs):
    """The outputs of a model, by name."""
    values = [helper.make_tensor_value_info(name, *of) for name, of in outputs.items()]
    given = [
        helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(array.dtype), array.shape)
        for name, array in inputs.items()
    ]
    graph = helper.make_graph(nodes, "random", given, values)
    path = folder / f"{name}.onnx"
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 22)], ir_version=10), path)
    np.savez(folder / "in.npz", **inputs)
    command = [relayc, "run", str(path), "--outputs", str(folder / "out.npz")]
    subprocess.run(command + (["--inputs", str(folder / "in.npz")] if inputs else []), check=True)
    return dict(np.load(folder / "out.npz"))


def node(op, inputs, output, name=None, **attributes):
    return helper.make_node(op, inputs, [output] if isinstance(output, str) else output, name=name or output, **attributes)


relayc, folder = sys.argv[1], pathlib.Path(sys.argv[2])
folder.mkdir(parents=True, exist_ok=True)
like = np.zeros((40, 50), np.float32)
chances = np.tile(np.array([0.0, 0.1, 0.5, 1.0], np.float32), (500, 1))
logits = np.log(np.tile(np.array([1, 2, 5, 0.0001], np.float32), (2, 1))) + np.array([[3], [-2]], np.float32)
ones = np.ones((64, 64), np.float32)
DOUBLE, FLOAT, HALF = TensorProto.DOUBLE, TensorProto.FLOAT, TensorProto.FLOAT16
constants = [
    helper.make_node("Constant", [], ["ratio"], value_float=0.25),
    helper.make_node("Constant", [], ["train"], value=helper.make_tensor("t", TensorProto.BOOL, [], [True])),
]
found = run(
    relayc,
    folder,
    "model",
    [
        *constants,
        node("RandomUniform", [], "uniform", shape=[3, 7], seed=2.0),
        node("RandomUniform", [], "double", shape=[21], seed=2.0, dtype=DOUBLE, low=-3.0, high=5.0),
        node("RandomUniform", [], "half", shape=[4000], seed=1.0, dtype=HALF),
        node("RandomUniformLike", ["like"], "named", name="one"),
        node("RandomUniformLike", ["like"], "other", name="two"),
        node("RandomUniformLike", ["like"], "same", seed=2.0),
        node("RandomNormal", [], "normal", shape=[50, 400], seed=7.0, mean=3.0, scale=2.0),
        node("RandomNormalLike", ["like"], "deviates", dtype=DOUBLE),
        node("Bernoulli", ["chances"], "hits", seed=4.0, dtype=TensorProto.INT32),
        node("Multinomial", ["logits"], "classes", seed=3.0, sample_size=4000),
        node("Dropout", ["ones", "ratio", "train"], ["dropped", "mask"], name="dropout", seed=5),
    ],
    {"like": like, "chances": chances, "logits": logits, "ones": ones},
    {
        "uniform": (FLOAT, [3, 7]),
        "double": (DOUBLE, [21]),
        "half": (HALF, [4000]),
        "named": (FLOAT, [40, 50]),
        "other": (FLOAT, [40, 50]),
        "same": (FLOAT, [40, 50]),
        "normal": (FLOAT, [50, 400]),
        "deviates": (DOUBLE, [40, 50]),
        "hits": (TensorProto.INT32, [500, 4]),
        "classes": (TensorProto.INT32, [2, 4000]),
        "dropped": (FLOAT, [64, 64]),
        "mask": (TensorProto.BOOL, [64, 64]),
    },
)
first, second = words(2000, key_of(2.0))
uniform = ((first >> np.uint64(8)) * 2.0**-24).astype(np.float32)
np.testing.assert_array_equal(found["uniform"].ravel(), uniform[:21])
np.testing.assert_array_equal(found["same"].ravel(), uniform)
exact = (first[:21] << np.uint64(21) | second[:21] >> np.uint64(11)) * 2.0**-53
np.testing.assert_allclose(found["double"], exact * 8 - 3, rtol=0, atol=1e-14)
assert found["half"].min() >= 0 and found["half"].max() < 1 and abs(found["half"].mean(dtype=float) - 0.5) < 0.02

# Nodes of other names draw other numbers.
assert not np.array_equal(found["named"], found["other"])
for name in ["named", "other"]:
    assert abs(found[name].mean(dtype=float) - 0.5) < 0.02, name

lengths, turns = words(20000, key_of(7.0))
normal = np.sqrt(-2 * np.log((lengths + 1.0) * 2.0**-32)) * np.cos(2 * np.pi * (turns >> np.uint64(8)) * 2.0**-24)
np.testing.assert_allclose(found["normal"].ravel(), normal * 2 + 3, rtol=1e-4, atol=2e-4)
assert abs(found["normal"].mean(dtype=float) - 3) < 0.05 and abs(found["normal"].std(dtype=float) - 2) < 0.05
assert abs(found["deviates"].mean()) < 0.08 and abs(found["deviates"].std() - 1) < 0.05

first, _ = words(2000, key_of(4.0))
uniform = ((first >> np.uint64(8)) * 2.0**-24).astype(np.float32)
np.testing.assert_array_equal(found["hits"], uniform.reshape(500, 4) < chances)
wanted = np.exp(logits) / np.exp(logits).sum(axis=1, keepdims=True)
for row in range(2):
    shares = np.bincount(found["classes"][row], minlength=4) / 4000
    np.testing.assert_allclose(shares, wanted[row], atol=0.03)
first, _ = words(64 * 64, [5, 0])
mask = ((first >> np.uint64(8)) * 2.0**-24 >= 0.25).reshape(64, 64)
np.testing.assert_array_equal(found["mask"], mask)
np.testing.assert_allclose(found["dropped"], np.where(mask, np.float32(1 / 0.75), 0), rtol=1e-6)
