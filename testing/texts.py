"""Mutated MLIR: a program of our tests in which some words are changed, through some passes in any order. Whatever it is,
relay-opt carries the passes out or says what is wrong."""

import functools
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[1]

NUMBERS = "0 1 2 3 5 8 16 63 100 -1 2147483647 4294967296 4611686018427387904 9223372036854775807 ?".split()
ELEMENTS = "f32 f64 f16 bf16 i1 i8 ui8 i16 i32 i64 index f8E4M3FN complex<f32> i3 i0 vector<4xf32> !relay.incomplete".split()

# Where a token has them: an extent or a number, but not that of a type or a name.
NUMBER = re.compile(r"(?<![a-zA-Z_%@#$.\d])\d+(?=$|x)|(?<=x)\d+(?=x)")
ELEMENT = re.compile(r"(?<![a-zA-Z])(bf16|f64|f32|f16|ui8|i64|i32|i8|i1)$|(?<=x)(bf16|f64|f32|f16|ui8|i64|i32|i8|i1)$")

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


def change(rng, tokens, pattern, new):
    """Changes one of the places where a pattern stands. MLIR 22 itself ends with SIGSEGV at `array<index: 1>`, so
    element types of such lists stay."""
    places = [at for at in range(len(tokens)) if pattern.search(tokens[at]) and tokens[max(0, at - 2) : at] != ["array", "<"]]
    if places:
        at = pick(rng, places)
        tokens[at] = pattern.sub(lambda found: new, tokens[at], count=1)


def change_all(rng, tokens, pattern, new):
    """Changes all places where the same number or type stands, so that what remains is still of one shape or type."""
    found = [match.group() for token in tokens if (match := pattern.search(token))]
    if not found:
        return tokens
    old = pick(rng, found)
    changed = list(tokens)
    for at, token in enumerate(tokens):
        if tokens[max(0, at - 2) : at] != ["array", "<"]:
            changed[at] = pattern.sub(lambda match: new if match.group() == old else match.group(), token)
    return changed


def mutate(rng, text):
    """Changes some words: for others of the program, extreme numbers, or other types."""
    tokens = TOKEN.findall(text)
    for _ in range(int(rng.integers(1, 5))):
        at = int(rng.integers(len(tokens)))
        what = rng.integers(8)
        if what == 0:
            change(rng, tokens, NUMBER, pick(rng, NUMBERS))
        elif what == 1:
            change(rng, tokens, ELEMENT, pick(rng, ELEMENTS))
        elif what == 2:
            return "".join(change_all(rng, tokens, NUMBER, pick(rng, NUMBERS)))
        elif what == 3 or what == 4:
            return "".join(change_all(rng, tokens, ELEMENT, pick(rng, ELEMENTS)))
        elif what == 5:
            tokens[at] = pick(rng, tokens)
        elif what == 6:
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
