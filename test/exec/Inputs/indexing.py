"""Operators that find and take places, and einsum, by numpy."""

import sys
from pathlib import Path

import numpy as np

from modules import run, tensor, text
from relay_cases import Case, check

relayc, folder = sys.argv[1], Path(sys.argv[2])
random = np.random.default_rng(3)


def normal(*shape):
    return random.standard_normal(shape).astype(np.float32)


def unique(data, is_sorted, gives_counts):
    """As numpy has it, filled up with zeros."""
    found, first, inverse, counts = np.unique(data, return_index=True, return_inverse=True, return_counts=True)
    if not is_sorted:
        order = first.argsort()
        found, first, counts = found[order], first[order], counts[order]
        inverse = order.argsort()[inverse]
    filled = lambda array, dtype: np.pad(array, (0, len(data) - len(array))).astype(dtype)
    result = filled(found, data.dtype), filled(first, np.int32), inverse.astype(np.int32), np.array([len(found)], np.int32)
    return result + ((filled(counts, np.int32),) if gives_counts else ())


def strided_set(x, v, begin, end, strides):
    result = x.copy()
    result[tuple(slice(*ends) for ends in zip(begin, end, strides))] = v
    return result


def sparse_reshape(places, before, after):
    after = np.array(after)
    after[after == -1] = np.prod(before) // np.prod(after[after != -1])
    numbers = np.ravel_multi_index(tuple(places.T), before)
    return np.stack(np.unravel_index(numbers, after), 1).astype(places.dtype), after


def cases():
    x = normal(5, 6, 7)
    i, j = random.integers(-5, 5, (2, 1)), random.integers(-6, 6, 3)
    yield Case("adv_index(({x}, {i}, {j}))", {"x": x, "i": i, "j": j}, x[i, j])
    yield Case("adv_index(({x}, {i}))", {"x": x, "i": i.astype(np.int32)}, x[i])
    for begin, end, strides, shape in [
        ([1, 0, 2], [4, 6, 7], [1, 2, 3], (3, 3, 2)),
        ([-4, 5, 6], [-1, 1, 0], [2, -2, -1], (2, 2, 6)),
        ([2], [5], [1], (3, 6, 7)),
    ]:
        v = normal(*shape)
        lists = {name: np.array(numbers, np.int32) for name, numbers in [("b", begin), ("e", end), ("s", strides)]}
        call = "strided_set({x}, {v}, {b}, {e}, {s})"
        yield Case(call, {"x": x, "v": v} | lists, strided_set(x, v, begin, end, strides))
    for codes, shape in [([0, 3, -1], (5, 3, 14)), ([-1, 0], (30, 7)), ([-3, 7], (30, 7)), ([-2], (5, 6, 7)), ([-2, 7], (5, 6, 7))]:
        yield Case(f"contrib_reverse_reshape({{x}}, newshape={codes})", {"x": x}, x.reshape(shape))
    data = random.integers(0, 9, 20)
    for given in (data, data.astype(np.float32)):
        for is_sorted, counts in [(True, True), (False, True), (False, False)]:
            call = f"unique({{x}}, sorted={is_sorted}, return_counts={counts})"
            yield Case(call, {"x": given}, unique(given, is_sorted, counts))
    places = np.array([[0, 0, 0], [0, 0, 1], [0, 1, 0], [1, 0, 0], [1, 2, 3]])
    for after in ([9, -1], [36], [2, 3, 6]):
        before = np.array([2, 3, 6])
        inputs = {"i": places, "b": before, "a": np.array(after)}
        yield Case("sparse_reshape({i}, {b}, {a})", inputs, sparse_reshape(places, before, after))
    a, b, c = normal(2, 3, 4), normal(4, 5), normal(2, 5)
    yield Case('einsum(({a}, {b}), equation="bij,jk->bik")', {"a": a, "b": b}, np.einsum("bij,jk->bik", a, b), 1e-4)
    yield Case('einsum(({a}, {b}, {c}), equation="bij,jk,bk")', {"a": a, "b": b, "c": c}, np.einsum("bij,jk,bk", a, b, c), 1e-4)
    yield Case('einsum(({a}, {b}), equation="...j,jk->...k")', {"a": a, "b": b}, np.einsum("...j,jk->...k", a, b), 1e-4)
    square = normal(4, 4)
    yield Case('einsum(({s},), equation="ii->i")', {"s": square}, square.diagonal())
    yield Case('einsum(({s},), equation="ii->")', {"s": square}, np.einsum("ii->", square), 1e-4)
    yield Case('einsum(({s},), equation="ij->ji")', {"s": square}, square.T)
    yield from dynamic_cases()


