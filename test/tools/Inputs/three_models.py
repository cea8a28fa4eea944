"""Three models in one process, in every order: linked as libraries and as objects, and loaded, under AddressSanitizer;
and loaded into a Python process beside ONNX Runtime, and torch where it is installed.

three_models.py FOLDER RUNTIME COMPILER...   FOLDER holds plus, times and minus as .so and .o
"""

import itertools
import os
import subprocess
import sys

import numpy as np

SOURCES = os.path.join(os.path.dirname(__file__), "..", "..", "..", "runtime")
MODELS = {
    "plus": lambda x: x + 10 * np.arange(1, 7),
    "times": lambda x: x * np.arange(1, 9),
    "minus": lambda x: x - 100 * np.arange(1, 5),
}
COUNTS = {"plus": 6, "times": 8, "minus": 4}


def expected(name):
    return MODELS[name](np.arange(COUNTS[name], dtype=np.float32))


def check(what, command):
    """Runs a program and compares the lines that it prints."""
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{what}: {done.returncode}\n{done.stderr}")
    lines = [line.split() for line in done.stdout.splitlines()]
    if sorted(line[0] for line in lines) != sorted(2 * list(MODELS)):
        sys.exit(f"{what}: printed\n{done.stdout}")
    for name, *values in lines:
        if not np.array_equal(np.array(values, dtype=np.float32), expected(name)):
            sys.exit(f"{what}: {name} gave {values}")


def build(compiler, output, files, flags=()):
    command = [*compiler, "-Wall", "-Wextra", "-Werror", "-fsanitize=address", "-g0", *flags]
    command += ["-I", f"{SOURCES}/include", f"{SOURCES}/tests/c/three_models.c", *files, "-lm", "-o", output]
    subprocess.run(command, check=True)


def main(folder, runtime, *compilers):
    program = os.path.join(folder, "program")
    orders = list(itertools.permutations(MODELS))
    for compiler in compilers:
        compiler = compiler.split()
        for order in orders:
            libraries = [os.path.join(folder, f"{name}.so") for name in order]
            build(compiler, program, libraries, ["-DLINKED", f"-Wl,-rpath,{folder}"])
            check(f"{compiler}: libraries {order}", [program])
            objects = [os.path.join(folder, f"{name}.o") for name in order]
            build(compiler, program, [*objects, runtime], ["-DLINKED"])
            check(f"{compiler}: objects {order}", [program])
    build(compilers[0].split(), program, [])
    for order in orders:
        paths = [os.path.join(folder, f"{name}.so") for name in order]
        for places in itertools.product(["", "local:"], repeat=3):
            check(f"loaded {places} {order}", [program, *map("".join, zip(places, paths))])
        beside_others = [sys.executable, __file__, "--beside", *paths]
        check(f"beside other engines {order}", beside_others)
    print(f"{len(orders)} orders, {len(compilers)} linkers")


def beside_others(paths):
    """Loads and runs models in a process in which other engines live and work."""
    import ctypes

    import onnx
    import onnxruntime

    node = onnx.helper.make_node("Add", ["x", "x"], ["y"])
    values = [onnx.helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, [4]) for name in "xy"]
    graph = onnx.helper.make_graph([node], "twice", values[:1], values[1:])
    opsets = [onnx.helper.make_opsetid("", 20)]
    twice = onnx.helper.make_model(graph, opset_imports=opsets, ir_version=10)

    def other_engines():
        x = np.arange(4, dtype=np.float32)
        session = onnxruntime.InferenceSession(twice.SerializeToString())
        assert np.array_equal(session.run(None, {"x": x})[0], 2 * x)
        try:
            import torch
        except ImportError:
            return
        assert np.array_equal((torch.from_numpy(x) + torch.from_numpy(x)).numpy(), 2 * x)

    def function(library, name, result, *arguments):
        found = getattr(library, name)
        found.restype, found.argtypes = result, arguments
        return found

    pointer = ctypes.c_void_p
    models = []
    for path in paths:
        name = os.path.basename(path).removesuffix(".so")
        library = ctypes.CDLL(path, mode=ctypes.RTLD_GLOBAL)
        models.append((name, library, function(library, f"{name}_create", pointer, ctypes.c_int32)(2)))
        other_engines()
    for name, library, model in 2 * models:
        x = np.arange(COUNTS[name], dtype=np.float32)
        y = np.empty_like(x)
        run = function(library, f"{name}_run", ctypes.c_int32, pointer, pointer, pointer)
        inputs, outputs = (pointer * 1)(x.ctypes.data), (pointer * 1)(y.ctypes.data)
        assert run(model, inputs, outputs) == 0
        print(name, *y.tolist())
        other_engines()


if sys.argv[1] == "--beside":
    beside_others(sys.argv[2:])
else:
    main(*sys.argv[1:])
