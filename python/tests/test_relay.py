"""Programs of Relay written in Python compute what numpy computes, and print as TVM's text."""

import numpy as np
import pytest

import relay_mlir
from relay_mlir import relay
from relay_mlir.relay.dataflow_pattern import (
    DFPatternCallback,
    dominates,
    is_constant,
    is_op,
    is_tuple_get_item,
    is_var,
    rewrite,
    wildcard,
)

RANDOM = np.random.default_rng(42)


def array(*shape):
    return RANDOM.standard_normal(shape).astype("f4")


def run(expr, *inputs, **how):
    return relay.build(expr, opt_level=0, threads=1, **how)(*inputs)


def conv_net():
    """A convolution with bias and relu, and a branch that reads the result twice."""
    x, w, b = relay.var("x", shape=(1, 3, 8, 8)), relay.var("w", shape=(4, 3, 3, 3)), relay.var("b", shape=(4,))
    conv = relay.nn.conv2d(x, w, padding=(1, 1), channels=4, kernel_size=(3, 3))
    y = relay.nn.relu(relay.nn.bias_add(conv, b))
    return relay.Function([x, w, b], y + y * relay.const(2.0))


def convolved(x, w, b):
    """The same by numpy."""
    padded = np.pad(x, ((0, 0), (0, 0), (1, 1), (1, 1)))
    windows = np.lib.stride_tricks.sliding_window_view(padded, (3, 3), axis=(2, 3))
    return 3 * np.maximum(np.einsum("nchwij,ocij->nohw", windows, w) + b[:, None, None], 0)


def test_a_network_computes_what_numpy_computes():
    x, w, b = array(1, 3, 8, 8), array(4, 3, 3, 3), array(4)
    np.testing.assert_allclose(run(conv_net(), x, w, b), convolved(x, w, b), rtol=1e-4, atol=1e-5)
    model = relay.build(relay.IRModule.from_expr(conv_net()), target="llvm", params={"w": w, "b": b})
    assert [port.name for port in model.inputs] == ["x"]
    np.testing.assert_allclose(model(x), convolved(x, w, b), rtol=1e-4, atol=1e-5)
    assert relay_mlir.compile(relay.IRModule.from_expr(conv_net()), opt_level=0)(x, w, b).shape == (1, 4, 8, 8)


def test_text_is_read_again():
    module = relay.IRModule.from_expr(conv_net())
    again = relay.parse(module.astext(show_meta_data=True))
    assert relay.structural_equal(again, relay.transform.InferType()(module))
    assert "%0 = nn.conv2d(%x, %w, padding=[1, 1], channels=4, kernel_size=[3, 3]);" in module.astext()
    assert str(again["main"].ret_type) == "Tensor[(1, 4, 8, 8), float32]"


def test_types():
    x = relay.var("x", shape=(2, 3))
    assert relay.nn.softmax(x).checked_type == relay.TensorType((2, 3))
    assert relay.Tuple([x, relay.sum(x, axis=1)]).checked_type == relay.TupleType(
        [relay.TensorType((2, 3)), relay.TensorType((2,))]
    )
    assert str(relay.Function([x], relay.transpose(x)).checked_type) == (
        "fn (Tensor[(2, 3), float32]) -> Tensor[(3, 2), float32]"
    )
    assert relay.TensorType((1, relay.Any())) == relay.TensorType((1, None))


def test_an_error_names_the_line_of_python():
    x = relay.var("x", shape=(2, 3))
    wrong = relay.nn.dense(x, relay.var("w", shape=(4, 5)))
    with pytest.raises(relay_mlir.IRError, match=r"nn.dense.*(?s:.*)test_relay.py:\d+"):
        relay.build(wrong)
    with pytest.raises(relay_mlir.IRError, match="no parameter y"):
        relay.build(relay.Function([x], x + x), params={"y": 1.0})
    with pytest.raises(relay_mlir.IRError, match="is no expression"):
        relay.nn.relu("x")


