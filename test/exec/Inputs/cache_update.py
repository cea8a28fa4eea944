"""Modules that update caches, compiled, run and compared with slices of numpy; and the errors of positions that are out of range.

Usage: cache_update.py RELAYC FOLDER. Prints what differs, and exits with 1 if anything does.
"""

import pathlib
import subprocess
import sys

import numpy as np

import modules

TYPES = {"f32": np.float32, "i8": np.int8, "f16": np.float16, "i1": np.bool_, "i64": np.int64}
# The shapes of caches, the axes, and the new rows.
CASES = [((9,), 0, 3), ((4, 70), 1, 70), ((2, 3, 8, 5), 2, 2), ((3, 16, 4), 1, 1), ((2, 4, 300, 64), 2, 40), ((2, 0, 3), 2, 1), ((2, 5), 1, 0)]


def updated(cache, new, position, axis):
    """What cache_update gives."""
    result = np.moveaxis(cache.copy(), axis, -1)
    new = np.moveaxis(new, axis, -1)
    for sample in range(len(result)) if position.ndim else [...]:
        first = position[sample] if position.ndim else position
        result[sample][..., first : first + new.shape[-1]] = new[sample]
    return np.moveaxis(result, -1, axis)


def programs(rng):
    """The element type, the axis, the operands, and the result."""
    for name, dtype in TYPES.items():
        for shape, axis, count in CASES if name == "f32" else CASES[2:3]:
            sizes = [*shape[:axis], count, *shape[axis + 1 :]]
            cache, new = (rng.integers(0, 2 if dtype == np.bool_ else 90, size).astype(dtype) for size in (shape, sizes))
            most = shape[axis] - count + 1
            positions = [np.array(rng.integers(most))] + [rng.integers(0, most, shape[0]).astype(np.int32)] * (axis > 0)
            for position in positions:
                yield name, axis, (cache, new, position), updated(cache, new, position, axis)


def module_of(name, group):
    """A module of updates of one type, and its inputs."""
    parameters, lines, results, inputs = [], [], [], {}
    for number, (axis, operands) in enumerate(group):
        elements = (name, name, "i32" if operands[2].ndim else "i64")
        types = [modules.tensor(array.shape, element) for array, element in zip(operands, elements)]
        labels = [f"{letter}{number}" for letter in "xup"]
        inputs |= dict(zip(labels, operands))
        parameters += zip(labels, types)
        given = ", ".join(f"%{label}" for label in labels)
        lines.append(f"  %r{number} = relay.cache_update {given} {{axis = {axis} : i64}} : ({', '.join(types)}) -> {types[0]}")
        results.append((f"r{number}", types[0]))
    return modules.text(lines, results, parameters), inputs


def main():
    relayc, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    described = lambda axis, operands: f"axis {axis} of {operands[0].shape} from {operands[2]} on"
    wrong = list(modules.differences(relayc, folder, programs(np.random.default_rng(0)), module_of, described))
    for position in (np.array(-1), np.array([0, 7], np.int32), np.array([-2, 0], np.int32)):
        operands = (np.zeros((2, 8), np.float32), np.ones((2, 2), np.float32), position)
        module, inputs = module_of("f32", [(1, operands)])
        try:
            modules.run(relayc, folder, "out_of_range", module, inputs)
            wrong.append(f"position {position}: no error")
        except subprocess.CalledProcessError:
            pass
    print("\n".join(wrong))
    sys.exit(bool(wrong))


main()
