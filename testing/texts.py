"""Mutated MLIR: a program of our tests in which some words are changed, through some passes in any order. Whatever it is,
relay-opt carries the passes out or says what is wrong."""

import functools
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[1]

NUMBERS = "0 1 2 3 5 8 16 63 100 -1 2147483647 4294967296 4611686018427387904 9223372036854775807 ?".split()
ELEMENTS = "f32 f64 f16 bf16 i1 i8 ui8 i16 i32 i64 index f8E4M3FN complex<f32> i3 i0 vector<4xf32> !relay.incomplete".split()

# Words, numbers and the signs between them.
TOKEN = re.compile(r"[%@#!^]?[\w.$\-]+|\s+|.", re.S)


@functools.cache
def corpus():
    """The programs of the tests, one for each part of a file."""
    parts = []
    for path in sorted((ROOT / "test").rglob("*.mlir")):
        if path.stat().st_size < 40_000:
            text = re.sub(r"^\s*//(?! -----).*\n", "", path.read_text(), flags=re.M)
            parts += [part for part in re.split(r"// -----|^//---.*$", text, flags=re.M) if "func.func" in part]
    return parts


@functools.cache
def passes():
    """The flags of our passes, as the reference lists them, with where each runs."""
    page = (ROOT / "docs" / "generated" / "passes.md").read_text()
    return re.findall(r"^### `--([a-z0-9-]+)`", page, flags=re.M) + ["canonicalize", "cse"]


def pick(rng, items):
    return items[int(rng.integers(len(items)))]


def mutate(rng, text):
    """Changes some words: for others of the program, extreme numbers, or other types."""
    tokens = TOKEN.findall(text)
    for _ in range(int(rng.integers(1, 5))):
        at = int(rng.integers(len(tokens)))
        what = rng.integers(6)
        places = [index for index, token in enumerate(tokens) if re.search(r"\d", token)]
        if what <= 1 and places:
            at = pick(rng, places)
            number = pick(rng, NUMBERS)
            tokens[at] = re.sub(r"\d+", lambda found: number, tokens[at], count=1)
        elif what == 2:
            places = [index for index, token in enumerate(tokens) if re.search(r"(f32|i32|i64|f16|i8)$", token)]
            if places:
                at = pick(rng, places)
                element = pick(rng, ELEMENTS)
                tokens[at] = re.sub(r"(bf16|f32|ui8|i32|i64|f16|i8)$", lambda found: element, tokens[at])
        elif what == 3:
            tokens[at] = pick(rng, tokens)
        elif what == 4:
            tokens[at] = ""
        else:
            other = int(rng.integers(len(tokens)))
            tokens[at], tokens[other] = tokens[other], tokens[at]
    return "".join(tokens)


def case(rng, folder, programs):
    """Mutates a program and runs passes over it."""
    text = pick(rng, corpus())
    if rng.integers(8):
        text = mutate(rng, text)
    path = folder / "program.mlir"
    path.write_text(text)
    if rng.integers(6) == 0:
        outcome = programs.relayc("compile", path, "-o", folder / "library.so", "--no-cache")
    else:
        flags = ["--" + pick(rng, passes()) for _ in range(int(rng.integers(1, 5)))]
        # A pipeline that ends at machine code, every now and then.
        if rng.integers(4) == 0:
            flags = ["--fuse-ops", "--relay-to-te", "--lower-te", "--loop-partition", "--vectorize-loop", "--tir-simplify"]
        outcome = programs.run("relay-opt", path, *flags, "-o", "/dev/null")
    fault = outcome.fault()
    if fault:
        return "wrong", fault
    return ("refused" if outcome.refused else "agrees"), outcome.errors
