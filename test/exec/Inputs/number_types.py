"""Modules of operators on tensors of every number type, compiled, run and compared with numpy.

Usage: number_types.py RELAYC FOLDER. Prints what differs, and exits with 1 if anything does.
"""

import pathlib
import sys

import numpy as np

import modules

ROWS, COLUMNS = 9, 63
SHAPE = f"{ROWS}x{COLUMNS}x"

# MLIR's names; bf16, which numpy has not, has tests of its own.
TYPES = {
    "i8": np.int8, "i16": np.int16, "i32": np.int32, "i64": np.int64,
    "ui8": np.uint8, "ui16": np.uint16, "ui32": np.uint32, "ui64": np.uint64,
    "f16": np.float16, "f32": np.float32, "f64": np.float64,
}  # fmt: skip


def remainder(x, y):
    """With the sign of the dividend."""
    return np.fmod(x, y)


def quotient(x, y):
    """Truncated."""
    return (x - np.fmod(x, y)) // y if np.issubdtype(x.dtype, np.integer) else x / y


BINARY = {
    "add": np.add, "subtract": np.subtract, "multiply": np.multiply, "divide": quotient,
    "mod": remainder, "maximum": np.maximum, "minimum": np.minimum,
    "trunc_divide": lambda x, y: np.trunc(quotient(x, y)).astype(x.dtype), "trunc_mod": remainder,
}  # fmt: skip
BITS = {"bitwise_and": np.bitwise_and, "bitwise_or": np.bitwise_or, "bitwise_xor": np.bitwise_xor}
INTEGER = {"floor_divide": np.floor_divide, "floor_mod": np.remainder, **BITS}
SHIFTS = {"left_shift": np.left_shift, "right_shift": np.right_shift}
COMPARISONS = {
    "equal": np.equal, "not_equal": np.not_equal, "less": np.less, "less_equal": np.less_equal,
    "greater": np.greater, "greater_equal": np.greater_equal,
}  # fmt: skip
UNARY = {"abs": np.abs, "negative": np.negative}
FUNCTIONS = {
    "acos": np.arccos, "acosh": np.arccosh, "asin": np.arcsin, "asinh": np.arcsinh, "atan": np.arctan,
    "atanh": np.arctanh, "cosh": np.cosh, "log10": np.log10, "log2": np.log2, "sinh": np.sinh, "tan": np.tan,
    "trunc": np.trunc,
}  # fmt: skip
QUESTIONS = {"isfinite": np.isfinite, "isinf": np.isinf, "isnan": np.isnan}
REDUCTIONS = {
    "sum": lambda x: x.sum(1, dtype=x.dtype),
    "prod": lambda x: x.prod(1, dtype=x.dtype),
    "max": lambda x: x.max(1),
    "min": lambda x: x.min(1),
}


def operands(dtype):
    """Numbers of the whole range with its ends; divisors that are neither 0 nor -1, and some that are equal."""
    rng = np.random.default_rng(0)
    if np.issubdtype(dtype, np.integer):
        info = np.iinfo(dtype)
        x, y = (rng.integers(info.min, info.max, (ROWS, COLUMNS), dtype, endpoint=True) for _ in "xy")
        x[0, :4] = info.min, info.max, 0, 1
        y[0, :4] = info.max, info.min, 1, 2
        y[np.isin(y, [0, dtype(0) - dtype(1)])] = 3
    else:
        x, y = (rng.uniform(-4, 4, (ROWS, COLUMNS)).astype(dtype) for _ in "xy")
        y[np.abs(y) < 0.25] = 0.5
    y[1] = np.where(x[1] == 0, dtype(1), x[1])
    if np.issubdtype(dtype, np.signedinteger):
        y[y == -1] = 3
    return x, y


def counts(dtype):
    """By how many bits to shift: fewer than none where that can be, all that there are, and more."""
    bits = np.dtype(dtype).itemsize * 8
    least = 0 if np.issubdtype(dtype, np.unsignedinteger) else -1
    return np.resize(np.arange(least, bits + 2), (ROWS, COLUMNS)).astype(dtype)


def specials(dtype):
    """Numbers, infinities and what is no number."""
    return np.resize([0, np.inf, 1, -np.inf, np.nan, -0.0, np.finfo(dtype).max], (ROWS, COLUMNS)).astype(dtype)


def casts(name, dtype):
    """The types to convert to: of floats, only those that hold their numbers."""
    signed = np.issubdtype(dtype, np.signedinteger) or np.issubdtype(dtype, np.unsignedinteger)
    return {
        to: target
        for to, target in TYPES.items()
        if to != name and (signed or not np.issubdtype(target, np.unsignedinteger)) and to != "f16"
    }


