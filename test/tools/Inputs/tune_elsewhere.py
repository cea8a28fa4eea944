"""Changes what tune_elsewhere.mlir exports and imports: times, libraries and plans."""

import json
import pathlib
import sys

import numpy as np

ROUNDS = 15


def lines(path):
    return [json.loads(line) for line in pathlib.Path(path).read_text().splitlines()]


def winner(results):
    """The candidate that wins: the last one of the only kernel."""
    (kernel,) = lines(results)[0]["plan"]["kernels"]
    return kernel["key"], kernel["candidates"][-1]["from"]


def win(results, changed):
    """Has the winner take half of the default's time, and each other candidate as long as the default."""
    key, best = winner(results)
    head, *measured = lines(results)
    looks = [it for it in measured if it["stage"] == "look"]
    for it in looks:
        it["outcome"] = {"timed": {"default": [2.0] * 3, "candidate": [1.0 if it["from"] == best else 2.0] * 3}}
    outcome = {"timed": {"default": [2.0] * ROUNDS, "candidate": [1.0] * ROUNDS}}
    test = {"line": "result", "key": key, "from": best, "stage": "test", "outcome": outcome}
    text = "".join(json.dumps(line) + "\n" for line in [head, *looks, test])
    pathlib.Path(changed).write_text(text)


def explained(results, text):
    """Checks that the records have the winner's knobs for the kernel."""
    key, best = winner(results)
    (line,) = [line for line in pathlib.Path(text).read_text().splitlines() if line.startswith(key)]
    assert best in line and "0.500" in line, (best, line)


def plan_of(folder):
    path = pathlib.Path(folder) / "plan.json"
    return path, json.loads(path.read_text())


def break_library(folder):
    """Puts a text in the place of a candidate's library."""
    _, plan = plan_of(folder)
    (pathlib.Path(folder) / plan["kernels"][0]["candidates"][2]["library"]).write_text("no library\n")


def foreign(folder):
    """Makes the plan one for another architecture."""
    path, plan = plan_of(folder)
    plan["architecture"] = "aarch64" if plan["architecture"] != "aarch64" else "x86_64"
    path.write_text(json.dumps(plan))


def cut(folder):
    """Leaves a part of the plan."""
    path, _ = plan_of(folder)
    path.write_text(path.read_text()[:-20])


def same(expected, found):
    """Checks that two runs gave the same outputs, but for rounding."""
    expected, found = np.load(expected), np.load(found)
    for name in expected.files:
        np.testing.assert_allclose(found[name], expected[name], rtol=1e-4, atol=1e-4)


command, *arguments = sys.argv[1:]
commands = {"win": win, "explained": explained, "break": break_library, "foreign": foreign, "cut": cut, "same": same}
commands[command](*arguments)
