"""Looks up each flag of a page in the help of the tool that the page says."""

import re
import subprocess
import sys


def help_of(*command):
    """The flags that a command's help lists."""
    text = subprocess.run([*command, "--help"], check=True, capture_output=True, text=True).stdout
    return set(re.findall(r"(?<![\w-])--([a-z0-9-]+)", text))


known = {"": help_of("relay-opt")}
count, unknown = 0, 0
with open(sys.argv[1], encoding="utf-8") as page:
    for number, line in enumerate(page, 1):
        # A flag is relayc's behind the name of one of its commands, as far as the next semicolon.
        for part in line.split(";"):
            verb = ""
            for word in re.findall(r"`(?:relayc [a-z]+)?[^`]*`", part):
                verb = (re.match(r"`relayc ([a-z]+)", word) or [None, verb])[1]
                if verb not in known:
                    known[verb] = help_of("relayc", verb)
                for flag in re.findall(r"(?<![\w-])--([a-z0-9-]+)", word):
                    count += 1
                    # Another tool's flag may follow in the same cell.
                    if flag not in known[verb] | known[""]:
                        unknown += 1
                        print(f"line {number}: {word} names --{flag}")
print(f"{count} flags, {unknown} unknown")
