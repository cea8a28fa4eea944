"""Writes models with sequences of tensors and optionals, as check_cases.py reads them; what they compute is what ONNX Runtime makes of them."""

import json
import pathlib
import sys

import cases
import numpy as np
import onnx.parser

HEADER = '<ir_version: 8, opset_import: ["" : 18]>\n'

# Models in ONNX's text syntax.
MODELS = {
    "positions": """
        main (float[2, 3] x, float[4] y) => (a, b, c, n) {
            one = Constant <value_int = 1> ()
            last = Constant <value_int = -1> ()
            both = SequenceConstruct (x, y)
            r = Relu (x)
            three = SequenceInsert (both, r, one)
            four = SequenceInsert (three, y, last)
            five = SequenceInsert (four, x)
            a = SequenceAt (five, one)
            less = SequenceErase (five, one)
            b = SequenceAt (less, last)
            least = SequenceErase (less)
            c = SequenceAt (least, last)
            n = SequenceLength (least)
        }""",
    "parts_of_one_extent": """
        main (float[7, 2] x) => (a, b, n) {
            size = Constant <value = int64 {3}> ()
            zero = Constant <value_int = 0> ()
            last = Constant <value_int = -1> ()
            parts = SplitToSequence <axis = 0> (x, size)
            a = SequenceAt (parts, zero)
            b = SequenceAt (parts, last)
            n = SequenceLength (parts)
        }""",
    "parts_of_many_extents": """
        main (int64[2, 7] x) => (a, b, c) {
            sizes = Constant <value_ints = [4, 0, 3]> ()
            zero = Constant <value_int = 0> ()
            one = Constant <value_int = 1> ()
            two = Constant <value = int32 {2}> ()
            parts = SplitToSequence <axis = -1, keepdims = 0> (x, sizes)
            a = SequenceAt (parts, zero)
            b = SequenceAt (parts, one)
            c = SequenceAt (parts, two)
        }""",
    # As PyTorch exports what is taken apart along an axis.
    "slices": """
        main (float[4, 3, 2] x) => (a, b, c) {
            zero = Constant <value_int = 0> ()
            two = Constant <value_int = 2> ()
            whole = SplitToSequence <axis = 1> (x)
            a = SequenceAt (whole, two)
            flat = SplitToSequence <axis = 1, keepdims = 0> (x)
            first = SequenceAt (flat, zero)
            third = SequenceAt (flat, two)
            b = Sub (first, third)
            c = ConcatFromSequence <axis = -1, new_axis = 1> (flat)
        }""",
    "slices_of_nothing": """
        main (float[0, 3] x) => (n, y) {
            parts = SplitToSequence <axis = 0> (x)
            n = SequenceLength (parts)
            columns = SplitToSequence <axis = 1> (x)
            y = ConcatFromSequence <axis = 0> (columns)
        }""",
    "joined": """
        main (float[2, 3] x, float[2, 1] y, float[2, 3] z) => (a, b, c) {
            all = SequenceConstruct (x, y, z)
            a = ConcatFromSequence <axis = 1> (all)
            some = SequenceConstruct (x, z)
            b = ConcatFromSequence <axis = 0, new_axis = 1> (some)
            c = ConcatFromSequence <axis = -1, new_axis = 1> (some)
        }""",
    # As PyTorch exports a loop that appends to a list.
    "loop_that_appends": """
        main (float[5, 3] x) => (y, n, sum) {
            trips = Constant <value_int = 5> ()
            on = Constant <value = bool {1}> ()
            zero = Constant <value = float[3] {0, 0, 0}> ()
            none = SequenceEmpty ()
            all, sum = Loop (trips, on, none, zero) <
                body = step (int64 i, bool c, seq(float[3]) before, float[3] total) => (c_after, after, next) {
                    c_after = Identity (c)
                    row = Gather (x, i)
                    next = Add (total, row)
                    after = SequenceInsert (before, next)
                }
            >
            y = ConcatFromSequence <axis = 0, new_axis = 1> (all)
            n = SequenceLength (all)
        }""",
    "loop_over_a_sequence": """
        main (float[3, 2] x) => (y) {
            parts = SplitToSequence <axis = 0, keepdims = 0> (x)
            trips = SequenceLength (parts)
            zero = Constant <value = float[2] {0, 0}> ()
            y = Loop (trips, "", zero) <
                body = step (int64 i, bool c, float[2] before) => (c_after, after) {
                    c_after = Constant <value = bool {1}> ()
                    part = SequenceAt (parts, i)
                    squared = Mul (part, part)
                    after = Add (before, squared)
                }
            >
        }""",
    "branches_with_sequences": """
        main (float[2, 3] x, bool no) => (y, z) {
            zero = Constant <value_int = 0> ()
            yes = Constant <value = bool {1}> ()
            known = If (yes) <
                then_branch = first () => (p) { p = SequenceConstruct (x, x) },
                else_branch = second () => (q) { q = SequenceConstruct (x) }
            >
            y = ConcatFromSequence <axis = 0> (known)
            chosen = If (no) <
                then_branch = third () => (r) { a = Neg (x)
                    r = SequenceConstruct (a, x) },
                else_branch = fourth () => (s) { b = Exp (x)
                    s = SequenceConstruct (b, b) }
            >
            z = SequenceAt (chosen, zero)
        }""",
    "mapped": """
        main (float[2] a, float[3] b, float[2] c, float[3] d, float e) => (y, z, n) {
            left = SequenceConstruct (a, b)
            right = SequenceConstruct (c, d)
            products, shapes = SequenceMap (left, right, e) <
                body = each (float[k] u, float[k] v, float w) => (float[k] p, int64[1] s) {
                    uv = Mul (u, v)
                    p = Add (uv, w)
                    s = Shape (p)
                }
            >
            y = ConcatFromSequence <axis = 0> (products)
            z = ConcatFromSequence <axis = 0> (shapes)
            n = SequenceLength (products)
        }""",
    "identities": """
        main (float[2] x, float[3] y) => (z) {
            both = SequenceConstruct (x, y)
            same = Identity (both)
            z = ConcatFromSequence <axis = 0> (same)
        }""",
    "optionals": """
        main (float[2, 3] x) => (y, z, yes, no) {
            held = Optional (x)
            yes = OptionalHasElement (held)
            y = OptionalGetElement (held)
            none = Optional <type = float[2, 3]> ()
            no = OptionalHasElement (none)
            parts = SplitToSequence <axis = 0> (x)
            of_parts = Optional (parts)
            again = OptionalGetElement (of_parts)
            z = If (no) <
                then_branch = some () => (p) { p = OptionalGetElement (none) },
                else_branch = other () => (q) { q = ConcatFromSequence <axis = 1> (again) }
            >
        }""",
    # As exporters write what a mask chooses that is known.
    "subscripts_of_what_is_known": """
        main (float[2, 3] x) => (y, places) {
            mask = Constant <value = bool[2, 3] {1, 0, 1, 0, 0, 1}> ()
            places = NonZero (mask)
            columns = Transpose <perm = [1, 0]> (places)
            y = GatherND (x, columns)
        }""",
}


def taken_and_returned(folder):
    """A model that takes and returns sequences and an optional: entries of the index."""
    text = """
        main (seq(float[N]) x, optional(float[2]) o, float[1] t) => (seq(float[N]) y, bool there, float[2] z) {
            y = SequenceInsert (x, t)
            there = OptionalHasElement (o)
            z = OptionalGetElement (o)
        }"""
    made = onnx.parser.parse_model(HEADER + text)
    first, second, held, last = (np.full(count, count, np.float32) for count in (3, 5, 2, 1))
    inputs = {"x.0": first, "x.1": second, "o": held, "t": last}
    outputs = {"y.0": first, "y.1": second, "y.2": last, "there": np.array(True), "z": held}
    entry = cases.write(folder, "taken_and_returned", made, inputs, outputs)
    return entry | {"shapes": {"x.0": [3], "x.1": [5], "o": [2]}}


def main():
    folder = pathlib.Path(sys.argv[1])
    cases.write_texts(folder, HEADER, MODELS, {})
    index = json.loads((folder / "index.json").read_text())
    cases.write_index(folder, [*index["cases"], taken_and_returned(folder)])


main()
