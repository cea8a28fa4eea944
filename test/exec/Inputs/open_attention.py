"""Attentions whose numbers of queries and keys are open: python open_attention.py model OUT.mlir | inputs QUERIES KEYS OUT.npz |
check IN.npz OUT.npz | same A.npz B.npz"""

import sys
from itertools import chain

import numpy as np

import modules

# Heads, elements of a key, elements of a value, how the keys and the values lie, what changes the scores, what follows, the element type.
CASES = [
    (2, 16, 16, "columns", "scale", "", "f32"),
    (3, 24, 40, "rows", "mask", "", "f32"),
    (2, 8, 3, "rows", "", "relu", "f32"),
    (4, 32, 32, "words", "scale mask", "add", "f32"),
    (4, 16, 16, "shared", "where", "", "f32"),
    (1, 1, 1, "rows", "", "", "f32"),
    (2, 32, 32, "rows", "scale mask", "", "f16"),
    (2, 32, 32, "words", "scale", "", "bf16"),
    (2, 16, 24, "rows", "scale mask causal", "", "f32"),
    (2, 16, 16, "words", "mask least", "add", "f32"),
    (3, 8, 16, "rows", "mask ends", "", "f32"),
    (2, 16, 16, "rows", "scale mask causal", "", "bf16"),
    (4, 16, 24, "grouped", "scale mask causal", "", "f32"),
    (4, 32, 32, "grouped", "scale mask padding", "add", "f16"),
]

TOLERANCE = {"f32": 1e-5, "f16": 4e-3, "bf16": 3e-2}