def program(name, dtype, x, y, z):
    """A module's text, and what its results are to be. `z` are counts of bits, or special numbers."""
    lines, results, expected = [], [], {}

    def result(label, text, ty, value):
        lines.append(f"  %{label} = relay.{text} -> tensor<{ty}>")
        results.append((label, f"tensor<{ty}>"))
        expected[label] = value

    full = f"tensor<{SHAPE}{name}>"
    integer = np.issubdtype(dtype, np.integer)
    for op, function in {**BINARY, **(INTEGER if integer else {})}.items():
        result(op, f"{op} %x, %y : ({full}, {full})", f"{SHAPE}{name}", function(x, y))
    for op, function in COMPARISONS.items():
        result(op, f"{op} %x, %y : ({full}, {full})", f"{SHAPE}i1", function(x, y))
    for op, function in {**UNARY, **({"bitwise_not": np.invert} if integer else FUNCTIONS)}.items():
        result(op, f"{op} %x : ({full})", f"{SHAPE}{name}", function(x))
    for op, function in SHIFTS.items() if integer else ():
        result(op, f"{op} %x, %z : ({full}, {full})", f"{SHAPE}{name}", function(x, z))
    for op, function in () if integer else QUESTIONS.items():
        result(op, f"{op} %z : ({full})", f"{SHAPE}i1", function(z))
    for to, target in casts(name, dtype).items():
        result(f"to_{to}", f"cast %x {{dtype = {to}}} : ({full})", f"{SHAPE}{to}", x.astype(target))
    for op, function in REDUCTIONS.items():
        attributes = "{axis = array<i64: 1>, keepdims = false, exclude = false}"
        result(f"r_{op}", f"{op} %x {attributes} : ({full})", f"{ROWS}x{name}", function(x))
    for op, function in {"argmax": np.argmax, "argmin": np.argmin}.items():
        attributes = "{axis = array<i64: 1>, keepdims = false, select_last_index = false}"
        result(op, f"{op} %x {attributes} : ({full})", f"{ROWS}xi64", function(x, 1))
    return modules.text(lines, results, [(label, full) for label in "xyz"]), expected


def of_booleans(x, y):
    """A module of what computes with bits, on booleans, and what its results are to be."""
    full = f"tensor<{SHAPE}i1>"
    lines = [f"  %{op} = relay.{op} %x, %y : ({full}, {full}) -> {full}" for op in BITS]
    lines.append(f"  %bitwise_not = relay.bitwise_not %x : ({full}) -> {full}")
    results = [(op, full) for op in [*BITS, "bitwise_not"]]
    expected = {op: function(x, y) for op, function in BITS.items()}
    return modules.text(lines, results, [("x", full), ("y", full)]), {**expected, "bitwise_not": np.invert(x)}


def differences(got, expected):
    """What differs, by the results' names. Integers agree exactly; sums of floats nearly."""
    for label, wanted in expected.items():
        array = got[label]
        if (array.dtype, array.shape) != (wanted.dtype, wanted.shape):
            yield f"{label} is {array.dtype}{array.shape}, not {wanted.dtype}{wanted.shape}"
        elif np.issubdtype(wanted.dtype, np.floating):
            precision = {2: 2e-2, 4: 1e-4, 8: 1e-12}[wanted.dtype.itemsize]
            if not np.allclose(array, wanted, precision, precision, equal_nan=True):
                yield f"{label} is off by {np.abs(array - wanted).max()}"
        elif not np.array_equal(array, wanted):
            at = tuple(np.argwhere(array != wanted)[0])
            yield f"{label}{at} is {array[at]}, not {wanted[at]}"


def programs():
    """Of each type its name, the operands, the module, and what its results are to be."""
    for name, dtype in TYPES.items():
        x, y = operands(dtype)
        z = counts(dtype) if np.issubdtype(dtype, np.integer) else specials(dtype)
        yield name, {"x": x, "y": y, "z": z}, *program(name, dtype, x, y, z)
    x, y = (np.random.default_rng(1).integers(0, 2, (2, ROWS, COLUMNS)) == 1)
    yield "i1", {"x": x, "y": y}, *of_booleans(x, y)


def main():
    relayc, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    np.seterr(all="ignore")
    failed = False
    for name, inputs, text, expected in programs():
        for difference in differences(modules.run(relayc, folder, name, text, inputs), expected):
            print(f"{name}: {difference}")
            failed = True
    sys.exit(failed)


main()
