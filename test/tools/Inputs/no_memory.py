"""Runs a command with less and less memory, until its libraries cannot be loaded. Each run succeeds, or says what is missing."""

import resource
import subprocess
import sys


def run(megabytes):
    """How the command ends with so much of an address space, and what it says."""

    def limit():
        resource.setrlimit(resource.RLIMIT_AS, (megabytes << 20, megabytes << 20))

    done = subprocess.run(sys.argv[1:], capture_output=True, text=True, preexec_fn=limit)
    return done.returncode, done.stderr


failed = 0
for megabytes in range(1000, 0, -80):
    status, said = run(megabytes)
    if "error while loading shared libraries" in said:
        break
    assert status in (0, 1), f"{megabytes} MiB: {status}: {said}"
    # Rust's own part says so as well, as a whole.
    assert status == 0 or "memory" in said or "thread" in said, f"{megabytes} MiB: {said}"
    failed += status
assert failed, "there was always enough"
