"""tune_kill.py MODEL RECORDS WORKER KILLS: relayc tune is killed at random moments, goes on, and loses nothing.

WORKER is the command of a worker for which a schedule always takes the same time: what leads at the end is as fast as what
led before, and no schedule that was tried is faster. Then two of them write one file at a time.
"""

import collections
import json
import os
import random
import signal
import subprocess
import sys
import time

TRIALS = 24
# What gains less than this part of the time is no better.
LEAST_GAIN = 0.01


def tune(model, records, *words):
    return subprocess.Popen(
        ["relayc", "tune", model, "--records", records, "--threads", "1", *words],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


def lines(records):
    """The lines that are whole, and the number of the others."""
    found, torn = [], 0
    with open(records, encoding="utf-8") as file:
        for line in file:
            try:
                found.append(json.loads(line))
            except ValueError:
                torn += 1
    return found, torn


def of_kind(found, kind):
    return [line for line in found if line["kind"] == kind]


def leads(found):
    """How many times as long as the default what led the search last takes, for each kernel."""
    return {line["key"]: line["of_default"] for line in of_kind(found, "lead")}


def size(records):
    return os.path.getsize(records) if os.path.exists(records) else 0


def wait_for_trials(records):
    """Until something was added."""
    before = size(records)
    for _ in range(600):
        if size(records) > before:
            return
        time.sleep(0.1)


def fastest(found):
    """How many times as long as the default the fastest schedule takes that was tried, for each kernel."""
    ratios = collections.defaultdict(lambda: 1.0)
    for trial in of_kind(found, "trial"):
        if "ran" in trial["outcome"]:
            ratios[trial["key"]] = min(ratios[trial["key"]], trial["outcome"]["ran"]["of_default"])
    return ratios


def kill_and_resume(model, records, draw, kills, *words):
    """Kills it at random moments, and has it go on; returns the lines before and behind the last time."""
    before = 0
    for turn in range(kills):
        process = tune(model, records, "--budget", "60s", *words)
        # Half of them are killed while they try schedules, the others wherever they are.
        if turn % 2 == 0:
            wait_for_trials(records)
        time.sleep(draw.uniform(0, 3))
        process.send_signal(signal.SIGKILL)
        process.wait()
        found, torn = lines(records) if os.path.exists(records) else ([], 0)
        trials = len(of_kind(found, "trial"))
        assert trials >= before, (trials, before)
        assert torn <= turn + 1, torn
        before = trials
    assert before > 0, "it was always killed before its first trial"
    known, _ = lines(records)
    process = tune(model, records, "--trials", str(TRIALS), "--budget", "60s", *words)
    assert process.wait() == 0
    found, _ = lines(records)
    tried = collections.Counter(
        (line["key"], line["from"]) for line in of_kind(found, "trial")
    )
    twice = [name for name, count in tried.items() if count > 1]
    assert not twice, twice
    # What led is tested in the network at the end, and then something is chosen.
    chosen = {line["key"] for line in of_kind(found, "choice")}
    assert set(leads(found)) <= chosen, chosen
    print("killed", kills, "times, and nothing was tried twice")
    return known, found


def keep_the_best(known, found):
    """Checks that nothing that was found is lost, where a schedule always takes the same time."""
    before, after = leads(known), leads(found)
    assert before, "nothing was found before the last time"
    for key, ratio in before.items():
        assert after[key] <= ratio, (key, ratio, after[key])
    for key, ratio in fastest(found).items():
        assert ratio >= (1 - LEAST_GAIN) * after.get(key, 1.0), (key, ratio)
    print("the best stayed the best")


def two_writers(model, records):
    words = ["--trials", str(TRIALS), "--budget", "120s", "--tuner", "evolution"]
    processes = [tune(model, records, *words, "--seed", str(seed)) for seed in (1, 2)]
    assert [process.wait() for process in processes] == [0, 0]
    found, torn = lines(records)
    assert torn == 0, torn
    trials = len(of_kind(found, "trial"))
    assert trials >= 2 * TRIALS, trials
    print("two writers lost nothing")


def main():
    model, records, worker = sys.argv[1:4]
    kills = int(sys.argv[4])
    kill_and_resume(model, records, random.Random(7), kills)
    os.remove(records)
    keep_the_best(*kill_and_resume(model, records, random.Random(8), kills, "--worker-command", worker))
    os.remove(records)
    two_writers(model, records)


main()
