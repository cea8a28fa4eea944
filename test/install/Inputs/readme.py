"""Runs the commands of the README's chapters for users, as they stand there: readme.py README EXAMPLES.

In the current folder, which gets the examples and a model.onnx with its inputs and samples; PATH and HOME are those of a
user who has installed the tools.
"""

import pathlib
import re
import shutil
import subprocess
import sys

import numpy

CHAPTERS = ["A model of your own", "A tour of Relay", "A tour below Relay"]

readme, examples = map(pathlib.Path, sys.argv[1:])
shutil.copytree(examples / "tour", "examples/tour")
shutil.copy(examples / "digits/digits.onnx", "model.onnx")
numpy.savez("in.npz", image=numpy.load(examples / "digits/image.npz")["image"])
numpy.savez("samples.npz", image=numpy.load(examples / "digits/heldout.npz")["images"].astype("f4"))

chapters = dict(re.findall(r"^## (.*?)\n(.*?)(?=^## |\Z)", readme.read_text(), re.M | re.S))
for title in CHAPTERS:
    blocks = re.findall(r"^```(.*?)\n(.*?)^```$", chapters[title], re.M | re.S)
    blocks = [commands for language, commands in blocks if not language]
    assert blocks, f"there are no commands in {title}"
    for block in blocks:
        subprocess.run(["bash", "-euxc", block], check=True, stdout=subprocess.DEVNULL)
    print(f"{title}: {len(blocks)}")
