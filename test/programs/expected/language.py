"""Programs about what the language has."""

import math

import numpy as np

from .table import digits, f32, i32, i64, normal, program

# --- recursion


@program
def recursion_factorial():
    return {"n": i32(10)}, [i32(math.factorial(10))]


def fibonacci(n):
    a, b = 0, 1
    for _ in range(n):
        a, b = b, a + b
    return a


@program
def recursion_fibonacci():
    return {"n": i32(15)}, [i32(fibonacci(15))] * 2


@program
def recursion_let_bound():
    return {"n": i32(907654)}, [i32(sum(map(int, "907654"))), i32(6)]


@program
def recursion_deep():
    return {"n": i32(20000)}, [i32(sum(range(20001)))]


@program
def recursion_tail_calls():
    return {"n": i32(10000)}, [i32(10000)] * 3


@program
def recursion_ackermann():
    # A(2, n) = 2 n + 3
    return {"m": i32(2), "n": i32(5)}, [i32(2 * 5 + 3)]


@program
def recursion_gcd():
    a, b = 240, 46
    g = math.gcd(a, b)
    x, y = -9, 47
    assert a * x + b * y == g
    return {"a": i32(a), "b": i32(b)}, [i32(g), i32(g), i32(x), i32(y), i32(g)]


@program
def recursion_power_by_squaring():
    x, n, m = 7, 123456789, 1000003
    return {"x": i64(x), "n": i64(n), "m": i64(m)}, [i64(pow(x, n, m))]


