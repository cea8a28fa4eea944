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

# One module has the programs of some rules: a process takes longer to start than to compile one of them.
TOGETHER = 20


class Module:
    """The programs of some rules as one function, from the text of each."""

    def __init__(self):
        self.arguments, self.results, self.lines, self.values, self.types = [], [], [], [], []

    def add(self, text, prefix):
        text = re.sub(r"%(?=\w)", f"%{prefix}", text)
        arguments, results, lines, values, types = re.search(
            r"^ *func\.func @main\((.*)\) -> \((.*)\) \{\n(.*)^ *return ([^\n]*) : ([^\n]*)\n", text, re.M | re.S
        ).groups()
        self.arguments.append(arguments)
        self.results.append(results)
        self.lines.append(lines)
        self.values.append(values)
        self.types.append(types)

    def text(self):
        arguments, results = ", ".join(filter(None, self.arguments)), ", ".join(self.results)
        ending = f"return {', '.join(self.values)} : {', '.join(self.types)}"
        return f"func.func @main({arguments}) -> ({results}) {{\n{''.join(self.lines)}{ending}\n}}\n"


def run(scratch, name, module):
    """What the module computes at a level where no passes with rules run but `simplify-inference` and `canonicalize-ops`."""
    path, out = scratch / f"{name}.mlir", scratch / f"{name}.npz"
    path.write_text(module.text())
    command = ["relayc", "run", str(path), "--opt-level", "0", "--inputs", str(scratch / "in.npz"), "--outputs", str(out), "-q"]
    subprocess.run(command, check=True)
    return dict(np.load(out))


def rewrite(name, rule, program, scratch):
    """The program after the rule, which must have been applied to each instance."""
    rules, source = scratch / f"{name}.pat", scratch / f"{name}.in.mlir"
    rules.write_text(rule)
    source.write_text(program.text())
    rewritten = subprocess.run(["relay-opt", f"--rewrite={rules} report", str(source)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert rewritten.returncode == 0, rewritten.stderr
    applied = int(re.search(rf"^{name}: applied (\d+) times$", rewritten.stderr, re.M).group(1))
    assert applied >= INSTANCES, f"{name}: applied to {applied} of {INSTANCES} instances:\n{program.text()}"
    return rewritten.stdout


def check(rules, scratch, rng):
    """Checks some rules: names, and their texts."""
    before, after, inputs, outputs = Module(), Module(), {}, {}
    for place, (name, rule) in enumerate(rules):
        prefix = f"r{place}_"
        program = Program(rng, prefix)
        for _ in range(INSTANCES):
            program.result(GENERATORS[name](program))
        before.add(program.text(), prefix)
        after.add(rewrite(name, rule, program, scratch), prefix)
        inputs |= {input: value.array for input, value in program.inputs.items()}
        outputs |= {output: (name, value.array) for output, value in program.outputs.items()}
    np.savez(scratch / "in.npz", **inputs)
    computed = [run(scratch, "before", before), run(scratch, "after", after)]
    for output, (name, expected) in outputs.items():
        # Sums that are near 0 are as exact as what is added, none of which is greater than 4.
        error = 8 * np.finfo(expected.dtype).eps if expected.dtype.kind == "f" else 0
        for result in (results[output] for results in computed):
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
    left = list(rules.items())
    while left:
        check(left[:TOGETHER], scratch, rng)
        left = left[TOGETHER:]


main()
