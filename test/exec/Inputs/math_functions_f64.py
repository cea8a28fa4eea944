"""Inputs of gpu_math_f64.mlir, and the errors of their results against numbers of more digits."""

import sys

import mpmath
import numpy as np
import units

# Results below this are subnormal, where units are no measure of a relative error.
TINY = np.finfo(np.float64).tiny
LONG = np.longdouble

mpmath.mp.prec = 120


def exact(function):
    """A function of mpmath on each number, in the digits of a long double."""

    def of(number):
        # mpmath has no zero with a sign.
        if not np.isfinite(number) or number == 0:
            return function(float(number))
        return LONG(mpmath.nstr(function(mpmath.mpf(float(number))), 25))

    return lambda x: np.array([of(number) for number in x], LONG)


def error_function(number):
    """erf, also of 0 and of what is not finite."""
    if isinstance(number, float):
        return np.sign(number) if np.isinf(number) else number
    return mpmath.erf(number)


def complement(number):
    """erfc, likewise."""
    if isinstance(number, float):
        return 1 - error_function(number)
    # mpmath does not compute it of large numbers.
    return mpmath.erfc(number) if abs(number) < 30 else 1 - mpmath.sign(number)


FUNCTIONS = {
    # What is computed, and the error allowed in units in the last place.
    "exp": (np.exp, 1),
    "log": (np.log, 1),
    "tanh": (np.tanh, 3),
    "erf": (exact(error_function), 2),
    "sin": (np.sin, 2),
    "cos": (np.cos, 2),
    "tan": (np.tan, 4),
    "sigmoid": (lambda x: 1 / (1 + np.exp(-x)), 3),
    "acos": (np.arccos, 2),
    "acosh": (np.arccosh, 3),
    "asin": (np.arcsin, 2),
    "asinh": (np.arcsinh, 3),
    "atan": (np.arctan, 2),
    "atanh": (np.arctanh, 3),
    "cosh": (np.cosh, 3),
    "sinh": (np.sinh, 3),
    "log10": (np.log10, 3),
    "log2": (np.log2, 3),
    "cbrt": (np.cbrt, 2),
    "erfc": (exact(complement), 4),
    "exp2": (np.exp2, 2),
    "expm1": (np.expm1, 2),
    "log1p": (np.log1p, 2),
}

# Beyond, angles are reduced otherwise.
MOST_TURNED = 2.0**45


def inputs():
    """Numbers of both signs and their exponents: evenly between -10 and 10, of all magnitudes, and special ones."""
    rng = np.random.default_rng(0)
    special = np.array(
        [0.0, -0.0, np.inf, -np.inf, np.nan, 1.0, -1.0, 0.5, -0.5, 2.0, 709.78, 709.79, -708.0, -745.0, 1.5, -3.0]
    )
    x, y = (list.ravel() for list in np.meshgrid(special, special))
    edges = np.array(
        [2.0**-1074, 3 * 2.0**-1074, 2.0**-1022, 2.0**-1022 - 2.0**-1074, np.finfo(np.float64).max, 2.0**-54, 2.0**-53]
    )
    edges = np.concatenate([edges, -edges, np.nextafter(1.0, [0, 2]), np.nextafter(-1.0, [0, -2])])
    near = rng.uniform(-745, 710, 10000)
    even = rng.uniform(-10, 10, 30000)
    unit = rng.uniform(-1, 1, 10000)
    # Numbers near a multiple of pi/2; the last one comes nearest (6381956970095103 2^797, Muller).
    quarters = np.round(np.exp(rng.uniform(0, np.log(MOST_TURNED / 2), 9999))) * (np.pi / 2)
    quarters = np.append(quarters, 6381956970095103 * 2.0**797)
    rest = 100000 - sum(map(len, [x, edges, near, even, unit, quarters]))
    wide = np.exp(rng.uniform(-745, 709.7, rest)) * rng.choice([-1, 1], rest)
    numbers = np.concatenate([x, edges, near, even, unit, quarters, wide])
    # Powers that are neither 0 nor infinite, of exponents of all magnitudes.
    with np.errstate(all="ignore"):
        exponents = rng.uniform(-745, 709, len(numbers)) / np.log(np.abs(numbers))
    whole = rng.random(len(numbers)) < 0.3
    exponents[whole] = np.round(exponents[whole])
    exponents[: len(y)] = y
    return numbers, exponents


def powers(x, y):
    """x to the power of y: mpmath's of finite numbers, in the digits of a long double."""
    result = np.power(x, y).astype(LONG)
    for place, (base, exponent) in enumerate(zip(x, y)):
        if 0 < abs(result[place]) < np.inf and np.isfinite([base, exponent]).all():
            value = mpmath.power(mpmath.mpf(abs(float(base))), mpmath.mpf(float(exponent)))
            result[place] = np.copysign(LONG(mpmath.nstr(value, 25)), result[place])
    return result


def check(name, x, found, expected, bound):
    """Checks what is infinite or subnormal, and the errors of the rest in units."""
    with np.errstate(all="ignore"):
        rounded = expected.astype(np.float64)
    plain = np.isfinite(rounded) & (np.abs(rounded) >= TINY)
    plain &= np.abs(rounded) < np.finfo(np.float64).max / 2
    infinite = np.isinf(rounded)
    np.testing.assert_array_equal(found[infinite], rounded[infinite], err_msg=name)
    small = np.isfinite(rounded) & (np.abs(rounded) < TINY)
    # exp(-x) of a sigmoid is infinite before the sigmoid is 0.
    most = TINY if name == "sigmoid" else 4 * 2.0**-1074
    np.testing.assert_allclose(found[small], rounded[small], rtol=0, atol=most, err_msg=name)
    np.testing.assert_array_equal(np.signbit(found[small]), np.signbit(rounded[small]), err_msg=name)
    units.check(name, x, expected, found, plain, bound)


def main():
    command, path, *results = sys.argv[1:]
    if command == "inputs":
        x, y = inputs()
        np.savez(path, x=x, y=y)
        return
    given, actual = np.load(path), np.load(results[0])
    x, y = given["x"], given["y"]
    for name, (function, bound) in FUNCTIONS.items():
        with np.errstate(all="ignore"):
            expected = function(x.astype(LONG))
        check(name, x, actual[name], expected, bound)
    with np.errstate(all="ignore"):
        expected = powers(x, y)
    check("power", x, actual["power"], expected, 2)
    with np.errstate(all="ignore"):
        expected = np.arctan2(x.astype(LONG), y.astype(LONG))
    check("atan2", x, actual["atan2"], expected, 3)


main()
