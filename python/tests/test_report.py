"""Reports on models from Python, beside those of the command."""

import json
import subprocess
import sys

import numpy as np
import onnx
import onnxruntime
import pytest
from conftest import DIGITS, add_model

import relay_mlir
from relay_mlir import ir


def test_what_is_in_a_model(tmp_path):
    summary = relay_mlir.inspect(DIGITS)
    graph = onnx.load(DIGITS).graph
    assert summary.operators["Conv"] == sum(node.op_type == "Conv" for node in graph.node)
    assert summary.parameters == sum(int(np.prod(tensor.dims)) for tensor in graph.initializer)
    assert summary.inputs[0]["name"] == "image" and summary["flops"] > 0
    assert summary.unsupported == [] and summary.errors == []
    with pytest.raises(AttributeError, match="there are inputs, outputs"):
        _ = summary.other
    printed = subprocess.run(["relayc", "inspect", DIGITS], check=True, capture_output=True, text=True).stdout
    assert str(summary) == printed
    relay_mlir.compile(DIGITS).save(tmp_path / "m.so")
    library = relay_mlir.inspect(tmp_path / "m.so")
    assert library.file == (tmp_path / "m.so").stat().st_size and library.weights > 0
    assert relay_mlir.inspect(relay_mlir.compile(DIGITS)).weights == library.weights


def test_a_model_is_compared_with_a_reference(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    image = np.load(DIGITS.parent / "image.npz")["image"]
    same = relay_mlir.diff(DIGITS, inputs={"image": image}, threads=1)
    assert not same and same.first is None and "no tensor differs" in str(same)
    names = {tensor["tensor"] for tensor in same.tensors}
    assert {name for node in onnx.load(DIGITS).graph.node for name in node.output} >= names and "probabilities" in names
    (expected,) = onnxruntime.InferenceSession(DIGITS).run(None, {"image": image})
    assert not relay_mlir.diff(DIGITS, {"probabilities": expected}, {"image": image})
    assert not relay_mlir.diff(DIGITS, relay_mlir.compile(DIGITS))
    wrong = relay_mlir.diff(DIGITS, {"probabilities": expected + 1}, {"image": image}, reproducer="alone")
    assert wrong and wrong.first["tensor"] == "probabilities" and wrong.tensors[0]["max_abs"] > 0.9
    assert (tmp_path / "alone/README.txt").exists()
    with pytest.raises(relay_mlir.CompileError, match='compare another model with reference="opt0"'):
        relay_mlir.diff(ir.Module.load(DIGITS), "onnxruntime")
    with pytest.raises(ValueError, match="'numpy' is no reference"):
        relay_mlir.diff(DIGITS, "numpy")


def test_a_model_is_timed(tmp_path):
    page = tmp_path / "page.html"
    measured = relay_mlir.bench(DIGITS, threads=1, repeat=3, html=page)
    assert measured.latency["runs"] == 3 == len(measured.times_ns) and measured.threads == 1
    assert {"conv1", "softmax"} <= {name for node in measured.nodes for name in node["name"].split(" + ")}
    assert any(node["bound"] for node in measured.nodes) and "<html" in page.read_text()
    assert str(measured).startswith("median ")
    compiled = relay_mlir.compile(DIGITS)
    whole = relay_mlir.bench(compiled, repeat=2)
    assert whole.latency["runs"] == 2 and whole.nodes == []
    with pytest.raises(relay_mlir.CompileError, match="explain and html look at the model"):
        relay_mlir.bench(compiled, explain=True)
    with pytest.raises(TypeError, match="is compiled already, and target says how to compile"):
        relay_mlir.bench(compiled, target="native")


def test_errors_have_codes_with_pages(tmp_path):
    with pytest.raises(relay_mlir.CompileError) as raised:
        relay_mlir.compile(tmp_path / "missing.onnx")
    command = subprocess.run(["relayc", "compile", tmp_path / "missing.onnx"], capture_output=True, text=True, check=False)
    assert command.stderr.startswith(f"error[{raised.value.code}]")
    page = subprocess.run(["relayc", "explain", raised.value.code], capture_output=True, text=True, check=True).stdout
    assert relay_mlir.explain(raised.value) == relay_mlir.explain(raised.value.code) == page
    assert page.splitlines()[0].removeprefix("# ") in relay_mlir.explain().splitlines()
    with pytest.raises(ValueError, match="there is no error 'R9999'"):
        relay_mlir.explain("R9999")
    model = relay_mlir.compile(add_model((2, 3)))
    with pytest.raises(relay_mlir.InputError) as raised:
        model(np.zeros((3, 2), np.float32))
    assert raised.value.code is None
    with pytest.raises(ValueError, match="the error has no code"):
        relay_mlir.explain(raised.value)
    wrong = tmp_path / "wrong.so"
    wrong.write_text("no library")
    with pytest.raises(relay_mlir.LoadError) as raised:
        relay_mlir.load(wrong)
    assert relay_mlir.explain(raised.value).startswith(f"# {raised.value.code}")


def test_the_command_is_in_the_package(tmp_path):
    def run(*command):
        result = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path)
        return result.returncode, result.stdout, result.stderr

    module = (sys.executable, "-m", "relay_mlir")
    for words in [("--version",), ("inspect", DIGITS, "--json"), ("compile", "missing.onnx"), ("compile", "--wrong")]:
        assert run(*module, *words) == run("relayc", *words)
    assert run(*module, "--version")[1] == f"relayc {relay_mlir.__version__}\n"
    assert run(*module, "compile", DIGITS, "-o", "m.so")[0] == 0 and (tmp_path / "m.so").exists()
    # Workers are this command, too.
    code, printed, said = run(*module, "tune", DIGITS, "--records", "r.jsonl", "--trials", "1", "--budget", "60s", "--threads", "1",
                              "--no-layouts", "--json")
    assert code == 0, said
    assert [json.loads(line)["event"] for line in printed.splitlines()].count("tried") == 1
