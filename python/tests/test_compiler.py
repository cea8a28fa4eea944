"""Compiling from Python, against ONNX Runtime."""

import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import threading
import time

import numpy as np
import onnx
import pytest
from conftest import DIGITS, add_model, make_model
from onnx import TensorProto, helper, numpy_helper

import relay_mlir
from relay_mlir import ir


@pytest.mark.parametrize("kind", ["path", "text", "proto", "bytes"])
def test_models_come_in_every_form(kind, image, expected):
    model = {
        "path": DIGITS,
        "text": str(DIGITS),
        "proto": onnx.load(DIGITS),
        "bytes": DIGITS.read_bytes(),
    }[kind]
    compiled = relay_mlir.compile(model, threads=1)
    assert compiled.name == ("model" if kind in ("proto", "bytes") else "digits")
    np.testing.assert_allclose(compiled(image), expected, rtol=1e-4, atol=1e-7)


def test_options_reach_the_compiler(tmp_path, image, expected):
    compiled = relay_mlir.compile(
        DIGITS, target="x86-64-v3,x86-64-v4", precision="bf16", name="two", dump_ir=tmp_path / "ir"
    )
    assert compiled.name == "two" and compiled.precision == "bf16"
    assert "x86-64-v3" in compiled.target and "x86-64-v4" in compiled.target
    np.testing.assert_allclose(compiled(image), expected, rtol=0, atol=0.01)
    assert any((tmp_path / "ir").rglob("*fuse-ops.mlir"))
    kernels = [len(relay_mlir.compile(DIGITS, opt_level=level).profile(repeat=1)) for level in (0, 3)]
    assert kernels[0] > kernels[1], "operators are fused at level 3 only"


def test_external_code_generators_write_kernels(image, expected):
    compiled = relay_mlir.compile(DIGITS, codegen=["c"])
    np.testing.assert_allclose(compiled(image), expected, rtol=1e-4, atol=1e-7)
    assert any(node.kernel.startswith("c_main_") for node in compiled.profile(repeat=1))
    with pytest.raises(relay_mlir.CompileError, match="there is no code generator 'fpga'"):
        relay_mlir.compile(DIGITS, codegen="fpga")


def test_whoever_is_cheapest_computes_what_code_generators_take(image, expected, tmp_path):
    for costs, theirs in [({"c": 1, "host": 1e9}, True), ({"c": 1e9, "host": 1}, False)]:
        table = tmp_path / "costs.json"
        table.write_text(json.dumps(costs))
        compiled = relay_mlir.compile(DIGITS, codegen=["c"], placement=table)
        np.testing.assert_allclose(compiled(image), expected, rtol=1e-4, atol=1e-7)
        assert any(node.kernel.startswith("c_main_") for node in compiled.profile(repeat=1)) == theirs
    with pytest.raises(ValueError, match="the placement is 'fast'"):
        relay_mlir.compile(DIGITS, codegen=["c"], placement="fast")
    with pytest.raises(ValueError, match='name one: codegen="dnnl"'):
        relay_mlir.compile(DIGITS, placement="measured")


def test_dimensions_stay_open_or_are_said():
    model = add_model(("batch", 3))
    assert relay_mlir.compile(model).inputs[0].shape == ("batch", 3)
    assert relay_mlir.compile(add_model((None, 3))).inputs[1].shape == ("y_0", 3)
    for how in ({"dims": {"batch": 5}}, {"shapes": {"y": (5, 3)}}):
        assert relay_mlir.compile(model, **how).inputs[0].shape == (5, 3)
    with pytest.raises(relay_mlir.CompileError, match="'rows', which no input has; the dimensions with a name are batch"):
        relay_mlir.compile(model, dims={"rows": 5})
    compiled = relay_mlir.compile(model, shapes={"x": (5, 3)})
    assert [info.shape for info in compiled.inputs] == [(5, 3), (5, 3)]
    x = np.ones((5, 3), np.float32)
    np.testing.assert_array_equal(compiled(x, x), x + x)


@pytest.mark.parametrize("shape", [[2, -1], (2, -1), np.array([2, -1])])
def test_values_of_inputs_become_constants(shape):
    node = helper.make_node("Reshape", ["x", "shape"], ["y"])
    inputs = [helper.make_tensor_value_info("x", TensorProto.FLOAT, [4, 3]), helper.make_tensor_value_info("shape", TensorProto.INT64, [2])]
    output = helper.make_tensor_value_info("y", TensorProto.FLOAT, None)
    model = helper.make_model(helper.make_graph([node], "g", inputs, [output]), opset_imports=[helper.make_opsetid("", 17)])
    compiled = relay_mlir.compile(model, values={"shape": shape})
    assert [port.name for port in compiled.inputs] == ["x"]
    x = np.arange(12, dtype="f4").reshape(4, 3)
    np.testing.assert_array_equal(compiled(x), x.reshape(2, 6))
    assert "relay.reshape" in str(ir.Module.load(model, values={"shape": shape}))
    with pytest.raises(relay_mlir.CompileError, match=r"value '1.5' of input 'shape' \(int64\[2\]\)"):
        relay_mlir.compile(model, values={"shape": 1.5})


