"""Runs a command and prints what it took, as JSON.

`python command.py COMMAND ...` prints {"returncode", "seconds", "peak_bytes", "stderr"}. It is a
program of its own because the peak of a process counts what it was before its exec: this one is
small.
"""

import json
import os
import subprocess
import sys
import tempfile
import time


def measured(command):
    """What a command took: seconds, and the most memory of it or of one that it started."""
    script = [sys.executable, "-S", __file__, *map(str, command)]
    done = subprocess.run(script, capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def main():
    with tempfile.TemporaryFile() as messages:
        start = time.perf_counter()
        process = subprocess.Popen(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=messages)
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - start
        messages.seek(0)
        text = messages.read().decode(errors="replace")
    facts = {
        "returncode": os.waitstatus_to_exitcode(status),
        "seconds": seconds,
        "peak_bytes": usage.ru_maxrss * 1024,
        "stderr": text,
    }
    print(json.dumps(facts))


if __name__ == "__main__":
    main()
