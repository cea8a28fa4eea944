"""fixed_times_worker.py [--first-looks-lie]: a worker that compiles nothing, for which a schedule always takes the same time.

The default takes twice as long as the fastest one; for the others their text decides.

With --first-looks-lie, what is timed over a few rounds only seems ten times as slow as it is.
"""

import hashlib
import pathlib
import sys
import time

from answers import BUILT, PROFILED, is_alone, serve, timed

FEW = 5


def write(library, schedule):
    """Writes the time of a schedule, 1 to 2, where its library would be."""
    library = pathlib.Path(library)
    digest = hashlib.sha256(str(schedule).encode()).digest()
    of_default = library.stem.endswith("-default")
    library.write_text(str(2 if of_default else 1 + digest[0] / 256), encoding="ascii")


def time_of(library):
    return float(pathlib.Path(library).read_text(encoding="ascii"))


def answer(request):
    if request["ask"] == "build":
        # So that a process that is killed is killed before it has tried all schedules.
        time.sleep(0.05)
        write(request["library"], request["schedule"])
        return BUILT
    if request["ask"] == "profile":
        return PROFILED
    if request["ask"] == "network":
        return timed(request, 0.8)
    ratio = 1.0 if is_alone(request) else time_of(request["candidate"]) / time_of(request["incumbent"])
    lies = "--first-looks-lie" in sys.argv and request["rounds"] <= FEW
    return timed(request, 10 * ratio if lies else ratio)


serve(answer)