def dynamic_cases():
    """Operators whose shapes constants say."""
    indices = np.array([0, 2, 1, 4])
    call = 'dyn.one_hot({i}, 1f, 0f, 5, axis=-1, dtype="float32")'
    yield Case(call, {"i": indices}, np.eye(5, dtype=np.float32)[indices])
    x = normal(3, 8)
    order = np.argsort(-x, 1)[:, :4]
    expected = np.take_along_axis(x, order, 1), order.astype(np.int32)
    yield Case('dyn.topk({x}, 4, dtype="int32")', {"x": x}, expected)
    yield Case('dyn.topk({x}, 4, ret_type="values", dtype="int32")', {"x": x}, expected[0])
    places, values = np.array([[0, 1], [2, 2]]), normal(2)
    dense = np.zeros((3, 8), np.float32)
    dense[0, 1], dense[2, 2] = values
    call = "dyn.sparse_to_dense({p}, {v}, 0f, shape_of({x}))"
    yield Case(call, {"p": places, "v": values, "x": x}, dense)
    call = 'vm.reshape_tensor({x}, vm.shape_of({y}, dtype="int64"), newshape=[4, 6])'
    yield Case(call, {"x": x, "y": normal(4, 6)}, x.reshape(4, 6))


def fill_empty_rows(places, values, rows, default):
    found = sorted([(*place, value) for place, value in zip(places.tolist(), values)], key=lambda element: element[0])
    is_empty = [int(row not in places[:, 0]) for row in range(rows)]
    found += [(row, *[0] * (places.shape[1] - 1), default) for row in range(rows) if is_empty[row]]
    found.sort(key=lambda element: element[0])
    return np.array([element[:-1] for element in found]), np.array([element[-1] for element in found]), np.array(is_empty)


def check_filled_rows():
    """In MLIR, in which a function has several results."""
    places, values = np.array([[1, 2], [1, 0], [4, 3]]), np.array([7, 8, 9])
    types = [("i", tensor((3, 2), "i64")), ("v", tensor((3,), "i64")), ("d", tensor((1,), "i64"))]
    results = [("places", tensor("?2", "i64")), ("values", tensor("?", "i64")), ("empty", tensor("?", "i64"))]
    operands, found = ", ".join(ty for _, ty in types), ", ".join(ty for _, ty in results)
    lines = [
        "  %shape = relay.constant dense<[6, 4]> : tensor<2xi64>",
        "  %places, %values, %empty = relay.sparse_fill_empty_rows %i, %v, %shape, %d",
        f"    : ({operands.replace(types[1][1], types[1][1] + ', tensor<2xi64>')}) -> ({found})",
    ]
    inputs = {"i": places, "v": values, "d": np.array([-1])}
    got = run(relayc, folder, "filled_rows", text(lines, results, types), inputs)
    for (name, _), expected in zip(results, fill_empty_rows(places, values, 6, -1)):
        np.testing.assert_array_equal(got[name], expected, name)


check(relayc, folder, "indexing", list(cases()))
# How many rows there are is known when the model runs: it has one result.
sparse = normal(3, 4, 5) * random.integers(0, 2, (3, 4, 5)).astype(np.float32)
for name, given in [("argwhere", sparse), ("argwhere_none", np.zeros(4, np.int64))]:
    case = Case("multiply(argwhere({x}), 2)", {"x": given}, 2 * np.argwhere(given).astype(np.int32))
    check(relayc, folder, name, [case])
check_filled_rows()
