"""Runs a command whose output nobody reads; fails if it complains, or does not notice."""

import os
import signal
import subprocess
import sys

read_end, write_end = os.pipe()
os.close(read_end)
done = subprocess.run(sys.argv[1:], stdout=write_end, stderr=subprocess.PIPE, text=True)
assert done.stderr == "", done.stderr
assert done.returncode == -signal.SIGPIPE, done.returncode
