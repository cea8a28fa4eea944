"""Compares relayc with LiteRT on the signatures of a model: two graphs, of which each has one, and a model with a single one."""

import pathlib
import sys

import numpy as np
from ai_edge_litert import schema_py_generated as schema
from check_tflite import disagreement, reference, run
from tflite_models import Model

RANDOM = np.random.default_rng(5)


def sign(model, name, graph, inputs, outputs):
    """Adds a signature: names with numbers of tensors."""
    t = schema.SignatureDefT()
    t.signatureKey, t.subgraphIndex, t.inputs, t.outputs = name, model.t.subgraphs.index(graph.t), [], []
    for named, maps in [(inputs, t.inputs), (outputs, t.outputs)]:
        for key, number in named.items():
            entry = schema.TensorMapT()
            entry.name, entry.tensorIndex = key, number
            maps.append(entry)
    model.t.signatureDefs = [*(model.t.signatureDefs or []), t]


def sums(model, name, shape):
    """A graph of a sum and a difference, whose signature names them the other way round."""
    graph = model.graph(name)
    x = graph.input(shape, "float32", f"{name}_x:0")
    y = graph.input(shape, "float32", f"{name}_y:0")
    outputs = [graph.tensor(shape, "float32", f"{name}:{place}") for place in range(2)]
    graph.op("ADD", [x, y], [outputs[0]])
    graph.op("SUB", [x, y], [outputs[1]])
    graph.output(*outputs)
    sign(model, name, graph, {"second": y, "first": x}, {"rest": outputs[1], "all": outputs[0]})


def write(path, *graphs):
    model = Model()
    for name, shape in graphs:
        sums(model, name, shape)
    path.write_bytes(model.bytes())


def check(path, name, more):
    """What is wrong with a signature."""
    runner = reference(path).get_signature_runner(name)
    details = runner.get_input_details()
    inputs = {key: RANDOM.uniform(-1, 1, detail["shape"]).astype(np.float32) for key, detail in details.items()}
    right = runner(**inputs)
    actual = run("relayc", path, inputs, more)
    if isinstance(actual, str):
        return [actual]
    if list(actual) != ["all", "rest"]:
        return [f"the outputs are {list(actual)}"]
    return [wrong for key in right if (wrong := disagreement(actual[key], right[key], 1e-6, 0))]


def main():
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    one, two = folder / "one.tflite", folder / "two.tflite"
    write(one, ("only", (2, 3)))
    write(two, ("decode", (1, 4)), ("prefill", (5, 4)))
    cases = [
        (one, "only", []),
        (two, "decode", ["--signature", "decode"]),
        (two, "prefill", ["--signature", "prefill"]),
    ]
    failed = 0
    for path, name, more in cases:
        for message in check(path, name, more):
            failed += 1
            print(f"FAIL: {path.name}: {name}: {message}")
    print(f"{len(cases) - failed} passed, {failed} failed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
