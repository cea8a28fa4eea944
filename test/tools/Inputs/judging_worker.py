"""A worker that compiles and times nothing: all schedules are fast, and the second network is slow with them."""

import json
import os
import sys


def times(ratio):
    return {"answer": "timed", "incumbent": [100.0] * 40, "candidate": [100.0 * ratio] * 40}


def answer(request):
    if request["ask"] == "build":
        return {"answer": "built"}
    if request["ask"] == "profile":
        return {"answer": "profiled", "kernels": []}
    if request["ask"] == "time":
        return times(1.0 if request["incumbent"] == request["candidate"] else 0.5)
    # The libraries of a network lie in a folder of its number.
    folder = os.path.basename(os.path.dirname(request["candidate"]))
    return times(1.2 if folder == "1" else 0.8)


for line in sys.stdin:
    print(json.dumps(answer(json.loads(line))), flush=True)
