"""Sorts with a library for an emulated GPU, and compares with numpy. Usage: gpu_scratch.py RELAYC MODULE PREFIX TARGET"""

import subprocess
import sys

import numpy as np

relayc, module, prefix, target = sys.argv[1:]
library, given, results = prefix + ".so", prefix + ".in.npz", prefix + ".out.npz"
subprocess.run([relayc, "compile", module, "--target", target, "-o", library], check=True)
rng = np.random.default_rng(0)
for n, m, k in [(15000, 33, 5000), (1, 1, 1), (0, 7, 3), (5, 0, 0), (40, 500, 17)]:
    x = rng.integers(0, 100, (14000, 70)).astype(np.float32)
    y = rng.integers(0, 100, (n, m)).astype(np.float32)
    z = rng.integers(-1000, 1000, k)
    np.savez(given, x=x, y=y, z=z)
    subprocess.run([relayc, "run", library, "--inputs", given, "--outputs", results], check=True)
    found = np.load(results)
    np.testing.assert_array_equal(found["known"], np.argsort(x, 1, kind="stable"))
    np.testing.assert_array_equal(found["open"], np.argsort(y, 1, kind="stable"))
    np.testing.assert_array_equal(found["alone"], np.sort(z))
