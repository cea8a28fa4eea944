"""What scripts share whose test computes the same with several numbers of threads: SCRIPT inputs FILE.npz | check INPUTS.npz OUTPUTS.npz..."""

import sys

import numpy as np


def main(inputs, expected):
    """Writes `inputs()`, arrays by name, or checks results by `expected(inputs)`, each a name, an array and an absolute tolerance: those of
    the first outputs are near, and those of the others the same bits."""
    command, given, *results = sys.argv[1:]
    if command == "inputs":
        np.savez(given, **inputs())
        return
    first, *others = map(np.load, results)
    for name, wanted, tolerance in expected(np.load(given)):
        np.testing.assert_allclose(first[name], wanted, rtol=1e-5, atol=tolerance, err_msg=name)
        for other in others:
            np.testing.assert_array_equal(first[name], other[name], err_msg=f"{name} depends on the threads")
