"""Inputs and the expected results of gpu_matrices.mlir, by numpy in double precision."""

import numpy as np

import threads_agree

SHAPES = {
    "rows": (64, 96),
    "weight": (64, 96),
    "few": (8, 33),
    "many": (40, 33),
    "first": (2, 20, 24),
    "second": (2, 24, 23),
    "image": (1, 20, 9, 14),
    "filter": (24, 20, 3, 3),
    "low": (1, 32, 7, 7),
    "point": (16, 32, 1, 1),
}


def inputs():
    rng = np.random.default_rng(0)
    return {name: rng.standard_normal(shape).astype(np.float16) for name, shape in SHAPES.items()}


def convolved(image, weight, padding):
    """A convolution of one image by steps of one."""
    height, width = image.shape[2:]
    size = weight.shape[2]
    padded = np.pad(image[0], ((0, 0), (padding, padding), (padding, padding)))
    taps = ((y, x) for y in range(size) for x in range(size))
    shifted = ((y, x, padded[:, y : y + height, x : x + width]) for y, x in taps)
    return sum(np.einsum("oc,chw->ohw", weight[:, :, y, x], part) for y, x, part in shifted)[None]


def expected(given):
    x = {name: value.astype(np.float64) for name, value in given.items()}
    results = {
        "dense": x["rows"] @ x["weight"].T,
        "short": x["few"] @ x["many"].T,
        "batch": x["first"] @ x["second"],
        "conv": np.maximum(convolved(x["image"], x["filter"], 1), 0),
        "pointwise": convolved(x["low"], x["point"], 0),
    }
    for name, result in results.items():
        # Sums are of f32; the last rounding is to f16, or of operands to bf16.
        error = 2.0**-10 if name != "batch" else 2.0**-6
        yield name, result, error * np.abs(result).max()


threads_agree.main(inputs, expected)
