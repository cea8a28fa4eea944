"""Damaged libraries: compiled models that are cut short, or in whose tables something is changed. relayc says what is
wrong with a file before it runs code of it.

Changed are the headers, the tables for the system's loader, and what the model says of itself; never code, constants, or
relocations of other pointers, which only the code knows: of those no reader of the file can tell what they should be. For
the same reason, a library that is taken for whole is loaded, and not run: one input more or fewer bytes of memory are as
good as others to whoever reads them."""

import functools
import pathlib

from elf import Library

ROOT = pathlib.Path(__file__).resolve().parents[1]

# How a program says that it got beyond loading: there are no inputs of this name.
NO_INPUTS = "no_inputs.npz"


@functools.cache
def library(programs, folder):
    """A compiled model."""
    path = pathlib.Path(folder) / "digits.so"
    outcome = programs.relayc("compile", ROOT / "examples" / "digits" / "digits.onnx", "-o", path)
    if outcome.code != 0:
        raise SystemExit(outcome.errors)
    return Library(path.read_bytes())


def change(rng, data, start, end):
    """Changes some bytes between two places."""
    size = int(rng.choice([1, 1, 2, 4, 8]))
    at = int(rng.integers(start, max(start + 1, end - size + 1)))
    size = min(size, end - at)
    before = int.from_bytes(data[at : at + size], "little")
    numbers = [0, 1, -1, before + 1, before - 1, before * 2, before + 4096, before - 4096, 1 << (8 * size - 1)]
    kind = rng.integers(3)
    if kind == 0:
        after = before ^ 1 << int(rng.integers(8 * size))
    elif kind == 1:
        after = int.from_bytes(rng.bytes(size), "little")
    else:
        after = numbers[int(rng.integers(len(numbers)))]
    data[at : at + size] = (after % (1 << 8 * size)).to_bytes(size, "little")


def case(rng, folder, programs):
    """Damages a library, asks what it is, and loads it; one that is cut short is run."""
    whole = library(programs, str(folder.parent))
    path = folder / "model.so"
    load = ["run", path, "--inputs", folder / NO_INPUTS]
    data = bytearray(whole.data)
    if rng.integers(4) == 0:
        path.write_bytes(data[: int(rng.integers(len(data)))])
        load = ["run", path]
    else:
        for _ in range(int(rng.integers(1, 4))):
            ranges = whole.tables() if rng.integers(2) else whole.described()
            change(rng, data, *ranges[int(rng.integers(len(ranges)))])
        path.write_bytes(data)
    verdicts = []
    for words in (["inspect", path], load):
        outcome = programs.relayc(*words)
        if fault := outcome.fault():
            return "wrong", fault
        verdicts.append(outcome.refused and NO_INPUTS not in outcome.errors)
    # A library for another machine can be read, and not loaded.
    if verdicts[0] and not verdicts[1]:
        return "wrong", f"{path}: was loaded and could not be read\n"
    return ("refused" if verdicts[1] else "agrees"), outcome.errors
