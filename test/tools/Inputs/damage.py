"""Changes the last byte of every file in a folder."""

import pathlib
import sys

for path in pathlib.Path(sys.argv[1]).rglob("*"):
    if path.is_file():
        content = bytearray(path.read_bytes())
        content[-1] ^= 1
        path.write_bytes(content)
