"""Products with open numbers of rows, columns, samples and pixels: python gpu_open_products.py model OUT.mlir | inputs ROWS COLUMNS OUT.npz |
check IN.npz OUT.npz... Checks beside numpy in double precision, and that all outputs have the same bits."""

import sys

import modules
import numpy as np

# The operator, the shapes of its operands and of its result, the element type. "n" and "m" are open.
CASES = [
    ("nn.dense", ("n", 96), (72, 96), ("n", 72), "f32"),
    ("nn.dense", ("n", 64), (48, 64), ("n", 48), "f16"),
    ("nn.dense", ("n", 70), (30, 70), ("n", 30), "f32"),
    ("nn.matmul", ("n", 40), (40, "m"), ("n", "m"), "f32"),
    ("nn.matmul", ("n", 64), (64, "m"), ("n", "m"), "f16"),
    ("nn.batch_matmul", (3, "n", 24), (3, 24, "m"), (3, "n", "m"), "f32"),
    ("nn.batch_matmul", ("n", 20, 24), ("n", 24, 36), ("n", 20, 36), "f32"),
    ("nn.conv2d", ("n", 8, 9, 11), (12, 8, 3, 3), ("n", 12, 9, 11), "f32"),
    ("nn.conv2d", (2, 8, "n", "m"), (12, 8, 3, 3), (2, 12, "n", "m"), "f32"),
]

TOLERANCE = {"f32": 1e-5, "f16": 4e-3}


def data(rows, columns):
    """The inputs."""
    rng, sizes, given = np.random.default_rng(0), {"n": rows, "m": columns}, {}
    for case, (_, *shapes, _, _) in enumerate(CASES):
        for name, shape in zip("ab", shapes):
            given[f"{name}{case}"] = rng.standard_normal([sizes.get(dim, dim) for dim in shape], np.float32)
    return given


def convolved(a, b):
    """A convolution with a border of one pixel."""
    height, width = a.shape[2:]
    padded = np.pad(a, [(0, 0), (0, 0), (1, 1), (1, 1)])
    parts = [np.einsum("nchw,oc->nohw", padded[:, :, y : y + height, x : x + width], b[:, :, y, x]) for y in range(3) for x in range(3)]
    return sum(parts)


def expected(op, a, b):
    """What numpy computes."""
    a, b = a.astype(np.float64), b.astype(np.float64)
    return np.maximum({"nn.dense": lambda: a @ b.T, "nn.conv2d": lambda: convolved(a, b)}.get(op, lambda: a @ b)(), 0)


def kind(shape, element):
    """A type, in which names are open dimensions."""
    names = [f'"{dim}"' for dim in shape if isinstance(dim, str)]
    extents = "x".join("?" if isinstance(dim, str) else str(dim) for dim in shape)
    return f"tensor<{extents}x{element}{', [' + ', '.join(names) + ']' if names else ''}>"


def model():
    """A module of all cases."""
    lines, parameters, results = [], [], []
    for case, (op, *shapes, element) in enumerate(CASES):
        a, b, result = (kind(shape, element) for shape in shapes)
        for name, shape, ty in zip("ab", shapes, (a, b)):
            parameters.append((f"{name}{case}", kind(shape, "f32")))
            lines.append(f"  %{name}{case}_ = relay.cast %{name}{case} {{dtype = {element}}} : ({kind(shape, 'f32')}) -> {ty}")
        attrs = "{padding = array<i64: 1, 1, 1, 1>} " if op == "nn.conv2d" else ""
        lines.append(f"  %p{case} = relay.{op} %a{case}_, %b{case}_ {attrs}: ({a}, {b}) -> {result}")
        lines.append(f"  %r{case} = relay.nn.relu %p{case} : ({result}) -> {result}")
        wide = kind(shapes[2], "f32")
        lines.append(f"  %y{case} = relay.cast %r{case} {{dtype = f32}} : ({result}) -> {wide}")
        results.append((f"y{case}", wide))
    return modules.text(lines, results, parameters)


def main():
    command, *rest = sys.argv[1:]
    if command == "model":
        with open(rest[0], "w") as file:
            file.write(model())
    elif command == "inputs":
        np.savez(rest[2], **data(*map(int, rest[:2])))
    else:
        inputs, *outputs = map(np.load, rest)
        for case, (op, *_, element) in enumerate(CASES):
            want, got = expected(op, inputs[f"a{case}"], inputs[f"b{case}"]), outputs[0][f"y{case}"]
            assert got.shape == want.shape, (case, got.shape, want.shape)
            bound = TOLERANCE[element] * max(np.abs(want).max(initial=0), 1)
            np.testing.assert_allclose(got, want, rtol=TOLERANCE[element], atol=bound, err_msg=f"case {case}")
            for other in outputs[1:]:
                assert other[f"y{case}"].tobytes() == got.tobytes(), case


main()
