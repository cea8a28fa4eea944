"""tune_processes.py MODEL LIBRARY FOLDER: the processes of a tuner end with it, and not before it.

LIBRARY is MODEL compiled; FOLDER takes files.
"""

import json
import os
import pathlib
import random
import signal
import subprocess
import sys
import time

INTERRUPTIONS = 3
WORKER = ["relayc", "tune-worker", "--no-cache", f"--memory={4 << 30}"]
# The seconds within which what has to end ends, however busy the machine is.
PATIENCE = 60
# As many rounds as take days.
ENDLESS = 10**6


def tune(model, records, *words, **how):
    command = ["relayc", "tune", model, "--records", records, "--threads", "1", "--budget", "60s", *words]
    return subprocess.Popen(command, **{"stderr": subprocess.DEVNULL, **how})


def wait_until(is_so, what):
    for _ in range(PATIENCE * 10):
        if is_so():
            return
        time.sleep(0.1)
    raise AssertionError(what)


def listen_to_ctrl_c():
    """Where tests run in the background Ctrl-C is ignored."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def trials_of(records):
    """The trials in a file. Its last line may be torn."""
    trials = []
    for text in records.read_text().splitlines() if records.exists() else []:
        try:
            line = json.loads(text)
        except ValueError:
            continue
        if line["kind"] == "trial":
            trials.append(line)
    return trials


def press_ctrl_c(model, folder, draw):
    records = folder / "interrupted.jsonl"
    interrupted = 0
    for _ in range(INTERRUPTIONS):
        before = len(trials_of(records))
        process = tune(
            model,
            records,
            stdout=subprocess.DEVNULL,
            start_new_session=True,
            preexec_fn=listen_to_ctrl_c,
        )
        wait_until(lambda: len(trials_of(records)) > before, "there are no trials")
        time.sleep(draw.uniform(0, 0.5))
        # A terminal sends it to the whole group.
        os.killpg(process.pid, signal.SIGINT)
        interrupted += process.wait(PATIENCE) == -signal.SIGINT
    assert interrupted, "it was always done before"
    failed = [trial["outcome"] for trial in trials_of(records) if "failed" in trial["outcome"]]
    assert not failed, failed
    print("Ctrl-C is for the tuner: no trial failed")


def stop_reading(model, folder, stream, *words):
    temporary = folder / f"temporary-{stream}"
    temporary.mkdir()
    how = {stream: subprocess.PIPE, "env": {**os.environ, "TMPDIR": str(temporary)}}
    process = tune(model, folder / f"unread-{stream}.jsonl", *words, **how)
    lines = getattr(process, stream)
    assert lines.readline()
    lines.close()
    assert process.wait(PATIENCE * 2) == -signal.SIGPIPE, process.returncode
    # Its workers may have folders of their own until they have seen that it is gone.
    wait_until(lambda: not list(temporary.iterdir()), "folders are left")
    print(f"a tuner whose {stream} nobody reads leaves no folders")


def question(library, rounds, turn):
    pair = {"incumbent": library, "candidate": library, "weights": [], "footprint": 0}
    how = {"threads": 1, "rounds": rounds, "turn": turn}
    return json.dumps({"ask": "network", **pair, **how, "limit": 600}) + "\n"


def answer_the_last(library):
    asked = question(library, rounds=3, turn=0.2)
    done = subprocess.run(WORKER, input=asked, stdout=subprocess.PIPE, text=True, check=True)
    assert json.loads(done.stdout)["answer"] == "timed", done.stdout
    print("a worker answers what it was asked last")


def leave_a_worker(library):
    worker = subprocess.Popen(WORKER, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    worker.stdin.write(question(library, ENDLESS, turn=1.0).encode())
    worker.stdin.flush()
    time.sleep(1)
    assert worker.poll() is None, worker.returncode
    worker.stdout.close()
    assert worker.wait(PATIENCE) == -signal.SIGPIPE, worker.returncode
    print("a worker ends when nobody reads its answers")


def close_a_connection(library):
    content = pathlib.Path(library).read_bytes()
    keep = {"ask": "keep", "library": "a", "bytes": len(content), "forget": []}
    runner = subprocess.Popen(["relay-runner"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    runner.stdin.write(json.dumps(keep).encode() + b"\n" + content)
    runner.stdin.flush()
    assert json.loads(runner.stdout.readline())["answer"] == "kept"
    runner.stdin.write(question("a", ENDLESS, turn=1.0).encode())
    runner.stdin.flush()
    time.sleep(1)
    assert runner.poll() is None, runner.returncode
    # Somebody may read on; ssh tells no more than that nobody writes.
    runner.stdin.close()
    answer = json.loads(runner.stdout.readline())
    assert answer["answer"] == "failed" and "connection has ended" in answer["reason"], answer
    assert runner.wait(PATIENCE) == 0, runner.returncode
    print("a runner ends with its connection")


def main():
    model, library, folder = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])
    press_ctrl_c(model, folder, random.Random(7))
    stop_reading(model, folder, "stdout", "--json")
    stop_reading(model, folder, "stderr")
    answer_the_last(library)
    leave_a_worker(library)
    close_a_connection(library)


main()
