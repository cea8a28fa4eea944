"""Compiles models that ask for huge tensors, with 4 GiB of memory and a minute of time for each. A limit lower than usual
keeps what is asked for and allowed small.

What is known while a model is imported may be asked for as a shape, as a constant, or as what is computed of one.
"""

import concurrent.futures
import os
import pathlib
import re
import resource
import subprocess
import sys

import numpy as np
import onnx
from onnx import helper, numpy_helper

MEMORY = 4 << 30
SECONDS = 60
LIMIT = {"RELAY_MAX_CONSTANT_BYTES": "16M"}
FLOAT = onnx.TensorProto.FLOAT


def ints(*values):
    """A list of sizes, axes or pads."""
    return np.array(values, np.int64)


def floats(*values):
    """A list of numbers."""
    return np.array(values, np.float32)


def filled(one, result="filled"):
    """A tensor of equal elements, of the extents that are the constant `size`."""
    value = numpy_helper.from_array(np.array([one]), "value")
    return helper.make_node("ConstantOfShape", ["size"], [result], name="Filled", value=value)


def asked(operator, inputs, result="y", **attributes):
    """The node that asks for much."""
    return helper.make_node(operator, inputs, [result], name="Asked", **attributes)


def added(operand):
    """What `x` is added to, so that the result depends on an input."""
    return helper.make_node("Add", ["x", operand], ["y"], name="Added")


def total(operand):
    """The sum of all elements, and `x`."""
    return [helper.make_node("ReduceSum", [operand], ["sum"], name="Summed", keepdims=0), added("sum")]


