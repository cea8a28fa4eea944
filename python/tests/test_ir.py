"""IR from Python: what is made is what the same text says, and computes what numpy computes."""

import gc
import pathlib
import threading

import numpy as np
import pytest
from conftest import add_model

import relay_mlir
from relay_mlir import ir

TOUR = pathlib.Path(__file__).resolve().parents[2] / "examples/tour"


def layer():
    """The tour's layer."""
    module = ir.Module()
    main = module.function("main", x="tensor<4x64xf32>", w="tensor<32x64xf32>", b="tensor<32xf32>")
    x, w, b = main.arguments
    y = main.relay("nn.relu", main.relay("add", main.relay("nn.dense", x, w, node="product"), b))
    main.returns(y=y)
    return module


def matmul():
    """The tour's product and its schedule."""
    module = ir.Module()
    types = {"a": "tensor<32x64xf32>", "b": "tensor<64x48xf32>"}
    product = module.function("matmul", private=True, **types)
    a, b = product.arguments
    m = product.compute("m", (32, 48), lambda i, j, k: a[i, k] * b[k, j], reduce=(64,))
    schedule = product.schedule()
    s = schedule.stage(m)
    c = schedule.cache_write(s, "local")
    i, j = schedule.axes(s)
    io, ii = schedule.split(i, factor=4)
    jo, ji = schedule.split(j, factor=16)
    schedule.reorder(io, jo, ii, ji)
    schedule.unroll(ii)
    schedule.vectorize(ji)
    schedule.parallel(io)
    schedule.compute_at(c, s, jo)
    ci, cj, ck = schedule.axes(c)
    schedule.reorder(ck, ci, cj)
    schedule.unroll(ci)
    schedule.vectorize(cj)
    product.returns(m)
    main = module.function("main", **types)
    main.returns(c=main.call(product, *main.arguments))
    return module


def called(module, function):
    """Makes the function, which has been ended, a whole model: its main calls it."""
    types = {f"x{number}": argument.type for number, argument in enumerate(function.arguments)}
    main = module.function("main", **types)
    main.returns(y=main.call(function, *main.arguments))
    return relay_mlir.compile(module)


def random(*shape, seed=0):
    return np.random.default_rng(seed).uniform(-1, 1, shape).astype(np.float32)


def test_the_standard_pipeline_is_one_of_names():
    whole = "relay-pipeline{target=x86-64-v3 to=te}"
    above = "relay-pipeline{target=x86-64-v3 to=relay}"
    assert "te.compute" in str(layer().run(whole))
    assert str(layer().run(whole)) == str(layer().run([above, "relay-lower{target=x86-64-v3 to=te}"]))


@pytest.mark.parametrize("make, file", [(layer, "layer.mlir"), (matmul, "matmul.mlir")])
def test_what_is_made_is_what_the_text_says(make, file):
    assert str(make()) == str(ir.Module((TOUR / file).read_text()))


def test_what_is_made_computes_what_numpy_computes():
    x, w, b = random(4, 64), random(32, 64, seed=1), random(32, seed=2)
    np.testing.assert_allclose(relay_mlir.compile(layer())(x, w, b), np.maximum(x @ w.T + b, 0), atol=1e-5)
    a, b = random(32, 64), random(64, 48, seed=1)
    np.testing.assert_allclose(relay_mlir.compile(matmul(), threads=1)(a, b), a @ b, atol=1e-5)


def test_a_schedule_is_seen_as_loops():
    loops = str(matmul().run("lower-te"))
    assert "tir.for %i.outer = 0 to 8 parallel" in loops and "vectorized" in loops
    whole = ir.Module(str(matmul())).run(ir.passes("tir")[-3:])
    assert "te." not in str(whole)


