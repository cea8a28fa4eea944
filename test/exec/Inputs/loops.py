"""Compiles models with loops, each to one library, and compares what it computes with ONNX Runtime at several lengths."""

import pathlib
import sys

import numpy as np
import onnx
import onnx.parser
from onnx import TensorProto, helper, numpy_helper

sys.path += [str(pathlib.Path(__file__).parents[2] / "oracle"), str(pathlib.Path(__file__).parent)]
from open_models import run  # noqa: E402
from library import Library  # noqa: E402
from run_ort import session  # noqa: E402

RANDOM = np.random.default_rng(0)
HEADER = '<ir_version: 8, opset_import: ["" : 17]>\n'
LENGTHS = (1, 2, 5, 17, 40, 0)
TOLERANCE = 1e-5

# Models in ONNX's text syntax: the dimension `length` is open.
TEXTS = {
    "scan_of_two": """
        main (float[2] state, float[2, length] x, float[length, 3] z)
            => (float[2] last, float[2, length] u, float[length, 3] v) {
            last, u, v = Scan <
                num_scan_inputs = 2, scan_input_axes = [1, 0], scan_input_directions = [1, 0],
                scan_output_axes = [-1, 0], scan_output_directions = [0, 1],
                body = step (float[2] before, float[2] a, float[3] b) => (after, c, d) {
                    sum = Add (before, a)
                    after = Tanh (sum)
                    c = Mul (after, a)
                    total = ReduceSum <keepdims = 1> (after)
                    d = Mul (b, total)
                }
            > (state, x, z)
        }""",
    # The states change places: a step must not write where the next one still reads.
    "scan_that_swaps": """
        main (float[length, 4] x, float[4] p, float[4] q) => (float[4] a, float[4] b, float[length, 4] y) {
            a, b, y = Scan <num_scan_inputs = 1,
                body = step (float[4] s, float[4] t, float[4] e) => (next, kept, o) {
                    next = Add (s, e)
                    kept = Identity (s)
                    o = Mul (s, t)
                }
            > (p, q, x)
        }""",
    "scan_in_scan": """
        main (float[length, 5, 4] x, float[4] p) => (float[4] a, float[length, 5, 4] y) {
            a, y = Scan <num_scan_inputs = 1,
                body = outer (float[4] s, float[5, 4] e) => (s_after, o) {
                    s_after, o = Scan <num_scan_inputs = 1,
                        body = inner (float[4] u, float[4] v) => (u_after, w) {
                            t = Add (u, v)
                            u_after = Tanh (t)
                            w = Mul (u_after, v)
                        }
                    > (s, e)
                }
            > (p, x)
        }""",
    # As exporters slice by the step.
    "loop_that_slices": """
        main (float[length, 3] x) => (float[3] last, float[length, 3] y) {
            shape = Shape (x)
            first = Constant <value_int = 0> ()
            trips = Gather (shape, first)
            zero = Constant <value = float[3] {0, 0, 0}> ()
            last, y = Loop (trips, "", zero) <
                body = step (int64 i, bool c, float[3] before) => (c_after, after, seen) {
                    c_after = Identity (c)
                    row = Gather (x, i)
                    after = Add (before, row)
                    seen = Tanh (after)
                }
            >
        }""",
    # The number of steps is an input, and so is whether there is a first one.
    "loop_that_data_end": """
        main (float[4] x, int64 trips, bool on, float[length] unused) => (float[4] y, float[length] z) {
            z = Neg (unused)
            y = Loop (trips, on, x) <
                body = step (int64 i, bool c, float[4] before) => (c_after, after) {
                    limit = Constant <value_float = 100.0> ()
                    sum = ReduceSum <keepdims = 0> (before)
                    c_after = Less (sum, limit)
                    double = Add (before, before)
                    after = Abs (double)
                }
            >
        }""",
    "loop_of_states": """
        main (float[4] x, int64[1] trips, float[4] z, float[length] unused) => (float[4] y, float[4] p, float[length] w) {
            w = Neg (unused)
            y, p = Loop (trips, "", x, z) <
                body = step (int64 i, bool c, float[4] b, float[4] q) => (c_after, a, kept) {
                    c_after = Identity (c)
                    number = Cast <to = 1> (i)
                    a = Add (q, number)
                    kept = Identity (b)
                }
            >
        }""",
}

COLLECTED = """
    main (float[4] x, bool on) => (float[4] y, float[k, 4] z) {
        y, z = Loop ("", on, x) <
            body = step (int64 i, bool c, float[4] b) => (c_after, a, s) {
                limit = Constant <value_float = 100.0> ()
                sum = ReduceSum <keepdims = 0> (b)
                c_after = Less (sum, limit)
                a = Add (b, b)
                s = Abs (a)
            }
        >
    }"""

GATES = {"GRU": 3, "LSTM": 4, "RNN": 1}