def of_size(count):
    """Models that ask for `count` elements: nodes, constants, and the shape of `x`."""
    one, zero = np.int64(1), np.int64(0)
    rows = 1 << (count.bit_length() - 1) // 2
    matrix = ints(rows, count // rows)
    yield "result", [filled(np.float32(1), "y")], {"size": ints(count)}, [1]
    yield "added", [filled(np.float32(1)), added("filled")], {"size": ints(count)}, [1]
    yield "summed", [filled(np.float32(1)), *total("filled")], {"size": ints(count)}, [1]
    yield "mask", [filled(np.True_), asked("Where", ["filled", "x", "c"])], {"size": ints(count), "c": floats(0)}, [1]
    yield "indices", [filled(zero), asked("Gather", ["x", "filled"])], {"size": ints(count)}, [1]
    yield "shape", [filled(one), asked("Reshape", ["x", "filled"])], {"size": ints(count)}, [1]
    for name, nodes in {
        "product": [helper.make_node("Mul", ["filled", "filled"], ["part"])],
        "part": [helper.make_node("Slice", ["filled", "zero", "one"], ["part"])],
        "element": [helper.make_node("Gather", ["filled", "zero"], ["part"])],
        "copies": [helper.make_node("Concat", ["filled"] * 9, ["part"], axis=0)],
    }.items():
        constants = {"size": ints(count), "zero": ints(0), "one": ints(1)}
        yield f"shape of {name}", [filled(one), *nodes, asked("Reshape", ["x", "part"])], constants, [1]
    for operator, operand, sizes, most in (
        ("Expand", floats(3), ints(count), 1),
        ("Tile", floats(3, 4), ints(count // 2), 2),
        ("Pad", np.ones((2, 2), np.float32), ints(0, 0, *(matrix - 2)), 4),
    ):
        yield f"{operator} of x", [asked(operator, ["x", "n"])], {"n": sizes}, operand.shape
        constants = {"n": sizes, "c": np.arange(most, dtype=np.float32).reshape(operand.shape)}
        yield f"{operator} added", [asked(operator, ["c", "n"], "a"), added("a")], constants, [1]
        yield f"{operator} summed", [asked(operator, ["c", "n"], "a"), *total("a")], constants, [1]
    for mode in ("nearest", "linear", "cubic"):
        constants = {"n": ints(1, 1, *matrix), "c": np.arange(4, dtype=np.float32).reshape(1, 1, 2, 2)}
        resized = lambda source, result: asked("Resize", [source, "", "", "n"], result, mode=mode)
        yield f"{mode} of x", [resized("x", "y")], constants, [1, 1, 2, 2]
        yield f"{mode} added", [resized("c", "a"), added("a")], constants, [1]
    constants = {"n": np.array(count), "zero": np.array(0), "one": np.array(1)}
    yield "range", [asked("Range", ["zero", "n", "one"], "r"), asked("Gather", ["x", "r"])], constants, [1]
    constants = {"i": ints(0), "n": ints(count), "v": floats(0, 1)}
    yield "one of many", [asked("OneHot", ["i", "n", "v"], "a"), added("a")], constants, [1]
    for operator in ("EyeLike", "Trilu"):
        yield operator, [filled(np.float32(1)), asked(operator, ["filled"], "a"), added("a")], {"size": matrix}, [1]


def others():
    """Models of other sizes."""
    doubled = [helper.make_node("Concat", [f"d{at}", f"d{at}"], [f"d{at + 1}"], axis=0) for at in range(36)]
    yield "doublings", [*doubled, added("d36")], {"d0": floats(1, 2)}, [1]
    repeated = helper.make_node("Concat", ["c", *["filled"] * 32], ["all"], axis=0)
    yield "repeated", [filled(np.float32(1)), repeated, added("all")], {"size": ints(1 << 27), "c": floats(1)}, [1]
    yield "weights", [filled(np.float32(2)), asked("MatMul", ["x", "filled"])], {"size": ints(1 << 16, 1 << 16)}, [1, 1 << 16]
    yield "extents", [asked("Tile", ["x", "n"])], {"n": ints(1 << 62)}, [1]
    yield "scales", [asked("Resize", ["x", "", "n"])], {"n": floats(1, 1, 1e6, 1e6)}, [1, 1, 2, 2]
    for mode in ("linear", "cubic"):
        nodes = [asked("Resize", ["x", "", "", "n"], mode=mode, coordinate_transformation_mode="half_pixel_symmetric")]
        yield f"long {mode}", nodes, {"n": ints(1 << 24)}, [4]
        yield f"shorter {mode}", nodes, {"n": ints(1 << 20)}, [4]


def write(path, nodes, constants, shape):
    """Writes the model of these nodes."""
    value = lambda name, shape: helper.make_tensor_value_info(name, FLOAT, shape)
    initializers = [numpy_helper.from_array(array, name) for name, array in constants.items()]
    graph = helper.make_graph(nodes, "huge", [value("x", shape)], [value("y", None)], initializers)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    path.write_bytes(model.SerializeToString())


def compile_one(path):
    """What is printed if the model is refused, and what is wrong with how the compiler ended."""

    def limited():
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))

    library = path.with_suffix(".so")
    command = ["relayc", "--quiet", "compile", path, "-o", library, "--no-cache"]
    try:
        result = subprocess.run(
            command,
            capture_output=True,
            text=True,
            timeout=SECONDS,
            preexec_fn=limited,
            env=os.environ | LIMIT,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return "", "does not end"
    errors = result.stderr
    wrong = {
        f"exit code {result.returncode}": result.returncode not in (0, 1),
        "internal error": "internal error" in errors,
        "a library beside an error, or neither": library.exists() == bool(result.returncode),
        "no node": result.returncode == 1 and not re.search("node '|'Asked'", errors) and path.stem[:6] != "result",
    }
    return errors, ", ".join(what for what, holds in wrong.items() if holds)


def main():
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    models = {f"{name} {count.bit_length() - 1}": rest for count in (1 << 31, 1 << 40) for name, *rest in of_size(count)}
    models |= {name: rest for name, *rest in others()}
    paths = {name: folder / f"{name}.onnx" for name in models}
    for name, path in paths.items():
        path.with_suffix(".so").unlink(missing_ok=True)
        write(path, *models[name])
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        outcomes = dict(zip(paths, pool.map(compile_one, paths.values())))
    wrong = [f"{name}: {what}\n{errors}" for name, (errors, what) in outcomes.items() if what]
    refused = sum(bool(errors) for errors, _ in outcomes.values())
    print(f"{len(outcomes) - refused} models compile, {refused} are refused")
    for name, path in (("filled", "added 31"), ("shape", "shape 31"), ("extents", "extents")):
        print(f"{name}: {(outcomes[path][0] or 'it compiles').splitlines()[0]}")
    raise SystemExit("\n".join(wrong) or None)


main()