def test_weights_may_be_links_below_a_root(tmp_path):
    snapshot, blobs = tmp_path / "snapshots/1", tmp_path / "blobs"
    snapshot.mkdir(parents=True)
    blobs.mkdir()
    weights = np.arange(6, dtype=np.float32).reshape(2, 3)
    model = onnx.helper.make_model(
        onnx.helper.make_graph(
            [onnx.helper.make_node("Add", ["x", "w"], ["s"])],
            "add",
            [onnx.helper.make_tensor_value_info("x", onnx.TensorProto.FLOAT, (2, 3))],
            [onnx.helper.make_tensor_value_info("s", onnx.TensorProto.FLOAT, (2, 3))],
            [onnx.numpy_helper.from_array(weights, "w")],
        ),
        opset_imports=[onnx.helper.make_opsetid("", 17)],
        ir_version=8,
    )
    path = snapshot / "model.onnx"
    onnx.save(model, path, save_as_external_data=True, location="weights", size_threshold=0)
    (snapshot / "weights").rename(blobs / "0d4f")
    (snapshot / "weights").symlink_to("../../blobs/0d4f")
    with pytest.raises(relay_mlir.CompileError, match="name a folder above that as the data root"):
        relay_mlir.compile(path)
    compiled = relay_mlir.compile(path, data_root=tmp_path)
    x = np.ones((2, 3), np.float32)
    np.testing.assert_array_equal(compiled(x), x + weights)
    module = ir.Module.load(path, data_root=tmp_path)
    assert "5.000000e+00" in str(module)


def deep_model(layers):
    """A chain of products, each of other sizes, so that each has a kernel of its own."""
    nodes = []
    for i in range(layers):
        weight = numpy_helper.from_array(np.ones((16 + i, 17 + i), np.float32))
        nodes.append(helper.make_node("Constant", [], [f"w{i}"], value=weight))
        nodes.append(helper.make_node("MatMul", [f"x{i}", f"w{i}"], [f"x{i + 1}"]))
    ends = ("x0", (8, 16)), (f"x{layers}", (8, 16 + layers))
    return make_model(nodes, *([(name, TensorProto.FLOAT, shape)] for name, shape in ends))


def test_ctrl_c_ends_a_compilation(tmp_path, monkeypatch):
    temporary, dumped = tmp_path / "temporary", tmp_path / "ir"
    temporary.mkdir()
    dumped.mkdir()
    monkeypatch.setenv("TMPDIR", str(temporary))
    monkeypatch.setattr(tempfile, "tempdir", None)
    model = deep_model(40)

    def interrupt():
        end = time.monotonic() + 60
        while not any(dumped.iterdir()) and time.monotonic() < end:
            time.sleep(0.001)
        os.kill(os.getpid(), signal.SIGINT)

    # Where tests run in the background Ctrl-C is ignored.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    thread = threading.Thread(target=interrupt)
    thread.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            relay_mlir.compile(model, cache=False, dump_ir=dumped)
    finally:
        thread.join()
        signal.signal(signal.SIGINT, before)
    done = len(list(dumped.iterdir()))
    assert not any(temporary.iterdir()), "nothing is left behind"
    relay_mlir.compile(model, cache=False, dump_ir=dumped)
    assert 0 < done < len(list(dumped.iterdir())), "the passes that were left did not run"


def test_a_compiled_model_is_saved_and_loaded(tmp_path, image):
    compiled = relay_mlir.compile(DIGITS)
    compiled.save(tmp_path / "m.so")
    loaded = relay_mlir.load(tmp_path / "m.so")
    assert loaded.name == "digits"
    np.testing.assert_array_equal(loaded(image), compiled(image))
    with pytest.raises(relay_mlir.Error, match="digits has no clocks in it"):
        loaded.profile()


def test_a_profile_has_the_nodes_of_the_model(tmp_path, image):
    compiled = relay_mlir.compile(DIGITS, threads=1)
    profile = compiled.profile({"image": image}, repeat=3)
    nodes = {name for node in profile for name in node.name.split(" + ")}
    assert {"conv1", "conv2", "conv3", "dense", "softmax"} <= nodes
    assert all(node.seconds >= 0 for node in profile)
    assert [node.seconds for node in profile] == sorted((node.seconds for node in profile), reverse=True)
    # Of the first convolution: 3 x 3 multiply-adds for each of its outputs, and an addition and a maximum for each.
    assert "conv1" in str(profile) and "GFLOP/s" in str(profile)
    timed = relay_mlir.compile(DIGITS, profile=True)
    timed.save(tmp_path / "timed.so")
    assert len(relay_mlir.load(tmp_path / "timed.so").profile(repeat=1)) == len(profile)


