"""Compiles and runs exported test cases with relayc and compares with their expected outputs.

CASES is a folder that onnx_node_cases.py wrote. Prints every case that fails and why, and exits
with 1 if one does.
"""

import argparse
import concurrent.futures
import json
import pathlib
import subprocess
import tempfile

import numpy as np


def run_case(relayc, folder, case, target=None):
    """Returns what is wrong with a case, or None."""
    path = folder / case["path"]
    with tempfile.TemporaryDirectory() as scratch:
        output = pathlib.Path(scratch) / "outputs.npz"
        command = [relayc, "run", str(path / "model.onnx"), "--inputs", str(path / "inputs.npz")]
        for name, shape in case.get("shapes", {}).items():
            command += ["--shape", f"{name}={','.join(map(str, shape))}"]
        command += ["--outputs", str(output), "--threads", "1"]
        if target:
            command += ["--target", target]
        result = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
        if result.returncode != 0:
            return f"exit code {result.returncode}: {result.stderr.strip()[-300:]}"
        actual, expected = np.load(output), np.load(path / "outputs.npz")
        for name in expected.files:
            if name not in actual.files:
                return f"output {name} is missing"
            if actual[name].dtype != expected[name].dtype or actual[name].shape != expected[name].shape:
                return f"{name} is {actual[name].dtype}{actual[name].shape}"
            if not np.allclose(actual[name], expected[name], case["rtol"], case["atol"], equal_nan=True):
                error = np.abs(actual[name].astype(float) - expected[name].astype(float)).max()
                return f"{name} is off by {error:.3g}"
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("cases", type=pathlib.Path)
    parser.add_argument("--relayc", default="relayc")
    parser.add_argument("--op", help="only this operator")
    parser.add_argument("--every", type=int, default=1, help="only each N-th case")
    parser.add_argument("--target", help="the machine to compile for, as relayc takes it")
    parser.add_argument("--jobs", type=int, default=2)
    arguments = parser.parse_args()

    cases = json.loads((arguments.cases / "index.json").read_text())["cases"]
    cases = [case for case in cases if arguments.op in (None, case["op"])]
    cases = cases[:: arguments.every]
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        run = lambda case: run_case(arguments.relayc, arguments.cases, case, arguments.target)
        results = list(pool.map(run, cases))
    failed = {case["path"]: why for case, why in zip(cases, results) if why}
    for path, why in failed.items():
        print(f"FAIL: {path}: {why}")
    print(f"{len(cases) - len(failed)} passed, {len(failed)} failed")
    raise SystemExit(1 if failed or not cases else 0)


if __name__ == "__main__":
    main()
