"""Compiles models whose shapes depend on data, each to one library, and compares what it computes on several inputs with ONNX Runtime."""

import pathlib
import subprocess
import sys

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

TEST = pathlib.Path(__file__).parents[2]
sys.path.append(str(TEST / "oracle"))
from library import Library  # noqa: E402
from run_ort import session  # noqa: E402

RANDOM = np.random.default_rng(0)
TYPES = {"f": TensorProto.FLOAT, "i": TensorProto.INT64, "b": TensorProto.BOOL}

# The greatest difference, relative to the range of an output.
TOLERANCE = 1e-5


def floats(*shape):
    return RANDOM.standard_normal(shape).astype(np.float32)


def uniform(*shape):
    return RANDOM.random(shape).astype(np.float32)


def ints(*values):
    return np.array(values, np.int64)


def node(op, inputs, outputs, **attributes):
    """A node whose inputs and outputs are named with spaces between them; _ stands for none."""
    inputs = ["" if name == "_" else name for name in inputs.split()]
    return helper.make_node(op, inputs, outputs.split(), name=f"the {op} of {outputs}", **attributes)


def detector(boxes, classes, centered):
    """Boxes by score and overlap, and the ten best of them, as exporters write the end of a detector."""
    inputs = {"boxes": ("f", [1, boxes, 4]), "scores": ("f", [1, classes, boxes])}
    constants = {
        "most": ints(20), "overlap": np.float32([0.4]), "least": np.float32([0.5]), "first": ints(0), "last": ints(1),
        "of_class": np.array(1, np.int64), "of_box": np.array(2, np.int64), "ten": ints(10),
    }  # fmt: skip
    nodes = [
        node("NonMaxSuppression", "boxes scores most overlap least", "chosen", center_point_box=centered),
        node("Squeeze", "boxes first", "all_boxes"),
        node("Squeeze", "scores first", "all_scores"),
        node("Gather", "chosen of_box", "places", axis=1),
        node("Gather", "chosen of_class", "classes", axis=1),
        node("Gather", "all_boxes places", "chosen_boxes", axis=0),
        node("Unsqueeze", "places last", "places_column"),
        node("Unsqueeze", "classes last", "classes_column"),
        node("Concat", "classes_column places_column", "pairs", axis=1),
        node("GatherND", "all_scores pairs", "chosen_scores"),
        node("Shape", "chosen_scores", "count"),
        node("Min", "count ten", "kept"),
        node("TopK", "chosen_scores kept", "best order"),
        node("Gather", "chosen_boxes order", "best_boxes", axis=0),
        node("Gather", "classes order", "best_classes", axis=0),
    ]

    def feeds(scale, steps=None):
        corners, scores = uniform(1, boxes, 4) * 2, uniform(1, classes, boxes) * np.float32(scale)
        if steps:  # Then many scores and areas are equal.
            corners, scores = np.round(corners * steps) / steps, np.round(scores * steps) / steps
        return {"boxes": corners, "scores": scores}

    # Nothing is selected of the second one.
    cases = [feeds(1), feeds(0.4), feeds(0.55), feeds(1, np.float32(4)), feeds(1, np.float32(8))]
    return inputs, constants, nodes, ["chosen", "best", "best_boxes", "best_classes"], cases


def one(op, inputs, outputs, cases, constants=None, **attributes):
    """A model of one node."""
    return inputs, constants or {}, [node(op, " ".join([*inputs, *(constants or {})]), outputs, **attributes)], outputs.split(), cases


def body(nodes, inputs, outputs):
    """A graph of a node. Its inputs are of one element of a type."""
    infos = [helper.make_tensor_value_info(name, TYPES[kind], []) for name, kind in inputs.items()]
    return helper.make_graph(nodes, "body", infos, [onnx.ValueInfoProto(name=name) for name in outputs])


def squeezed(x, y):
    """PyTorch's squeeze of an open dimension: a branch that has it, and one that leaves it."""
    then = body([node("Squeeze", f"{x} second", f"{y}_one")], {}, [f"{y}_one"])
    otherwise = body([node("Identity", x, f"{y}_any")], {}, [f"{y}_any"])
    return [
        node("Shape", x, f"{y}_shape"),
        node("Gather", f"{y}_shape second", f"{y}_size", axis=0),
        node("Equal", f"{y}_size second", f"{y}_is_one"),
        node("If", f"{y}_is_one", y, then_branch=then, else_branch=otherwise),
    ]


