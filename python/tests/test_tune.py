"""Tuning from Python, on this machine."""

import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import threading

import numpy as np
import pytest
from conftest import make_model
from onnx import TensorProto, helper

import relay_mlir
from relay_mlir.tune_machine import Machine
from relay_mlir.tuner import seconds


@pytest.fixture(scope="module")
def model():
    """relu(x y) of batches: a kernel."""
    shape = (2, 24, 24)
    nodes = [helper.make_node("MatMul", ["x", "y"], ["p"]), helper.make_node("Relu", ["p"], ["z"])]
    tensors = [(name, TensorProto.FLOAT, shape) for name in ("x", "y", "z")]
    return make_model(nodes, tensors[:2], tensors[2:])


def records_of(path, kind):
    """The lines of a kind in a file of records."""
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    return [line for line in lines if line["kind"] == kind]


def test_tuning_tries_schedules_and_goes_on(model, tmp_path):
    path = tmp_path / "records.jsonl"
    events = []
    tuned = relay_mlir.tune(model, path, trials=8, budget="60s", threads=1, builders=1, progress=events.append)
    assert (tuned.kernels, tuned.trials, tuned.failed, tuned.records) == (1, 8, 0, path)
    assert tuned.of_default <= 1.0 and (tuned.of_default < 1.0 or tuned.tuned == 0)
    assert events[0]["event"] == "kernels" and sum(event["event"] == "tried" for event in events) == 8
    again = relay_mlir.tune(model, path, trials=8, budget=60, threads=1, builders=1)
    assert again.trials == 8
    tried = [json.dumps(line["schedule"], sort_keys=True) for line in records_of(path, "trial")]
    assert len(tried) == 16 and len(set(tried)) == 16, "nothing is tried twice"


def test_compiling_finds_the_records(model, tmp_path, monkeypatch):
    path = tmp_path / "records.jsonl"
    relay_mlir.tune(model, path, trials=8, budget=60, threads=1, builders=1)
    # The last schedule that ran becomes the choice, whether it won or not.
    trial = [line for line in records_of(path, "trial") if "ran" in json.dumps(line["outcome"])][-1]
    choice = {
        "kind": "choice",
        "key": trial["key"],
        "target": trial["target"],
        "from": trial["from"],
        "schedule": trial["schedule"],
        "of_default": 0.5,
    }
    with path.open("a") as file:
        file.write(json.dumps(choice) + "\n")

    def is_applied(folder, **how):
        compiled = relay_mlir.compile(model, cache=False, dump_ir=folder, **how)
        x = np.random.default_rng(0).standard_normal((2, 24, 24), np.float32)
        np.testing.assert_allclose(compiled(x, x), np.maximum(x @ x, 0), rtol=1e-4, atol=1e-5)
        (dumped,) = folder.rglob("*relay-to-te.mlir")
        return "te.record" in dumped.read_text()

    monkeypatch.setenv("RELAY_RECORDS", "")
    assert is_applied(tmp_path / "named", records=path)
    assert not is_applied(tmp_path / "none")
    monkeypatch.setenv("RELAY_RECORDS", str(path))
    assert is_applied(tmp_path / "usual")
    assert not is_applied(tmp_path / "refused", records=False)
    with pytest.raises(relay_mlir.CompileError, match="there is no such file of records"):
        relay_mlir.compile(model, records=tmp_path / "other.jsonl", cache=False)


def test_ctrl_c_keeps_what_was_found(model, tmp_path):
    path = tmp_path / "records.jsonl"
    tried = threading.Event()

    def interrupt():
        assert tried.wait(60)
        os.kill(os.getpid(), signal.SIGINT)

    def listen(event):
        if event["event"] == "tried":
            tried.set()

    # Where tests run in the background Ctrl-C is ignored.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    thread = threading.Thread(target=interrupt)
    thread.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            relay_mlir.tune(model, path, budget="10m", threads=1, builders=1, progress=listen)
    finally:
        thread.join()
        signal.signal(signal.SIGINT, before)
    kept = records_of(path, "trial")
    assert kept and not any("failed" in json.dumps(line["outcome"]) for line in kept)
    relay_mlir.tune(model, path, trials=8, budget=60, threads=1, builders=1)
    assert len(records_of(path, "trial")) == len(kept) + 8


def test_what_progress_raises_ends_the_tuning(model, tmp_path):
    def listen(event):
        if event["event"] == "tried":
            raise LookupError("enough")

    with pytest.raises(LookupError, match="enough"):
        relay_mlir.tune(model, tmp_path / "records.jsonl", budget="10m", threads=1, builders=1, progress=listen)