def unsupported_model():
    nodes = [
        helper.make_node("StringNormalizer", ["x"], ["y"], name="first"),
        helper.make_node("Wrong", ["y"], ["z"], name="second", domain="elsewhere"),
    ]
    model = make_model(nodes, [("x", TensorProto.FLOAT, (2,))], [("z", TensorProto.FLOAT, (2,))])
    model.opset_import.append(helper.make_opsetid("elsewhere", 1))
    return model


def test_errors_have_the_whole_text(tmp_path):
    with pytest.raises(relay_mlir.CompileError) as raised:
        relay_mlir.compile(unsupported_model())
    text = str(raised.value)
    assert text.startswith("model.onnx: ") and "first" in text and "second" in text and "elsewhere" in text
    assert len(relay_mlir.inspect(unsupported_model()).unsupported) == 2
    with pytest.raises(relay_mlir.CompileError, match="missing.onnx"):
        relay_mlir.compile(tmp_path / "missing.onnx")
    wrong = [
        ({"target": "z80"}, relay_mlir.CompileError, "z80"),
        ({"precision": "f8"}, ValueError, "there are f32 and bf16"),
        ({"opt_level": 4}, ValueError, "there are 0 to 3"),
        ({"threads": -1}, relay_mlir.InputError, "must not be negative"),
        ({"shapes": {"other": (1,)}}, relay_mlir.CompileError, "no input; the inputs are image"),
    ]
    for given, kind, message in wrong:
        with pytest.raises(kind, match=message):
            relay_mlir.compile(DIGITS, **given)
    with pytest.raises(TypeError, match="not int"):
        relay_mlir.compile(3)


def test_without_the_compiler_models_run_and_a_message_names_the_packages(tmp_path, image):
    relay_mlir.compile(DIGITS).save(tmp_path / "m.so")
    script = f"""
import sys
sys.modules["relay_mlir._compiler"] = None
import numpy, relay_mlir
print(relay_mlir.load({str(tmp_path / "m.so")!r})(numpy.zeros((1, 1, 8, 8), "float32")).shape)
try:
    relay_mlir.compile("m.onnx")
except relay_mlir.MissingLibraryError as error:
    print(isinstance(error, ImportError), "libmlir-22" in str(error))
"""
    printed = subprocess.run([sys.executable, "-c", script], check=True, capture_output=True, text=True)
    assert printed.stdout == "(1, 10)\nTrue True\n"


def test_importing_loads_no_llvm():
    script = "import relay_mlir; print('libLLVM' in open('/proc/self/maps').read())"
    printed = subprocess.run([sys.executable, "-c", script], check=True, capture_output=True, text=True)
    assert printed.stdout == "False\n"


def scaled_model(scale):
    """`y = x * scale + shift`, where `shift` is an input."""
    vector = [4]
    graph = helper.make_graph(
        [helper.make_node("Mul", ["x", "layer.scale"], ["z"]), helper.make_node("Add", ["z", "layer.shift"], ["y"])],
        "g",
        [helper.make_tensor_value_info(name, TensorProto.FLOAT, vector) for name in ("x", "layer.shift")],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, vector)],
        [numpy_helper.from_array(scale, "layer.scale")],
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)])


def test_arrays_take_the_place_of_weights():
    own, scale, shift, x = np.random.default_rng(0).normal(size=(4, 4)).astype(np.float32)
    halves = scale.astype(np.float16)
    weights = {"layer.scale": halves, "layer.shift": shift}
    compiled = relay_mlir.compile(scaled_model(own), params=weights)
    assert [port.name for port in compiled.inputs] == ["x"]
    np.testing.assert_allclose(compiled(x), x * halves.astype(np.float32) + shift, rtol=1e-6)
    assert compiled.profile(repeat=1), "arrays are given again"
    text = ir.Module.load(scaled_model(own), params={"layer.shift": shift}).to_text(elide=True)
    assert "layer.shift" not in text and text.count("relay.name") == 2
    with pytest.raises(relay_mlir.CompileError, match="no weight or input for 'layer.scal'; did you mean 'layer.scale'"):
        relay_mlir.compile(scaled_model(own), params={"layer.scal": scale})
    with pytest.raises(TypeError, match="'layer.scale' has elements of complex64"):
        relay_mlir.compile(scaled_model(own), params={"layer.scale": scale.astype(np.complex64)})


def test_signatures_and_outputs_of_tensorflow_are_chosen():
    """`signature` and `fetch` are the command's options, and a wrong name lists those that there are."""
    folder = pathlib.Path(__file__).parents[2] / "test/tensorflow/programs/two"
    model = relay_mlir.compile(folder, signature="other", fetch="rows")
    assert [output.name for output in model.outputs] == ["rows"]
    assert [value.name for value in model.inputs] == ["i", "x"]
    with pytest.raises(relay_mlir.CompileError, match="has no signature 'more', but .*'other', 'serving_default'"):
        ir.Module.load(folder, signature="more")
