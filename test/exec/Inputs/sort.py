"""Modules that sort, compiled, run and compared with numpy.

Usage: sort.py RELAYC FOLDER. Prints what differs, and exits with 1 if anything does.
"""

import pathlib
import sys

import numpy as np

import modules

# MLIR's names.
TYPES = {
    "i8": np.int8, "i32": np.int32, "i64": np.int64, "ui8": np.uint8, "ui64": np.uint64,
    "f16": np.float16, "f32": np.float32, "f64": np.float64,
}  # fmt: skip

# Shapes, and the axis that is sorted.
SHAPES = [((7,), 0), ((1,), 0), ((3, 1), 1), ((2, 64, 3), 1), ((65, 5), 0), ((3, 1000), 1), ((2, 0), 1), ((0, 3), 1)]

# How many elements `topk` is asked for, by extent: up to 16 it keeps in order, of more it sorts all, or collects those of a long line.
COUNTS = {64: 16, 65: 17, 1000: 60}


def numbers(shape, dtype, rng):
    """Numbers of which many are equal; of floats, some are no numbers, some infinite, and zeros have both signs."""
    if np.issubdtype(dtype, np.integer):
        info = np.iinfo(dtype)
        few = np.array([info.min, info.max, 0, 1, 2, 3, 5, 8], dtype)
        return np.where(rng.random(shape) < 0.5, rng.choice(few, shape), rng.integers(0, 100, shape).astype(dtype))
    few = np.array([0.0, -0.0, 1, -1, 2.5, np.inf, -np.inf, np.nan], dtype)
    return np.where(rng.random(shape) < 0.5, rng.choice(few, shape), rng.standard_normal(shape).astype(dtype))


def order(x, axis, ascending):
    """The subscripts in a stable order, in which NaN is greater than all numbers; numpy has no falling one."""
    if ascending:
        return np.argsort(x, axis, kind="stable")
    turned = np.flip(x, axis)
    return np.flip(x.shape[axis] - 1 - np.argsort(turned, axis, kind="stable"), axis)


def program(name, shape, axis, count):
    """A module's text."""
    ty = modules.tensor
    first = [count if dim == axis else extent for dim, extent in enumerate(shape)]
    full, part = ty(shape, name), ty(first, name)
    lines, results = [], []
    for up in ("true", "false"):
        attributes = f"axis = {axis} : i64, is_ascend = {up}"
        lines.append(f"  %sort_{up} = relay.sort %x {{{attributes}}} : ({full}) -> {full}")
        lines.append(f"  %argsort_{up} = relay.argsort %x {{{attributes}, dtype = i32}} : ({full}) -> {ty(shape, 'i32')}")
        results += [(f"sort_{up}", full), (f"argsort_{up}", ty(shape, "i32"))]
        if count:
            more = f"{attributes}, k = {count} : i64, dtype = i64"
            lines.append(f"  %both_{up}:2 = relay.topk %x {{{more}}} : ({full}) -> ({part}, {ty(first, 'i64')})")
            lines.append(f'  %values_{up} = relay.topk %x {{{more}, ret_type = "values"}} : ({full}) -> {part}')
            lines.append(f'  %places_{up} = relay.topk %x {{{more}, ret_type = "indices"}} : ({full}) -> {ty(first, "i64")}')
            results += [(f"both_{up}#0", part), (f"both_{up}#1", ty(first, "i64"))]
            results += [(f"values_{up}", part), (f"places_{up}", ty(first, "i64"))]
    return modules.text(lines, results, [("x", full)])


def expected(x, axis, count):
    """What the results are to be, by their names."""
    wanted = {}
    for up, ascending in (("true", True), ("false", False)):
        places = order(x, axis, ascending)
        elements = np.take_along_axis(x, places, axis)
        wanted |= {f"sort_{up}": elements, f"argsort_{up}": places.astype(np.int32)}
        if count:
            first = np.take(elements, range(count), axis), np.take(places, range(count), axis)
            wanted |= {f"both_{up}#0": first[0], f"both_{up}#1": first[1]}
            wanted |= {f"values_{up}": first[0], f"places_{up}": first[1]}
    return wanted


def main():
    relayc, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    rng = np.random.default_rng(0)
    wrong = []
    for name, dtype in TYPES.items():
        for shape, axis in SHAPES if name in ("f32", "i32") else SHAPES[3:4]:
            count = COUNTS.get(shape[axis], min(shape[axis], 5))
            label = f"{name}-{'x'.join(map(str, shape))}"
            x = numbers(shape, dtype, rng)
            module, results = program(name, shape, axis, count), expected(x, axis, count)
            for threads in "12":
                got = modules.run(relayc, folder, label, module, {"x": x}, "--threads", threads)
                for result, wanted in results.items():
                    # Zeros of both signs are equal, so that their order shows that they keep it.
                    if got[result].tobytes() != wanted.astype(got[result].dtype).tobytes() or got[result].shape != wanted.shape:
                        wrong.append(f"{label}: {result} with {threads} threads")
    print("\n".join(wrong))
    sys.exit(bool(wrong))


main()
