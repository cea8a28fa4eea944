"""Digits that the network has not seen: `digits.py images` prints them, one to a line, for the readers under examples/, and
`digits.py header` as C; `digits.py score` says how many of the digits that it reads, one to a line, are right."""

import pathlib
import sys

import numpy

COUNT = 200
DATA = pathlib.Path(__file__).parents[3] / "examples/digits/heldout.npz"

data = numpy.load(DATA)
if sys.argv[1] == "images":
    for image in data["images"][:COUNT]:
        print(*(f"{dot:g}" for dot in image.flat))
elif sys.argv[1] == "header":
    print("static const float images[][64] = {")
    for image in data["images"][:COUNT]:
        print("    {" + ", ".join(f"{float(dot)}f" for dot in image.flat) + "},")
    print("};")
else:
    said = [int(line) for line in sys.stdin]
    assert len(said) == COUNT, f"{len(said)} digits were read"
    print(f"{(said == data['labels'][:COUNT]).sum()} of {COUNT} are right")
