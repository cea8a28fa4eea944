"""Tensor expressions and schedules written in Python compute what numpy computes."""

import numpy as np
import pytest

import relay_mlir
from relay_mlir import te

RANDOM = np.random.default_rng(7)


def array(*shape):
    return RANDOM.standard_normal(shape).astype("f4")


def product(n=48, m=40, l=32):
    a, b = te.placeholder((n, l), name="a"), te.placeholder((l, m), name="b")
    k = te.reduce_axis((0, l), name="k")
    return a, b, k, te.compute((n, m), lambda i, j: te.sum(a[i, k] * b[k, j], axis=k), name="c")


def check_product(schedule, a, b, c):
    x, y = array(*a.shape), array(*b.shape)
    made = te.build(schedule, [a, b, c], target="llvm", opt_level=1, threads=1)
    np.testing.assert_allclose(made(x, y), x @ y, rtol=1e-4, atol=1e-4)
    out = np.zeros(c.shape, "f4")
    assert made(x, y, out) is None
    np.testing.assert_allclose(out, x @ y, rtol=1e-4, atol=1e-4)


def test_a_vector_addition():
    a, b = te.placeholder((1000,), name="a"), te.placeholder((1000,), name="b")
    c = te.compute(a.shape, lambda i: a[i] + b[i], name="c")
    s = te.create_schedule(c.op)
    outer, inner = s[c].split(c.op.axis[0], factor=64)
    s[c].parallel(outer)
    s[c].vectorize(inner)
    x, y = array(1000), array(1000)
    np.testing.assert_array_equal(te.build(s, [a, b, c], name="add")(x, y), x + y)
    text = te.lower(s, [a, b, c], simple_mode=True)
    assert "tir.for" in text and "parallel" in text


def test_a_product_without_a_schedule():
    a, b, _, c = product()
    check_product(te.create_schedule(c.op), a, b, c)


def test_a_product_in_blocks_with_a_cache():
    a, b, k, c = product()
    s = te.create_schedule(c.op)
    cached = s.cache_write(c, "local")
    io, jo, ii, ji = s[c].tile(s[c].op.axis[0], s[c].op.axis[1], 8, 16)
    s[cached].compute_at(s[c], jo)
    ic, jc = s[cached].op.axis
    (kc,) = s[cached].op.reduce_axis
    ko, ki = s[cached].split(kc, factor=4)
    s[cached].reorder(ko, ic, ki, jc)
    s[cached].unroll(ki)
    s[cached].vectorize(jc)
    s[c].parallel(io)
    s[c].vectorize(ji)
    check_product(s, a, b, c)


def test_packing_fusing_and_nparts():
    a, b, k, c = product()
    packed = te.compute((5, 32, 8), lambda jo, i, ji: b[i, jo * 8 + ji], name="packed")
    c = te.compute(
        (48, 40), lambda i, j: te.sum(a[i, k] * packed[te.cast(j // 8, "int32"), k, j % 8], axis=k), name="c"
    )
    s = te.create_schedule(c.op)
    i, j = s[c].op.axis
    outer, inner = s[c].split(i, nparts=6)
    s[c].reorder(outer, inner, k, j)
    s[packed].parallel(s[packed].fuse(s[packed].op.axis[0], s[packed].op.axis[1]))
    s[c].parallel(outer)
    check_product(s, a, b, c)


def test_rfactor_and_cache_read():
    a = te.placeholder((4, 64), name="a")
    k = te.reduce_axis((0, 64), name="k")
    total = te.compute((4,), lambda i: te.max(a[i, k], axis=k), name="total")
    s = te.create_schedule(total.op)
    copy = s.cache_read(a, "global", [total])
    s[copy].vectorize(s[copy].op.axis[1])
    ko, ki = s[total].split(s[total].op.reduce_axis[0], factor=8)
    s.rfactor(total, ki)
    x = array(4, 64)
    np.testing.assert_array_equal(te.build(s, [a, total])(x), x.max(1))


def test_a_convolution_with_padding_and_an_activation():
    x, w = te.placeholder((3, 10, 10), name="x"), te.placeholder((4, 3, 3, 3), name="w")
    inside = lambda y, z: te.all(y >= 1, y < 11, z >= 1, z < 11)  # noqa: E731
    padded = te.compute(
        (3, 12, 12), lambda c, y, z: te.if_then_else(inside(y, z), x[c, y - 1, z - 1], 0.0), name="padded"
    )
    rc, ry, rx = te.reduce_axis((0, 3), "rc"), te.reduce_axis((0, 3), "ry"), te.reduce_axis((0, 3), "rx")
    conv = te.compute(
        (4, 10, 10),
        lambda f, y, z: te.sum(padded[rc, y + ry, z + rx] * w[f, rc, ry, rx], axis=[rc, ry, rx]),
        name="conv",
    )
    out = te.compute((4, 10, 10), lambda *i: te.maximum(te.tanh(conv(*i)), 0.0), name="out")
    s = te.create_schedule(out.op)
    s[padded].compute_inline()
    s[conv].compute_at(s[out], s[out].op.axis[0])
    values, weights = array(3, 10, 10), array(4, 3, 3, 3)
    windows = np.lib.stride_tricks.sliding_window_view(np.pad(values, ((0, 0), (1, 1), (1, 1))), (3, 3), axis=(1, 2))
    expected = np.maximum(np.tanh(np.einsum("cyxij,fcij->fyx", windows, weights)), 0)
    np.testing.assert_allclose(te.build(s, [x, w, out])(values, weights), expected, rtol=1e-4, atol=1e-4)


def test_types():
    a = te.placeholder((6,), dtype="int32", name="a")
    b = te.compute((6,), lambda i: te.select(i % 2 < 1, a[i].astype("float32") / 2, te.cast(i, "float32")), name="b")
    assert b.dtype == "float32"
    value = np.arange(6, dtype="i4") * 3
    expected = np.where(np.arange(6) % 2 < 1, value / 2, np.arange(6)).astype("f4")
    np.testing.assert_array_equal(te.build(te.create_schedule(b.op), [a, b])(value), expected)
    index = te.compute((3, 2), lambda i, j: i * 2 + j, name="index")
    assert index.dtype == "int32"
    np.testing.assert_array_equal(te.build(te.create_schedule(index), [index])(), np.arange(6).reshape(3, 2))


def test_errors_say_what_is_wrong():
    a, b, k, c = product()
    s = te.create_schedule(c.op)
    with pytest.raises(relay_mlir.IRError, match="b is read, and is no argument"):
        te.build(s, [a, c])
    with pytest.raises(relay_mlir.IRError, match="a factor or into nparts"):
        s[c].split(k)
    with pytest.raises(relay_mlir.IRError, match="a has 2 dimensions"):
        te.compute((4,), lambda i: a[i])
    with pytest.raises(relay_mlir.IRError, match="takes 1 indices"):
        te.compute((4, 4), lambda i: i)
    with pytest.raises(relay_mlir.IRError, match="a is no stage"):
        s[a]
    with pytest.raises(relay_mlir.IRError, match="begins at 1"):
        te.reduce_axis((1, 4))
    s[c].vectorize(te.reduce_axis((0, 4), name="other"))
    with pytest.raises(relay_mlir.IRError, match="other is no axis of the stage c"):
        te.build(s, [a, b, c])
