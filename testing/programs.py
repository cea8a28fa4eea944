"""Running our programs within limits, and judging how they end."""

import dataclasses
import os
import pathlib
import resource
import shlex
import signal
import subprocess

# What no input of a fuzzer may need: seconds of a processor, and bytes. An input is a few kilobytes. What waits for other work
# on the machine may take longer.
SECONDS = 120
WAITING = 10 * SECONDS
BYTES = 8 << 30

# What a program prints where the fault is its own.
FAULTS = ("internal error", "panicked at", "PLEASE submit a bug report", "stack overflow", "Assertion")


@dataclasses.dataclass
class Outcome:
    """How a program ended; `code` is None where it took too long."""

    words: list
    code: int | None
    output: str
    errors: str

    @property
    def refused(self):
        return self.code == 1

    def fault(self):
        """What is wrong with the way in which it ended, or None: it may succeed, or say why not and end with 1."""
        command = shlex.join(map(str, self.words))
        said = self.errors[-2000:]
        if self.code is None or self.code == -signal.SIGXCPU:
            return f"{command}\n  took more than {SECONDS} s of a processor, or {WAITING} s"
        if self.code < 0:
            return f"{command}\n  was ended by {signal.Signals(-self.code).name}\n{said}"
        if any(fault in self.errors for fault in FAULTS):
            return f"{command}\n  has a fault of its own\n{said}"
        if self.code not in (0, 1):
            return f"{command}\n  ended with {self.code}\n{said}"
        if self.code == 1 and "error" not in self.errors:
            return f"{command}\n  ended with 1 and did not say why\n{said}"
        return None


class Programs:
    """The programs in a folder."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder).resolve()
        self.runs = 0

    def run(self, program, *words, input=None):
        """Runs one of them to its end, which comes within the limits."""

        def limit():
            resource.setrlimit(resource.RLIMIT_AS, (BYTES, BYTES))
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
            resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS + 1))

        self.runs += 1
        words = [self.folder / program, *map(str, words)]
        process = subprocess.Popen(
            words,
            stdin=subprocess.PIPE if input is not None else subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            preexec_fn=limit,
            start_new_session=True,
            env={**os.environ, "RUST_BACKTRACE": "0"},
        )
        try:
            output, errors = process.communicate(input, timeout=WAITING)
            code = process.returncode
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            output, errors = process.communicate()
            code = None
        return Outcome(words, code, output.decode(errors="replace"), errors.decode(errors="replace"))

    def relayc(self, *words):
        return self.run("relayc", *words)
