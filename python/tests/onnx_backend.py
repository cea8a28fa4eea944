"""Has onnx's own test runner drive relay_mlir.backend, and compares with what the suite of exported cases runs.

CASES is the folder that test/oracle/onnx_node_cases.py wrote, or writes here with --export: onnx takes ten seconds of a processor to make
its cases, for each process that asks. Each of its cases must pass, within the bounds that its
index has. The backend must refuse all other tests, but for those that ONNX Runtime reads in another way, too. Prints
the counts; exits with 1 if a test does something else.
"""

import argparse
import collections
import concurrent.futures
import json
import logging
import math
import multiprocessing
import os
import pathlib
import sys
import time
import unittest
import warnings

import onnx.backend.test

from relay_mlir import backend
from relay_mlir.errors import CompileWarning

ORACLE = pathlib.Path(__file__).resolve().parents[2] / "test" / "oracle"
KINDS = ("Node", "Simple", "PyTorchConverted", "PyTorchOperator")


class Refused(unittest.SkipTest):
    """The backend does not support the model."""


class Strict(backend.Backend):
    """The backend; what it refuses is skipped and not passed, as the runner would have it."""

    @classmethod
    def is_compatible(cls, model, device="CPU", **options):
        # Otherwise each model would be compiled twice; `prepare` says the same.
        return True

    @classmethod
    def prepare(cls, model, device="CPU", *, rtol=None, atol=None, **options):
        del rtol, atol  # The runner hands a test's bounds to the backend, too.
        try:
            prepared = super().prepare(model, device, threads=1, **options)
        except backend.NotSupported as error:
            raise Refused(str(error)) from None
        run = prepared.run

        def strict(inputs, **more):
            try:
                return run(inputs, **more)
            except backend.NotSupported as error:
                raise Refused(str(error)) from None

        prepared.run = strict
        return prepared


# The runner's tests: name and the test itself. A test holds a function, which does not travel between processes, so the
# processes that run tests are forks of the one that made them.
TESTS: list = []


def tests(bounds):
    """The runner's tests. `bounds` are those of the suite's cases."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        runner = onnx.backend.test.BackendTest(Strict, __name__, test_kwargs=bounds)
    return [
        (name.removeprefix("test_").removesuffix("_cpu"), case(name))
        for kind in KINDS
        for case in [runner.test_cases[f"OnnxBackend{kind}ModelTest"]]
        for name in sorted(unittest.defaultTestLoader.getTestCaseNames(case))
        if name.endswith("_cpu")
    ]


def export(folder):
    """Writes the suite's cases."""
    sys.path.append(str(ORACLE))
    import onnx_node_cases

    folder.mkdir(parents=True, exist_ok=True)
    (folder / "index.json").write_text(json.dumps(onnx_node_cases.export(folder)))


def sample(cases, most):
    """The names of at most this number of cases of each operator, spread over all of them."""
    of_operators = collections.defaultdict(list)
    for case in cases:
        of_operators[case["op"]].append(case["case"])
    return {name for names in of_operators.values() for name in names[:: math.ceil(len(names) / most)]}


def run_part(part, parts):
    """Runs a part of `TESTS`; returns what became of each, and why."""
    logging.disable(logging.CRITICAL)
    warnings.simplefilter("ignore")
    warnings.simplefilter("ignore", CompileWarning)
    outcome = {}
    for name, test in TESTS[part::parts]:
        result = unittest.TestResult()
        test.run(result)
        wrong = [text for _, text in result.failures + result.errors]
        skipped = [reason for _, reason in result.skipped]
        outcome[name] = ("failed", wrong[0]) if wrong else ("skipped", skipped[0]) if skipped else ("passed", "")
    return outcome


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cases", type=pathlib.Path)
    parser.add_argument("--export", action="store_true", help="write the cases first")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="how many processes run tests")
    parser.add_argument("--most", type=int, metavar="N", help="run at most N cases of an operator")
    parser.add_argument("--show", action="store_true", help="also print why each test was skipped")
    arguments = parser.parse_args()

    start = time.monotonic()
    jobs = arguments.jobs
    if arguments.export:
        export(arguments.cases)
    index = json.loads((arguments.cases / "index.json").read_text())
    bounds = {f"test_{case['case']}": {"rtol": case["rtol"], "atol": case["atol"]} for case in index["cases"]}
    outcome = {}
    TESTS.extend(tests(bounds))
    if arguments.most:
        left_out = {case["case"] for case in index["cases"]} - sample(index["cases"], arguments.most)
        index["cases"] = [case for case in index["cases"] if case["case"] not in left_out]
        TESTS[:] = [(name, test) for name, test in TESTS if name not in left_out]
    with concurrent.futures.ProcessPoolExecutor(jobs, multiprocessing.get_context("fork")) as pool:
        parts = [pool.submit(run_part, part, jobs) for part in range(jobs)]
        for part in parts:
            outcome.update(part.result())

    exported = {
        case["case"]
        for case in index["cases"]
        # The backend takes for constants only inputs with one dimension.
        if not case["frozen_tensors"]
    }
    known = exported & outcome.keys()
    disputed = {case["case"] for case in index["excluded"] if case["disputed"]}
    disputed |= {case["case"] for case in index["cases"] if not case["comparable"]}
    known -= disputed
    counts = collections.Counter(what for what, _ in outcome.values())
    print(f"{len(outcome)} tests in {time.monotonic() - start:.0f} s:", dict(counts))
    wrong = 0
    for name, (what, why) in sorted(outcome.items()):
        expected = "passed" if name in known else "skipped"
        if arguments.show and what == "skipped":
            print(f"skipped: {name}: {' '.join(why.split())[:200]}")
        if what != expected and name not in disputed:
            wrong += 1
            print(f"WRONG: {name}: {what}, not {expected}: {' '.join(why.split())[-300:]}")
    if missing := sorted(exported - outcome.keys()):
        wrong += len(missing)
        print("WRONG: the runner does not have", ", ".join(missing))
    print(f"{len(known)} cases of the suite: {counts['passed']} passed, {wrong} differ")
    raise SystemExit(1 if wrong or not counts["passed"] else 0)


if __name__ == "__main__":
    os.environ.setdefault("RELAY_CACHE_DIR", os.path.expanduser("~/.cache/relay-mlir"))
    main()