@pytest.mark.parametrize(
    "body, expected",
    [
        (lambda a: lambda i, j: a[i, j] + 1, lambda a: a + 1),
        (lambda a: lambda i, j: 2.5 - a[i, j] * a[i, j], lambda a: 2.5 - a * a),
        (lambda a: lambda i, j: -a[j, i] / 3, lambda a: -a.T / 3),
        (lambda a: lambda i, j: a[(i + 1) % 6, 5 - j], lambda a: np.roll(a, -1, 0)[:, ::-1]),
        (lambda a: lambda i, j: ir.select(a[i, j] > 0.25, a[i, j], 0), lambda a: np.where(a > 0.25, a, 0)),
        (lambda a: lambda i, j: ir.select(i < j, a[i, j], 0.0), lambda a: np.triu(a, 1)),
        (lambda a: lambda i, j: ir.maximum(ir.minimum(a[i, j], 0.5), -0.5), lambda a: np.clip(a, -0.5, 0.5)),
        (lambda a: lambda i, j: ir.exp(a[i, j]) + ir.tanh(a[i, j]), lambda a: np.exp(a) + np.tanh(a)),
        (lambda a: lambda i, j: 1.5, lambda a: np.full((6, 6), 1.5)),
    ],
)
def test_bodies_are_written_as_python(body, expected):
    module = ir.Module()
    function = module.function("body", private=True, a="tensor<6x6xf32>")
    (a,) = function.arguments
    function.returns(function.compute("c", (6, 6), body(a)))
    value = random(6, 6)
    np.testing.assert_allclose(called(module, function)(value), expected(value).astype(np.float32), atol=1e-6)


def test_reductions_and_other_types():
    module = ir.Module()
    function = module.function("rows", private=True, a="tensor<8x16xi32>")
    (a,) = function.arguments
    best = function.compute("best", (8,), lambda i, k: a[i, k] + 1, reduce=(16,), reducer="max")
    assert best.type == "tensor<8xi32>" and best.shape == [8] and best.element_type == "i32"
    function.returns(best)
    value = np.random.default_rng(0).integers(-9, 9, (8, 16), np.int32)
    np.testing.assert_array_equal(called(module, function)(value), value.max(1) + 1)


def test_partial_sums_by_rfactor():
    module = ir.Module()
    function = module.function("sums", private=True, a="tensor<64x128xf32>")
    (a,) = function.arguments
    total = function.compute("sum", (64,), lambda i, k: a[i, k], reduce=(128,))
    schedule = function.schedule()
    s = schedule.stage(total)
    i, k = schedule.axes(s)
    _, lane = schedule.split(k, factor=8)
    partial = schedule.rfactor(s, lane, factor_axis=1)
    schedule.parallel(i)
    schedule.compute_at(partial, s, i)
    with pytest.raises(ir.IRError, match="say it"):
        schedule.axes(partial)
    _, inner, left = schedule.axes(partial, 3)
    schedule.reorder(left, inner)
    schedule.vectorize(inner)
    function.returns(total)
    value = random(64, 128)
    np.testing.assert_allclose(called(module, function)(value), value.sum(1), atol=1e-4)


def test_modules_are_walked_and_changed():
    module = layer()
    names = [op.name for op in module.walk()]
    assert names == ["builtin.module", "func.func", "relay.nn.dense", "relay.add", "relay.nn.relu", "func.return"]
    main = module["main"]
    assert main.attributes["sym_name"] == "main" and main.parent == module.operation
    with pytest.raises(KeyError):
        module["other"]
    dense, add, relu, end = main.regions[0][0].operations
    assert dense.nodes == ["product"] and [user.name for user in dense.result.users] == ["relay.add"]
    assert dense.result.type == "tensor<4x32xf32>" and add.operands[0].owner == dense
    assert dense.operands[0].owner is None and repr(relu) == "<Operation relay.nn.relu>"
    # The network without its activation.
    relu.replace_with([add.result])
    assert end.operands[0].owner == add
    module.verify()
    x, w, b = random(4, 64), random(32, 64, seed=1), random(32, seed=2)
    np.testing.assert_allclose(relay_mlir.compile(module)(x, w, b), x @ w.T + b, atol=1e-5)


def test_attributes_are_python_s():
    module = layer()
    op = module["main"].regions[0][0].operations[0]
    given = {"a": True, "b": 3, "c": 2.5, "d": "text", "e": [1, 2], "f": ["x", "y"]}
    for name, value in given.items():
        op.set_attribute(name, value)
    op.set_attribute("g", ir.Attribute("dense<1> : tensor<2xi64>"))
    attributes = op.attributes
    assert {name: attributes[name] for name in given} == given
    assert str(attributes["g"]) == "dense<1> : tensor<2xi64>"
    op.remove_attribute("g")
    assert "g" not in op.attributes
    with pytest.raises(ir.IRError, match="is no attribute"):
        op.set_attribute("h", ir.Attribute("dense<"))
    with pytest.raises(TypeError, match="cannot be an attribute"):
        op.set_attribute("h", object())


