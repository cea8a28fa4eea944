"""Inputs and the expected results of auto_schedule.mlir, by numpy."""

import sys

import numpy as np

SHAPES = {
    "a": (7, 53),
    "b": (53, 37),
    "c": (37,),
    "x": (1, 6, 13, 14),
    "w": (8, 6, 3, 3),
    "r": (1, 8, 13, 14),
    "p": (3, 13, 40),
    "q": (3, 40, 17),
    "s": (130, 257),
}


def windows(x, value):
    """The windows of 3 x 3 of padded images."""
    padded = np.pad(x, ((0, 0), (0, 0), (1, 1), (1, 1)), constant_values=value)
    return np.lib.stride_tricks.sliding_window_view(padded, (3, 3), axis=(2, 3))


def expected(x):
    rows = x["s"].astype(np.float64)
    powers = np.exp(rows - rows.max(axis=1, keepdims=True))
    conv = np.einsum("ncyxhw,ochw->noyx", windows(x["x"], 0), x["w"])
    return {
        "product": 1 / (1 + np.exp(-(x["a"] @ x["b"] + x["c"]))),
        "conv": np.maximum(conv + x["r"], 0),
        "batch": x["p"] @ x["q"],
        "softmax": powers / powers.sum(axis=1, keepdims=True),
        "columns": rows.sum(axis=0),
        "argmax": rows.argmax(axis=1),
        "pool": windows(x["x"], -np.inf)[:, :, ::2, ::2].max(axis=(4, 5)),
        "transpose": x["p"].transpose(2, 0, 1),
    }


command, inputs, *results = sys.argv[1:]
if command == "inputs":
    rng = np.random.default_rng(0)
    np.savez(inputs, **{name: rng.standard_normal(shape, np.float32) for name, shape in SHAPES.items()})
else:
    for path in results:
        y = np.load(path)
        for name, value in expected(np.load(inputs)).items():
            np.testing.assert_allclose(y[name], value, rtol=2e-5, atol=2e-5, err_msg=f"{path}: {name}")
