"""Compiles models with open dimensions, each to one library, and compares what it computes with ONNX Runtime at several sizes."""

import pathlib
import subprocess
import sys

import numpy as np
import onnx

TEST = pathlib.Path(__file__).parents[2]
sys.path += [str(TEST / "oracle"), str(TEST / "import" / "Inputs")]
from check_open_shapes import feeds_of, names_in  # noqa: E402
from library import Library  # noqa: E402
from open_shapes import MODELS, element_of, model_of, sizes_of  # noqa: E402
from run_ort import session  # noqa: E402

# The greatest difference, relative to the range of an output.
TOLERANCE = 1e-5


def run(command):
    """Why a command failed; nothing if it did not."""
    result = subprocess.run(command, capture_output=True, text=True, timeout=100, check=False)
    return result.stderr.strip()[-400:] if result.returncode else None


def differences(folder, relayc, name):
    """What is wrong with a model."""
    inputs, constants, nodes = MODELS[name]
    model = model_of(inputs, constants, nodes, element_of(name))
    return compared(folder, relayc, name, model, sizes_of(inputs))


def compared(folder, relayc, name, model, choices):
    """What is wrong with a library of a model at several choices of its named dimensions."""
    path, library = (folder / f"{name}{end}" for end in (".onnx", ".so"))
    onnx.save(model, path)
    options = [option for dim in names_in(model) for option in ("--dim", f"{dim}=?")]
    if reason := run([relayc, "compile", path, "-o", library, *options]):
        return [f"not compiled: {reason}"]
    runner, compiled, wrong = session(model.SerializeToString(), 1), Library(library), []
    outputs = [output.name for output in runner.get_outputs()]
    for sizes in choices:
        feeds = feeds_of(model, sizes)
        results, reason = compiled.run(feeds)
        if reason:
            wrong.append(f"{sizes}: {reason}")
            continue
        for output, expected in zip(outputs, runner.run(outputs, feeds)):
            found = results[output]
            if found.shape != expected.shape:
                wrong.append(f"{sizes}: {output} has the shape {found.shape}, not {expected.shape}")
                continue
            scale = max(1.0, np.abs(expected).max(initial=0))
            error = np.abs(found.astype(np.float64) - expected).max(initial=0) / scale
            if not error <= TOLERANCE:
                wrong.append(f"{sizes}: {output} differs by {error:.1e} of its range")
    return wrong


def main():
    folder, relayc = pathlib.Path(sys.argv[1]), sys.argv[2]
    folder.mkdir(exist_ok=True)
    failed = False
    for name in sys.argv[3:] or MODELS:
        for line in differences(folder, relayc, name):
            failed = True
            print(f"{name}: {line}")
    sys.exit(failed)


if __name__ == "__main__":
    main()
