#!/usr/bin/python3
"""Runs one file of the suites by lit, LLVM's test runner.

lit's own main program makes a pool of processes and loads what writes reports. For one file, this takes longer than most files do.
"""

import argparse
import os
import sys

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("file")
parser.add_argument("--tools", required=True, help="the folder of relay-opt and the others")
parser.add_argument("--llvm", required=True, help="the bin folder of LLVM, beside which lit is")
parser.add_argument("--python", required=True, help="the Python that has the oracles")
arguments = parser.parse_args()
sys.path.insert(1, os.path.join(os.path.dirname(arguments.llvm), "utils", "lit"))

# pylint: disable=wrong-import-position
from lit import LitConfig, discovery, worker  # noqa: E402

config = LitConfig.LitConfig(
    progname="lit",
    path=[],
    diagnostic_level="note",
    useValgrind=False,
    valgrindLeakCheck=False,
    valgrindArgs=[],
    noExecute=False,
    debug=False,
    isWindows=False,
    order="lexical",
    params={"tools": arguments.tools, "llvm": arguments.llvm, "python": arguments.python},
)
failed = True
for test in discovery.find_tests_for_inputs(config, [arguments.file]):
    test.setResult(worker._execute(test, config))  # As lit's own adapter for unittest calls it.
    code = test.result.code
    failed = code.isFailure
    print(f"{code.name}: {test.getFullName()}")
    if failed or code.name == "UNSUPPORTED":
        print(test.result.output)
sys.exit(failed)
