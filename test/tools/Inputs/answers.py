"""What workers of tests share: they compile and time nothing, and answer a tuner's lines with lines."""

import json
import sys

BUILT = {"answer": "built"}
PROFILED = {"answer": "profiled", "kernels": []}


def failed(how, reason):
    """The answer of what cannot be done."""
    return {"answer": "failed", "how": how, "reason": reason}


def is_alone(request):
    """Whether a library is to be timed beside itself."""
    return request["incumbent"] == request["candidate"]


def timed(request, ratio, nanoseconds=100.0):
    """The answer of libraries of which the second takes so many times as long; 1 if they are the same."""
    of_candidate = nanoseconds * (1.0 if is_alone(request) else ratio)
    rounds = request["rounds"]
    return {"answer": "timed", "incumbent": [nanoseconds] * rounds, "candidate": [of_candidate] * rounds}


def serve(answer):
    """Answers each line of the standard input."""
    for line in sys.stdin:
        print(json.dumps(answer(json.loads(line))), flush=True)
