"""Operators that a program declares compute what numpy and ONNX's reference evaluator compute, alone and fused."""

import pathlib
import subprocess
from collections.abc import Sequence
from typing import List, Optional

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper
from onnx.reference import ReferenceEvaluator
from onnx.reference.op_run import OpRun

import relay_mlir
from relay_mlir import ir, relay, te

RANDOM = np.random.default_rng(11)
HEADERS = pathlib.Path(__file__).parents[2] / "dialects/include"


def array(*shape):
    return RANDOM.standard_normal(shape).astype("f4")


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def same(x, gate, *, alpha):
    if x != gate:
        raise relay_mlir.OpError(f"x is {x}, and the gate is {gate}")
    return x


def swish_gate(x, gate, *, alpha=1.0):
    return te.compute(x.shape, lambda *i: x[i] * te.sigmoid(alpha * x[i]) * gate[i], name="swish")


def by_numpy(x, gate, alpha=1.0):
    return x * sigmoid(alpha * x) * gate


relay_mlir.register_op("mylib.swish_gate", same, swish_gate, fusion="elementwise", onnx=("my.domain", "SwishGate"))
GATE = relay.op.get("mylib.swish_gate")


def rows(x, *, scale=2.0):
    return relay.TensorType(x.shape[:-1], x.dtype)


def norm_of_rows(x, *, scale=2.0):
    k = te.reduce_axis((0, x.shape[-1]), name="k")
    squares = te.compute(x.shape[:-1], lambda *i: te.sum(x[(*i, k)] * x[(*i, k)], axis=k), name="squares")
    return te.compute(squares.shape, lambda *i: scale * te.sqrt(squares[i] / x.shape[-1]), name="norm")


relay_mlir.register_op("mylib.norm_of_rows", rows, norm_of_rows, fusion="reduction")


def doubled(x):
    return relay.TensorType((2 * x.shape[0] + 1, *x.shape[1:]), x.dtype)


def repeat(x):
    n = x.shape[0]
    return te.compute((2 * n + 1, x.shape[1]), lambda i, j: te.if_then_else(i < 2 * n, x[i % n, j], 0.0))


relay_mlir.register_op("mylib.repeat", doubled, repeat, fusion="injective")


def matmul(a, b):
    if a.shape[1] != b.shape[0]:
        raise relay_mlir.OpError("the inner extents differ")
    return relay.TensorType((a.shape[0], b.shape[1]), a.dtype)


def product(a, b):
    k = te.reduce_axis((0, a.shape[1]), name="k")
    return te.compute((a.shape[0], b.shape[1]), lambda i, j: te.sum(a[i, k] * b[k, j], axis=k), name="c")


def in_tiles(c):
    s = te.create_schedule(c.op)
    io, jo, ii, ji = s[c].tile(*s[c].op.axis, 4, 16)
    (k,) = s[c].op.reduce_axis
    s[c].reorder(io, jo, k, ii, ji)
    s[c].vectorize(ji)
    s[c].parallel(io)
    return s


relay_mlir.register_op("mylib.matmul", matmul, product, schedule=in_tiles)


def two(x):
    return [x, relay.TensorType(x.shape, "int32")]


def split_up(x):
    whole = te.compute(x.shape, lambda *i: te.floor(x[i]), name="whole")
    return [whole, te.compute(x.shape, lambda *i: te.cast(whole[i], "int32"), name="number")]


relay_mlir.register_op("mylib.whole", two, split_up, results=2)


def variables(*shapes):
    return [relay.var(name, shape=shape) for name, shape in zip("xyz", shapes)]


def run(params, body, *arrays, **how):
    return relay.build(relay.Function(params, body), **how)(*arrays)


@pytest.mark.parametrize("opt_level", [0, 1, 3])
def test_an_operator_computes_what_numpy_computes(opt_level):
    x, y = variables((5, 33), (5, 33))
    a, b = array(5, 33), array(5, 33)
    result = run([x, y], GATE(x, y, alpha=1.5), a, b, opt_level=opt_level)
    np.testing.assert_allclose(result, by_numpy(a, b, 1.5), rtol=1e-5, atol=1e-6)


