"""Runs the commands of a guide and compares what they print with what stands there: first_hour.py GUIDE.

A block of ```console holds commands behind "$ ", each followed by its output, in which ... stands for anything.
"""

import pathlib
import re
import subprocess
import sys

guide = pathlib.Path(sys.argv[1]).read_text()
count = 0
for block in re.findall(r"^```console\n(.*?)^```$", guide, re.M | re.S):
    for command, expected in re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", block, re.M):
        done = subprocess.run(["bash", "-c", command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        pattern = ".*".join(re.escape(part) for part in expected.strip().split("..."))
        if not re.fullmatch(pattern, done.stdout.strip(), re.S):
            sys.exit(f"$ {command}\nprinted\n{done.stdout}\nand not\n{expected}")
        count += 1
print(f"{count} commands print what the guide says")
