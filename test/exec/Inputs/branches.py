"""Compiles models whose branches are chosen when they run, and compares each with ONNX Runtime for both conditions."""

import pathlib
import sys

import numpy as np
import onnx
from onnx import helper

sys.path.append(str(pathlib.Path(__file__).parent))
from computed_shapes import floats, main, node  # noqa: E402


def branch(name, nodes, output):
    return helper.make_graph(nodes, name, [], [onnx.ValueInfoProto(name=output)])


def choice(condition, output, then, otherwise):
    """An If between two branches, each a list of nodes of which the last one computes the output."""
    parts = {
        f"{name}_branch": branch(f"{name}_of_{output}", nodes, nodes[-1].output[0])
        for name, nodes in (("then", then), ("else", otherwise))
    }
    return node("If", condition, output, **parts)


W = floats(3, 2)
BOTH = [{"x": floats(2, 3), "c": np.bool_(chosen)} for chosen in (True, False)]
FOUR = [{**case, "d": np.bool_(chosen)} for case in BOTH for chosen in (True, False)]
FLAG = ("b", [])
X = ("f", ["n", "m"])

INNER = choice(
    "d",
    "inner",
    [node("Tanh", "x", "t"), node("MatMul", "t w", "i")],
    [node("MatMul", "x w", "k")],
)
MODELS = {
    "one": (
        {"x": X, "c": FLAG},
        {"w": W},
        [
            node("Exp", "x", "e"),
            choice(
                "c",
                "z",
                [node("MatMul", "e w", "p"), node("Relu", "p", "q")],
                [node("MatMul", "x w", "r")],
            ),
            node("Neg", "z", "y"),
        ],
        ["y", "z"],
        BOTH,
    ),
    # One of two constants, and one of two tensors that are there.
    "nothing_to_compute": (
        {"x": X, "c": FLAG},
        {"a": np.float32([1, 2, 3]), "b": np.float32([4, 5, 6])},
        [choice("c", "z", [node("Identity", "a", "p")], [node("Identity", "b", "q")]), node("Add", "x z", "y")],
        ["y"],
        BOTH,
    ),
    "nested": (
        {"x": X, "c": FLAG, "d": FLAG},
        {"w": W},
        [choice("c", "y", [INNER, node("Abs", "inner", "p")], [node("MatMul", "x w", "q")])],
        ["y"],
        FOUR,
    ),
    # Of two products, one does not fit an input of three columns: a run that takes it ends with an error.
    "only_one_fits": (
        {"x": X, "c": FLAG},
        {"w": W, "v": floats(5, 2)},
        [choice("c", "y", [node("MatMul", "x w", "p")], [node("MatMul", "x v", "q")])],
        ["y"],
        BOTH,
    ),
    "the_other_one_fits": (
        {"x": X, "c": FLAG},
        {"w": W, "v": floats(5, 2)},
        [choice("c", "y", [node("MatMul", "x v", "p")], [node("MatMul", "x w", "q")])],
        ["y"],
        BOTH,
    ),
}

if __name__ == "__main__":
    main(MODELS, ["--shape", "x=2,3"])
