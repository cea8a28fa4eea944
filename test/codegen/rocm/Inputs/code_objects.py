"""Copies the first code object for an AMD GPU out of a library: code_objects.py LIBRARY CODE_OBJECT."""

import pathlib
import struct
import sys

EM_AMDGPU = 224


def main(library: str, output: str) -> None:
    data = pathlib.Path(library).read_bytes()
    start = data.find(b"\x7fELF", 4)
    while start >= 0 and struct.unpack_from("<H", data, start + 18)[0] != EM_AMDGPU:
        start = data.find(b"\x7fELF", start + 4)
    if start < 0:
        sys.exit(f"{library} holds no code object")
    # The table of sections is the last part of a file.
    sections = struct.unpack_from("<Q", data, start + 40)[0]
    size, count = struct.unpack_from("<HH", data, start + 58)
    pathlib.Path(output).write_bytes(data[start : start + sections + size * count])


main(sys.argv[1], sys.argv[2])
