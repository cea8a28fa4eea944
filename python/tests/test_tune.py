"""Tuning from Python, on this machine."""

import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import threading
import types

import numpy as np
import pytest
from conftest import make_model
from onnx import TensorProto, helper

import relay_mlir
from relay_mlir import tune_ray
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
    assert (tuned.kernels, tuned.trials, tuned.failed, tuned.laid_out, tuned.records) == (1, 8, 0, 0, path)
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
    with pytest.raises(relay_mlir.CompileError, match="none of the 1 kernels can be timed .* a worker that ends"):
        relay_mlir.tune(model, path, trials=8, budget=60, executor=crash)
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


def test_several_models_share_kernels(model, tmp_path):
    shape = (2, 24, 24)
    nodes = [helper.make_node("MatMul", ["x", "y"], ["p"]), helper.make_node("Relu", ["p"], ["z"])]
    nodes += [helper.make_node("Softmax", ["z"], ["s"])]
    tensors = [(name, TensorProto.FLOAT, shape) for name in ("x", "y", "s")]
    other = make_model(nodes, tensors[:2], tensors[2:])
    path = tmp_path / "records.jsonl"
    tuned = relay_mlir.tune([model, other], path, trials=16, budget=60, threads=1, builders=1)
    assert (tuned.kernels, tuned.trials, len(tuned.of_defaults)) == (2, 16, 2)
    assert max(tuned.of_defaults) <= 1
    assert tuned.of_default == pytest.approx(np.sqrt(np.prod(tuned.of_defaults)))
    assert len(records_of(path, "kernel")) == 2
    with pytest.raises(relay_mlir.CompileError, match=r"^model-1\.onnx"):
        relay_mlir.tune([model, b"none"], path)
    with pytest.raises(ValueError, match="there is no model to tune"):
        relay_mlir.tune([], path)


def test_hosts_time_what_is_compiled_here(model, tmp_path):
    path = tmp_path / "records.jsonl"
    tuned = relay_mlir.tune(model, path, trials=8, budget=60, threads=1, builders=1, hosts=[["relay-runner"]] * 2)
    assert (tuned.trials, tuned.failed) == (8, 0)
    assert re.search(rf"-unknown-linux-gnu .*-cores={os.cpu_count()}", tuned.target)
    assert len(records_of(path, "trial")) == 8
    x = np.random.default_rng(0).standard_normal((2, 24, 24), np.float32)
    compiled = relay_mlir.compile(model, target=tuned.target, records=tuned.records)
    np.testing.assert_allclose(compiled(x, x), np.maximum(x @ x, 0), rtol=1e-4, atol=1e-5)
    wrong = [
        ({"hosts": [["echo", "hello"]]}, relay_mlir.CompileError, "no runner answers: it says 'hello"),
        ({"hosts": "-oProxyCommand=x"}, relay_mlir.CompileError, "'-oProxyCommand=x' is no machine"),
        ({"hosts": [["relay-runner"]], "executor": Command("true")}, ValueError, "hosts or an executor, not both"),
        ({"hosts": [["relay-runner"]], "target": "aarch64-unknown-linux-gnu"}, relay_mlir.CompileError, "aarch64"),
    ]
    for given, kind, message in wrong:
        with pytest.raises(kind, match=message):
            relay_mlir.tune(model, path, **given)


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


def test_a_cluster_that_cannot_be_reached_is_an_error(model, tmp_path, monkeypatch):
    (tmp_path / "ray.py").write_text("def init(**how):\n    raise ConnectionError('no Ray here')\n")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")]))
    monkeypatch.setitem(sys.modules, "ray", types.SimpleNamespace(is_initialized=lambda: False))
    path = tmp_path / "records.jsonl"
    with pytest.raises(relay_mlir.CompileError, match='no Ray here; "ray start --head" starts one'):
        relay_mlir.tune(model, path, trials=8, budget=60, threads=1, executor="ray")
    assert not records_of(path, "trial")


class Clock:
    """A clock that counts on when somebody waits."""

    def __init__(self):
        self.now = 0.0

    def monotonic(self):
        return self.now


class Call:
    """A method of an actor; a call of it is its name."""

    def __init__(self, name):
        self._name = name

    def remote(self, *arguments):
        return self._name


class Cluster:
    """Stands for the package ray: machines are free after so many seconds, and are lost over their work after so many."""

    def __init__(self, clock, free, loss):
        self._clock = clock
        self._seconds = {"is_there": free, "build": loss}
        self.machines = 0
        error = type("RayError", (Exception,), {})
        timeout = type("GetTimeoutError", (error,), {})
        self.exceptions = types.SimpleNamespace(RayError=error, GetTimeoutError=timeout)

    def remote(self, actor):
        return self

    def options(self, **how):
        self.machines += 1
        calls = types.SimpleNamespace(is_there=Call("is_there"), build=Call("build"))
        return types.SimpleNamespace(remote=lambda arguments: calls)

    def get(self, call, timeout):
        self._clock.now += min(self._seconds[call], timeout)
        if self._seconds[call] > timeout:
            raise self.exceptions.GetTimeoutError("nobody answers")
        if call == "build":
            raise self.exceptions.RayError("the actor has ended")

    def kill(self, machine):
        pass

    def available_resources(self):
        return {}


def answer_of(free, loss, limit, monkeypatch):
    """What a bridge answers, how many machines it asked, and when it did."""
    clock = Clock()
    monkeypatch.setattr(tune_ray, "time", clock)
    cluster = Cluster(clock, free, loss)
    given, arguments = tune_ray.parse(["--wait", str(tune_ray.MOST_WAIT)])
    bridge = tune_ray.Bridge(cluster, given, arguments)
    answer = bridge.answer({"ask": "build", "library": "none", "limit": limit}, 0.0)
    return answer, cluster.machines, clock.now


def test_a_bridge_answers_while_the_tuner_waits(monkeypatch):
    text = (pathlib.Path(__file__).parents[2] / "driver/src/tune/workers.rs").read_text()
    assert f"const PATIENCE: Duration = Duration::from_secs({tune_ray.PATIENCE_OF_TUNER:.0f});" in text
    with pytest.raises(ValueError, match="wait is 600 s; it is at least 0, and at most 220"):
        tune_ray.RayExecutor(wait=600)
    answer, machines, _ = answer_of(free=1, loss=1, limit=10, monkeypatch=monkeypatch)
    assert answer["how"] == "crash" and answer["reason"].startswith("4 machines of the cluster were lost") and machines == 4
    silent = float("inf")
    for limit, free in [(10, 100), (600, 1)]:
        answer, machines, now = answer_of(free, silent, limit, monkeypatch)
        assert answer["answer"] == "lost" and "no time to find another machine" in answer["reason"] and machines >= 2
        assert now < limit + tune_ray.PATIENCE_OF_TUNER
    answer, _, now = answer_of(silent, 1, 10, monkeypatch)
    assert answer["answer"] == "lost" and "free within 220 s" in answer["reason"] and now < 10 + tune_ray.PATIENCE_OF_TUNER
