"""The table of programs, and what its rows are written with."""

import numpy as np

# By the name of a program: a function that gives the inputs by name, and the outputs in order.
PROGRAMS = {}


def program(function):
    PROGRAMS[function.__name__] = function
    return function


def i32(value):
    return np.asarray(value, np.int32)


def i64(value):
    return np.asarray(value, np.int64)


def f32(value):
    return np.asarray(value, np.float32)


def digits(numbers):
    """Digits as one number."""
    return int("".join(str(int(number)) for number in numbers))


def normal(seed, *shape):
    return f32(np.random.default_rng(seed).standard_normal(shape))