# Loops whose steps collect outputs: as many as an input says, and while a counter is below an input.
STEP = [node("Add", "before x", "after"), node("Mul", "after x", "part"), node("Identity", "holds", "still")]
COUNT = [node("Add", "i plus", "next"), node("Cast", "next", "near", to=1), node("Cast", "bound", "far", to=1), node("Less", "near far", "again")]
COLLECTED = body(STEP, {"step": "i", "holds": "b", "before": "f"}, ["still", "after", "part"])
COUNTED = body(
    [*COUNT, *STEP[:2], node("Identity", "bound", "same")],
    {"step": "i", "holds": "b", "i": "i", "bound": "i", "before": "f"}, ["again", "next", "same", "after", "part"],
)  # fmt: skip

# One that collects until a sum is large enough. A state is a list, and an output is whole numbers.
UNTIL = body(
    [
        node("Gather", "x step", "each"), node("Add", "before each", "after"), node("ReduceSum", "after", "sum", keepdims=0),
        node("Less", "sum bound", "again"), node("Mul", "after after", "squares"), node("Cast", "sum", "whole", to=7),
    ],
    {"step": "i", "holds": "b"}, ["again", "after", "squares", "whole"],
)  # fmt: skip
UNTIL.input.append(helper.make_tensor_value_info("before", TYPES["f"], [2]))

# Loops whose steps compute sizes: of the words of a bag, and of the greatest numbers.
BAG = body(
    [
        node("Gather", "offsets step", "begin"), node("Unsqueeze", "begin first", "begins"),
        node("Gather", "ends step", "stop"), node("Unsqueeze", "stop first", "stops"),
        node("Slice", "words begins stops first", "bag"), node("Gather", "table bag", "rows"),
        node("ReduceSum", "rows first", "sum", keepdims=0), node("Identity", "holds", "still"),
    ],
    {"step": "i", "holds": "b"}, ["still", "sum"],
)  # fmt: skip
GREATEST = [
    node("Gather", "counts step", "count"), node("Unsqueeze", "count first", "k"), node("TopK", "x k", "greatest places"),
    node("ReduceSum", "greatest _", "sum", keepdims=0), node("Add", "before sum", "after"),
]  # fmt: skip
# Some steps have a branch that computes a size.
CHOSEN = [
    node("Gather", "counts step", "count"), node("Less", "count most", "is_small"),
    node(
        "If", "is_small", "part", then_branch=body([*GREATEST[1:3], node("ReduceSum", "greatest _", "yes", keepdims=0)], {}, ["yes"]),
        else_branch=body([node("ReduceMax", "x", "no", keepdims=0)], {}, ["no"]),
    ),
]  # fmt: skip
OF_GREATEST = body([*GREATEST, node("Identity", "holds", "still")], {"step": "i", "holds": "b", "before": "f"}, ["still", "after", "sum"])
WHILE_SMALL = body([*GREATEST, node("Less", "after bound", "again")], {"step": "i", "holds": "b", "before": "f"}, ["again", "after"])
OF_CHOSEN = body([*CHOSEN, node("Identity", "holds", "still")], {"step": "i", "holds": "b"}, ["still", "part"])

# As PyTorch's newer exporter writes loops over parts: a counter takes one element of a list, and a sequence gets the parts. A branch has
# parts of other sizes.
APPENDED = body(
    [
        node("Reshape", "i minus_one", "place"), node("Add", "place one", "behind"), node("Slice", "lengths place behind", "length"),
        node("Equal", "length nothing", "is_empty"),
        node(
            "If", "is_empty", "part", then_branch=body([node("Identity", "none", "no_part")], {}, ["no_part"]),
            else_branch=body([
                node("Greater", "length one", "is_long"),
                node(
                    "If", "is_long", "rows", then_branch=body([node("Slice", "x nothing length", "many")], {}, ["many"]),
                    else_branch=body([node("Slice", "x length long", "few")], {}, ["few"]),
                ),
                node("ReduceMax", "rows", "greatest", axes=[0], keepdims=1),
            ], {}, ["greatest"]),
        ),
        node("SequenceInsert", "parts part", "more"), node("CastLike", "single i", "single_too"), node("Add", "i single_too", "next"),
        node("Less", "next count", "again"),
    ],
    {"step": "i", "holds": "b"}, ["again", "more", "next"],
)  # fmt: skip
APPENDED.input.append(helper.make_tensor_sequence_value_info("parts", TYPES["f"], None))
APPENDED.input.append(helper.make_tensor_value_info("i", TYPES["i"], []))