@program
def recursion_collatz():
    seen = [27]
    while seen[-1] != 1:
        n = seen[-1]
        seen.append(n // 2 if n % 2 == 0 else 3 * n + 1)
    return {"n": i32(27)}, [i32(len(seen) - 1), i32(max(seen))]


@program
def recursion_hanoi():
    # Without recursion: every other move is that of the smallest disc, which goes round.
    n = 6
    pegs = [list(range(n, 0, -1)), [], []]
    moves = []
    small, step = 0, 1 if n % 2 == 0 else 2
    for move in range(2**n - 1):
        if move % 2 == 0:
            a, b = small, (small + step) % 3
            small = b
        else:
            a, b = [peg for peg in range(3) if peg != small]
            if not pegs[a] or (pegs[b] and pegs[b][-1] < pegs[a][-1]):
                a, b = b, a
        pegs[b].append(pegs[a].pop())
        moves.append((a, b))
    assert pegs[2] == list(range(n, 0, -1))
    weighted = sum(index % 7 * (3 * a + b) for index, (a, b) in enumerate(moves))
    return {"n": i32(n)}, [i32(len(moves)), i32(weighted)]


@program
def mutual_even_odd():
    return {"n": i32(37)}, [np.bool_(False), np.bool_(True)]


@program
def mutual_hofstadter():
    # OEIS A005378 and A005379.
    female = [1, 1, 2, 2, 3, 3, 4, 5, 5, 6]
    male = [0, 0, 1, 2, 2, 3, 4, 4, 5, 6]
    return {"count": i32(9)}, [i32(digits(female[:9])), i32(digits(male[:9]))]


@program
def mutual_state_machine():
    def left(n):
        return int(bin(n)[2:][::-1], 2) % 3

    a, b, c = 11, 12, 50
    return {"a": i32(a), "b": i32(b), "c": i32(c)}, [i32(left(n)) for n in (a, b, c)]


@program
def mutual_without_types():
    n, steps = 9, 0
    while True:
        if n < 0:
            result = steps
            break
        n, steps = n - 5, steps + 1
        if n < 0:
            result = steps + 100
            break
        n, steps = n + 3, steps + 1
    return {"n": i32(9)}, [i32(result)]


# --- functions as values


@program
def closure_capture():
    x = 1.25
    return {"x": f32(x)}, [f32(2 * x + 1), f32(4 - x / 2), f32(2 * (4 - x / 2) + 1)]


@program
def closure_in_closure():
    a, b = 7, -2

    def inner(x, y, z):
        return a * (2 * x + y) + b * z + 2 * x

    wanted = [inner(3, 10, 1), inner(3, 20, 1), inner(3, 10, 2), inner(0, 0, 5)]
    return {"a": i32(a), "b": i32(b)}, [i32(each) for each in wanted]


@program
def closure_counter():
    return {}, [i32(each) for each in (1, 2, 3, 1, 2)]


@program
def closure_shared_reference():
    inputs = {"start": i32(30), "amount": i32(45)}
    return inputs, [np.bool_(True), i32(35), np.bool_(False), i32(35)]


@program
def closure_list_of_adders():
    x = 5
    return {"x": i32(x)}, [i32(3 * 2 * x + 6), i32(((2 * x + 1) * 2 + 2) * 2 + 3)]


@program
def closure_recursive_capture():
    return {"n": i32(162), "k": i32(3)}, [i32(4), i32(5), i32(0)]


@program
def closure_captures_tensor():
    angle = math.pi / 6
    matrix = [[math.cos(angle), -math.sin(angle)], [math.sin(angle), math.cos(angle)]]
    point = np.array([[1.0, 2.0]])

    def turned(by):
        (x, y), c, s = point[0], math.cos(by), math.sin(by)
        return f32([[c * x - s * y, s * x + c * y]])

    return {"matrix": f32(matrix), "point": f32(point)}, [turned(angle), turned(4 * angle)]


@program
def higher_order_twice():
    return {"x": i32(1)}, [i32(1 + 3 * 2), i32(1 + 3 * 4), i32(1 + 3 * 16)]


@program
def higher_order_pipeline():
    x = f32([1.5, -2.0, 0.25])
    once = np.maximum(2 * x - 1, 0)
    return {"x": x}, [once, np.maximum(2 * once - 1, 0)]


@program
def higher_order_fixed_point():
    return {"n": i32(7)}, [i32(5040), i32(28)]


@program
def currying_three_arguments():
    x = 1.5
    return {"x": f32(x)}, [f32(2 * 0.5 * x), f32(2 * x * 3), f32(x**3)]


@program
def currying_polymorphic():
    return {"x": i32(9), "y": i32(4)}, [i32(5), i32(5), i32(-5), f32(13.5)]


@program
def function_in_data_type():
    values = {"a": i32(4), "b": i32(-3), "c": i32(6)}
    return values, [i32(7), i32(-72), i32(6), i32(0)]


@program
def function_dispatch_table():
    return {"x": i32(12), "y": i32(5)}, [i32(17), i32(7), i32(60), i32(-1)]


@program
def function_object():
    return {"start": i32(100)}, [i32(100), i32(105), i32(113)]


# --- data types and patterns


@program
def adt_shapes():
    x = 1.5
    return {"x": f32(x)}, [f32(math.pi * x * x + 2 * x + 6), i32(2)]


@program
def adt_peano():
    wanted = [i32(10), i32(21), np.bool_(False), np.bool_(True)]
    return {"a": i32(7), "b": i32(3)}, wanted


@program
def adt_either():
    return {"n": i32(-4), "x": f32(0.25)}, [i32(6), f32(2.75)]


@program
def adt_mutually_recursive():
    n = 5
    leaf = n + 20
    return {"n": i32(n)}, [i32(1 + (leaf + 7) + leaf), i32(5), i32(3)]


@program
def adt_binary_tree():
    depth = 4
    nodes = 2 ** (depth + 1) - 1
    # The right edge of the tree: 1, 3, 7 ...
    edge = sum(2**level - 1 for level in range(1, depth + 2))
    wanted = [nodes * (nodes + 1) // 2, depth, 2**depth, edge]
    return {"depth": i32(depth)}, [i32(each) for each in wanted]


@program
def adt_search_tree():
    a, b = 3, 9
    numbers = sorted({5, a, 8, b, 1, 6})
    return {"a": i32(a), "b": i32(b)}, [i32(digits(numbers)), np.bool_(True), np.bool_(False)]


@program
def adt_queue():
    queue, out = [4, 3, 8], []
    while queue:
        first = queue.pop(0)
        out.append(first)
        if first % 2 == 0:
            queue.append(first // 2)
    return {"a": i32(4), "b": i32(3), "c": i32(8)}, [i32(digits(out))]


@program
def adt_association_list():
    x, y = normal(1, 2), normal(2, 2)
    return {"x": x, "y": y}, [x + y, y, f32([0, 0]), i32(2), i32(1)]


@program
def option_chain():
    return {"x": f32(6.25)}, [f32(0.4), f32(-1), f32(-1)]


@program
def list_zipper():
    # 1 2 3 4: the third becomes x, and then the second 9.
    return {"x": i32(7)}, [i32(1974)]


@program
def pattern_nested():
    x = 4
    value = (1 + 2 + 3 + x) * 2 * x * 5
    return {"x": i32(x)}, [i32(value), i32(value), i32(13), i32(3)]


@program
def pattern_tuples():
    x, y = 6, normal(3, 2)
    wanted = [i32(-1), i32(1), i32(0), i32(x * (x + 1)), y + y]
    return {"x": i32(x), "y": y}, wanted


@program
def pattern_first_arm():
    return {"a": i32(5), "b": i32(7)}, [i32(112), i32(205), i32(307), i32(400)]


@program
def pattern_partial_match():
    return {"x": i32(11)}, [i32(14), i32(13)]


@program
def pattern_red_black_tree():
    return {"n": i32(20)}, [i32(210), i32(6)]


# --- types


@program
def polymorphic_functions():
    n, x = 4, normal(4, 3)
    return {"n": i32(n), "x": x}, [x, i32(n), 2 * x, i32(n + 1), i32(n)]


@program
def polymorphic_local():
    n, x = 2, normal(6, 3)
    pairs = [x, i32(n)]
    inner = [i32(n), 2 * x, i32(n)]
    return {"n": i32(n), "x": x}, [i32(8 * n), x * f32(0.5**n), *pairs, i32(3), *inner, i32(7)]


@program
def polymorphic_data():
    n, x = 5, normal(5, 2)
    third = 3 * 2 + 1
    second = n * third + 1
    wanted = [i32(1 - n - 3), x + x * n + x * 3, i32(1 * second + 1)]
    return {"x": x, "n": i32(n)}, wanted


@program
def inference_of_functions():
    n, x = 8, 1.5
    wanted = [i32(n + 2), f32(3 * x), i32(n), f32(x**4), i32(n - 1)]
    return {"n": i32(n), "x": f32(x)}, wanted


@program
def inference_of_shapes():
    rows, weights = normal(6, 4, 3), normal(7, 5, 3)
    hidden = np.maximum(rows.astype(float) @ weights.T.astype(float), 0)
    mean = hidden.mean(axis=0, keepdims=True)
    stacked = np.concatenate([hidden - mean, mean])
    wanted = [f32(stacked), f32(stacked.sum(axis=1)), i64(stacked.argmax(axis=1))]
    return {"rows": rows, "weights": weights}, wanted


@program
def inference_of_data():
    return {"n": i32(17)}, [i32(17), i32(1), i32(5), i32(0)]


# --- references


@program
def reference_accumulator():
    return {"a": f32(1.5), "b": f32(-2), "c": f32(4)}, [f32(3.5), f32(-12)]


@program
def reference_linked_list():
    return {"a": i32(3), "b": i32(4)}, [i32(107), i32(7)]


@program
def reference_to_function():
    n = 5
    return {"n": i32(n)}, [i32(0), i32(math.factorial(n)), i32(n * (n - 1))]


@program
def reference_loop():
    first = math.isqrt(90) + 1
    return {"n": i32(90)}, [i32(first), i32(sum(range(first)))]


@program
def reference_random():
    a = 12345 * 48271 % 2147483647
    b = a * 48271 % 2147483647
    c = b * 48271 % 2147483647
    return {"seed": i64(12345)}, [i64(each) for each in (a, b, c, a - b)]


@program
def reference_swap():
    x, y = normal(8, 2), normal(9, 2)
    return {"x": x, "y": y}, [y, y, 10 * x]


# --- devices


@program
def devices():
    x, n = normal(43, 3), 4
    return {"x": x, "n": i32(n)}, [x, x, x, 2 * x, (2 + n) * x]


# --- control, bindings, the prelude


@program
def control_short_circuit():
    # Both calls of "or" look, the first "and" does not.
    wanted = [np.bool_(False), np.bool_(True), np.bool_(True), i32(2), i32(1)]
    return {"n": i32(7)}, wanted


@program
def graph_bindings():
    x = normal(50, 2, 2)
    square = x * x
    return {"x": x}, [-2 * square * square, -square, i32(1)]


@program
def sequence_and_shadowing():
    x = 7
    inner = 7 + (1 + 1) ** 2
    return {"x": i32(x)}, [i32(inner), i32(701), i32(2 * inner), i32(1234)]


@program
def prelude_lists():
    wanted = [1, 234, 3, 4, 1934, 10, 12344321, 2345, 34, -10, 1 - (2 - (3 - 4)), -2, 20, 3]
    return {"a": i32(1)}, [i32(each) for each in wanted]


@program
def prelude_states_and_trees():
    # Sums before each element: 0 1 3 from the left, 5 3 0 from the right.
    wanted = [1, 4, 9, 32, 6, 13, 6, 530, 1234, 4321, 4, 26]
    return {"a": i32(1)}, [i32(each) for each in wanted]