# Recurrent operators: their attributes, and the optional inputs that they have.
CELLS = {
    "lstm": ("LSTM", {}, "b"),
    "lstm_both": ("LSTM", {"direction": "bidirectional", "clip": 0.7}, "b lengths states peepholes"),
    "lstm_coupled": ("LSTM", {"direction": "reverse", "input_forget": 1}, "states"),
    "gru": ("GRU", {"direction": "reverse"}, "b lengths"),
    "gru_late": ("GRU", {"direction": "bidirectional", "linear_before_reset": 1}, "b states"),
    "rnn": ("RNN", {"direction": "bidirectional", "activations": ["Relu", "Sigmoid"]}, "b lengths states"),
}

HIDDEN, INPUTS = 6, 5


def weights(*shape):
    """A constant."""
    return (RANDOM.standard_normal(shape) * 0.5).astype(np.float32)


def cell(op, attributes, options, length="length"):
    """A model of a recurrent operator over an open length and an open batch."""
    directions = 2 if attributes.get("direction") == "bidirectional" else 1
    rows, batch = GATES[op] * HIDDEN, "batch" if length == "length" else 1
    known = {"w": weights(directions, rows, INPUTS), "r": weights(directions, rows, HIDDEN)}
    ports, reads = {"x": [length, batch, INPUTS]}, ["x", "w", "r", "", "", "", "", ""]
    if "b" in options.split():
        known["b"], reads[3] = weights(directions, 2 * rows), "b"
    if "lengths" in options:
        ports["lengths"], reads[4] = [batch], "lengths"
    if "states" in options:
        for place, name in enumerate(("h", "c")[: 1 + (op == "LSTM")]):
            ports[name], reads[5 + place] = [directions, batch, HIDDEN], name
    if "peepholes" in options:
        known["p"], reads[7] = weights(directions, 3 * HIDDEN), "p"
    while not reads[-1]:
        reads.pop()
    outputs = ["y", "last"] + ["memory"] * (op == "LSTM")
    return [helper.make_node(op, reads, outputs, hidden_size=HIDDEN, **attributes)], ports, known, outputs


def tagger():
    """Words, one after the other, and for each the scores of its tags."""
    known = {"table": weights(9, 5), "w": weights(2, 24, 5), "r": weights(2, 24, 6), "b": weights(2, 48), "tags": weights(12, 3)}
    nodes = [
        helper.make_node("Gather", ["table", "x"], ["words"]),
        helper.make_node("Transpose", ["words"], ["steps"], perm=[1, 0, 2]),
        helper.make_node("LSTM", ["steps", "w", "r", "b"], ["both"], direction="bidirectional", hidden_size=6),
        helper.make_node("Transpose", ["both"], ["beside"], perm=[2, 0, 1, 3]),
        helper.make_node("Reshape", ["beside", "shape"], ["flat"]),
        helper.make_node("MatMul", ["flat", "tags"], ["y"]),
    ]
    known["shape"] = np.array([0, 0, 12], np.int64)
    return nodes, {"x": ["batch", "length"]}, known, ["y"]


def recogniser():
    """Images of lines of text: convolutions, two recurrent layers over the columns, and the scores of letters."""
    known = {"k": weights(8, 1, 3, 3), "k2": weights(8, 8, 3, 3), "letters": weights(12, 7), "flat": np.array([0, 0, 12], np.int64)}
    for layer, inputs in (("1", 16), ("2", 12)):
        known |= {f"w{layer}": weights(2, 24, inputs), f"r{layer}": weights(2, 24, 6), f"b{layer}": weights(2, 48)}
    pool = {"kernel_shape": [2, 1], "strides": [2, 1]}
    nodes = [
        helper.make_node("Conv", ["x", "k"], ["c1"], pads=[1, 1, 1, 1]),
        helper.make_node("Relu", ["c1"], ["a1"]),
        helper.make_node("MaxPool", ["a1"], ["p1"], **pool),
        helper.make_node("Conv", ["p1", "k2"], ["c2"], pads=[1, 1, 1, 1]),
        helper.make_node("Relu", ["c2"], ["a2"]),
        helper.make_node("MaxPool", ["a2"], ["p2"], **pool),
        helper.make_node("Transpose", ["p2"], ["columns"], perm=[3, 0, 1, 2]),
        helper.make_node("Reshape", ["columns", "column"], ["steps"]),
    ]
    known["column"] = np.array([0, 0, 16], np.int64)
    before = "steps"
    for layer in "12":
        reads = [before, f"w{layer}", f"r{layer}", f"b{layer}"]
        nodes += [
            helper.make_node("LSTM", reads, [f"both{layer}"], direction="bidirectional", hidden_size=6),
            helper.make_node("Transpose", [f"both{layer}"], [f"beside{layer}"], perm=[0, 2, 1, 3]),
            helper.make_node("Reshape", [f"beside{layer}", "flat"], [f"layer{layer}"]),
        ]
        before = f"layer{layer}"
    nodes += [helper.make_node("MatMul", [before, "letters"], ["scores"]), helper.make_node("Softmax", ["scores"], ["y"], axis=2)]
    return nodes, {"x": [1, 1, 8, "length"]}, known, ["y"]