def test_what_is_gone_raises():
    module = layer()
    dense, add, relu, end = module["main"].regions[0][0].operations
    with pytest.raises(ir.IRError, match="still read"):
        relu.erase()
    result = relu.result
    end.erase()
    relu.erase()
    for ask in (lambda: relu.name, lambda: result.type, lambda: end.operands, lambda: str(relu), relu.walk):
        with pytest.raises(ir.IRError, match="the operation is gone"):
            ask()
    assert repr(relu) == "<Operation that is gone>" and repr(result) == "<Value that is gone>"
    block = module["main"].regions[0][0]
    # What comes to lie where an erased operation was is another one.
    for _ in range(50):
        made = block.append("relay.nn.relu", [add.result])
        assert made != relu
        with pytest.raises(ir.IRError):
            _ = relu.name
        made.erase()
    block.append("func.return", [add.result], {}, [], [])
    module.run("canonicalize")
    for op in (dense, add):
        with pytest.raises(ir.IRError, match="or a pipeline ran since"):
            _ = op.name
    with pytest.raises(ir.IRError, match="gone"):
        block.append("relay.nn.relu", [])


def test_operations_keep_their_module_alive():
    ops = layer().walk()
    gc.collect()
    assert ops[-1].name == "func.return" and "relay.nn.dense" in str(ops[0])
    value = ops[2].result
    del ops
    gc.collect()
    assert value.type == "tensor<4x32xf32>"


def test_threads_share_modules():
    module, made = layer(), []
    op = module["main"]

    def work():
        made.append((op.name, ir.Module("module {}")))
        for _ in range(20):
            made.append((str(module), layer()))

    threads = [threading.Thread(target=work) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert {name for name, _ in made} == {"func.func", str(module)}
    made.clear()
    gc.collect()
    module.verify()


def test_what_does_not_fit_is_refused():
    module = ir.Module()
    main = module.function("main", x="tensor<4x64xf32>", w="tensor<32x63xf32>")
    x, w = main.arguments
    other = layer()["main"].regions[0][0].arguments[0]
    wrong = [
        (lambda: main.relay("nn.dense", x, w), "does not fit its operands"),
        (lambda: main.relay("nn.densely", x, w), "there is no operation 'relay.nn.densely'"),
        (lambda: main.relay("nn.relu", other), "in another module"),
        (lambda: main.relay("nn.relu"), "nn.relu"),
        (lambda: main.relay("nn.relu", x, axs=1), "has no attribute 'axs'"),
        (lambda: main.block.append("te.axes", [x], {}, ["!te.axes"], []), "is no type"),
        (lambda: main.block.append("func.call", [x], {"callee": 3}, ["f32"], []).verify(), "func.call"),
        (lambda: ir.Module("func.func @main("), "not valid MLIR"),
        (lambda: module.operation.erase(), "a module cannot be erased"),
        (lambda: x[0, 0], "in the body of a compute"),
        (lambda: main.compute("c", (4,), lambda i, j: x[i, j]), "has 1 axes, and 2 names"),
        (lambda: main.compute("c", (4,), lambda i: x[i, i] + i), "both must be of one type"),
        (lambda: main.compute("c", (4,), lambda i: "text"), "is no element"),
        (lambda: main.compute("c", (4,), lambda i: x[i, i] if i > 2 else 0), "use ir.select"),
        (lambda: main.compute("c", (4,), lambda i: x[i, i], reducer="sum"), "nothing to reduce over"),
        (lambda: main.compute("c", (4,), lambda i, k: x[i, k], reduce=(4,), reducer="median"), "there are"),
        (lambda: module.run("no-such-pass"), "no-such-pass"),
        (lambda: module.run("lower-te{no-such-option=1}"), "no-such-option"),
    ]
    for call, message in wrong:
        with pytest.raises(ir.IRError, match=message):
            call()


def test_models_are_loaded_and_passes_fail_with_reasons(tmp_path):
    module = ir.Module.load(add_model((2, 3)))
    assert "relay.add" in str(module)
    for name in ("m.mlir", "m.mlirbc"):
        module.save(tmp_path / name)
        assert str(ir.Module.load(tmp_path / name)) == str(module)
    x = random(2, 3)
    np.testing.assert_allclose(relay_mlir.compile(tmp_path / "m.mlirbc")(x, x), x + x)
    with pytest.raises(relay_mlir.CompileError, match="missing.onnx"):
        ir.Module.load("missing.onnx")
    # A schedule that cannot be: an axis twice in an order.
    text = (TOUR / "matmul.mlir").read_text().replace("te.reorder %io, %jo, %ii, %ji", "te.reorder %io, %io")
    with pytest.raises(ir.IRError, match="te.reorder"):
        ir.Module(text).run("lower-te")
