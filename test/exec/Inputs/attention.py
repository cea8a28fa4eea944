"""Attentions of several shapes: python attention.py model OUT.mlir IN.npz | check IN.npz OUT.npz | same A.npz B.npz"""

import sys
from itertools import chain

import modules
import numpy as np

# Heads, queries, keys, width of keys, width of values; how the scores are changed; what follows.
CASES = [
    (2, 64, 64, 32, 32, "scale", ""),
    (3, 33, 65, 40, 40, "mask", ""),
    (1, 7, 5, 3, 9, "", "relu"),
    (12, 197, 197, 64, 64, "scale mask", "add"),
    (1, 1, 600, 16, 16, "where", ""),
    (4, 101, 1, 8, 24, "", ""),
    (2, 300, 1500, 64, 64, "scale", ""),
    (3, 577, 577, 64, 64, "scale", ""),
]


def data(case):
    """The inputs of a case."""
    heads, queries, keys, depth, width, _, _ = CASES[case]
    rng = np.random.default_rng(case)
    shapes = {
        "q": (heads, queries, depth), "k": (heads, depth, keys), "v": (heads, keys, width),
        "m": (1, 1, keys), "r": (heads, queries, width),
    }  # fmt: skip
    return {f"{name}{case}": rng.standard_normal(shape, np.float32) for name, shape in shapes.items()}


def expected(case, inputs):
    """What numpy computes, in f64."""
    _, _, _, _, _, change, after = CASES[case]
    q, k, v, m, r = (inputs[f"{name}{case}"].astype(np.float64) for name in "qkvmr")
    scores = q @ k
    scores = scores * 0.125 if "scale" in change else scores
    scores = scores + m if "mask" in change else scores
    scores = np.where(m > 0, scores, -1e9) if "where" in change else scores
    weights = np.exp(scores - scores.max(-1, keepdims=True))
    values = (weights / weights.sum(-1, keepdims=True)) @ v
    return {"": values, "relu": np.maximum(values, 0), "add": values + r}[after]


def function(case):
    """The lines of a case in a function."""
    heads, queries, keys, depth, width, change, after = CASES[case]
    types = {
        "q": (heads, queries, depth), "k": (heads, depth, keys), "v": (heads, keys, width),
        "m": (1, 1, keys), "r": (heads, queries, width), "s": (heads, queries, keys),
    }  # fmt: skip
    t = {name: f"tensor<{'x'.join(map(str, dims))}xf32>" for name, dims in types.items()}
    names = iter(range(99))
    lines = []

    def op(text, operands, result):
        name = f"%v{case}_{next(names)}"
        kinds = ", ".join(kind for _, kind in operands)
        text = text.format(", ".join(value for value, _ in operands))
        lines.append(f"  {name} = relay.{text} : ({kinds}) -> {result}")
        return name, result

    def splat(number):
        name = f"%v{case}_{next(names)}"
        lines.append(f"  {name} = relay.constant dense<{number}> : tensor<f32>")
        return name, "tensor<f32>"

    value = {name: (f"%{name}{case}", t[name]) for name in "qkvmr"}
    scores = op("nn.batch_matmul {}", [value["q"], value["k"]], t["s"])
    if "scale" in change:
        scores = op("multiply {}", [scores, splat(0.125)], t["s"])
    if "mask" in change:
        scores = op("add {}", [scores, value["m"]], t["s"])
    if "where" in change:
        kept = op("greater {}", [value["m"], splat(0.0)], t["m"].replace("f32", "i1"))
        scores = op("where {}", [kept, scores, splat(-1e9)], t["s"])
    weights = op("nn.softmax {} {{axis = -1 : i64}}", [scores], t["s"])
    values = op("nn.batch_matmul {}", [weights, value["v"]], t["r"])
    if after == "relu":
        values = op("nn.relu {}", [values], t["r"])
    if after == "add":
        values = op("add {}", [values, value["r"]], t["r"])
    parameters = [(f"{name}{case}", t[name]) for name in "qkvmr"]
    return parameters, lines, values


def model():
    """A module of all cases."""
    parameters, lines, values = zip(*(function(case) for case in range(len(CASES))))
    results = [(f"y{case}", ty) for case, (_, ty) in enumerate(values)]
    return modules.text(chain(*lines), results, chain(*parameters), [name for name, _ in values])


def main():
    command, *paths = sys.argv[1:]
    if command == "model":
        with open(paths[0], "w") as file:
            file.write(model())
        np.savez(paths[1], **{k: v for case in range(len(CASES)) for k, v in data(case).items()})
    elif command == "check":
        inputs, outputs = map(np.load, paths)
        for case in range(len(CASES)):
            want, got = expected(case, inputs), outputs[f"y{case}"]
            assert got.shape == want.shape, (case, got.shape, want.shape)
            np.testing.assert_allclose(got, want, rtol=1e-5, atol=1e-5, err_msg=f"case {case}")
    else:
        first, second = map(np.load, paths)
        for name in first.files:
            assert first[name].tobytes() == second[name].tobytes(), name


main()
