"""A worker that compiles and times nothing: all schedules are fast, and the second network is slow with them."""

import os

from answers import BUILT, PROFILED, serve, timed


def answer(request):
    if request["ask"] == "build":
        return BUILT
    if request["ask"] == "profile":
        return PROFILED
    if request["ask"] == "time":
        return timed(request, 0.5)
    # The libraries of a network lie in a folder of its number.
    folder = os.path.basename(os.path.dirname(request["candidate"]))
    return timed(request, 1.2 if folder == "1" else 0.8)


serve(answer)
