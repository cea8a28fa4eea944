"""Attentions for GPUs: python gpu_attention.py model OUT.mlir IN.npz | check IN.npz OUT.npz...

Checks beside numpy in double precision, and that all outputs have the same bits.
"""

import sys
from itertools import chain

import modules
import numpy as np

# Inputs of bf16 are cast from f32: numpy has no such type.
TYPES = {"f32": np.float32, "f16": np.float16, "bf16": np.float32}

# Type, heads, queries, keys, width of keys and of values; how the scores are changed; what follows.
CASES = [
    ("f32", 2, 64, 64, 32, 32, "scale", ""),
    ("f32", 3, 33, 65, 40, 40, "mask", "relu"),
    ("f32", 12, 50, 197, 64, 64, "scale mask", "add"),
    ("f32", 2, 5, 1, 8, 24, "", ""),
    ("f32", 1, 40, 100, 128, 128, "scale causal", ""),
    ("f32", 2, 37, 70, 16, 20, "hidden", ""),
    ("f16", 2, 64, 96, 64, 64, "scale", ""),
    ("f16", 3, 33, 65, 40, 44, "mask", "relu"),
    ("f16", 1, 100, 70, 128, 128, "scale causal", "add"),
    ("f16", 2, 37, 70, 24, 32, "hidden", ""),
    ("f16", 2, 6, 40, 64, 64, "scale", ""),
    ("bf16", 2, 48, 130, 64, 64, "scale mask", ""),
]


def data(case):
    """The inputs of a case. If keys are hidden, some queries have none in their first block, and one has none at all."""
    kind, heads, queries, keys, depth, width, change, _ = CASES[case]
    rng = np.random.default_rng(case)
    shapes = {
        "q": (heads, queries, depth), "k": (heads, depth, keys),
        "v": (heads, keys, width), "r": (heads, queries, width),
    }  # fmt: skip
    given = {name: rng.standard_normal(shape, np.float32) for name, shape in shapes.items()}
    given["m"] = rng.standard_normal((1, 1, keys), np.float32)
    if kind == "bf16":
        # Eighths, so that no cast rounds.
        given = {name: np.clip(np.round(8 * value), -16, 16) / 8 for name, value in given.items()}
    if "causal" in change:
        given["m"] = np.where(np.arange(queries)[:, None] + keys - queries >= np.arange(keys), 0.0, -1e4)[None]
    if "hidden" in change:
        given["m"] = np.where(np.arange(keys) >= 40 * (np.arange(queries)[:, None] % 2), 0.0, -np.inf)[None]
        given["m"][0, 3] = -np.inf
    return {f"{name}{case}": value.astype(TYPES[kind]) for name, value in given.items()}


def expected(case, inputs):
    """What numpy computes, in f64."""
    _, _, _, _, _, _, change, after = CASES[case]
    q, k, v, m, r = (inputs[f"{name}{case}"].astype(np.float64) for name in "qkvmr")
    scores = q @ k
    scores = scores * 0.125 if "scale" in change else scores
    scores = scores + m if {"mask", "causal", "hidden"} & set(change.split()) else scores
    with np.errstate(invalid="ignore"):
        weights = np.exp(scores - scores.max(-1, keepdims=True))
    values = (weights / weights.sum(-1, keepdims=True)) @ v
    return {"": values, "relu": np.maximum(values, 0), "add": values + r}[after]


def function(case, inputs):
    """The lines of a case in a function."""
    kind, heads, queries, keys, _, _, change, after = CASES[case]
    shapes = {name: "x".join(map(str, inputs[name + str(case)].shape)) for name in "qkvmr"}
    shapes["s"] = f"{heads}x{queries}x{keys}"
    given = {np.float32: "f32", np.float16: "f16"}[TYPES[kind]]
    lines = []

    def op(text, operands, shape, element=kind):
        name = f"%v{case}_{len(lines)}"
        values, types = (", ".join(column) for column in zip(*operands))
        result = f"tensor<{shape}x{element}>"
        lines.append(f"  {name} = relay.{text.format(values)} : ({types}) -> {result}")
        return name, result

    value = {name: (f"%{name}{case}", f"tensor<{shapes[name]}x{given}>") for name in "qkvmr"}
    parameters = [(f"{name}{case}", value[name][1]) for name in "qkvmr"]
    if given != kind:
        value = {name: op(f"cast {{}} {{{{dtype = {kind}}}}}", [value[name]], shapes[name]) for name in "qkvmr"}
    scores = op("nn.batch_matmul {}", [value["q"], value["k"]], shapes["s"])
    if "scale" in change:
        lines.append(f"  %c{case} = relay.constant dense<0.125> : tensor<{kind}>")
        scores = op("multiply {}", [scores, (f"%c{case}", f"tensor<{kind}>")], shapes["s"])
    if {"mask", "causal", "hidden"} & set(change.split()):
        scores = op("add {}", [scores, value["m"]], shapes["s"])
    weights = op("nn.softmax {} {{axis = -1 : i64}}", [scores], shapes["s"])
    values = op("nn.batch_matmul {}", [weights, value["v"]], shapes["r"])
    if after == "relu":
        values = op("nn.relu {}", [values], shapes["r"])
    if after == "add":
        values = op("add {}", [values, value["r"]], shapes["r"])
    if given != kind:
        values = op(f"cast {{}} {{{{dtype = {given}}}}}", [values], shapes["r"], given)
    return parameters, lines, values


def model(inputs):
    """A module of all cases."""
    parameters, lines, values = zip(*(function(case, inputs) for case in range(len(CASES))))
    results = [(f"y{case}", ty) for case, (_, ty) in enumerate(values)]
    return modules.text(chain(*lines), results, chain(*parameters), [name for name, _ in values])


def main():
    command, *paths = sys.argv[1:]
    inputs = {name: value for case in range(len(CASES)) for name, value in data(case).items()}
    if command == "model":
        with open(paths[0], "w") as file:
            file.write(model(inputs))
        np.savez(paths[1], **inputs)
        return
    outputs = [np.load(path) for path in paths[1:]]
    for case, (kind, *_) in enumerate(CASES):
        want, got = expected(case, inputs), outputs[0][f"y{case}"]
        assert got.shape == want.shape, (case, got.shape, want.shape)
        bound = {"f32": 1e-5, "f16": 4e-3, "bf16": 3e-2}[kind]
        np.testing.assert_allclose(got.astype(np.float64), want, rtol=bound, atol=bound, err_msg=f"case {case}")
        for other in outputs[1:]:
            assert other[f"y{case}"].tobytes() == outputs[0][f"y{case}"].tobytes(), case


main()