class Command:
    """Workers that are another program."""

    builders = 1

    def __init__(self, *words):
        self._words = words

    def command(self):
        return self._words


def test_other_programs_are_workers(model, tmp_path):
    path = tmp_path / "records.jsonl"
    relayc = Command("relayc", "tune-worker")
    assert relay_mlir.tune(model, path, trials=8, budget=60, threads=1, executor=relayc).trials == 8
    crash = Command(sys.executable, "-c", "raise SystemExit('a worker that ends')")
    with pytest.warns(relay_mlir.CompileWarning, match="is left as it is: ends the process: .*a worker that ends"):
        assert relay_mlir.tune(model, path, trials=8, budget=60, executor=crash).trials == 0
    others = "exec relayc tune-worker $(printf '%s\\n' \"$@\" | grep -v '^--machine=') --machine=other"
    elsewhere = Command("sh", "-c", others, "sh")
    with pytest.raises(relay_mlir.CompileError, match="on another machine than records are made for: .* are for 'other'"):
        relay_mlir.tune(model, path, trials=8, budget=60, executor=elsewhere)


def test_tuners_are_those_of_the_command(model, tmp_path):
    command = subprocess.run(["relayc", "tune", "model.onnx", "--tuner=luck"], capture_output=True, text=True)
    (names,) = re.findall(r"possible values: ([^\]]*)\]", command.stderr)
    with pytest.raises(ValueError, match=f"there are {names}$"):
        relay_mlir.tune(model, tmp_path / "records.jsonl", tuner="luck")
    for name in names.split(", "):
        path = tmp_path / name
        tuned = relay_mlir.tune(model, path, trials=1, budget=60, threads=1, builders=1, tuner=name, learns=False)
        assert tuned.trials >= 1, name
    assert sorted(file.name for file in tmp_path.iterdir()) == sorted(names.split(", ")), "no model learned"


def test_wrong_arguments_are_named(model, tmp_path):
    path = tmp_path / "records.jsonl"
    wrong = [
        ({"budget": "5 minutes"}, ValueError, "is no time"),
        ({"budget": -1}, ValueError, "the budget is -1 s"),
        ({"tuner": "luck"}, ValueError, "the tuner is 'luck'"),
        ({"strategy": "luck"}, ValueError, "there are gradient, round-robin"),
        ({"executor": "moon"}, ValueError, "there are local, ray"),
        ({"executor": Command()}, relay_mlir.CompileError, "the command of a worker is empty"),
        ({"target": "z80"}, relay_mlir.CompileError, "z80"),
        ({"records": tmp_path / "none/records.jsonl"}, relay_mlir.CompileError, "none"),
    ]
    for given, kind, message in wrong:
        with pytest.raises(kind, match=message):
            relay_mlir.tune(model, **{"records": path, **given})
    assert [seconds(time) for time in (90, "90s", "1.5m", "2h")] == [90, 90, 90, 7200]
    assert not path.exists() or not path.read_text()


def test_a_machine_answers_and_starts_workers_anew(tmp_path, monkeypatch):
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)
    left = tmp_path / f"relay-mlir-tune-{os.getuid()}-4194305-killed"
    left.mkdir()
    machine = Machine(["--no-cache", f"--memory={1 << 32}"])
    assert not left.exists(), "the folder of a process that was killed is removed"
    assert machine.missing(["a", "b"]) == ["a", "b"]
    machine.keep("a", b"no library")
    assert machine.missing(["a", "b"]) == ["b"]
    pair = {"weights": [], "footprint": 0, "threads": 1, "rounds": 1, "turn": 0.001}
    answer = machine.time({"ask": "time", "incumbent": "a", "candidate": "a", "limit": 60.0, **pair})
    assert answer["answer"] == "failed" and answer["how"] == "crash"
    late = machine.time({"ask": "time", "incumbent": "a", "candidate": "a", "limit": 0.0, **pair})
    assert late == {"answer": "failed", "how": "time", "reason": "it took more than 0 s"}
    machine.close()
    assert not list(tmp_path.iterdir())
    ends = Machine([])
    answer, library = ends.build({"ask": "build", "module": "", "schedule": "", "limit": 60.0})
    assert answer["how"] == "crash" and "required: --memory" in answer["reason"] and library is None
    ends.close()


def test_ray_is_asked_for_where_it_is_missing(model, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(relay_mlir.MissingLibraryError, match=r"pip install 'relay-mlir\[ray\]'"):
        relay_mlir.tune(model, tmp_path / "records.jsonl", executor="ray")
    assert not pathlib.Path(tmp_path / "records.jsonl").exists()
