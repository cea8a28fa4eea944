"""What is written is there whole or not at all, whatever ends relayc: signals at any time, a full disk. No other files
are left, neither beside the output nor, unless it is killed outright, among temporary ones.

Usage: whole_or_nothing.py FOLDER
"""

import os
import pathlib
import resource
import signal
import subprocess
import sys
import time

import numpy as np
import onnx
from onnx import helper, numpy_helper

FOLDER = pathlib.Path(sys.argv[1])
TEMPORARY = FOLDER / "temporary"
OUT = FOLDER / "out"
# A file may not grow beyond this where the disk is full.
ROOM = 2 << 20
EXTENT = 2048


def model(path):
    """x W, with 16 MiB of weights."""
    rng = np.random.default_rng(0)
    weights = rng.standard_normal((EXTENT, EXTENT), dtype=np.float32)
    tensor = lambda name: helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, [512, EXTENT])
    node = helper.make_node("MatMul", ["x", "w"], ["y"])
    graph = helper.make_graph(
        [node], "g", [tensor("x")], [tensor("y")], [numpy_helper.from_array(weights, "w")]
    )
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8), path)


def relayc(*arguments, **how):
    environment = {**os.environ, "TMPDIR": str(TEMPORARY), "RELAY_CACHE_DIR": str(FOLDER / "cache")}
    return subprocess.Popen(
        ["relayc", *map(str, arguments)], env=environment, stderr=subprocess.PIPE, text=True, **how
    )


def finish(*arguments, **how):
    process = relayc(*arguments, **how)
    _, message = process.communicate()
    return process.returncode, message


def is_library(path):
    """Whether a file is the whole library: it can be run."""
    code, message = finish("run", path)
    assert code == 0, message
    return True


def names(folder):
    return sorted(path.name for path in folder.iterdir())


def full_disk():
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (ROOM, ROOM))


def check_signals(source):
    output = OUT / "model.so"
    command = ["compile", source, "-o", output, "--no-cache"]
    # The first run reads programs from the disk.
    assert finish(*command)[0] == 0
    start = time.monotonic()
    assert finish(*command)[0] == 0
    duration = time.monotonic() - start
    assert is_library(output)
    size = output.stat().st_size
    stopped, times = 0, 4
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGKILL):
        for step in range(times):
            is_new = step % 2 == 0
            if is_new:
                output.unlink(missing_ok=True)
            else:
                output.write_bytes(b"old")
            process = relayc(*command)
            # When the library is written, at the end, above all.
            time.sleep(duration * (0.2, 0.5, 0.75, 0.9)[step])
            process.send_signal(number)
            process.communicate()
            stopped += process.returncode == -number
            assert process.returncode in (0, -number), process.returncode
            found = output.read_bytes() if output.exists() else None
            before = None if is_new else b"old"
            assert found == before or len(found) == size and is_library(output), (number, step)
            assert set(names(OUT)) <= {"model.so"}, names(OUT)
            if number != signal.SIGKILL:
                assert not names(TEMPORARY), (number, names(TEMPORARY))
    assert stopped >= times, f"only {stopped} were stopped"
    print("signals: whole or not at all")


def check_ignored_signals(source):
    """A background job of a script ignores Ctrl-C, under nohup the end of the terminal."""
    for number in (signal.SIGINT, signal.SIGHUP):
        ignore = lambda number=number: signal.signal(number, signal.SIG_IGN)
        process = relayc("compile", source, "-o", OUT / "model.so", "--no-cache", preexec_fn=ignore)
        time.sleep(0.3)
        process.send_signal(number)
        assert process.wait() == 0, number
    print("ignored signals: ignored")


def check_full_disk(source):
    library, full = OUT / "model.so", FOLDER / "full"
    full.mkdir()
    commands = {
        "model.so": lambda file: ("compile", source, "-o", file),
        "y.npz": lambda file: ("run", library, "--outputs", file),
    }
    for name, command in commands.items():
        for content in (None, b"old"):
            file = full / name
            if content is not None:
                file.write_bytes(content)
            code, message = finish(*command(file), preexec_fn=full_disk)
            assert code == 1 and "error[" in message and "File too large" in message, (code, message)
            assert message.count("\n") == 1, message
            assert names(full) == ([] if content is None else [name]), names(full)
            assert content is None or file.read_bytes() == content
            file.unlink(missing_ok=True)
    print("full disks: whole or not at all")


def check_full_devices(source):
    library = OUT / "model.so"
    full = "/dev/full"
    files = [
        ("compile", source, "-o", full),
        ("compile", source, "--emit", "relay", "-o", full),
        ("run", library, "--outputs", full),
    ]
    printed = [
        ("compile", source, "--emit", "relay"),
        ("run", library, "--outputs", "-"),
        ("run", library, "--print-time", "--repeat", 1),
        ("inspect", library),
        ("inspect", library, "--json"),
        ("explain",),
        ("explain", "R0104"),
        ("completions", "bash"),
    ]
    for command in files + printed:
        with open(full, "wb") as output:
            code, message = finish(*command, stdout=output)
        assert code == 1 and message.startswith("error["), (command, code, message)
        assert message.endswith("No space left on device (os error 28)\n"), (command, message)
        assert message.count("\n") == 1, (command, message)
    print("full devices: errors")


FOLDER.mkdir(exist_ok=True)
TEMPORARY.mkdir()
OUT.mkdir()
model(FOLDER / "model.onnx")
check_signals(FOLDER / "model.onnx")
check_ignored_signals(FOLDER / "model.onnx")
check_full_disk(FOLDER / "model.onnx")
check_full_devices(FOLDER / "model.onnx")