def test_results_by_number():
    x = relay.var("x", shape=(4, 6))
    left, right = relay.split(x, 2, axis=1)
    value = array(4, 6)
    np.testing.assert_array_equal(run(left - right, value), value[:, :3] - value[:, 3:])
    thirds = relay.split(x, (1, 3), axis=0)
    assert len(thirds) == 3
    np.testing.assert_array_equal(run(relay.concatenate([thirds[2], thirds[0]], axis=0), value), value[[3, 0]])
    stats = [relay.var(name, shape=(6,)) for name in "gbmv"]
    normed = relay.nn.batch_norm(x, *stats, axis=1, epsilon=1e-3)
    gamma, beta, mean, var = array(6), array(6), array(6), np.abs(array(6))
    expected = (value - mean) / np.sqrt(var + 1e-3) * gamma + beta
    np.testing.assert_allclose(run(normed[0], value, gamma, beta, mean, var), expected, rtol=1e-4, atol=1e-5)


def test_branches_compute_what_they_read():
    x, flag = relay.var("x", shape=(3,)), relay.var("flag", shape=(), dtype="bool")
    shared = relay.exp(x)
    chosen = relay.Function([x, flag], relay.If(flag, shared + relay.tanh(x), shared * relay.const(2.0)))
    text = relay.IRModule.from_expr(chosen).astext()
    assert text.index("exp(") < text.index("if (") < text.index("tanh(")
    value = array(3)
    np.testing.assert_allclose(run(chosen, value, np.bool_(True)), np.exp(value) + np.tanh(value), rtol=1e-5)
    np.testing.assert_allclose(run(chosen, value, np.bool_(False)), np.exp(value) * 2, rtol=1e-5)


def test_a_function_that_calls_itself():
    n, acc = relay.var("n", "int32"), relay.var("acc", "int32")
    total = relay.GlobalVar("total")
    body = relay.If(relay.equal(n, relay.const(0)), acc, total(n - relay.const(1), acc + n))
    k = relay.var("k", "int32")
    module = relay.IRModule({total: relay.Function([n, acc], body, relay.scalar_type("int32"))})
    module["main"] = relay.Function([k], total(k, relay.const(0)))
    assert run(module, np.int32(10)) == 55
    assert [name.name_hint for name in module.get_global_vars()] == ["total", "main"]


def test_data_types_are_matched():
    a = relay.TypeVar("a")
    nil = relay.Constructor("Last")
    cons = relay.Constructor("More", [a, relay.TypeCall("Chain", [a])])
    number = relay.scalar_type("float32")
    chain = relay.var("chain", relay.TypeCall("Chain", [number]))
    head, tail = relay.var("head"), relay.var("tail")
    total = relay.GlobalVar("total")
    clauses = [
        relay.Clause(relay.PatternConstructor(nil), relay.const(0.0)),
        relay.Clause(
            relay.PatternConstructor(cons, [relay.PatternVar(head), relay.PatternVar(tail)]), head + total(tail)
        ),
    ]
    x = relay.var("x", "float32")
    module = relay.IRModule(
        {
            "total": relay.Function([chain], relay.Match(chain, clauses), number),
            "main": relay.Function([x], total(cons(x, cons(x * x, nil())))),
        },
        {"Chain": relay.TypeData("Chain", [a], [nil, cons])},
    )
    assert run(module, np.float32(3)) == 12
    assert relay.structural_equal(relay.parse(str(module)), module)


def test_lets_and_references():
    x, y, cell = relay.var("x", shape=(2,)), relay.var("y"), relay.var("cell")
    counted = relay.Let(cell, relay.RefCreate(x), relay.Let(
        relay.var("_"), relay.RefWrite(cell, relay.RefRead(cell) + x), relay.Let(y, relay.RefRead(cell), y * y)
    ))  # fmt: skip
    value = array(2)
    np.testing.assert_allclose(run(relay.Function([x], counted), value), (2 * value) ** 2, rtol=1e-6)


