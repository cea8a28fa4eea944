"""A machine that works for a tuner elsewhere: a worker's process, and the libraries that it is given and makes."""

from __future__ import annotations

import json
import os
import pathlib
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import OrderedDict
from typing import Optional

__all__ = ["Machine"]

PREFIX = f"relay-mlir-tune-{os.getuid()}-"

# The most libraries that are kept: the best of each kernel is needed again and again.
MOST_LIBRARIES = 256

# The most bytes of a worker's last words that are told.
MOST_COMPLAINTS = 2000


def remove_left_folders() -> None:
    """Removes the folders of processes that were killed. A folder's name has its process's number."""
    for folder in pathlib.Path(tempfile.gettempdir()).glob(f"{PREFIX}*"):
        owner = folder.name[len(PREFIX) :].split("-")[0]
        if owner.isdigit() and not os.path.exists(f"/proc/{owner}"):
            shutil.rmtree(folder, ignore_errors=True)


class Worker:
    """A process that answers a tuner's requests."""

    def __init__(self, command: list[str]):
        self._complaints = tempfile.TemporaryFile()
        # The binary pipe is read by its number: what Python keeps in a buffer, `select` does not see.
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._complaints, bufsize=0
        )
        self._rest = b""

    def ask(self, line: str, limit: float) -> Optional[str]:
        """The answer to a request; None if the process ends before. Raises `TimeoutError` after so many seconds."""
        try:
            self._process.stdin.write(f"{line}\n".encode())
        except BrokenPipeError:
            return None
        end = time.monotonic() + limit
        while b"\n" not in self._rest:
            left = end - time.monotonic()
            # An answer that is there when no time is left is late, too.
            if left <= 0 or not select.select([self._process.stdout], [], [], left)[0]:
                raise TimeoutError
            if not (read := os.read(self._process.stdout.fileno(), 1 << 16)):
                return None
            self._rest += read
        answer, self._rest = self._rest.split(b"\n", 1)
        return answer.decode()

    def end(self) -> dict:
        """Ends the process; the answer that says why it gave none."""
        self._process.kill()
        code = self._process.wait()
        self._complaints.seek(0, os.SEEK_END)
        self._complaints.seek(max(0, self._complaints.tell() - MOST_COMPLAINTS))
        said = self._complaints.read().decode(errors="replace").strip()
        for pipe in (self._process.stdin, self._process.stdout, self._complaints):
            pipe.close()
        status = f"exit status: {code}" if code >= 0 else f"signal: {-code} ({signal.Signals(-code).name})"
        is_memory = "memory allocation" in said or "out of memory" in said
        return failed("memory" if is_memory else "crash", f"{status}: {said}" if said else status)


def failed(how: str, reason: str) -> dict:
    """The answer for what cannot be done."""
    return {"answer": "failed", "how": how, "reason": reason}


class Machine:
    """Answers requests whose libraries are named by the digests of their contents.

    arguments: those of `relay_mlir.tune_worker`.
    """

    def __init__(self, arguments: list[str]):
        remove_left_folders()
        self._folder = pathlib.Path(tempfile.mkdtemp(prefix=f"{PREFIX}{os.getpid()}-"))
        self._command = [sys.executable, "-m", "relay_mlir.tune_worker", *arguments]
        self._command += ["--end-with-parent", str(os.getpid())]
        self._worker: Optional[Worker] = None
        # The digests of the libraries that are here, those that were used last at the end.
        self._libraries: OrderedDict[str, None] = OrderedDict()

    def is_there(self) -> bool:
        """Whether it can be asked: an answer is a yes."""
        return True

    def missing(self, digests: list[str]) -> list[str]:
        """Those that are not here. What is asked for next is not thrown away."""
        for digest in digests:
            if digest in self._libraries:
                self._libraries.move_to_end(digest)
        return [digest for digest in digests if digest not in self._libraries]

    def keep(self, digest: str, library: bytes) -> None:
        """Takes in a library."""
        self._path(digest).write_bytes(library)
        self._libraries[digest] = None
        while len(self._libraries) > MOST_LIBRARIES:
            oldest, _ = self._libraries.popitem(last=False)
            self._path(oldest).unlink()

    def build(self, request: dict) -> tuple[dict, Optional[bytes]]:
        """The answer to a request to compile, and the library."""
        library = self._folder / "built.so"
        answer = self._ask({**request, "library": str(library)}, "build-time")
        if answer["answer"] != "built":
            return answer, None
        content = library.read_bytes()
        library.unlink()
        return answer, content

    def time(self, request: dict) -> dict:
        """The answer to a request to time two libraries."""
        paths = {name: str(self._path(request[name])) for name in ("incumbent", "candidate")}
        return self._ask({**request, **paths}, "time")

    def close(self) -> None:
        """Ends the worker, and removes the files."""
        if self._worker is not None:
            self._worker.end()
        shutil.rmtree(self._folder, ignore_errors=True)

    def _path(self, digest: str) -> pathlib.Path:
        return self._folder / f"{digest}.so"

    def _ask(self, request: dict, late: str) -> dict:
        """Asks the worker; one that gives no answer is ended. `late` is the failure of one that takes too long."""
        worker = self._worker or Worker(self._command)
        self._worker = None
        limit = request["limit"]
        try:
            answer = worker.ask(json.dumps(request), limit)
        except TimeoutError:
            worker.end()
            return failed(late, f"it took more than {limit:.0f} s")
        if answer is None:
            return worker.end()
        self._worker = worker
        return json.loads(answer)
