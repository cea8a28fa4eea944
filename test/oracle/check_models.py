"""Compiles whole models and compares them with outputs that others computed.

Of the light models that onnx brings along: with the outputs shipped beside them. Of the same
topologies with seeded random weights: with ONNX Runtime on a seeded random input, as a share of the
output's range. All at one and two threads, which must agree to the bit.
"""

import argparse
import pathlib
import subprocess
import sys
import tempfile

import numpy as np

FOLDER = pathlib.Path(__file__).parent


def run_ours(relayc, model, inputs, scratch):
    """The outputs at one and at two threads, which must be equal."""
    library = scratch / "model.so"
    subprocess.run([relayc, "compile", model, "-o", library], check=True)
    results = []
    for threads in ("1", "2"):
        output = scratch / f"out{threads}.npz"
        command = [relayc, "run", library, "--inputs", inputs, "--outputs", output, "--threads", threads]
        subprocess.run(command, check=True)
        results.append(dict(np.load(output)))
    for name, value in results[0].items():
        if not np.array_equal(value, results[1][name]):
            raise SystemExit(f"{model}: {name} differs between one and two threads")
    return results[0]


def check_shipped(relayc, folder, scratch):
    ours = run_ours(relayc, folder / "model.onnx", folder / "inputs_0.npz", scratch)
    for name, expected in np.load(folder / "outputs_0.npz").items():
        np.testing.assert_allclose(ours[name], expected, rtol=1e-3, atol=1e-5, err_msg=folder.name)
    print(f"{folder.name}: agrees with the outputs shipped beside it", flush=True)


def check_random(relayc, name, scratch):
    """One network, whose files (up to 1 GB) are gone before the next one's are written."""
    scratch.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=name, dir=scratch) as folder:
        check_random_in(relayc, name, pathlib.Path(folder))


def check_random_in(relayc, name, scratch):
    command = [sys.executable, FOLDER / "random_weights.py", scratch, "--models", name]
    result = subprocess.run(command, check=False, capture_output=True, text=True)
    if result.returncode:
        raise SystemExit(f"{name}: random_weights.py ended with {result.returncode}:\n{result.stderr}")
    ours = run_ours(relayc, scratch / f"{name}.onnx", scratch / f"{name}.inputs.npz", scratch)
    for output, expected in np.load(scratch / f"{name}.outputs.npz").items():
        error = np.abs(ours[output] - expected).max() / np.ptp(expected)
        print(f"{name}: random weights, error {error:.1e} of the range of {output}", flush=True)
        if not error <= 1e-4:
            raise SystemExit(f"{name}: {output} is off by {error:.1e} of its range")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("light", type=pathlib.Path, help="what light_models.py wrote; scratch files too")
    parser.add_argument("--relayc", default="relayc")
    parser.add_argument("--random", nargs="*", default=[], help="models to check with random weights")
    arguments = parser.parse_args()
    for folder in sorted(path.parent for path in arguments.light.glob("*/model.onnx")):
        check_shipped(arguments.relayc, folder, arguments.light)
    for name in arguments.random:
        check_random(arguments.relayc, name, arguments.light)


if __name__ == "__main__":
    main()