def shapes(case, queries, keys):
    """The shapes of the inputs of a case."""
    heads, depth, width, lie, change, _, _ = CASES[case]
    rows = 1 if "ends" in change else queries
    k, v = {
        "columns": ((heads, depth, keys), (heads, keys, width)),
        "rows": ((heads, keys, depth), (heads, keys, width)),
        "words": ((keys, heads, depth), (keys, heads, width)),
        "shared": ((1, keys, depth), (1, keys, width)),
        "grouped": ((heads // 2, keys, depth), (heads // 2, keys, width)),
    }[lie]
    return {"q": (heads, queries, depth), "k": k, "v": v, "m": (1, rows, keys), "r": (heads, queries, width)}


def data(case, queries, keys):
    """The inputs of a case."""
    rng = np.random.default_rng(case)
    inputs = {f"{name}{case}": rng.standard_normal(shape, np.float32) for name, shape in shapes(case, queries, keys).items()}
    hide(CASES[case][4], inputs[f"m{case}"], queries)
    return inputs


def hide(change, mask, queries):
    """Hides keys, whole blocks of them too: those after a query, with queries that see none, or the last ones."""
    row, key = np.indices(mask.shape[1:])
    after = key > row + mask.shape[2] - queries
    if "causal" in change:
        mask[:, after] = -np.inf
    if "least" in change:
        mask[:, after | (row % 5 == 1)] = np.finfo(np.float32).min
    if "padding" in change:
        mask[..., mask.shape[2] - mask.shape[2] // 3 :] = -np.inf
    if "ends" in change:
        mask[..., (mask.shape[2] + 2) // 3 :] = -np.inf


def expected(case, inputs):
    """What numpy computes, in f64."""
    heads, _, _, lie, change, after, _ = CASES[case]
    q, k, v, m, r = (inputs[f"{name}{case}"].astype(np.float64) for name in "qkvmr")
    if lie == "words":
        k, v = k.transpose(1, 2, 0), v.transpose(1, 0, 2)
    elif lie != "columns":
        k = k.transpose(0, 2, 1)
    if lie == "grouped":
        k, v = np.repeat(k, 2, 0), np.repeat(v, 2, 0)
    scores = q @ k
    scores = scores * 0.125 if "scale" in change else scores
    scores = scores + m if "mask" in change else scores
    scores = np.where(m > 0, scores, -1e9) if "where" in change else scores
    # Of no keys at all, sums are zero.
    weights = np.exp(scores - scores.max(-1, keepdims=True, initial=-np.inf if scores.size else 0))
    values = (weights / weights.sum(-1, keepdims=True)) @ v
    return {"": values, "relu": np.maximum(values, 0), "add": values + r}[after]


class Lines:
    """The lines of a case."""

    def __init__(self, case):
        self.case, self.lines = case, []

    def op(self, text, operands, result):
        """An operator with these operands, each a value and its type; and its result likewise."""
        name = f"%v{self.case}_{len(self.lines)}"
        kinds = ", ".join(kind for _, kind in operands)
        text = text.format(", ".join(value for value, _ in operands))
        self.lines.append(f"  {name} = relay.{text} : ({kinds}) -> {result}")
        return name, result

    def cast(self, value, element):
        result = value[1].replace("bf16", "f32").replace("f16", "f32").replace("f32", element)
        return self.op(f"cast {{}} {{{{dtype = {element}}}}}", [value], result)

    def splat(self, number, element):
        name = f"%v{self.case}_{len(self.lines)}"
        self.lines.append(f"  {name} = relay.constant dense<{number}> : tensor<{element}>")
        return name, f"tensor<{element}>"


def kind(shape, element):
    """A type, of a shape in which the names "n" and "m" are open."""
    dims = [dim for dim in shape if isinstance(dim, str)]
    extents = "x".join("?" if isinstance(dim, str) else str(dim) for dim in shape)
    names = ", ".join(f'"{dim}"' for dim in dims)
    return f"tensor<{extents}x{element}, [{names}]>" if dims else f"tensor<{extents}x{element}>"


def moved(lines, case, name, value, element):
    """The keys as columns, or the values as rows, for each head."""
    heads, depth, width, lie, _, _, _ = CASES[case]
    last, shape = (depth, (heads, depth, "m")) if name == "k" else (width, (heads, "m", width))
    if lie in ("shared", "grouped"):
        repeats = heads if lie == "shared" else 2
        value = lines.op(f"repeat {{}} {{{{axis = 0 : i64, repeats = {repeats} : i64}}}}", [value], kind((heads, "m", last), element))
    if lie == "words":
        axes = "1, 2, 0" if name == "k" else "1, 0, 2"
    elif lie == "columns" or name == "v":
        return value
    else:
        axes = "0, 2, 1"
    return lines.op(f"transpose {{}} {{{{axes = array<i64: {axes}>}}}}", [value], kind(shape, element))


def function(case):
    """The lines of a case in a function."""
    heads, _, width, _, change, after, element = CASES[case]
    lines = Lines(case)
    given = {name: (f"%{name}{case}", kind(shape, "f32")) for name, shape in shapes(case, "n", "m").items()}
    value = dict(given)
    if element != "f32":
        value = {name: lines.cast(old, element) for name, old in given.items()}
    scored, result = (kind(shape, element) for shape in ((heads, "n", "m"), (heads, "n", width)))
    keys, values = (moved(lines, case, name, value[name], element) for name in "kv")
    scores = lines.op("nn.batch_matmul {}", [value["q"], keys], scored)
    if "scale" in change:
        scores = lines.op("multiply {}", [scores, lines.splat(0.125, element)], scored)
    if "mask" in change:
        scores = lines.op("add {}", [scores, value["m"]], scored)
    if "where" in change:
        kept = lines.op("greater {}", [value["m"], lines.splat(0.0, element)], value["m"][1].replace(element, "i1"))
        scores = lines.op("where {}", [kept, scores, lines.splat(-1e9, element)], scored)
    weights = lines.op("nn.softmax {} {{axis = -1 : i64}}", [scores], scored)
    values = lines.op("nn.batch_matmul {}", [weights, values], result)
    if after == "relu":
        values = lines.op("nn.relu {}", [values], result)
    if after == "add":
        values = lines.op("add {}", [values, value["r"]], result)
    if element != "f32":
        values = lines.cast(values, "f32")
    return [(label[1:], ty) for label, ty in given.values()], lines.lines, values


def model():
    """A module of all cases."""
    parameters, lines, values = zip(*(function(case) for case in range(len(CASES))))
    results = [(f"y{case}", ty) for case, (_, ty) in enumerate(values)]
    return modules.text(chain(*lines), results, chain(*parameters), [name for name, _ in values])


def main():
    command, *rest = sys.argv[1:]
    if command == "model":
        with open(rest[0], "w") as file:
            file.write(model())
    elif command == "inputs":
        queries, keys = map(int, rest[:2])
        np.savez(rest[2], **{k: v for case in range(len(CASES)) for k, v in data(case, queries, keys).items()})
    elif command == "check":
        inputs, outputs = map(np.load, rest)
        for case, (*_, element) in enumerate(CASES):
            want, got = expected(case, inputs), outputs[f"y{case}"]
            assert got.shape == want.shape, (case, got.shape, want.shape)
            tolerance = TOLERANCE[element]
            np.testing.assert_allclose(got, want, rtol=tolerance, atol=tolerance, err_msg=f"case {case}")
    else:
        first, second = map(np.load, rest)
        for name in first.files:
            assert first[name].tobytes() == second[name].tobytes(), name


main()