def test_passes_by_name_and_in_python():
    x = relay.var("x", shape=(2, 2))
    module = relay.IRModule.from_expr(relay.Function([x], x + (relay.const(np.ones((2, 2), "f4")) + relay.const(1.0))))
    folded = relay.transform.FoldConstant()(module)
    (constant,) = [arg for arg in folded["main"].body.args if isinstance(arg, relay.Constant)]
    np.testing.assert_array_equal(constant.data, np.full((2, 2), 2, "f4"))

    @relay.transform.function_pass(opt_level=1)
    class Doubled:
        def __init__(self, factor):
            self.factor = factor

        def transform_function(self, function, module, context):
            return relay.Function(function.params, function.body * relay.const(self.factor))

    both = relay.transform.Sequential([relay.transform.InferType(), Doubled(3.0), relay.transform.FuseOps()])(module)
    assert any(function.attrs.get("Primitive") for function in both.functions.values())
    value = array(2, 2)
    np.testing.assert_allclose(run(both, value), (value + 2) * 3, rtol=1e-6)
    with pytest.raises(AttributeError, match="there is fold-constant"):
        relay.transform.FoldConstants()
    with pytest.raises(TypeError, match="no option depth"):
        relay.transform.FuseOps(depth=3)
    assert "FoldConstant" in dir(relay.transform)


def test_patterns():
    function = conv_net()
    body = function.body
    relu = body.args[0]
    conv = is_op("nn.conv2d")(wildcard(), wildcard())
    biased = is_op("nn.bias_add")(conv, is_var("b"))
    assert is_op("nn.relu")(biased).match(relu) and not is_op("nn.relu")(conv).match(relu)
    assert (is_constant() * wildcard()).match(body.args[1])
    assert conv.has_attr({"channels": 4}).match(relu.args[0].args[0])
    assert not conv.has_attr({"channels": 5}).match(relu.args[0].args[0])
    assert wildcard().has_shape((1, 4, 8, 8)).match(relu) and not wildcard().has_dtype("int8").match(relu)
    assert conv.optional(lambda made: is_op("nn.bias_add")(made, wildcard())).match(relu.args[0])
    assert dominates(is_op("nn.relu")(wildcard()), wildcard(), wildcard() + wildcard()).match(body)
    same = wildcard()
    assert (same + same * is_constant()).match(body) and not (same + same).match(body)
    parts = relay.split(relay.var("s", shape=(4, 6)), 2, axis=1)
    assert is_tuple_get_item(is_op("split")(wildcard()), 1).match(parts[1])


def test_rewriting_and_partitioning():
    class WithoutScale(DFPatternCallback):
        def __init__(self):
            super().__init__()
            self.data = wildcard()
            self.pattern = self.data * is_constant()

        def callback(self, pre, post, node_map):
            return node_map[self.data][0]

    function = conv_net()
    x, w, b = array(1, 3, 8, 8), array(4, 3, 3, 3), array(4)
    rewritten = rewrite(WithoutScale(), function)
    np.testing.assert_allclose(run(rewritten, x, w, b), convolved(x, w, b) * (2 / 3), rtol=1e-4, atol=1e-5)

    pattern = is_op("nn.relu")(is_op("nn.bias_add")(is_op("nn.conv2d")(wildcard(), wildcard()), wildcard()))
    parted = pattern.partition(function, {"Composite": "conv_bias_relu"})
    called = parted.body.args[0].op
    assert isinstance(called, relay.Function) and called.attrs == {"Composite": "conv_bias_relu"}
    assert parted.body.args[1].args[0] is parted.body.args[0]
    np.testing.assert_allclose(run(parted, x, w, b), convolved(x, w, b), rtol=1e-4, atol=1e-5)
    # What is read outside of a match keeps it from being taken.
    inner = is_op("multiply")(is_op("nn.relu")(wildcard()), is_constant())
    assert relay.structural_equal(inner.partition(function, {}), function)


def test_a_deep_network_needs_no_deep_recursion():
    y = relay.var("x", shape=(2,))
    for _ in range(3000):
        y = y + relay.const(1.0)
    assert "%2998 = " in relay.IRModule.from_expr(y).astext()


def test_an_executor():
    x = relay.var("x", shape=(2,))
    value = array(2)
    evaluated = relay.create_executor("debug", relay.Function([x], x * x), opt_level=0).evaluate()
    np.testing.assert_allclose(evaluated(value), value * value, rtol=1e-6)
