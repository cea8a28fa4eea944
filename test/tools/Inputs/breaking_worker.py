"""A worker that compiles and times nothing: all schedules are fast, and the network breaks with that of its first kernel."""

import json
import pathlib

from answers import BUILT, PROFILED, failed, is_alone, serve, timed


def breaks(library):
    """Whether the records that a network's library was just linked with have a schedule for their first kernel."""
    folder = pathlib.Path(library).parents[1]
    newest = max(folder.glob("records*.jsonl"), key=lambda path: int(path.stem.removeprefix("records")))
    lines = [json.loads(line) for line in newest.read_text().splitlines()]
    choices = [line for line in lines if line["kind"] == "choice"]
    return bool(choices) and choices[0].get("schedule") is not None


def answer(request):
    if request["ask"] == "build":
        return BUILT
    if request["ask"] == "profile":
        return PROFILED
    if request["ask"] == "time":
        return timed(request, 0.5)
    if not is_alone(request) and breaks(request["candidate"]):
        return failed("crash", "it breaks")
    return timed(request, 0.8)


serve(answer)
