"""slow_worker.py SECONDS: a worker that compiles and times nothing. All schedules are fast, and a run of the network takes SECONDS."""

import sys

from answers import BUILT, PROFILED, failed, serve, timed

SECONDS = float(sys.argv[1])


def answer(request):
    if request["ask"] == "build":
        return BUILT
    if request["ask"] == "time":
        return timed(request, 0.5)
    # As a runner does where a run is longer than a turn: each library runs twice in a round, and what is computed is compared before.
    before = 3 if request["ask"] == "network" else 0
    limit = request["limit"]
    if (before + 4 * request["rounds"]) * SECONDS > limit:
        return failed("time", f"it took more than {limit:.0f} s")
    if request["ask"] == "profile":
        return PROFILED
    return timed(request, 0.8, SECONDS * 1e9)


serve(answer)
