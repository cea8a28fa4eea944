"""Compares a library's function of extents with Python's numbers, which have no bounds: open_forms.py FOLDER RUNTIME. The forms are random."""

import ctypes
import pathlib
import random
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3] / "bench"))

from engines.library import Descriptor  # noqa: E402

FOLDER = pathlib.Path(sys.argv[1])
FORMS, VALUES = 60, 400
LARGEST = 2**63 - 1
numbers = random.Random(40)


def form(depth):
    """A form as relayc reads it, and as Python computes it."""
    kind = numbers.choice("snn+-**/<>") if depth else numbers.choice("sn")
    if kind == "s":
        name = numbers.choice("mn")
        return name, lambda at: at[name]
    if kind == "n":
        number = numbers.choice([0, 1, 2, 3, 7, 64])
        return str(number), lambda at: number
    (lhs, left), (rhs, right) = form(depth - 1), form(depth - 1)
    if kind == "/":
        # A divisor is 1 or more.
        number = numbers.randint(1, 9)
        return f"({lhs}) / (max({rhs}, 0) + {number})", lambda at: left(at) // (max(right(at), 0) + number)
    texts = {"<": f"min({lhs}, {rhs})", ">": f"max({lhs}, {rhs})"}
    compute = {
        "+": lambda at: left(at) + right(at),
        "-": lambda at: left(at) - right(at),
        "*": lambda at: left(at) * right(at),
        "<": lambda at: min(left(at), right(at)),
        ">": lambda at: max(left(at), right(at)),
    }
    return texts.get(kind, f"({lhs}) {kind} ({rhs})"), compute[kind]


def positive(pair):
    """A form that is never below 0."""
    text, compute = pair
    return f"max({text}, 0)", lambda at: max(compute(at), 0)


def shifted(pair):
    """A form that is below 0 where the symbols are small, and not elsewhere."""
    text, compute = pair
    return f"max({text}, 0) + n - 20", lambda at: max(compute(at), 0) + at["n"] - 20


def run(*command):
    subprocess.run([str(word) for word in command], check=True)


def source(forms):
    """A model whose outputs have these forms."""
    outputs = [text for text, _ in forms]
    parameters = ['%x: memref<f32> {relay.dims = ["n", 4, "m"]}']
    parameters += [f'%y{index}: memref<f32> {{relay.dims = [2, "{text}"]}}' for index, text in enumerate(outputs)]
    return (
        "module attributes {relay.symbols = {m = array<i64: 0, 9223372036854775807, 1, 8>, "
        "n = array<i64: 0, 9223372036854775807, 1, 8>}} {\n"
        f"func.func @main({', '.join(parameters)}, %m: index, %n: index) "
        "attributes {relay.num_inputs = 1 : i64} {\n  return\n}\n}\n"
    )


def extents(path):
    """The function of extents of a model in a library, and its outputs' dimensions: -1 where one is open."""
    library = ctypes.CDLL(path)
    library.model_descriptor.restype = ctypes.POINTER(Descriptor)
    descriptor = library.model_descriptor().contents
    function = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_void_p, ctypes.c_void_p)
    return function(descriptor.extents), [descriptor.outputs[index].shape[1] for index in range(FORMS)]


def check(forms, compute, dimensions, at):
    """Whether all numbers are right, the bytes of the arena, 0, too; None where a number is one that no library has to give."""
    wanted = [number(at) for _, number in forms]
    found = (ctypes.c_int64 * (2 + FORMS + 1))()
    status = compute((ctypes.c_int64 * 2)(at["m"], at["n"]), found)
    if any(not 0 <= number <= LARGEST for number in wanted):
        return status != 0
    if status == 0:
        # What does not depend on symbols is no open dimension.
        known = zip(dimensions, wanted)
        is_right = all(dimension in (-1, number) for dimension, number in known)
        opened = [number for dimension, number in zip(dimensions, wanted) if dimension == -1]
        expected = [at["n"], at["m"], *opened, 0]
        return is_right and list(found)[: len(expected)] == expected
    # What is in between may have been too large.
    return None if max(at.values()) > 2**7 else False


def choose(bound):
    return {name: numbers.randrange(bound) for name in "mn"}


if __name__ == "__main__":
    counts = {True: 0, None: 0, False: 0}
    for group in range(8):
        forms = [positive(form(3)) for _ in range(FORMS)] if group < 4 else [shifted(form(2)) for _ in range(FORMS)]
        path = FOLDER / f"model{group}"
        path.with_suffix(".mlir").write_text(source(forms))
        run("relay-translate", "--to-object", path.with_suffix(".mlir"), "-o", path.with_suffix(".o"))
        run("clang", "-shared", "-fuse-ld=lld", path.with_suffix(".o"), sys.argv[2], "-lm", "-o", path.with_suffix(".so"))
        compute, dimensions = extents(path.with_suffix(".so"))
        for bound in (4, 100, 2**20, 2**62):
            for _ in range(VALUES):
                counts[check(forms, compute, dimensions, choose(bound))] += 1
    print(f"{counts[False]} wrong of {sum(counts.values())}, {counts[None]} not known")
