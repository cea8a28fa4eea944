"""Damages a compiled model in many ways, one at a time, and prints what relayc says of each: damaged_library.py LIBRARY FOLDER.
A program that is ended by a signal, or takes a damaged library for whole, fails here."""

import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3] / "testing"))

from elf import DESCRIPTOR, ENTRY, SEGMENT, Library  # noqa: E402

WHOLE = pathlib.Path(sys.argv[1]).read_bytes()
FOLDER = pathlib.Path(sys.argv[2])


def said(path, command="run"):
    """What relayc says of a file that it must not take."""
    program = subprocess.run(["relayc", command, path], capture_output=True, text=True)
    if program.returncode != 1:
        raise SystemExit(f"relayc {command} {path}: ended with {program.returncode}\n{program.stderr}")
    return program.stderr.strip().replace(f"{FOLDER}/", "")


def show(name, data):
    path = FOLDER / f"{name}.so"
    path.write_bytes(data)
    print(f"{name}: {said(path)}")
    return path


def changed(name, change):
    library = Library(WHOLE)
    change(library)
    return show(name, library.data)


def number(name, address, value, size=8):
    """A number at an address is another one."""
    changed(name, lambda library: library.write(library.offset(address), value, size))


def pointer(name, address, target):
    """A pointer at an address points elsewhere."""
    changed(name, lambda library: library.write(library.relocations[address] + 16, target))


def files():
    """Files that are no such library at all, and parts of one."""
    for length in (0, 3, 40, 64, 600, len(WHOLE) // 2, len(WHOLE) - 1):
        show(f"cut-{length if length < 1000 else 'half' if length < len(WHOLE) - 1 else 'last'}", WHOLE[:length])
    show("text", b"no library\n")
    folder = FOLDER / "folder.so"
    folder.mkdir()
    print(f"folder: {said(folder)}")
    changed("aarch64", lambda library: library.write(18, 183, 2))
    changed("sparc", lambda library: library.write(18, 43, 2))
    changed("narrow", lambda library: library.write(4, 1, 1))
    changed("object", lambda library: library.write(16, 1, 2))
    changed("future", lambda library: library.write(20, 2, 4))


def descriptors():
    """What the model says of itself."""
    library = Library(WHOLE)
    at = library.descriptor
    number("version", at("abi_version"), 77, 4)
    for count in ("n_inputs", "n_outputs", "n_nodes"):
        number(f"{count}-many", at(count), 1 << 31, 4)
    number("inputs-more", at("n_inputs"), 1000, 4)
    number("arena", at("arena_bytes"), 1 << 63)
    number("weights", at("weights_bytes"), 1 << 40)
    rank, shape = library.info("inputs", 0, "rank"), library.target(library.info("inputs", 0, "shape"))
    number("rank", rank, 1 << 31, 4)
    number("rank-more", rank, 40_000, 4)
    number("negative", shape, -1)
    for place in (shape, shape + 8):
        library.write(library.offset(place), 1 << 40)
    show("product", library.data)
    library = Library(WHOLE)
    number("dtype", library.target(library.info("outputs", 0, "dtype")), int.from_bytes(b"f99", "little"), 3)
    number("name", library.target(at("name")), ord("?"), 1)
    code = library.target(at("run_graph"))
    pointers = [field for field in DESCRIPTOR if at(field) in library.relocations and not field.startswith("node_")]
    for field in pointers:
        pointer(f"{field}-nowhere", at(field), 1 << 40)
        kind = library.relocations[at(field)] + 8
        changed(f"{field}-number", lambda library, kind=kind: library.write(kind, 0, 4))
    pointer("inputs-odd", at("inputs"), library.target(at("inputs")) + 1)
    pointer("run_graph-data", at("run_graph"), library.target(at("name")))
    pointer("weights-code", at("weights"), code)


def tables():
    """Every number of the segments and every entry for the system's loader, with values that cannot be."""
    library, refused = Library(WHOLE), []
    ranges = {"loader": (*library.sections[".dynamic"], ENTRY, 8, 8)}
    ranges["segment"] = (library.segments_at, SEGMENT * library.segment_count, SEGMENT, 0, 8)
    for name, (start, size, step, skip, width) in ranges.items():
        for entry in range(start, start + size, step):
            fields = [entry + skip] if skip else [entry + field for field in (8, 16, 32, 40)]
            for field in fields:
                before = library.number(field, width)
                if before == 0:
                    continue
                data = bytearray(WHOLE)
                data[field : field + width] = ((before + (1 << 33)) % (1 << 64)).to_bytes(width, "little")
                path = FOLDER / "table.so"
                path.write_bytes(data)
                answer = said(path)
                if "error[R0406]: table.so is damaged: " not in answer:
                    raise SystemExit(f"{name} at byte {field}: {answer}")
                refused.append(answer)
    print(f"tables: {len(refused)} wrong numbers were refused")


if __name__ == "__main__":
    files()
    descriptors()
    tables()
