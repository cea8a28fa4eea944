"""Runs a library that doubles x[n, m] at several sizes, by the command line, and compares with numpy: open.py LIBRARY FOLDER."""

import pathlib
import subprocess
import sys

import numpy as np

LIBRARY, FOLDER = sys.argv[1], pathlib.Path(sys.argv[2])

for n, m in ((2, 3), (64, 100), (4, 0), (6, 1)):
    x = np.random.default_rng(n).standard_normal((n, m)).astype(np.float32)
    np.savez(FOLDER / "in.npz", x=x)
    command = ["relayc", "run", LIBRARY, "--inputs", FOLDER / "in.npz", "--outputs", FOLDER / "out.npz"]
    subprocess.run(command, check=True)
    y = np.load(FOLDER / "out.npz")["y"]
    assert y.shape == x.shape and np.array_equal(y, 2 * x), (n, m)