def model_of(nodes, ports, known, outputs):
    """A model whose inputs are floats, but for lengths and words."""
    types = {"lengths": TensorProto.INT32}
    if nodes[0].op_type == "Gather":
        types["x"] = TensorProto.INT64
    inputs = [helper.make_tensor_value_info(name, types.get(name, TensorProto.FLOAT), dims) for name, dims in ports.items()]
    constants = [numpy_helper.from_array(value, name) for name, value in known.items()]
    graph = helper.make_graph(nodes, "loops", inputs, [onnx.ValueInfoProto(name=name) for name in outputs], constants)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)


def feeds_of(model, length):
    """Inputs of a length. Sequences have at least one element."""
    sizes, feeds = {"length": length, "batch": 3}, {}
    known = {tensor.name for tensor in model.graph.initializer}
    for port in (port for port in model.graph.input if port.name not in known):
        tensor = port.type.tensor_type
        shape = [sizes.get(dim.dim_param, dim.dim_value) for dim in tensor.shape.dim]
        if tensor.elem_type == TensorProto.FLOAT:
            feeds[port.name] = RANDOM.standard_normal(shape).astype(np.float32)
        elif tensor.elem_type == TensorProto.BOOL:
            feeds[port.name] = np.array(length != 2)
        elif tensor.elem_type == TensorProto.INT32:
            feeds[port.name] = RANDOM.integers(min(length, 1), length + 1, shape).astype(np.int32)
        else:
            feeds[port.name] = RANDOM.integers(0, 9, shape) if len(shape) == 2 else np.full(shape, length, np.int64)
    return feeds


def compare(found, expected):
    """How an output differs; nothing if it does not."""
    if found.shape != expected.shape:
        return f"has the shape {found.shape}, not {expected.shape}"
    return None if np.allclose(found, expected, TOLERANCE, TOLERANCE) else f"differs by {np.abs(found - expected).max()}"


def interpreted(relayc, path, folder, feeds, expected):
    """What is wrong with what the interpreter makes of a model of length 5."""
    given, taken = folder / "interpreted.in.npz", folder / "interpreted.out.npz"
    np.savez(given, **feeds)
    sizes = ["--dim", "length=5", *["--dim", "batch=3"] * ("batch" in str(onnx.load(path)))]
    if reason := run([relayc, "run", path, "--executor", "interpreter", *sizes, "--inputs", given, "--outputs", taken]):
        return [f"not interpreted: {reason}"]
    results = np.load(taken)
    pairs = enumerate(zip((results[name] for name in sorted(results.files)), expected))
    return [f"output {index} of the interpreter {wrong}" for index, (found, value) in pairs if (wrong := compare(found, value))]


def differences(relayc, folder, name, model):
    """What is wrong with a model."""
    path, library = (folder / f"{name}{end}" for end in (".onnx", ".so"))
    onnx.save(model, path)
    if reason := run([relayc, "compile", path, "-o", library, "--dim", "length=?", *["--dim", "batch=?"] * ("batch" in str(model))]):
        return [f"not compiled: {reason}"]
    runner, compiled, wrong = session(model.SerializeToString(), 1), Library(library), []
    outputs = [output.name for output in runner.get_outputs()]
    for length in LENGTHS:
        feeds = feeds_of(model, length)
        results, reason = compiled.run(feeds)
        if reason:
            wrong.append(f"length {length}: {reason}")
            continue
        # ONNX Runtime runs no sequence without elements.
        if length == 0 and not name.startswith("loop"):
            continue
        expected = runner.run(outputs, feeds)
        for output, value in zip(outputs, expected):
            if difference := compare(results[output], value):
                wrong.append(f"length {length}: {output} {difference}")
        if length == 5:
            wrong += interpreted(relayc, path, folder, feeds, expected)
    return wrong


def main():
    relayc, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    folder.mkdir(exist_ok=True)
    models = {name: onnx.parser.parse_model(HEADER + text) for name, text in TEXTS.items()}
    models |= {name: model_of(*cell(*parts)) for name, parts in CELLS.items()}
    models |= {"tagger": model_of(*tagger()), "recogniser": model_of(*recogniser())}
    onnx.save(onnx.parser.parse_model(HEADER + COLLECTED), folder / "collected.onnx")
    for name, length in (("few", 8), ("many", 500)):
        onnx.save(model_of(*cell("LSTM", {}, "b", length)), folder / f"{name}_steps.onnx")
    failed = False
    for name in sys.argv[3:] or models:
        for line in differences(relayc, folder, name, models[name]):
            failed = True
            print(f"{name}: {line}")
    sys.exit(failed)


if __name__ == "__main__":
    main()
