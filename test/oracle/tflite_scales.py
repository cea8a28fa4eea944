"""Compares relayc with numpy on BATCH_MATMUL whose weight has several scales.

LiteRT's kernel takes one scale only: with several, all its results are the zero point. So numpy multiplies the numbers that the integers stand
for, in floats of 64 bits, and takes the nearest step. Prints a line for each product that differs, and exits with 1 if one does.
"""

import pathlib
import sys

import numpy as np
from check_tflite import run
from tflite_models import Model

RANDOM = np.random.default_rng(7)
# The type of the data, the shapes of the data and the weight, the dimension of the weight that the scales belong to, and whether it is turned.
CASES = {
    "words": ("int16", (2, 3, 6), (2, 6, 5), 2, False),
    "bytes": ("int8", (3, 6), (6, 5), 1, False),
    "turned": ("int16", (2, 3, 6), (1, 5, 6), 1, True),
    "inner": ("int8", (2, 3, 6), (2, 6, 5), 1, False),
    "batches": ("int16", (4, 3, 6), (4, 6, 5), 0, False),
    "floats": ("float32", (2, 3, 6), (2, 6, 5), 2, False),
}


def numbers(value, scale, zero, axis=0):
    """What integers stand for."""
    shape = [1] * value.ndim
    shape[axis] = -1
    scale = np.atleast_1d(scale).astype(np.float64)
    return (value.astype(np.float64) - zero) * scale.reshape(shape if scale.size > 1 else [1] * value.ndim)


def case(graph, name, dtype, data, weight, axis, turned):
    """Adds a product to a graph; its input, and what is right."""
    grain = {"int16": (0.0003, 0), "int8": (0.02, -7), "float32": (1.0, 0)}[dtype]
    if dtype == "float32":
        x = RANDOM.uniform(-1, 1, data).astype(dtype)
        number = graph.input(data, dtype, name)
    else:
        bounds = np.iinfo(dtype)
        x = RANDOM.integers(bounds.min, bounds.max, data, dtype=dtype, endpoint=True)
        number = graph.input(data, dtype, name, scale=np.float32(grain[0]), zero=grain[1])
    w = RANDOM.integers(-127, 128, weight).astype(np.int8)
    scales = RANDOM.uniform(0.001, 0.02, weight[axis]).astype(np.float32)
    of_weight = graph.constant(w, f"{name}.w", scale=scales, zero=0, axis=axis)
    right = numbers(w, scales, 0, axis)
    right = numbers(x, np.float32(grain[0]), grain[1]) @ (np.swapaxes(right, -1, -2) if turned else right)
    if dtype == "float32":
        y = graph.tensor(right.shape, dtype, f"{name}.y")
    else:
        scale, zero = np.float32({"int16": 0.0004, "int8": 0.09}[dtype]), {"int16": 0, "int8": 5}[dtype]
        y = graph.tensor(right.shape, dtype, f"{name}.y", scale=scale, zero=zero)
        steps = right / np.float64(scale)
        right = np.clip(np.sign(steps) * np.floor(np.abs(steps) + 0.5) + zero, bounds.min, bounds.max)
    graph.op("BATCH_MATMUL", [number, of_weight], [y], adjY=turned)
    graph.output(y)
    return x, right.astype(dtype)


def main():
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    model = Model()
    graph = model.graph()
    made = {name: case(graph, name, *parts) for name, parts in CASES.items()}
    path = folder / "scales.tflite"
    path.write_bytes(model.bytes())
    actual = run("relayc", path, {name: x for name, (x, _) in made.items()})
    if isinstance(actual, str):
        sys.exit(f"FAIL: {actual}")
    failed = 0
    for name, (_, right) in made.items():
        found = actual[f"{name}.y"]
        is_right = (
            np.allclose(found, right, rtol=1e-5, atol=1e-5) if right.dtype.kind == "f" else np.array_equal(found, right)
        )
        if not is_right:
            failed += 1
            print(f"FAIL: {name}: {np.count_nonzero(found != right)} of {right.size} differ")
    print(f"{len(made) - failed} passed, {failed} failed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
