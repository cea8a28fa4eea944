"""Calls in a process of their own, which may crash."""

import os
import pickle
import resource
import signal
import tempfile

# What no call of a fuzzer may need: seconds of a processor, and bytes.
SECONDS = 120
BYTES = 8 << 30


def call(function, *arguments):
    """What a function returns, and None; or None, and what went wrong with its process."""
    with tempfile.TemporaryFile() as answer:
        child = os.fork()
        if child == 0:
            finish(answer, function, arguments)
        _, status = os.waitpid(child, 0)
        if os.WIFSIGNALED(status):
            return None, f"was ended by {signal.Signals(os.WTERMSIG(status)).name}"
        answer.seek(0)
        return pickle.load(answer)


def finish(answer, function, arguments):
    """Calls a function in the child, and ends the process."""
    resource.setrlimit(resource.RLIMIT_AS, (BYTES, BYTES))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS + 1))
    try:
        result = function(*arguments), None
    except BaseException as error:  # noqa: BLE001: the parent tells what it was
        result = None, f"{type(error).__name__}: {error}"
    pickle.dump(result, answer)
    answer.flush()
    os._exit(0)