def test_it_fuses_with_its_neighbours():
    x, y = variables((5, 33), (5, 33))
    body = relay.nn.relu(GATE(relay.exp(x), y) + relay.const(np.float32(0.25)))
    a, b = array(5, 33), array(5, 33)
    np.testing.assert_allclose(run([x, y], body, a, b), np.maximum(by_numpy(np.exp(a), b) + 0.25, 0), rtol=1e-5)
    program = relay.IRModule.from_expr(relay.Function([x, y], body))
    module = ir.Module(program.to_bytecode())
    text = str(module.run("attach-target,func.func(canonicalize),fuse-ops"))
    assert text.count("call @fused_") == 1 and "mylib_swish_gate" in text


@pytest.mark.parametrize("shape", [(3, 7), (1, 1), (0, 4), (2, 3, 5)])
def test_a_reduction_with_an_epilogue(shape):
    (x,) = variables(shape)
    a = array(*shape)
    expected = 2 * np.sqrt(np.mean(a * a, axis=-1)) + 1
    result = run([x], relay.op.get("mylib.norm_of_rows")(x) + relay.const(np.float32(1)), a)
    np.testing.assert_allclose(result, expected, rtol=1e-5)


def test_a_schedule_of_its_own():
    x, y = variables((12, 20), (20, 32))
    a, b = array(12, 20), array(20, 32)
    body = relay.nn.relu(relay.op.get("mylib.matmul")(x, y))
    np.testing.assert_allclose(run([x, y], body, a, b), np.maximum(a @ b, 0), rtol=1e-4, atol=1e-5)


def test_several_results():
    (x,) = variables((9,))
    whole = relay.op.get("mylib.whole")(x)
    a = array(9) * 5
    floor, number = run([x], relay.Tuple([whole[0], whole[1]]), a)
    np.testing.assert_array_equal(floor, np.floor(a))
    np.testing.assert_array_equal(number, np.floor(a).astype("i4"))


LIBRARY = """
#include "relay_operators.h"
#include <string.h>

static int twice(const relay_call *call, relay_write write, void *sink) {
  const char *type = call->operands[0].type;
  write(sink, type, strlen(type));
  write(sink, ", ", 2);
  write(sink, type, strlen(type));
  return 0;
}

static const relay_operator operators[] = {
    {.name = "test.twice", .fusion = "opaque", .operand_count = 1, .result_count = 2, .relation = twice, .compute = twice}};
static const relay_operators declared = {RELAY_OPERATORS_VERSION, 1, operators};
const relay_operators *relay_get_operators(void) { return &declared; }
"""


def test_several_results_of_an_operator_of_a_library(tmp_path):
    source, library = tmp_path / "twice.c", tmp_path / "libtwice.so"
    source.write_text(LIBRARY)
    subprocess.run(["cc", "-shared", "-fPIC", "-I", HEADERS, source, "-o", library], check=True)
    relay_mlir.load_operators(library)
    (x,) = variables((2, 3))
    results = relay.op.get("test.twice")(x)
    assert len(results) == 2
    assert results[1].checked_type == relay.TensorType((2, 3), "float32")


def test_attributes_hold_what_they_are_declared_to_hold():
    seen = {}

    def kept(x, **attributes):
        seen.update(attributes)
        return x

    def copied(
        x,
        *,
        text: str = 'a "b"\\\t\x01ä',
        count: int,
        sizes: List[int],
        scales: Sequence[float] = (1, 2.5),
        tiny=1e-30,
        many=(3, 4),
        none: "list[float]" = (),
        is_on=True,
    ):
        return te.compute(x.shape, lambda *i: x[i])

    relay_mlir.register_op("mylib.attributes", kept, copied)
    (x,) = variables((3,))
    relay.Function([x], relay.op.get("mylib.attributes")(x, count=7, sizes=[5])).body.checked_type
    assert seen == {
        "text": 'a "b"\\\t\x01ä',
        "count": 7,
        "sizes": [5],
        "scales": [1.0, 2.5],
        "tiny": 1e-30,
        "many": [3, 4],
        "none": [],
        "is_on": True,
    }


def maybe(x, *, alpha: Optional[float]):
    return x


def texts(x, *, names=("a", "b")):
    return x


