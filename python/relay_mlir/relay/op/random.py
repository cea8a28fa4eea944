"""Relay's operators of `random`. `cargo xtask docs` writes this module from the operators' declarations."""

from __future__ import annotations

from typing import Any, Optional

from ..expr import Expr, Ints, call

__all__ = [
    "multinomial",
    "normal",
    "threefry_generate",
    "threefry_split",
    "uniform",
]


def multinomial(key: Any, probs: Any, num_samples: Optional[int] = None) -> Expr:
    """Random subscripts by given probabilities, and the next key.

    Each line of `probs` along the last axis gives `num_samples` subscripts (i32). Negative numbers count as 0, and a
    line is divided by its sum. A sample is the first subscript up to which the sum is above a uniform number. A key is
    ten words of 64 bits: a Threefry key of four, the path of splits of two, the counter of two, and the place of the
    next step of the path of two (Salmon et al., Parallel random numbers: as easy as 1, 2, 3, 2011; Claessen and Palka,
    Splittable pseudorandom number generators using cryptographic hashing, 2013).

    - C1: the key is of type tensor<10xui64>.
    - C2: `num_samples` is not negative, and `probs` are of rank 1 or more, with a known last extent of at least 1.
    """
    return call("random.multinomial", (key, probs), results=2, num_samples=num_samples)


def normal(key: Any, mean: Any, scale: Any, out_shape: Ints, out_dtype: Any) -> Expr:
    """Normally distributed random numbers, and the next key.

    Box and Muller's transform of two uniform numbers: sqrt(-2 ln(1 - u)) sin(2 pi v) * scale + mean. A key is ten words
    of 64 bits: a Threefry key of four, the path of splits of two, the counter of two, and the place of the next step of
    the path of two (Salmon et al., Parallel random numbers: as easy as 1, 2, 3, 2011; Claessen and Palka, Splittable
    pseudorandom number generators using cryptographic hashing, 2013).

    - C1: the key is of type tensor<10xui64>.
    - C2: `out_shape` holds extents that are not negative, and fewer than 2^61 elements.
    - C3: `out_dtype` is f32 or f64, and mean and scale are of it and of rank 0.
    """
    return call("random.normal", (key, mean, scale), results=2, out_shape=out_shape, out_dtype=out_dtype)


def threefry_generate(key: Any, out_shape: Ints) -> Expr:
    """Random words of 64 bits, and the next key.

    Words come in fours: those of the key with its counter, with the next one, and so on. A key is ten words of 64 bits:
    a Threefry key of four, the path of splits of two, the counter of two, and the place of the next step of the path of
    two (Salmon et al., Parallel random numbers: as easy as 1, 2, 3, 2011; Claessen and Palka, Splittable pseudorandom
    number generators using cryptographic hashing, 2013).

    - C1: the key is of type tensor<10xui64>.
    - C2: `out_shape` holds extents that are not negative, and fewer than 2^62 elements.
    """
    return call("random.threefry_generate", (key,), results=2, out_shape=out_shape)


def threefry_split(key: Any) -> Expr:
    """Two keys for one.

    The random numbers of the two are independent of each other. A key is ten words of 64 bits: a Threefry key of four,
    the path of splits of two, the counter of two, and the place of the next step of the path of two (Salmon et al.,
    Parallel random numbers: as easy as 1, 2, 3, 2011; Claessen and Palka, Splittable pseudorandom number generators
    using cryptographic hashing, 2013).

    - C1: the key is of type tensor<10xui64>.
    """
    return call("random.threefry_split", (key,), results=2)


def uniform(key: Any, low: Any, high: Any, out_shape: Ints, out_dtype: Any) -> Expr:
    """Random numbers from low to below high, and the next key.

    The high bits of a random word are the fraction. A key is ten words of 64 bits: a Threefry key of four, the path of
    splits of two, the counter of two, and the place of the next step of the path of two (Salmon et al., Parallel random
    numbers: as easy as 1, 2, 3, 2011; Claessen and Palka, Splittable pseudorandom number generators using cryptographic
    hashing, 2013).

    - C1: the key is of type tensor<10xui64>.
    - C2: `out_shape` holds extents that are not negative, and fewer than 2^62 elements.
    - C3: `out_dtype` is f32 or f64, and low and high are of it and of rank 0.
    """
    return call("random.uniform", (key, low, high), results=2, out_shape=out_shape, out_dtype=out_dtype)
