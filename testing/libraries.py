"""Damaged libraries: compiled models that are cut short, or in whose tables something is changed. relayc says what is
wrong with a file before it runs code of it."""

import functools
import pathlib
import struct

from models import damage

ROOT = pathlib.Path(__file__).resolve().parents[1]


@functools.cache
def library(programs, folder):
    """A compiled model, as bytes."""
    path = pathlib.Path(folder) / "digits.so"
    outcome = programs.relayc("compile", ROOT / "examples" / "digits" / "digits.onnx", "-o", path)
    if outcome.code != 0:
        raise SystemExit(outcome.errors)
    return path.read_bytes()


def data_sections(data):
    """Ranges of the file that hold no code: what the ELF header, the program headers and the section headers say, and the
    sections of the library's own tables."""
    offset, size, count = struct.unpack_from("<Q", data, 40)[0], *struct.unpack_from("<HH", data, 58)
    ranges = [(0, 64), (offset, offset + size * count)]
    for index in range(count):
        kind, flags = struct.unpack_from("<IQ", data, offset + size * index + 4)
        start, length = struct.unpack_from("<QQ", data, offset + size * index + 24)
        is_code, has_content = flags & 4, kind not in (0, 8)
        if has_content and not is_code and 0 < length < 1 << 16:
            ranges.append((start, start + length))
    return ranges


def case(rng, folder, programs):
    """Damages a library, and asks what it is; one that is cut short is run, too."""
    data = library(programs, str(folder.parent))
    path = folder / "model.so"
    if rng.integers(3) == 0:
        path.write_bytes(data[: int(rng.integers(len(data)))])
        commands = [["inspect", path], ["run", path]]
    else:
        damaged = bytearray(data)
        for _ in range(int(rng.integers(1, 4))):
            start, end = data_sections(data)[int(rng.integers(len(data_sections(data))))]
            at = int(rng.integers(start, end))
            piece = damage(rng, bytes(damaged[at : at + 8]))[:8].ljust(len(damaged[at : at + 8]), b"\0")
            damaged[at : at + len(piece)] = piece
        path.write_bytes(damaged)
        commands = [["inspect", path]]
    for words in commands:
        outcome = programs.relayc(*words)
        fault = outcome.fault()
        if fault:
            return "wrong", fault
    return ("refused" if outcome.refused else "agrees"), outcome.errors
