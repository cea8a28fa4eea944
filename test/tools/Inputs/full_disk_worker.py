"""A worker that compiles and times nothing: one library can be written, and then none any more."""

from answers import BUILT, failed, serve, timed

BUILDS = []


def answer(request):
    if request["ask"] != "build":
        return timed(request, 1.0)
    BUILDS.append(request["library"])
    return BUILT if len(BUILDS) == 1 else failed("build", "No space left on device")


serve(answer)