X = floats(5, 7)


def greatest(loop, outputs, **more):
    """A loop over numbers of elements of a list."""
    counts = ((1, 3, 2), (0, 5, 5, 1), (2, 9, 1), (), (4,) * 30)
    return (
        {"x": ("f", [5]), "counts": ("i", ["n"]), **more}, {"first": ints(0), "zero": np.float32(0), "most": np.array(4), "start": np.array(True)},
        [node("Shape", "counts", "shape"), node("Squeeze", "shape first", "n"), loop],
        outputs, [{"x": uniform(5), "counts": ints(*counts), **{name: np.float32(4) for name in more}} for counts in counts],
    )  # fmt: skip


MODELS = {
    **{
        f"collected_until_{name}": (
            {"x": ("f", ["n", 2]), "bound": ("f", []), "start": ("b", []), **more}, {"none": np.zeros(2, np.float32), "first": ints(0), **constants},
            [*before, node("Loop", f"{trips} start none", "last y places", body=UNTIL)], ["last", "y", "places"],
            [
                {"x": uniform(12, 2), "bound": np.float32(bound), "start": np.array(start), **{name: np.int64(k) for name in more}}
                for bound, start, k in ((4, True, 7), (0, True, 3), (4, False, 12), (100, True, 6), (100, True, 0), (8, True, 12))
            ],
        )
        for name, trips, more, constants, before in (
            ("a_number", "most", {}, {"most": np.array(12)}, []),
            ("an_input", "most", {"most": ("i", [])}, {}, []),
            ("a_size", "n", {}, {}, [node("Shape", "x", "shape", end=1), node("Squeeze", "shape first", "n")]),
        )
    },
    "appended_parts": (
        {"x": ("f", ["n", 3]), "lengths": ("i", ["b"])},
        {
            "minus_one": ints(-1), "one": ints(1), "nothing": ints(0), "long": ints(2**62), "none": np.zeros((1, 3), np.float32), "start": np.array(0),
            "single": np.array(1),
        },
        [
            node("Size", "lengths", "count"), node("Less", "start count", "first"), node("SequenceEmpty", "", "empty"),
            node("Loop", "_ first empty start", "all last", body=APPENDED), node("ConcatFromSequence", "all", "y", axis=0),
            node("ConcatFromSequence", "all", "z", axis=1), node("ConcatFromSequence", "all", "u", axis=-1, new_axis=1), node("SequenceLength", "all", "length_of_all"),
        ],
        ["y", "z", "u", "last", "length_of_all"], [{"x": floats(n, 3), "lengths": ints(*lengths)} for n, lengths in ((7, (2, 0, 7, 1)), (2, (1,)), (9, (3, 0) * 9))],
    ),
    "bags_of_words": (
        {"words": ("i", ["n"]), "offsets": ("i", ["b"])}, {"table": floats(20, 6), "first": ints(0), "second": ints(1), "end": ints(2**62)},
        [
            node("Shape", "words", "count"), node("Concat", "offsets count", "all", axis=0), node("Slice", "all second end first", "ends"),
            node("Shape", "offsets", "shape"), node("Squeeze", "shape first", "bags"), node("Loop", "bags _", "y", body=BAG),
        ],
        ["y"], [{"words": RANDOM.integers(0, 20, n), "offsets": ints(*offsets)} for n, offsets in ((12, (0, 3, 7)), (5, (0,)), (9, (0, 1, 1, 4, 9)), (40, (0, 2)))],
    ),
    "greatest_of_steps": greatest(node("Loop", "n _ zero", "last y", body=OF_GREATEST), ["last", "y"]),
    "greatest_until_a_bound": greatest(node("Loop", "n start zero", "last", body=WHILE_SMALL), ["last"], bound=("f", [])),
    "greatest_in_a_branch": greatest(node("Loop", "n _", "y", body=OF_CHOSEN), ["y"]),
    "equal_counts": (
        {"x": ("f", [9]), "w": ("f", [9]), "c": ("b", [3]), "d": ("b", [3])}, {},
        [node("Compress", "x c", "first", axis=0), node("Compress", "w d", "second", axis=0), node("Add", "first second", "y")],
        ["y"],
        [{"x": floats(9), "w": floats(9), "c": np.array(c, bool), "d": np.array(d, bool)} for c, d in (([1, 0, 1], [0, 1, 1]), ([0, 0, 0], [0, 0, 0]), ([1, 1, 1], [0, 1, 1]))],
    ),
    # What is known of a list of computed and known sizes is a number.
    "partly_computed_shape": (
        {"x": ("f", ["n", 4]), "k": ("i", [1])}, {"two": ints(2), "w": floats(2, 3)},
        [node("Concat", "k two", "shape", axis=0), node("Reshape", "x shape", "r"), node("MatMul", "r w", "y")],
        ["y"], [{"x": floats(n, 4), "k": ints(k)} for n, k in ((3, 6), (1, 2), (5, 10))],
    ),
    "padded_rows": (
        {"x": ("f", [1, 2, "h", 5]), "p": ("i", [1])}, {"none": ints(0, 0), "last": ints(0), "w": floats(3, 2, 3, 3), "high": ints(0)},
        [node("Concat", "none p last none p high", "pads", axis=0), node("Pad", "x pads", "padded"), node("Conv", "padded w", "y")],
        ["y"], [{"x": floats(1, 2, h, 5), "p": ints(p)} for h, p in ((3, 1), (7, 0), (4, 3))],
    ),
    "resized": (
        {"x": ("f", [1, 2, "h", "w"]), "s": ("i", [2])}, {"kept": ints(1, 2), "v": floats(3, 2, 1, 1)},
        [node("Concat", "kept s", "sizes", axis=0), node("Resize", "x _ _ sizes", "r", mode="linear"), node("Conv", "r v", "y")],
        ["y"], [{"x": floats(1, 2, *extents), "s": ints(*s)} for extents, s in (((3, 4), (6, 5)), ((8, 2), (3, 7)), ((1, 1), (2, 2)))],
    ),
    "scaled": (
        {"x": ("f", [1, 2, "h", "w"]), "s": ("f", [2])}, {"kept": np.ones(2, np.float32), "v": floats(3, 2, 1, 1)},
        [node("Concat", "kept s", "scales", axis=0), node("Resize", "x _ scales", "r", mode="linear"), node("Conv", "r v", "y")],
        ["y"], [{"x": floats(1, 2, *extents), "s": np.float32(s)} for extents, s in (((3, 4), (2.3, 1.5)), ((8, 2), (0.5, 3)))],
    ),
    "squeezed": (
        {"x": ("f", ["n", "s", 4])}, {"second": ints(1), "w": floats(4, 3)}, [*squeezed("x", "flat"), node("Gemm", "flat w", "y")],
        ["y"], [{"x": floats(*shape)} for shape in ((3, 1, 4), (1, 1, 4), (2, 2, 4))],
    ),
    # A branch that is not taken has other shapes than it fits.
    "squeezed_in_a_branch": (
        {"x": ("f", ["n", "s", 4]), "c": ("b", [])}, {"second": ints(1), "w": floats(4, 4)},
        [node(
            "If", "c", "y", then_branch=body([*squeezed("x", "flat"), node("Gemm", "flat w", "yes")], {}, ["yes"]),
            else_branch=body([node("ReduceMax", "x", "no", axes=[1], keepdims=0)], {}, ["no"]),
        )],
        ["y"], [{"x": floats(*shape), "c": np.array(c)} for shape, c in (((3, 1, 4), True), ((2, 5, 4), False), ((1, 1, 4), False), ((2, 2, 4), True))],
    ),
    # As detectors do where there may be no box.
    "selected_or_none": (
        {"boxes": ("f", ["n", 4]), "scores": ("f", ["n"])},
        {"most": ints(20), "overlap": np.float32([0.4]), "first": ints(0), "both": ints(0, 1), "third": ints(2), "second_axis": ints(1), "none": np.zeros(0, np.int64)},
        [
            node("Size", "boxes", "size"), node("Equal", "size first", "is_none"), node("Squeeze", "is_none", "is_empty"),
            node(
                "If", "is_empty", "kept", then_branch=body([node("Identity", "none", "nothing")], {}, ["nothing"]),
                else_branch=body([
                    node("Unsqueeze", "boxes first", "all"), node("Unsqueeze", "scores both", "rated"),
                    node("NonMaxSuppression", "all rated most overlap", "triples"), node("Gather", "triples third", "column", axis=1),
                    node("Squeeze", "column second_axis", "places"),
                ], {}, ["places"]),
            ),
            node("Gather", "boxes kept", "y", axis=0),
        ],
        ["y", "kept"], [{"boxes": uniform(n, 4), "scores": uniform(n)} for n in (5, 0, 19)],
    ),
    "collected": (
        {"x": ("f", []), "k": ("i", [])}, {}, [node("Loop", "k _ x", "last y", body=COLLECTED)], ["last", "y"],
        [{"x": floats(), "k": np.int64(k)} for k in (3, 0, 9)],
    ),
    "counted": (
        {"x": ("f", []), "k": ("i", [])}, {"start": np.array(2), "plus": np.array(1)},
        [node("Less", "start k", "first"), node("Loop", "_ first start k x", "i same last y", body=COUNTED)], ["i", "last", "y"],
        [{"x": floats(), "k": np.int64(k)} for k in (5, 2, 3, -4, 11)],
    ),
    "range_by_an_extent": (
        {"x": ("f", ["n", "s"])}, {"zero": np.array(0), "second": np.array(1)},
        [
            node("Shape", "x", "shape"), node("Gather", "shape second", "step", axis=0), node("Size", "x", "end"), node("Range", "zero end step", "starts"),
            node("ReduceMax", "x", "sums", axes=[1], keepdims=0),
            node("Cast", "starts", "floats", to=1), node("Add", "sums floats", "y"),
        ],
        ["y"], [{"x": floats(*shape)} for shape in ((3, 4), (1, 7), (5, 1))],
    ),
    "first_of_none": (
        {"x": ("f", [6])}, {"first": np.array(0)},
        [node("NonZero", "x", "places"), node("Gather", "places first", "row", axis=0), node("Gather", "row first", "y", axis=0)],
        ["y"], [{"x": np.float32(x)} for x in ([0, 1, 0, 1, 1, 0], [0, 0, 0, 0, 0, 0])],
    ),
    "nonzero": one("NonZero", {"x": ("f", [3, 4])}, "y", [{"x": x} for x in (floats(3, 4), np.zeros((3, 4), np.float32), np.float32(floats(3, 4) > 0), np.full((3, 4), np.nan, np.float32))]),
    "nonzero_of_none": one("NonZero", {"x": ("b", [0, 4])}, "y", [{"x": np.zeros((0, 4), bool)}]),
    "chosen": (
        {"x": ("f", [6, 3]), "least": ("f", [])},
        {},
        [
            node("Greater", "x least", "is_more"),
            node("NonZero", "is_more", "places"),
            node("Transpose", "places", "lists", perm=[1, 0]),
            node("GatherND", "x lists", "values"),
            node("Exp", "values", "y"),
            node("ReduceSum", "values", "sum", keepdims=0),
            node("Size", "values", "count"),
        ],
        ["y", "sum", "count"],
        [{"x": floats(6, 3), "least": np.float32(least)} for least in (0, 9, -9)],
    ),
    "chosen_twice": (
        {"x": ("f", [9]), "w": ("f", [9])},
        {"axis": ints(0), "half": np.float32(0.5)},
        [
            node("NonZero", "x", "first"),
            node("Squeeze", "first axis", "first_list"),
            node("Gather", "w first_list", "taken"),
            node("Greater", "taken half", "is_more"),
            node("NonZero", "is_more", "second"),
            node("Squeeze", "second axis", "second_list"),
            node("Gather", "taken second_list", "y"),
        ],
        ["y", "second"],
        [{"x": x, "w": uniform(9)} for x in (np.ones(9, np.float32), np.zeros(9, np.float32), np.float32(uniform(9) > 0.5))],
    ),
    "compress": one("Compress", {"x": ("f", [5, 7]), "c": ("b", [4])}, "y", [{"x": X, "c": c} for c in (np.array([1, 0, 1, 1], bool), np.zeros(4, bool), np.ones(4, bool))], axis=0),
    "compress_flat": one("Compress", {"x": ("f", [5, 7]), "c": ("b", [35])}, "y", [{"x": X, "c": uniform(35) > least} for least in (0.5, 1, -1)]),
    "corners": detector(60, 3, 0),
    "centers": detector(40, 2, 1),
    "without_limits": one("NonMaxSuppression", {"boxes": ("f", [2, 9, 4]), "scores": ("f", [2, 3, 9]), "most": ("i", [1])}, "y", [{"boxes": uniform(2, 9, 4), "scores": uniform(2, 3, 9), "most": ints(most)} for most in (4, 100, 0, -1)]),
    "range": one("Range", {"start": ("i", []), "limit": ("i", []), "step": ("i", [])}, "y", [dict(zip(("start", "limit", "step"), map(np.int64, numbers))) for numbers in ((2, 11, 3), (5, 1, -1), (5, 1, 1), (0, 1, 7), (5, -4, -2))]),
    "range_of_floats": one("Range", {"start": ("f", []), "limit": ("f", []), "step": ("f", [])}, "y", [dict(zip(("start", "limit", "step"), map(np.float32, numbers))) for numbers in ((1, 2, 0.3), (1, 0, 0.5))]),
    "constant_of_shape": one("ConstantOfShape", {"s": ("i", [2])}, "y", [{"s": ints(*s)} for s in ((2, 3), (0, 3), (-1, 3))]),
    "expand": one("Expand", {"x": ("f", [3, 1]), "s": ("i", [2])}, "y", [{"x": floats(3, 1), "s": ints(*s)} for s in ((3, 5), (1, 1), (3, 0), (2, 5))]),
    "reshape": one("Reshape", {"x": ("f", [4, 6]), "s": ("i", [3])}, "y", [{"x": floats(4, 6), "s": ints(*s)} for s in ((2, 3, 4), (0, -1, 2), (-1, 1, 1), (5, -1, 1), (1, 1, 24), (1, 1, 23))]),
    "tile": one("Tile", {"x": ("f", [5, 7]), "r": ("i", [2])}, "y", [{"x": X, "r": ints(*r)} for r in ((1, 2), (3, 1), (2, 2), (0, 1))]),
    "slice": one("Slice", {"x": ("f", [5, 7]), "s": ("i", [2]), "e": ("i", [2])}, "y", [{"x": X, "s": ints(*s), "e": ints(*e)} for s, e in (((1, 6), (4, 0)), ((-3, -1), (100, -100)), ((4, 2), (2, 5)), ((-100, 100), (-1, 1)))], {"axes": ints(0, 1), "steps": ints(1, -2)}),
    "split": one("Split", {"x": ("f", [2, 7]), "s": ("i", [2])}, "y z", [{"x": floats(2, 7), "s": ints(*s)} for s in ((3, 4), (0, 7), (7, 0), (3, 3), (-1, 8))], axis=1),
    **{
        f"pad_{mode}": one("Pad", {"x": ("f", [3, 4]), "p": ("i", [4]), "v": ("f", [])}, "y", [{"x": floats(3, 4), "p": ints(*p), "v": np.float32(7)} for p in pads], mode=mode)
        for mode, pads in {
            "constant": [(1, 2, 0, 3), (0, 0, 0, 0), (-1, 0, 0, -2), (-1, 2, 0, -1)],
            "edge": [(1, 2, 0, 3), (0, 0, 0, 0)],
            "reflect": [(1, 2, 0, 3), (0, 0, 0, 0)],
        }.items()
    },
    "top": one("TopK", {"x": ("f", [5, 7]), "k": ("i", [1])}, "y places", [{"x": X, "k": ints(k)} for k in (2, 7, 0, 8)], axis=1),
    **{
        f"unique_{kind}": one("Unique", {"x": ("f", [shape])}, "y first inverse counts", [{"x": np.float32(RANDOM.integers(0, most, shape))} for most in (4, 1, 1000)], sorted=int(kind != "as_they_come"))
        for kind, shape in (("in_order", 9), ("of_many", 150), ("as_they_come", 12))
    },
    **{
        f"unique_along_{axis}_of_{'x'.join(map(str, shape))}": one("Unique", {"x": ("f", shape)}, "y first inverse counts", [{"x": np.float32(RANDOM.integers(0, most, shape))} for most in (2, 1, 1000)], axis=axis, sorted=axis % 2)
        for axis, shape in ((0, [40, 3]), (1, [2, 30]), (1, [2, 9, 2]), (0, [7]))
    },
    "one_hot": one("OneHot", {"x": ("i", [4]), "d": ("i", [1]), "v": ("f", [2])}, "y", [{"x": ints(0, 2, -1, 5), "d": ints(d), "v": np.float32([0, 1])} for d in (4, 7)]),
}  # fmt: skip


