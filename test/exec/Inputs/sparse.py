"""Modules of operators on sparse matrices, compiled, run and compared with numpy.

Usage: sparse.py FOLDER [programs|passes]. Prints what differs, and exits with 1 if anything does. With `programs`, Relay's text
is interpreted, compiled, and run by the virtual machine; with `passes`, dense weights are made sparse.
"""

import pathlib
import subprocess
import sys

import numpy as np

MLIR = {
    np.int8: "i8", np.int32: "i32", np.int64: "i64", np.uint8: "ui8", np.uint64: "ui64",
    np.float16: "f16", np.float32: "f32", np.float64: "f64",
}  # fmt: skip
RNG = np.random.default_rng(7)


def numbers(shape, dtype):
    if np.issubdtype(dtype, np.integer):
        return RNG.integers(0, 5, shape).astype(dtype)
    return RNG.uniform(-1, 1, shape).astype(dtype)


def sparse(shape, block, density, dtype):
    """A matrix of which so many blocks are not zero; the first row of blocks is empty where there are several."""
    rows, columns = (extent // size for extent, size in zip(shape, block))
    kept = RNG.uniform(size=(rows, columns)) < density
    if rows > 1:
        kept[0] = False
    full = numbers(shape, dtype)
    full[full == 0] = 1
    return full * np.kron(kept, np.ones(block)).astype(dtype)


def bsr(dense, block, index=np.int32):
    """The blocks of a matrix that are not zero, their columns, and where rows begin."""
    (height, width), data, indices, indptr = block, [], [], [0]
    for top in range(0, dense.shape[0], height):
        for left in range(0, dense.shape[1], width):
            here = dense[top : top + height, left : left + width]
            if here.any():
                data.append(here)
                indices.append(left // width)
        indptr.append(len(indices))
    data = np.array(data, dense.dtype).reshape(-1, height, width)
    return data, np.array(indices, index), np.array(indptr, index)


def csr(dense, index=np.int32):
    data, indices, indptr = bsr(dense, (1, 1), index)
    return data.reshape(-1), indices, indptr


def product(lhs, rhs):
    """lhs times the transpose of rhs, in their type as the operators compute it."""
    wide = lhs.dtype if np.issubdtype(lhs.dtype, np.integer) else np.float64
    return (lhs.astype(wide) @ rhs.astype(wide).T).astype(lhs.dtype)


def convolved(data, weight, layout, kernel):
    """By the matrix of what the kernel sees at each pixel."""
    images = data if layout == "NHWC" else data.transpose(0, 2, 3, 1)
    count, height, width, channels = images.shape
    edge = kernel // 2
    padded = np.pad(images, [(0, 0), (edge, edge), (edge, edge), (0, 0)])
    seen = np.stack(
        [padded[:, y : y + height, x : x + width] for y in range(kernel) for x in range(kernel)], 3
    )
    if layout == "NCHW":
        seen = seen.swapaxes(3, 4)
    result = product(seen.reshape(-1, kernel * kernel * channels), weight)
    result = result.reshape(count, height, width, -1)
    return result if layout == "NHWC" else result.transpose(0, 3, 1, 2)


def tensor(array):
    shape = "".join(f"{extent}x" for extent in array.shape)
    return f"tensor<{shape}{MLIR[array.dtype.type]}>"


class Module:
    """One function, which applies operators to arguments of their own."""

    def __init__(self):
        self.lines, self.inputs, self.expected = [], {}, {}

    def names(self, arrays):
        made = [f"a{len(self.inputs) + number}" for number in range(len(arrays))]
        self.inputs.update(zip(made, arrays))
        return ", ".join(f"%{name}" for name in made), ", ".join(map(tensor, arrays))

    def add(self, label, operator, arrays, attributes, *expected):
        values, types = self.names(arrays)
        count = len(expected)
        results = ", ".join(map(tensor, expected))
        results = results if count == 1 else f"({results})"
        left = f"%{label}" if count == 1 else f"%{label}:{count}"
        self.lines.append(f"  {left} = relay.nn.{operator} {values} {{{attributes}}} : ({types}) -> {results}")
        for number, array in enumerate(expected):
            self.expected[label if count == 1 else f"{label}#{number}"] = array

    def text(self):
        arguments = ", ".join(f'%{name}: {tensor(array)} {{relay.name = "{name}"}}' for name, array in self.inputs.items())
        results = ", ".join(f'{tensor(array)} {{relay.name = "{name}"}}' for name, array in self.expected.items())
        values = ", ".join(f"%{name}" for name in self.expected)
        types = ", ".join(map(tensor, self.expected.values()))
        body = "\n".join(self.lines)
        return f"func.func @main({arguments}) -> ({results}) {{\n{body}\n  return {values} : {types}\n}}\n"


def products():
    module = Module()

    def case(label, vectors, shape, block, density=0.2, dtype=np.float32, lhs=False, index=np.int32):
        weight = sparse(shape, block or (1, 1), density, dtype)
        data = numbers((vectors, shape[1]), dtype)
        parts = bsr(weight, block, index) if block else csr(weight, index)
        expected = product(weight, data) if lhs else product(data, weight)
        module.add(label, "sparse_dense", [data, *parts], f"sparse_lhs = {str(lhs).lower()}", expected)

    for vectors in [1, 3, 5, 33]:
        case(f"csr{vectors}", vectors, (24, 40), None)
        case(f"csr_lhs{vectors}", vectors, (24, 40), None, lhs=True)
    for vectors in [1, 8, 50, 131]:
        case(f"columns{vectors}", vectors, (64, 30), (16, 1))
    case("columns_lhs1", 1, (64, 30), (16, 1), lhs=True)
    case("columns_lhs37", 37, (64, 30), (16, 1), lhs=True)
    for height, width in [(4, 4), (2, 3), (1, 8), (8, 2), (48, 1), (80, 2), (67, 1)]:
        for vectors in [2, 21]:
            case(f"b{height}x{width}_{vectors}", vectors, (height * 3, width * 7), (height, width), 0.4)
        case(f"b{height}x{width}_lhs", 18, (height * 3, width * 7), (height, width), 0.4, lhs=True)
    case("all", 9, (32, 16), (16, 1), 2.0)
    case("one", 1, (1, 1), (1, 1), 2.0)
    case("one_block", 6, (4, 4), (4, 4), 2.0)
    for label, block, lhs in [("none", (16, 1), False), ("none_csr", None, False), ("none_lhs", None, True)]:
        case(label, 5, (32, 16), block, 0.0, lhs=lhs)
    for dtype in [np.float16, np.float64, np.int8, np.uint8, np.int32]:
        name = MLIR[dtype]
        case(f"{name}_columns", 11, (32, 20), (16, 1), dtype=dtype)
        case(f"{name}_csr", 11, (32, 20), None, dtype=dtype)
        case(f"{name}_lhs", 11, (32, 20), (4, 2), dtype=dtype, lhs=True)
        case(f"{name}_none", 11, (32, 20), (4, 2), 0.0, dtype=dtype, lhs=True)
    for index in [np.int8, np.int64, np.uint8, np.uint64]:
        case(f"index_{MLIR[index]}", 6, (32, 20), (4, 2), 0.2, index=index)
    # Numbers that lie outside are moved to the nearest one; here to what is right.
    weight = np.zeros((2, 4), np.float32)
    weight[0, 0], weight[1, 3] = 2, 3
    data = numbers((5, 4), np.float32)
    parts = [np.array([2, 3], np.float32), np.array([-7, 10**6], np.int32), np.array([-4, 1, 2**31 - 1], np.int32)]
    module.add("outside", "sparse_dense", [data, *parts], "", product(data, weight))
    module.add("outside_one", "sparse_dense", [data[:1], *parts], "", product(data[:1], weight))
    # Entries of a row at the same column are added, and rows may end before they begin.
    parts = [np.array([2, 3], np.float32), np.array([1, 1], np.int32), np.array([0, 2, 1], np.int32)]
    weight[:] = 0
    weight[0, 1] = 5
    module.add("twice", "sparse_dense", [data, *parts], "", product(data, weight))
    return module


def convolutions():
    module = Module()

    def case(label, layout, image, outputs, block, kernel, density=0.3, dtype=np.float32, flat=False):
        count, channels, height, width = image
        weight = sparse((outputs, channels * kernel * kernel), block, density, dtype)
        shape = image if layout == "NCHW" else (count, height, width, channels)
        data = numbers(shape, dtype)
        blocks, *rest = bsr(weight, block)
        if flat:
            blocks = blocks.reshape(-1, block[0])
        attributes = f'layout = "{layout}", kernel_size = array<i64: {kernel}, {kernel}>'
        expected = convolved(data, weight, layout, kernel)
        module.add(label, "sparse_conv2d", [data, blocks, *rest], attributes, expected)

    for layout in ["NHWC", "NCHW"]:
        for kernel in [1, 3]:
            name = f"{layout}{kernel}"
            case(f"{name}_columns", layout, (2, 12, 7, 5), 32, (16, 1), kernel, flat=kernel == 1)
            case(f"{name}_8x1", layout, (1, 6, 9, 17), 24, (8, 1), kernel)
            case(f"{name}_4x2", layout, (3, 6, 4, 6), 12, (4, 2), kernel)
            case(f"{name}_2x3", layout, (2, 6, 4, 6), 12, (2, 3), kernel)
            case(f"{name}_1x1", layout, (1, 6, 13, 6), 5, (1, 1), kernel)
            case(f"{name}_pixel", layout, (2, 6, 1, 1), 16, (8, 1), kernel)
            case(f"{name}_line", layout, (2, 6, 1, 3), 16, (8, 1), kernel)
            case(f"{name}_none", layout, (1, 4, 5, 5), 16, (8, 1), kernel, 0.0)
            case(f"{name}_f16", layout, (1, 4, 5, 5), 16, (8, 1), kernel, dtype=np.float16)
            case(f"{name}_i8", layout, (1, 4, 5, 5), 16, (8, 1), kernel, dtype=np.int8)
    return module


def sums():
    module = Module()

    def add(label, shape, density=0.3, dtype=np.float32):
        weight, data = sparse(shape, (1, 1), density, dtype), numbers(shape, dtype)
        module.add(label, "sparse_add", [data, *csr(weight)], "", data + weight)

    def transpose(label, extent, density=0.3, dtype=np.float32, index=np.int32):
        weight = sparse((extent, extent), (1, 1), density, dtype)
        module.add(label, "sparse_transpose", csr(weight, index), "", *csr(weight.T, index))

    for dtype in [np.float32, np.float16, np.float64, np.int8, np.uint8]:
        name = MLIR[dtype]
        add(f"add_{name}", (9, 21), dtype=dtype)
        transpose(f"transpose_{name}", 17, dtype=dtype)
    for function, shape in [(add, (5, 6)), (transpose, 5)]:
        function(f"{function.__name__}_none", shape, 0.0)
        function(f"{function.__name__}_all", shape, 2.0)
    add("add_one", (1, 1), 2.0)
    transpose("transpose_one", 1, 2.0)
    for index in [np.int8, np.int64, np.uint64]:
        transpose(f"index_{MLIR[index]}", 9, index=index)
    data = numbers((2, 3), np.float32)
    expected = data + np.array([[0, 7, 0], [0, 0, 1]], np.float32)
    parts = [np.array([3, 4, 1], np.float32), np.array([1, 1, 99], np.int64), np.array([0, 2, 3], np.int64)]
    module.add("twice", "sparse_add", [data, *parts], "", expected)
    return module


def differs(label, got, wanted):
    """Whether results differ, and how. Integers agree exactly, floats nearly."""
    if (got.dtype, got.shape) != (wanted.dtype, wanted.shape):
        return f"{label} is {got.dtype}{got.shape}, not {wanted.dtype}{wanted.shape}"
    if np.issubdtype(wanted.dtype, np.floating):
        precision = {2: 2e-2, 4: 1e-5, 8: 1e-12}[wanted.dtype.itemsize]
        return None if np.allclose(got, wanted, precision, precision) else f"{label} differs"
    return None if np.array_equal(got, wanted) else f"{label} differs"


def run(source, inputs, outputs, *options):
    command = ["relayc", "run", source, "--inputs", inputs, "--outputs", outputs, "-q", *options]
    subprocess.run(command, check=True)
    return np.load(outputs)


def check_modules(folder):
    for make in [products, convolutions, sums]:
        module = make()
        source, inputs, outputs = (folder / f"{make.__name__}.{end}" for end in ["mlir", "in.npz", "out.npz"])
        source.write_text(module.text())
        np.savez(inputs, **module.inputs)
        got = run(source, inputs, outputs)
        for label, wanted in module.expected.items():
            yield differs(f"{make.__name__}: {label}", got[label], wanted)


PROGRAM = """#[version = "0.0.5"]
def @main(%x: Tensor[(6, 20), float32], %d: Tensor[({entries}, 16, 1), float32], %i: Tensor[({entries}), int32],
    %p: Tensor[(3), int32], %b: Tensor[(32), float32]) -> (Tensor[(6, 32), float32], Tensor[(32, 6), float32]) {{
  %0 = nn.relu(%x);
  %1 = nn.sparse_dense(%0, %d, %i, %p, sparse_lhs=False);
  %2 = nn.bias_add(%1, %b);
  %3 = nn.relu(%2);
  %4 = nn.sparse_dense(%x, %d, %i, %p, sparse_lhs=True);
  (%3, %4)
}}
"""


def check_programs(folder):
    weight = sparse((32, 20), (16, 1), 0.4, np.float32)
    data, indices, indptr = bsr(weight, (16, 1))
    x, b = numbers((6, 20), np.float32), numbers(32, np.float32)
    source, inputs = folder / "sparse.relay", folder / "program.in.npz"
    source.write_text(PROGRAM.format(entries=len(indices)))
    np.savez(inputs, x=x, d=data, i=indices, p=indptr, b=b)
    expected = [np.maximum(product(np.maximum(x, 0), weight) + b, 0), product(weight, x)]
    for executor in ["interpreter", "aot", "vm"]:
        got = run(source, inputs, folder / f"{executor}.out.npz", "--executor", executor)
        for number, wanted in enumerate(expected):
            yield differs(f"{executor}: output{number}", got[f"output{number}"], wanted)


PASSES = "dense-to-sparse{block-size=8x1 sparsity=0.5},conv2d-to-sparse{block-size=8x1 sparsity=0.5}"


def check_passes(folder):
    """Operators with dense weights, which the passes make sparse."""
    arguments, lines, inputs, expected = [], [], {}, {}

    def case(label, operator, data, weight, attributes, wanted):
        values = f'dense<"0x{weight.tobytes().hex().upper()}">'
        arguments.append(f'%{label}_x: {tensor(data)} {{relay.name = "{label}_x"}}')
        lines.append(f"  %{label}_w = relay.constant {values} : {tensor(weight)}")
        types = f"({tensor(data)}, {tensor(weight)}) -> {tensor(wanted)}"
        lines.append(f"  %{label} = relay.nn.{operator} %{label}_x, %{label}_w {{{attributes}}} : {types}")
        inputs[f"{label}_x"], expected[label] = data, wanted

    weight, data = sparse((32, 20), (8, 1), 0.3, np.float32), numbers((6, 20), np.float32)
    case("dense", "dense", data, weight, "", product(data, weight))
    for kernel in [1, 3]:
        edges = ", ".join([str(kernel // 2)] * 4)
        matrix = sparse((16, 5 * kernel * kernel), (8, 1), 0.3, np.float32)
        first, last = numbers((2, 5, 6, 7), np.float32), numbers((2, 6, 7, 5), np.float32)
        padding = f"padding = array<i64: {edges}>"
        weight = matrix.reshape(16, 5, kernel, kernel)
        case(f"first{kernel}", "conv2d", first, weight, padding, convolved(first, matrix, "NCHW", kernel))
        weight = np.ascontiguousarray(matrix.T).reshape(kernel, kernel, 5, 16)
        layouts = f'{padding}, data_layout = "NHWC", kernel_layout = "HWIO"'
        case(f"last{kernel}", "conv2d", last, weight, layouts, convolved(last, matrix, "NHWC", kernel))
    results = ", ".join(f'{tensor(array)} {{relay.name = "{label}"}}' for label, array in expected.items())
    values, types = ", ".join(f"%{label}" for label in expected), ", ".join(map(tensor, expected.values()))
    body = "\n".join([*lines, f"  return {values} : {types}"])
    source, given = folder / "passes.mlir", folder / "passes.in.npz"
    source.write_text(f"func.func @main({', '.join(arguments)}) -> ({results}) {{\n{body}\n}}\n")
    np.savez(given, **inputs)
    command = ["relay-opt", source, f"--pass-pipeline=builtin.module({PASSES})"]
    text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    dense = [line for line in text.splitlines() if "nn.dense" in line or "nn.conv2d" in line]
    yield dense and f"{len(dense)} operators stay dense"
    got = run(source, given, folder / "passes.out.npz", f"--insert-pass={PASSES}")
    for label, wanted in expected.items():
        yield differs(label, got[label], wanted)


CHECKS = {"programs": check_programs, "passes": check_passes}


def main():
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    check = CHECKS[sys.argv[2]] if sys.argv[2:] else check_modules
    found = [difference for difference in check(folder) if difference]
    print("\n".join(found))
    sys.exit(bool(found))


main()
