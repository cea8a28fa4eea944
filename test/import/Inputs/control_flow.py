"""Writes models with branches, loops and functions, as check_cases.py reads them.

What they compute is what ONNX Runtime makes of them, but for two of which it makes something else than the standard says.
"""

import pathlib
import sys

import cases
import numpy as np

HEADER = '<ir_version: 8, opset_import: ["" : 17, "local" : 1]>\n'

# Models in ONNX's text syntax.
MODELS = {
    # Of a branch that is not taken, nothing has to be supported.
    "branch_by_shape": """
        main (float[2, 1, 3] x) => (y) {
            shape = Shape (x)
            place = Constant <value_int = 1> ()
            extent = Gather (shape, place)
            one = Constant <value_int = 1> ()
            is_one = Equal (extent, one)
            y = If (is_one) <
                then_branch = squeezed () => (squeezed_y) { axes = Constant <value_ints = [1]> ()
                    squeezed_y = Squeeze (x, axes) },
                else_branch = kept () => (kept_y) { places = NonZero (x)
                    kept_y = Cast <to = 1> (places) }
            >
        }""",
    "branch_at_run_time": """
        main (float[2, 3] x, bool yes, bool[1] no) => (a, b, c) {
            a, b = If (yes) <
                then_branch = first () => (u, v) { u = Relu (x)
                    v = Shape (u) },
                else_branch = second () => (u2, v2) { u2 = Neg (x)
                    w = Shape (x)
                    v2 = Add (w, w) }
            >
            c = If (no) <
                then_branch = third () => (m) { m = Identity (a) },
                else_branch = fourth () => (n) { n = Exp (a) }
            >
        }""",
    # An integer division by zero in the branch that is not taken does no harm.
    "branch_that_must_not_run": """
        main (int64[3] x, int64[3] zeros, bool no) => (y) {
            y = If (no) <
                then_branch = divided () => (q) { q = Div (x, zeros) },
                else_branch = whole () => (r) { r = Identity (x) }
            >
        }""",
    "branch_in_branch": """
        main (float[3] x, bool yes, bool no) => (y) {
            factor = Exp (x)
            y = If (yes) <
                then_branch = outer () => (z) <float[3] weights = {1.0, 2.0, 3.0}> {
                    scaled = Mul (x, weights)
                    z = If (no) <
                        then_branch = inner () => (p) { p = Add (scaled, factor) },
                        else_branch = other () => (q) { q = Mul (scaled, weights) }
                    >
                },
                else_branch = last () => (r) { r = Neg (factor) }
            >
        }""",
    "loop_that_counts": """
        main (float[2] x) => (sum, all) {
            trips = Constant <value_int = 5> ()
            on = Constant <value = bool {1}> ()
            zero = Constant <value = float[2] {0, 0}> ()
            sum, all = Loop (trips, on, zero) <
                body = step (int64 i, bool c, float[2] before) => (c_after, after, seen) {
                    c_after = Identity (c)
                    number = Cast <to = 1> (i)
                    term = Mul (x, number)
                    after = Add (before, term)
                    seen = Mul (after, after)
                }
            >
        }""",
    # The condition is computed from the step, which is known.
    "loop_with_a_condition": """
        main (float[2] x) => (y) {
            on = Constant <value = bool {1}> ()
            three = Constant <value_int = 3> ()
            y = Loop ("", on, x) <
                body = step (int64 i, bool c, float[2] before) => (c_after, after) {
                    c_after = Less (i, three)
                    after = Add (before, x)
                }
            >
        }""",
    # Without a condition, what the body returns as one does not count.
    "loop_without_a_condition": """
        main (float[2] x) => (y) {
            trips = Constant <value_int = 3> ()
            y = Loop (trips, "", x) <
                body = step (int64 i, bool c, float[2] before) => (c_after, after) {
                    c_after = Constant <value = bool {0}> ()
                    after = Mul (before, x)
                }
            >
        }""",
    "loop_of_no_steps": """
        main (float[2] x) => (y, all) {
            trips = Constant <value_int = 0> ()
            y, all = Loop (trips, "", x) <
                body = step (int64 i, bool c, float[2] before) => (c_after, after, float[2] seen) {
                    c_after = Identity (c)
                    after = Mul (before, x)
                    seen = Relu (after)
                }
            >
        }""",
    "loop_in_loop": """
        main (float[2] x) => (y, all) {
            trips = Constant <value_int = 3> ()
            y, all = Loop (trips, "", x) <
                body = outer (int64 i, bool c, float[2] before) => (c_after, after, seen) {
                    c_after = Identity (c)
                    after, parts = Loop (i, "", before) <
                        body = inner (int64 j, bool d, float[2] u) => (d_after, v, part) {
                            d_after = Identity (d)
                            sum = Add (i, j)
                            number = Cast <to = 1> (sum)
                            shifted = Add (u, number)
                            v = Sub (shifted, x)
                            part = ReduceSum <keepdims = 0> (v)
                        }
                    >
                    seen = Shape (after)
                }
            >
        }""",
    # As exporters slice by the step.
    "loop_that_slices": """
        main (float[4, 3] x) => (y) {
            trips = Constant <value_int = 4> ()
            zero = Constant <value = float[3] {0, 0, 0}> ()
            last, y = Loop (trips, "", zero) <
                body = step (int64 i, bool c, float[3] before) => (c_after, after, seen) {
                    c_after = Identity (c)
                    row = Gather (x, i)
                    after = Add (before, row)
                    seen = Tanh (after)
                }
            >
        }""",
    "scan_of_two": """
        main (float[2] state, float[2, 5] x, float[5, 3] z) => (last, u, v) {
            last, u, v = Scan <
                num_scan_inputs = 2, scan_input_axes = [1, 0], scan_input_directions = [1, 0],
                scan_output_axes = [-1, 0], scan_output_directions = [0, 1],
                body = step (float[2] before, float[2] a, float[3] b) => (after, c, d) {
                    sum = Add (before, a)
                    after = Tanh (sum)
                    c = Mul (after, a)
                    total = ReduceSum <keepdims = 1> (after)
                    d = Mul (b, total)
                }
            > (state, x, z)
        }""",
    "scan_of_one_step": """
        main (float[1, 2] x) => (y) {
            y = Scan <
                num_scan_inputs = 1,
                body = step (float[2] a) => (b) { b = Exp (a) }
            > (x)
        }""",
    "scan_of_no_steps": """
        main (float[2] state, float[0, 2] x) => (last, y) {
            last, y = Scan <
                num_scan_inputs = 1, scan_output_axes = [1],
                body = step (float[2] before, float[2] a) => (after, b) { after = Add (before, a)
                    b = Exp (after) }
            > (state, x)
        }""",
    "function": """
        main (float[3] x) => (y, z) {
            y = local.leak <slope = 0.5> (x)
            z = local.leak (y)
        }
        <domain: "local", opset_import: ["" : 17]>
        leak <slope: float = 0.25> (a) => (b) {
            c = LeakyRelu <alpha: float = @slope> (a)
            b = Add (c, a)
        }""",
    "function_in_function": """
        main (float[3] x) => (y) {
            y, unused = local.twice (x)
        }
        <domain: "local", opset_import: ["" : 17, "local" : 1]>
        once (a, b) => (c) { c = Max (a, b) }
        <domain: "local", opset_import: ["" : 17, "local" : 1]>
        twice (x) => (y, z) {
            a = Neg (x)
            b = local.once (a, x)
            y = local.once (b, a)
            z = Exp (y)
        }""",
    # Axes are attributes in the functions' operator sets, and an input in the model's.
    "function_of_another_set": """
        main (float[1, 3, 4] x) => (y, z) {
            y = local.summed (x)
            axes = Constant <value_ints = [1]> ()
            z = ReduceSum (x, axes)
        }
        <domain: "local", opset_import: ["" : 11, "local" : 1]>
        summed (x) => (y) {
            a = ReduceSum <axes = [2]> (x)
            y = local.flat (a)
        }
        <domain: "local", opset_import: ["" : 12]>
        flat (x) => (y) {
            a = Squeeze <axes = [0]> (x)
            many = ReduceMax <axes = [0], keepdims = 0> (a)
            zero = Constant <value_float = 0.0> ()
            some = Greater (many, zero)
            one = Squeeze <axes = [0]> (some)
            y = If (one) <
                then_branch = first () => (p) { p = Neg (a) },
                else_branch = second () => (q) { s = Squeeze <axes = [1]> (a)
                    q = Unsqueeze <axes = [1]> (s) }
            >
        }""",
    "function_with_less": """
        main (float[3] x) => (y, z) {
            y = local.limited (x)
            high = Constant <value_float = 0.5> ()
            z = local.limited (x, "", high)
        }
        <domain: "local", opset_import: ["" : 17]>
        limited (x, low, high) => (y) { y = Clip (x, low, high) }""",
    "function_with_a_branch": """
        main (float[3] x, bool yes) => (y, z) {
            y = local.chosen <factor = 2.0> (x, yes)
            no = Not (yes)
            z = local.chosen <factor = 3.0> (y, no)
        }
        <domain: "local", opset_import: ["" : 17]>
        chosen <factor> (x, c) => (y) {
            scale = Constant <value_float: float = @factor> ()
            scaled = Mul (x, scale)
            y = If (c) <
                then_branch = first () => (p) { p = Add (scaled, x) },
                else_branch = second () => (q) { k = Constant <value_float: float = @factor> ()
                    q = Div (x, k) }
            >
        }""",
}


def signed_sums(x):
    """Sums of rows, without their sign if one is positive, and sums of columns."""
    sums = x.sum(2).T
    return {"y": np.where(sums.max() > 0, -sums, sums), "z": x.sum(1, keepdims=True)}


# What ONNX Runtime computes in another way than the standard says, or not at all.
EXPECTED = {
    # It takes the operators of a function for those of the model's operator set.
    "function_of_another_set": signed_sums,
    # It lets the condition count that is not there.
    "loop_without_a_condition": lambda x: {"y": x**4},
    "scan_of_no_steps": lambda state, x: {"last": state, "y": np.zeros((2, 0), np.float32)},
}

cases.write_texts(pathlib.Path(sys.argv[1]), HEADER, MODELS, EXPECTED)
