"""Random tensors of test cases."""

import numpy as np

RANDOM = np.random.default_rng(11)


def floats(*shape, dtype=np.float32):
    """Numbers of both signs."""
    return RANDOM.standard_normal(shape).astype(dtype)


def integers(below, *shape, dtype=np.int64):
    """Numbers from 0 on."""
    return RANDOM.integers(0, below, shape).astype(dtype)


def number(value, dtype=np.float32):
    """A tensor of one number."""
    return np.array(value, dtype)


def scale(value):
    """A scale."""
    return number(value)


def byte(value):
    """A zero point."""
    return number(value, np.uint8)
