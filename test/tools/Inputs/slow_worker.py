"""slow_worker.py SECONDS: a worker that compiles and times nothing. All schedules are fast, and a run of the network takes SECONDS."""

import json
import sys

SECONDS = float(sys.argv[1])


def times(ratio, nanoseconds, rounds):
    return {
        "answer": "timed",
        "incumbent": [nanoseconds] * rounds,
        "candidate": [nanoseconds * ratio] * rounds,
    }


def answer(request):
    if request["ask"] == "build":
        return {"answer": "built"}
    is_same, rounds, limit = request["incumbent"] == request["candidate"], request["rounds"], request["limit"]
    if request["ask"] == "time":
        return times(1.0 if is_same else 0.5, 100.0, rounds)
    # As a runner does where a run is longer than a turn: each library runs twice in a round, and what is computed is compared before.
    before = 3 if request["ask"] == "network" else 0
    if (before + 4 * rounds) * SECONDS > limit:
        return {"answer": "failed", "how": "time", "reason": f"it took more than {limit:.0f} s"}
    if request["ask"] == "profile":
        return {"answer": "profiled", "kernels": []}
    return times(1.0 if is_same else 0.8, SECONDS * 1e9, rounds)


for line in sys.stdin:
    print(json.dumps(answer(json.loads(line))), flush=True)