@pytest.mark.parametrize("compute", [maybe, texts])
def test_an_attribute_of_no_known_type_is_refused(compute):
    with pytest.raises(relay_mlir.OpError, match="no default, or one of no known type"):
        relay_mlir.register_op("mylib.unknown_attribute", same, compute)


OPEN = """
func.func @main(%x: tensor<?x4xf32, ["n"]> {relay.name = "x"}) -> (tensor<?x4xf32, ["2*n + 1"]> {relay.name = "y"}) {
  %0 = relay.custom "mylib.repeat"(%x) : (tensor<?x4xf32, ["n"]>) -> tensor<?x4xf32, ["2*n + 1"]>
  %1 = relay.custom "mylib.swish_gate"(%0, %0) {alpha = 0.5} : (tensor<?x4xf32, ["2*n + 1"]>, tensor<?x4xf32, ["2*n + 1"]>) -> tensor<?x4xf32, ["2*n + 1"]>
  return %1 : tensor<?x4xf32, ["2*n + 1"]>
}
"""


def test_open_dimensions():
    model = relay_mlir.compile(ir.Module(OPEN))
    for n in (1, 3, 8):
        a = array(n, 4)
        whole = np.concatenate([a, a, np.zeros((1, 4), "f4")])
        np.testing.assert_allclose(model(a), by_numpy(whole, whole, 0.5), rtol=1e-5, atol=1e-6)


def test_open_dimensions_are_divided_by():
    text = """
func.func @main(%x: tensor<3x?xf32, ["n"]> {relay.name = "x"}) -> (tensor<3xf32> {relay.name = "y"}) {
  %0 = relay.custom "mylib.norm_of_rows"(%x) {scale = 1.0} : (tensor<3x?xf32, ["n"]>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}
"""
    model = relay_mlir.compile(ir.Module(text))
    for n in (1, 6):
        a = array(3, n)
        np.testing.assert_allclose(model(a), np.sqrt(np.mean(a * a, axis=-1)), rtol=1e-5)


def test_constants_are_folded():
    (x,) = variables((4,))
    a, b, c = array(4), array(4), array(4)
    body = x + GATE(relay.const(b), relay.const(c))
    folded = relay.transform.FoldConstant()(
        relay.transform.InferType()(relay.IRModule.from_expr(relay.Function([x], body)))
    )
    assert "swish_gate" not in folded.astext()
    np.testing.assert_allclose(run([x], body, a), a + by_numpy(b, c), rtol=1e-5)


def test_it_is_printed_and_read():
    x, y = variables((3, 4), (3, 4))
    module = relay.IRModule.from_expr(relay.Function([x, y], GATE(x, y, alpha=0.5)))
    again = relay.fromtext(module.astext())
    assert "mylib.swish_gate(%x, %y, alpha=0.5" in again.astext()
    assert relay.structural_equal(module, again)


def test_narrow_floats_are_computed_in_f32():
    ml_dtypes = pytest.importorskip("ml_dtypes")
    x = relay.var("x", shape=(64,), dtype="bfloat16")
    a = array(64).astype(ml_dtypes.bfloat16)
    result = np.asarray(run([x], GATE(x, x), a)).view(ml_dtypes.bfloat16).astype("f4")
    wide = a.astype("f4")
    np.testing.assert_array_equal(result, by_numpy(wide, wide).astype(ml_dtypes.bfloat16).astype("f4"))


class SwishGate(OpRun):
    op_domain = "my.domain"

    def _run(self, x, gate, alpha=1.0):
        return (by_numpy(x, gate, np.float32(alpha)).astype(x.dtype),)


def onnx_model(operator="SwishGate", domain="my.domain", **attributes):
    nodes = [
        helper.make_node("Exp", ["x"], ["e"]),
        helper.make_node(operator, ["e", "y"], ["g"], domain=domain, name="gate", **attributes),
        helper.make_node("Relu", ["g"], ["z"]),
    ]
    shape = ["n", 6]
    values = [helper.make_tensor_value_info(name, TensorProto.FLOAT, shape) for name in "xyz"]
    graph = helper.make_graph(nodes, "g", values[:2], values[2:])
    opsets = [helper.make_opsetid("", 17), helper.make_opsetid(domain, 1)]
    return helper.make_model(graph, opset_imports=opsets, ir_version=9)


