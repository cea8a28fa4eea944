"""Modules that scatter, compiled, run and compared with loops in Python.

Usage: scatter.py RELAYC FOLDER. Prints what differs, and exits with 1 if anything does.
"""

import itertools
import pathlib
import sys

import numpy as np

import modules

TYPES = {"f32": np.float32, "i8": np.int8, "ui64": np.uint64, "f16": np.float16, "i1": np.bool_}
REDUCTIONS = {
    "update": lambda old, new: new, "add": lambda old, new: old + new, "mul": lambda old, new: old * new,
    "min": np.minimum, "max": np.maximum,
}  # fmt: skip

# The shapes of data and of indices, and the axis.
ELEMENTS = [((9,), (5,), 0), ((4, 70), (9, 67), 0), ((4, 70), (3, 90), 1), ((3, 5, 2), (2, 8, 2), 1), ((2, 3), (0, 3), 0), ((0, 3), (0, 2), 1)]
# The shapes of data, the number of subscripts, and the shape of the lists.
PARTS = [((9,), 1, (5,)), ((7, 100), 1, (12,)), ((4, 3, 5), 2, (2, 8)), ((4, 3), 2, (20,)), ((4, 3), 1, (0,)), ((2, 0), 1, (3,))]


def numbers(shape, dtype, rng):
    """Small numbers, so that what is added in a narrow type is exact."""
    return rng.integers(0, 2 if dtype == np.bool_ else 4, shape).astype(dtype)


def elements(x, indices, updates, axis, join):
    """What scatter_elements gives."""
    result = x.copy()
    for at in itertools.product(*map(range, indices.shape)):
        place = list(at)
        place[axis] = indices[at]
        result[tuple(place)] = join(result[tuple(place)], updates[at])
    return result


def parts(x, indices, updates, join):
    """What scatter_nd gives."""
    result = x.copy()
    for at in itertools.product(*map(range, indices.shape[1:])):
        place = tuple(indices[(slice(None), *at)])
        result[place] = join(result[place], updates[at])
    return result


def programs(rng):
    """The operator's name, its attributes, its operands, and the result."""
    for (name, dtype), (reduction, join) in itertools.product(TYPES.items(), REDUCTIONS.items()):
        if dtype == np.bool_ and reduction != "update":
            continue
        every = name == "f32"
        for shape, counts, axis in ELEMENTS if every else ELEMENTS[2:3]:
            x, updates = numbers(shape, dtype, rng), numbers(counts, dtype, rng)
            indices = rng.integers(-shape[axis], max(shape[axis], 1), counts).astype(np.int64)
            attributes = f'axis = {axis} : i64, reduction = "{reduction}"'
            yield name, "scatter_elements", attributes, (x, indices, updates), elements(x, indices, updates, axis, join)
        for shape, length, lists in PARTS if every else PARTS[2:3]:
            x, updates = numbers(shape, dtype, rng), numbers((*lists, *shape[length:]), dtype, rng)
            columns = [rng.integers(-extent, max(extent, 1), lists) for extent in shape[:length]]
            indices = np.stack(columns).astype(np.int32)
            yield name, "scatter_nd", f'mode = "{reduction}"', (x, indices, updates), parts(x, indices, updates, join)


def module_of(name, group):
    """A module of operators on one type, and its inputs."""
    parameters, lines, results, inputs = [], [], [], {}
    for number, (operator, attributes, operands) in enumerate(group):
        elements = (name, "i64" if operator == "scatter_elements" else "i32", name)
        types = [modules.tensor(array.shape, element) for array, element in zip(operands, elements)]
        labels = [f"{letter}{number}" for letter in "xiu"]
        inputs |= dict(zip(labels, operands))
        parameters += zip(labels, types)
        given = ", ".join(f"%{label}" for label in labels)
        lines.append(f"  %r{number} = relay.{operator} {given} {{{attributes}}} : ({', '.join(types)}) -> {types[0]}")
        results.append((f"r{number}", types[0]))
    return modules.text(lines, results, parameters), inputs


def main():
    relayc, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    described = lambda operator, attributes, operands: f"{operator} {attributes} of {operands[0].shape}"
    wrong = list(modules.differences(relayc, folder, programs(np.random.default_rng(0)), module_of, described))
    print("\n".join(wrong))
    sys.exit(bool(wrong))


main()
