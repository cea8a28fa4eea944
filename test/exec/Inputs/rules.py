"""Random instances of the patterns of rules, compiled and run with and without the rule: rules.py FOLDER SCRATCH

FOLDER holds files of rules. Each rule that replaces what it matches must have a generator in `rule_instances.py`, and be applied to
each of its instances.
"""

import pathlib
import re
import subprocess
import sys

import numpy as np

from rule_instances import GENERATORS
from rule_program import Program

INSTANCES = 4


def run(scratch, name, module):
    """What the module computes at a level where no passes with rules run but `simplify-inference` and `canonicalize-ops`."""
    path, out = scratch / f"{name}.mlir", scratch / f"{name}.npz"
    path.write_text(module)
    command = ["relayc", "run", str(path), "--opt-level", "0", "--inputs", str(scratch / "in.npz"), "--outputs", str(out), "-q"]
    subprocess.run(command, check=True)
    return dict(np.load(out))


def check(name, rule, scratch, rng):
    program = Program(rng)
    for _ in range(INSTANCES):
        program.result(GENERATORS[name](program))
    rules, source = scratch / f"{name}.pat", scratch / f"{name}.in.mlir"
    rules.write_text(rule)
    source.write_text(program.text())
    np.savez(scratch / "in.npz", **{name: value.array for name, value in program.inputs.items()})
    rewritten = subprocess.run(["relay-opt", f"--rewrite={rules} report", str(source)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert rewritten.returncode == 0, rewritten.stderr
    applied = int(re.search(rf"^{name}: applied (\d+) times$", rewritten.stderr, re.M).group(1))
    assert applied >= INSTANCES, f"{name}: applied to {applied} of {INSTANCES} instances:\n{program.text()}"
    before, after = run(scratch, name + ".before", program.text()), run(scratch, name + ".after", rewritten.stdout)
    for output, value in program.outputs.items():
        expected = value.array
        # Sums that are near 0 are as exact as what is added, none of which is greater than 4.
        error = 8 * np.finfo(expected.dtype).eps if expected.dtype.kind == "f" else 0
        for result in (before[output], after[output]):
            assert result.dtype == expected.dtype, f"{name}: {result.dtype}, not {expected.dtype}"
            np.testing.assert_allclose(result, expected, rtol=error, atol=error, err_msg=f"{name}.{output}")


def main():
    folder, scratch = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    scratch.mkdir(parents=True, exist_ok=True)
    rng = np.random.default_rng(1)
    rules = {}
    for path in sorted(folder.glob("*.pat")):
        text = path.read_text()
        rules |= {match.group(1): match.group(0) for match in re.finditer(r"^rule ([\w.]+) \{.*?^\}", text, re.M | re.S)}
    # Those of external code generators say what these take, and replace nothing.
    rules = {name: rule for name, rule in rules.items() if re.search(r"^  with ", rule, re.M)}
    assert rules and rules.keys() == GENERATORS.keys(), rules.keys() ^ GENERATORS.keys()
    for name, rule in rules.items():
        check(name, rule, scratch, rng)


main()
