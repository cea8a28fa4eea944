"""Compares two .npz files, array by array; exits with 1 if they disagree.

Arrays agree as numpy.isclose has it: |actual - expected| <= atol + rtol * |expected|; NaN agrees
with NaN. Types and shapes must be the same.
"""

import argparse
import sys

import numpy as np


def report(name, expected, actual, rtol, atol):
    """A line on one array, and whether it agrees."""
    if actual.shape != expected.shape:
        return f"{name}: shape {list(actual.shape)}, expected {list(expected.shape)}", False
    if actual.dtype != expected.dtype:
        return f"{name}: type {actual.dtype}, expected {expected.dtype}", False
    if expected.size == 0:
        return f"{name}: empty", True
    wide = np.float64 if expected.dtype.kind in "fb" else expected.dtype
    want, got = expected.astype(wide), actual.astype(wide)
    close = np.isclose(got, want, rtol, atol, equal_nan=True)
    same = (got == want) | (np.isnan(got) & np.isnan(want))
    # Where the right value is zero or not finite there is no relative error.
    with np.errstate(invalid="ignore", over="ignore"):
        distance = np.where(same, 0.0, np.abs(got.astype(np.float64) - want))
        size = np.abs(want).astype(np.float64)
        relative = np.where(same, 0.0, distance / np.where(size > 0, size, np.nan))
    worst = np.nanmax(np.append(relative, 0))
    line = f"{name}: max abs error {distance.max():.3g}, max rel error {worst:.3g}"
    if not close.all():
        where = np.unravel_index(np.argmin(close), close.shape)
        at = ", ".join(map(str, where))
        line += f"; {np.count_nonzero(~close)} of {close.size} disagree, the first at [{at}]: "
        line += f"{actual[where]}, expected {expected[where]}"
    return line, bool(close.all())


def compare(expected, actual, rtol, atol):
    """Prints a line per array of `expected`; returns whether all agree."""
    agree = True
    for name in sorted(expected):
        if name not in actual:
            print(f"{name}: missing; there is {', '.join(sorted(actual)) or 'nothing'}")
            agree = False
            continue
        line, good = report(name, expected[name], actual[name], rtol, atol)
        print(line)
        agree &= good
    for name in sorted(set(actual) - set(expected)):
        print(f"{name}: not expected")
        agree = False
    return agree


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("expected", help="the right arrays (.npz)")
    parser.add_argument("actual", help="the arrays to judge (.npz)")
    parser.add_argument("--rtol", type=float, default=1e-3, help="default: %(default)s")
    parser.add_argument("--atol", type=float, default=1e-7, help="default: %(default)s")
    options = parser.parse_args()
    with np.load(options.expected) as expected, np.load(options.actual) as actual:
        agree = compare(dict(expected), dict(actual), options.rtol, options.atol)
    sys.exit(0 if agree else 1)


if __name__ == "__main__":
    main()
