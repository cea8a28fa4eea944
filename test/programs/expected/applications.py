"""Algorithms and networks."""

import math

import numpy as np

from .table import f32, i32, normal, program

# --- algorithms


@program
def sort_insertion():
    return {"a": i32(9), "b": i32(4)}, [i32(13459)]


@program
def sort_merge():
    return {"a": i32(9), "b": i32(4)}, [i32(13459), i32(95431)]


@program
def sort_quick():
    smallest = sorted([0.25, 0.5, -3, -1, 2])[:3]
    return {"a": f32(0.25), "b": f32(-3)}, [f32(each) for each in smallest]


@program
def sieve_of_primes():
    primes = [n for n in range(2, 51) if all(n % k for k in range(2, n))]
    return {"n": i32(50)}, [i32(len(primes)), i32(sum(primes))]


@program
def newton_and_bisection():
    return {"x": f32(20)}, [f32(math.sqrt(20)), f32(20 ** (1 / 3))]


@program
def church_numerals():
    return {"m": i32(4), "n": i32(3)}, [i32(7), i32(12), i32(5)]


@program
def continuation_passing():
    return {"a": i32(5)}, [i32(30), i32(3), i32(0), i32(3)]


@program
def stream_lazy():
    return {"n": i32(8)}, [i32(sum(n * n for n in range(1, 16, 2)))]


@program
def expression_interpreter():
    return {"x": i32(4)}, [i32(6 * 6 + 4), i32(3 * 5)]


@program
def dual_numbers():
    x = 0.75
    slope = 3 * x * x + math.cos(x) * x + math.sin(x)
    return {"x": f32(x)}, [f32(x**3 + math.sin(x) * x), f32(slope)]


@program
def stack_machine():
    return {"x": i32(6)}, [i32(10), i32(39), i32(2)]


# --- networks


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


@program
def lstm_over_list():
    inputs = {name: normal(20 + index, 1, 3) for index, name in enumerate("abc")}
    wx, wh = normal(23, 16, 3), normal(24, 16, 4)
    h = c = np.zeros((1, 4))
    for x in inputs.values():
        gates = x.astype(float) @ wx.T + h @ wh.T
        i, f, g, o = np.split(gates, 4, axis=1)
        c = sigmoid(f) * c + sigmoid(i) * np.tanh(g)
        h = sigmoid(o) * np.tanh(c)
    return inputs | {"wx": wx, "wh": wh}, [f32(h), f32(c)]


@program
def gru_over_list():
    a, b, wx, wh = normal(30, 1, 3), normal(31, 1, 3), normal(32, 12, 3), normal(33, 12, 4)

    def cell(h, x):
        xr, xu, xn = np.split(x.astype(float) @ wx.T, 3, axis=1)
        hr, hu, hn = np.split(h @ wh.T, 3, axis=1)
        u = sigmoid(xu + hu)
        return (1 - u) * np.tanh(xn + sigmoid(xr + hr) * hn) + u * h

    zero = np.zeros((1, 4))
    first = cell(zero, a)
    last = cell(first, b)
    wanted = [cell(cell(zero, b), a), last, 2 * first, 2 * last]
    return {"a": a, "b": b, "wx": wx, "wh": wh}, [f32(each) for each in wanted]


@program
def tree_lstm():
    x, y, wx, wh = normal(34, 1, 3), normal(35, 1, 3), normal(36, 8, 3), normal(37, 8, 2)

    def node(value, *branches):
        h = sum((branch[0] for branch in branches), np.zeros((1, 2)))
        of_x = value.astype(float) @ wx.T
        i, _, g, o = np.split(of_x + h @ wh.T, 4, axis=1)
        c = sigmoid(i) * np.tanh(g)
        for branch in branches:
            c = c + sigmoid((of_x + branch[0] @ wh.T)[:, 2:4]) * branch[1]
        return sigmoid(o) * np.tanh(c), c

    h, c = node(x, node(y), node(x + y, node(y)))
    return {"x": x, "y": y, "wx": wx, "wh": wh}, [f32(h), f32(c)]


@program
def attention_over_list():
    query, a, b, c = (normal(seed, 4) for seed in range(40, 44))
    keys = np.stack([a, b, c]).astype(float)
    weights = np.exp(keys @ query / 2)
    inputs = {"query": query, "a": a, "b": b, "c": c}
    return inputs, [f32(weights / weights.sum() @ (2 * keys))]


@program
def mlp_layers_in_list():
    x, v, w = normal(44, 2, 4), normal(45, 4, 4), normal(46, 4, 4)
    y = np.tanh(np.maximum(x.astype(float) @ v.T, 0) @ w.T) @ v.T
    y = np.exp(y)
    return {"x": x, "v": v, "w": w}, [f32(y / y.sum(axis=1, keepdims=True))]


@program
def k_means_steps():
    # 1, 2, 3 and 4 end up together, and so do 10 and 12.
    return {"a": f32(0), "b": f32(3.5)}, [f32(2.5), f32(11)]


@program
def power_iteration():
    m = np.array([[4, 1, 0.5], [1, 2, 0], [0.5, 0, 1]])
    values, vectors = np.linalg.eigh(m)
    vector = vectors[:, -1] * np.sign(vectors[:, -1].sum())
    return {"m": f32(m)}, [f32(values[-1]), f32(vector[None])]


@program
def matrix_chain():
    extents = [10, 30, 5, 60, 8]
    least = {(i, i + 1): 0 for i in range(4)}
    for length in range(2, 5):
        for i in range(5 - length):
            j = i + length
            least[i, j] = min(
                least[i, k] + least[k, j] + extents[i] * extents[k] * extents[j]
                for k in range(i + 1, j)
            )
    return {"n": i32(30)}, [i32(least[0, 4])]


@program
def beam_search():
    beams = [(0, 0, "1")]
    for _ in range(5):
        longer = [
            (score + (2 if last == letter else 5 if last == 0 else 1), letter, word + str(letter))
            for score, last, word in beams
            for letter in (0, 1)
        ]
        beams = sorted(longer, key=lambda beam: -beam[0])[:2]
    return {"steps": i32(5)}, [i32(beams[0][0]), i32(int(beams[0][2], 2))]
