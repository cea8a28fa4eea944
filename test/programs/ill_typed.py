"""Gives ill-typed programs to relayc, and compares what it says with what is written beside them.

ill_typed.py [--update]

ill_typed/*.txt hold the programs, each below a line with its name, and then, as comments, the message: where, and both of the
facts that do not go together. --update writes what relayc says now.
"""

import argparse
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).parent / "ill_typed"
# What stands around a message: the code, and the lines of the program that it shows, with marks below them.
SHOWN = re.compile(r"^ *(\d+)? *\||^ *\^$")


def says(name, program, folder):
    """The message about a program, a line for each fact."""
    path = folder / name
    path.write_text(program)
    command = ["relayc", "run", path, "--executor", "interpreter", "-q"]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    text = ran.stderr.replace(f"{folder}/", "")
    known = {"", *(line.strip() for line in program.splitlines())}
    lines = [line.strip() for line in text.splitlines() if line.strip() not in known and not SHOWN.match(line)]
    # The first line is that of every file that cannot be read.
    return [line for line in lines if not line.startswith(("error[R0203]", "pass '", "'builtin.module'"))]


def programs(text):
    """The programs of a file, each with its message, by name."""
    for part in re.split(r"^//--- ", text, flags=re.MULTILINE)[1:]:
        name, rest = part.split("\n", 1)
        lines = rest.rstrip("\n").split("\n")
        message = [line.removeprefix("// ") for line in lines if line.startswith("// ")]
        yield name, "\n".join(line for line in lines if not line.startswith("// ")).strip("\n") + "\n", message


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--update", action="store_true")
    update = parser.parse_args().update
    count = wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        for path in sorted(HERE.glob("*.txt")):
            parts = []
            for name, program, expected in programs(path.read_text()):
                found = says(name, program, pathlib.Path(folder))
                count += 1
                if not found or (found != expected and not update):
                    wrong += 1
                    print(f"{path.name}: {name}\n  says:     {found}\n  expected: {expected}")
                message = "".join(f"// {line}\n" for line in found)
                parts.append(f"//--- {name}\n{program}{message}")
            if update:
                path.write_text("\n".join(parts))
    print(f"{count} programs, {count - wrong} messages as expected")
    return wrong != 0


if __name__ == "__main__":
    sys.exit(main())
