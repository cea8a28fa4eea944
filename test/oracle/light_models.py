"""Exports the light models that onnx brings along, with inputs and expected outputs.

They have the topology of well-known image classifiers, and one number for all weights. For each,
writes OUTDIR/<model>/ with model.onnx and two data sets:

  inputs_0.npz, outputs_0.npz   onnx's own: the input counts up from 0 to 1, the output is the
                                one stored beside the model
  inputs_1.npz, outputs_1.npz   a seeded random input, and what ONNX Runtime computes from it in
                                float32 with one thread

index.json says for each data set how the outputs vary. With equal weights all channels hold the
same: the outputs are one number repeated ("degenerate"), and after a softmax over equal scores not
even the input matters. So these models show whether a model runs and which shapes it has; whether
its numbers are right is for the models of random_weights.py.
"""

import argparse
import json
import pathlib
import shutil
import zlib

import numpy as np
import onnx
from onnx import numpy_helper
from onnx.backend.test.runner import Runner

from run_ort import session

DATA = pathlib.Path(onnx.__file__).parent / "backend" / "test" / "data" / "light"


def light_models():
    """The names of the models: "resnet50" ..."""
    return sorted(path.stem.removeprefix("light_") for path in DATA.glob("light_*.onnx"))


def light_model_path(name):
    """The file of a model."""
    return DATA / f"light_{name}.onnx"


def model_inputs(graph):
    """The graph's inputs that are not weights."""
    weights = {tensor.name for tensor in graph.initializer}
    return [value for value in graph.input if value.name not in weights]


def random_input(value, seed):
    """Normally distributed values for an input; those of another name differ."""
    shape = [dim.dim_value for dim in value.type.tensor_type.shape.dim]
    rng = np.random.default_rng([seed, zlib.crc32(value.name.encode())])
    return rng.standard_normal(shape, np.float32)


def spread(outputs):
    """How the outputs vary."""
    result = {}
    for name, array in outputs.items():
        low, high = float(array.min()), float(array.max())
        result[name] = {
            "min": low,
            "max": high,
            "distinct": len(np.unique(array)),
            "degenerate": bool(high - low <= 1e-4 * max(abs(low), abs(high))),
        }
    return result


def export(name, outdir, seed):
    """Writes a model and its data; returns what the index says of it."""
    path = light_model_path(name)
    graph = onnx.load(path).graph
    folder = outdir / name
    folder.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(path, folder / "model.onnx")
    names = [value.name for value in graph.output]
    model = session(path, threads=1)

    inputs = {value.name: Runner.generate_dummy_data(value) for value in model_inputs(graph)}
    expected = {}
    for index, output in enumerate(names):
        stored = onnx.load_tensor(path.with_name(f"{path.stem}_output_{index}.pb"))
        expected[output] = numpy_helper.to_array(stored)
    np.savez(folder / "inputs_0.npz", **inputs)
    np.savez(folder / "outputs_0.npz", **expected)
    actual = dict(zip(names, model.run(names, inputs)))
    error = max(float(np.abs(actual[output] - expected[output]).max()) for output in names)
    entry = {
        "model": name,
        "rtol": 1e-3,
        "atol": 1e-7,
        "inputs": list(inputs),
        "outputs": names,
        "onnxruntime_max_abs_error": error,
        "data": [{"source": "onnx", "spread": spread(expected)}],
    }

    inputs = {value.name: random_input(value, seed) for value in model_inputs(graph)}
    outputs = dict(zip(names, model.run(names, inputs)))
    np.savez(folder / "inputs_1.npz", **inputs)
    np.savez(folder / "outputs_1.npz", **outputs)
    entry["data"].append({"source": f"random, seed {seed}", "spread": spread(outputs)})
    return entry


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("outdir", type=pathlib.Path, help="folder to write to")
    parser.add_argument("--models", nargs="+", default=light_models(), choices=light_models())
    parser.add_argument("--seed", type=int, default=1, help="default: %(default)s")
    options = parser.parse_args()
    entries = []
    for name in options.models:
        entry = export(name, options.outdir, options.seed)
        entries.append(entry)
        print(f"{name}: ONNX Runtime is within {entry['onnxruntime_max_abs_error']:.2g} of onnx")
        for data in entry["data"]:
            for output, found in data["spread"].items():
                note = " (degenerate)" if found["degenerate"] else ""
                print(
                    f"  {data['source']}: {output} {found['min']:.6g} to {found['max']:.6g}, "
                    f"{found['distinct']} distinct{note}"
                )
    text = json.dumps({"onnx": onnx.__version__, "models": entries}, indent=1)
    (options.outdir / "index.json").write_text(text + "\n")


if __name__ == "__main__":
    main()