def model_of(inputs, constants, nodes, outputs):
    infos = [helper.make_tensor_value_info(name, TYPES[kind], shape) for name, (kind, shape) in inputs.items()]
    results = [onnx.ValueInfoProto(name=name) for name in outputs]
    known = [numpy_helper.from_array(value, name) for name, value in constants.items()]
    graph = helper.make_graph(nodes, "computed", infos, results, known)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    return onnx.shape_inference.infer_shapes(model)


def run(command):
    """Why a command failed; nothing if it did not."""
    result = subprocess.run(command, capture_output=True, text=True, timeout=100, check=False)
    return result.stderr.strip()[-400:] if result.returncode else None


def expected(runner, outputs, feeds):
    """What ONNX Runtime computes; nothing if it refuses the inputs."""
    try:
        return runner.run(outputs, feeds)
    except Exception:
        return None


def differences(folder, relayc, name, described, options):
    """What is wrong with a model, compiled with some options."""
    inputs, constants, nodes, outputs, cases = described
    model = model_of(inputs, constants, nodes, outputs)
    path, library = (folder / f"{name}{end}" for end in (".onnx", ".so"))
    onnx.save(model, path)
    if reason := run([relayc, "compile", path, "-o", library, *options]):
        return [f"not compiled: {reason}"]
    runner, compiled, wrong = session(model.SerializeToString(), 1), Library(library), []
    for number, case in enumerate(cases):
        feeds = {input: np.asarray(value) for input, value in case.items()}
        found, reason = compiled.run(feeds)
        wanted = expected(runner, outputs, feeds)
        if wanted is None:
            if not any(f"'{node.name}" in (reason or "") for node in nodes):
                wrong.append(f"case {number}: ONNX Runtime refuses it, and we say: {reason}")
            continue
        if reason:
            wrong.append(f"case {number}: {reason}")
            continue
        wrong += [f"case {number}: {line}" for line in compare(outputs, found, wanted)]
    return wrong


def compare(outputs, results, wanted):
    for output, expected in zip(outputs, wanted):
        found = results[output]
        if (found.shape, found.dtype) != (expected.shape, expected.dtype):
            yield f"{output} is {found.dtype} {found.shape}, not {expected.dtype} {expected.shape}"
            continue
        scale = max(1.0, np.abs(expected).max(initial=0))
        error = np.abs(found.astype(np.float64) - expected).max(initial=0) / scale
        if not error <= TOLERANCE:
            yield f"{output} differs by {error:.1e} of its range"


def main(models, options=()):
    folder, relayc = pathlib.Path(sys.argv[1]), sys.argv[2]
    folder.mkdir(exist_ok=True)
    failed = False
    for name in sys.argv[3:] or models:
        for line in differences(folder, relayc, name, models[name], options):
            failed = True
            print(f"{name}: {line}")
    sys.exit(failed)


if __name__ == "__main__":
    main(MODELS)
