"""Runs the programs of this folder and compares what they give with what expected/ says.

check.py [--executor EXECUTOR [EXECUTOR ...]] [--by WAY] [--run-each N] [NAME...]

A way makes another program of each, which has to give the same: "printed" reads it, prints it as Relay's text, and reads that;
"lifted" runs the passes that leave neither type parameters nor closures; each other way is that of a pass. The way of all programs
is gone at once, since a process takes longer to start than for a program. With --run-each N each N-th one runs.

Integers and booleans have to be the same, floats within 1e-5 of the expected ones. Compiled programs give back all values
that they make.
"""

import argparse
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import numpy as np

import expected

HERE = pathlib.Path(__file__).parent
RELATIVE = 1e-5
# What is 0 but for rounding.
ABSOLUTE = 1e-6
SECONDS = 300
AT_ONCE = 2

# Between programs that one process reads.
MARK = "// -----"

REPORT = {"RELAY_HEAP_REPORT": "1"}
READ, PRINT = ["relay-translate", "--from-relay-text"], ["relay-translate", "--to-relay-text"]


def by(*passes):
    """The way of some passes, after the types are known."""
    return (".mlir", [READ, ["relay-opt", "--infer-type", *passes]])


WAYS = {
    "itself": None,
    "printed": (".relay", [READ, ["relay-opt", "--infer-type"], PRINT]),
    "lifted": by("--monomorphize", "--lambda-lift"),
    "basic-blocks": by("--to-basic-block-normal-form"),
    "a-normal": by("--to-a-normal-form"),
    "graph": by("--to-graph-normal-form"),
    "eta-expanded": by("--eta-expand"),
    "planned": by("--plan-devices=cuda:0"),
    "planned-processor": by("--plan-devices=cpu:1"),
    "first-order": by("--defunctionalization"),
    "cps": by("--to-cps", "--un-cps"),
    "partial": by("--partial-evaluate"),
    "partial-cps": by("--to-cps", "--un-cps", "--partial-evaluate"),
}


def compare(wanted, found):
    """What differs, or None."""
    if len(found) != len(wanted):
        return f"{len(found)} outputs, expected {len(wanted)}"
    for index, each in enumerate(wanted):
        each, got = np.asarray(each), found[f"output{index}"]
        if got.dtype != each.dtype or got.shape != each.shape:
            return f"output {index} is {got.dtype}{got.shape}, expected {each.dtype}{each.shape}"
        if each.dtype.kind == "f":
            same = np.allclose(got, each, rtol=RELATIVE, atol=ABSOLUTE, equal_nan=True)
        else:
            same = np.array_equal(got, each)
        if not same:
            return f"output {index} is {got.tolist()}, expected {each.tolist()}"
    return None


def pipe(commands, texts):
    """What a row of commands makes of each text; what is wrong if one fails."""
    for command in commands:
        split = [*command, f"--split-input-file={MARK}", f"--output-split-marker={MARK}"]
        text = f"{MARK}\n".join(texts)
        ran = subprocess.run(split, input=text, capture_output=True, text=True, timeout=SECONDS, check=False)
        if ran.returncode != 0:
            return None, f"{' '.join(command)}: {ran.stderr.strip()}"
        texts = ran.stdout.split(f"{MARK}\n")
    return texts, None


def write(names, way, folder):
    """Writes what a way makes of the programs, and returns their paths by their names."""
    paths = {name: HERE / f"{name}.relay" for name in names}
    if WAYS[way] is None:
        return paths
    suffix, commands = WAYS[way]
    texts, wrong = pipe(commands, [path.read_text() for path in paths.values()])
    if wrong:
        # One by one, to name those that it is wrong with.
        each = {name: pipe(commands, [path.read_text()])[1] for name, path in paths.items()}
        sys.exit("\n".join(f"{name}: {why}" for name, why in each.items() if why) or wrong)
    paths = {name: folder / f"{name}{suffix}" for name in names}
    for path, text in zip(paths.values(), texts, strict=True):
        path.write_text(text)
    return paths


def check(name, program, executor, folder):
    """What is wrong with a program, or None."""
    inputs, wanted = expected.PROGRAMS[name]()
    given, made = folder / f"{name}.{executor}.in.npz", folder / f"{name}.{executor}.out.npz"
    np.savez(given, **inputs)
    command = ["relayc", "run", program, "--executor", executor, "-q"]
    command += ["--inputs", given, "--outputs", made]
    try:
        ran = subprocess.run(
            command, capture_output=True, text=True, timeout=SECONDS, check=False, env=os.environ | REPORT
        )
    except subprocess.TimeoutExpired:
        return f"takes more than {SECONDS} s"
    if ran.returncode != 0:
        return f"exit code {ran.returncode}: {ran.stderr.strip()}"
    left = re.search(r"(\d+) values made, (\d+) left", ran.stderr)
    if executor != "interpreter" and (left is None or left[2] != "0"):
        return f"does not give back what it made: {ran.stderr.strip()}"
    with np.load(made) as found:
        return compare(wanted, dict(found))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--executor", nargs="+", default=["interpreter"])
    parser.add_argument("--by", choices=WAYS, default="itself")
    parser.add_argument("--run-each", type=int, default=1, metavar="N", help="run each N-th of the programs")
    parser.add_argument("names", nargs="*")
    arguments = parser.parse_args()
    there = {path.stem for path in HERE.glob("*.relay")}
    if there != set(expected.PROGRAMS):
        odd = sorted(there ^ set(expected.PROGRAMS))
        sys.exit(f"either without a program or without what is expected: {', '.join(odd)}")
    names = arguments.names or sorted(there)
    unknown = sorted(set(names) - there)
    if unknown:
        sys.exit(f"there is no program {', '.join(unknown)}")
    wanted = [(name, executor) for executor in arguments.executor for name in names[:: arguments.run_each]]
    agree = 0
    with (
        tempfile.TemporaryDirectory() as folder,
        concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool,
    ):
        folder = pathlib.Path(folder)
        paths = write(names, arguments.by, folder)
        checks = [pool.submit(check, name, paths[name], executor, folder) for name, executor in wanted]
        for (name, executor), running in zip(wanted, checks, strict=True):
            wrong = running.result()
            if wrong is None:
                agree += 1
            else:
                print(f"{name} by {executor}: {wrong}")
    print(f"{len(wanted)} programs, {agree} agree")
    return agree != len(wanted)


if __name__ == "__main__":
    sys.exit(main())