def test_an_operator_of_onnx():
    model = onnx_model(alpha=0.3)
    onnx.checker.check_model(model)
    a, b = array(3, 6), array(3, 6)
    (expected,) = ReferenceEvaluator(model, new_ops=[SwishGate]).run(None, {"x": a, "y": b})
    np.testing.assert_allclose(relay_mlir.compile(model)(a, b), expected, rtol=1e-5, atol=1e-6)


def test_an_operator_of_onnx_that_nobody_declares():
    with pytest.raises(relay_mlir.CompileError) as error:
        relay_mlir.compile(onnx_model("Unknown", "their.domain"))
    for part in ("'gate'", "their.domain", "register_op"):
        assert part in str(error.value)


def test_an_attribute_that_nobody_declares():
    with pytest.raises(relay_mlir.CompileError, match="beta"):
        relay_mlir.compile(onnx_model(beta=1.0))


@pytest.mark.parametrize(
    ("body", "parts"),
    [
        (lambda x, y: GATE(x, relay.exp(y)), ["x is Tensor[(3, 4), float32], and the gate is", "(C3)"]),
        (lambda x, y: GATE(x), ["takes 2 operands, not 1 (C2)"]),
        (lambda x, y: GATE(x, x, alhpa=2.0), ["no attribute 'alhpa'; did you mean 'alpha'?"]),
        (lambda x, y: GATE(x, x, alpha="a"), ["alpha", "is not a float"]),
        (lambda x, y: relay.op.get("mylib.swish_gaet")(x, x), ["did you mean 'mylib.swish_gate'?", "register_op"]),
        (lambda x, y: relay.op.get("mylib.broken_relation")(x), ["ZeroDivisionError", "in broken", "raised"]),
    ],
)
def test_what_does_not_fit_is_refused_with_the_place(body, parts):
    x, y = variables((3, 4), (5,))
    with pytest.raises(relay_mlir.IRError) as error:
        relay.Function([x, y], body(x, y)).body.checked_type
    for part in [*parts, "test_operators.py"]:
        assert part in str(error.value)


def broken(x):
    return 1 // 0


def other_shape(x):
    return te.compute((x.shape[0] + 1,), lambda i: 0.0)


relay_mlir.register_op("mylib.broken_relation", broken, lambda x: te.compute(x.shape, lambda *i: x[i]))
relay_mlir.register_op("mylib.broken_compute", lambda x: x, broken)
relay_mlir.register_op("mylib.other_shape", lambda x: x, other_shape)
relay_mlir.register_op("mylib.operand", lambda x: x, lambda x: x)


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("broken_compute", ["ZeroDivisionError", "in broken", "its compute raised"]),
        ("other_shape", ["returned Tensor[(4,), float32]", "says Tensor[(3,), float32]"]),
        ("operand", ["returns an operand"]),
    ],
)
def test_a_compute_that_is_wrong_is_an_error(name, parts):
    (x,) = variables((3,))
    with pytest.raises(relay_mlir.CompileError) as error:
        relay.build(relay.Function([x], relay.op.get(f"mylib.{name}")(x)))
    for part in [*parts, f"mylib.{name}"]:
        assert part in str(error.value)


@pytest.mark.parametrize(
    ("name", "how", "part"),
    [
        ("mylib.swish_gate", {}, "registered already"),
        ("swish", {}, "a namespace"),
        ("nn.relu", {}, "relay has the operator"),
        ("mylib.other_gate", {"onnx": ("my.domain", "SwishGate")}, 'becomes "mylib.swish_gate" already'),
        ("mylib.other_gate", {"fusion": "sometimes"}, "not one of elementwise"),
    ],
)
def test_what_is_no_declaration_is_refused(name, how, part):
    with pytest.raises(relay_mlir.IRError, match=part):
        relay_mlir.register_op(name, same, swish_gate, **how)


def test_a_module_is_read_only_where_its_operators_are_registered():
    text = OPEN.replace("mylib.repeat", "theirs.repeat")
    with pytest.raises(relay_mlir.IRError) as error:
        ir.Module(text, "model.mlir")
    for part in ("model.mlir:3", "theirs.repeat", "is not registered", "--load-operators"):
        assert part in str(error.value)
