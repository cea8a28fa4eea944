"""Products with weights of 4 bits in blocks of 32 (MatMulNBits), beside ONNX Runtime and beside the same products in f32.

A model has several weights of one shape, 128 MB in all, which no cache holds, and adds up their products. With one row, as in
decoding, the time goes to reading weights: the rate is that of the weights' bytes, of which a part of the machine's read bandwidth,
which is measured beside, is the most there can be. With 128 rows, as in reading a prompt, there is one weight, and our own f32 is
the peer.
"""

import json
import pathlib
import subprocess
import tempfile

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

import networks
import report
import tables
from open_dims import compiled
from run_ort import session

SHAPES = [(2048, 2048), (4096, 4096), (4096, 11008), (11008, 4096)]
"""Inputs and outputs."""

PROMPT = 128

BLOCK, BITS = 32, 4

TOTAL = 128 << 20
"""The bytes of the weights that one row is multiplied with."""

PEER, OURS, FLOAT = "onnxruntime", "4 bits", "f32"


def bytes_of(inputs, outputs):
    """A weight and its scales in f32."""
    return inputs * outputs * BITS // 8 + inputs * outputs // BLOCK * 4


def model_of(rows, inputs, outputs, count):
    """A model in 4 bits, and the same with weights of floats where there is one weight."""
    random = np.random.default_rng(0)
    nodes, floats, constants, weights = [], [], [], []
    for number in range(count):
        packed = random.integers(0, 256, (outputs, inputs // BLOCK, BLOCK * BITS // 8), np.uint8)
        scales = random.uniform(0.01, 0.02, (outputs, inputs // BLOCK)).astype(np.float32)
        names = [f"w{number}", f"s{number}"]
        constants += [numpy_helper.from_array(value, name) for value, name in zip((packed, scales), names)]
        attributes = {"K": inputs, "N": outputs, "bits": BITS, "block_size": BLOCK}
        nodes.append(helper.make_node("MatMulNBits", ["x", *names], [f"y{number}"], domain="com.microsoft", **attributes))
        if count == 1:
            numbers = np.stack([packed & 15, packed >> 4], -1).reshape(outputs, -1, BLOCK).astype(np.float32) - 8
            weights = [numpy_helper.from_array((numbers * scales[..., None]).reshape(outputs, -1).T.copy(), "w")]
            floats = [helper.make_node("MatMul", ["x", "w"], ["y"])]
    nodes.append(helper.make_node("Sum", [f"y{number}" for number in range(count)], ["y"]))
    opsets = [helper.make_opsetid("", 17), helper.make_opsetid("com.microsoft", 1)]

    def made(nodes, constants):
        values = [helper.make_tensor_value_info(name, TensorProto.FLOAT, [rows, size]) for name, size in (("x", inputs), ("y", outputs))]
        graph = helper.make_graph(nodes, "weights", values[:1], values[1:], constants)
        return helper.make_model(graph, opset_imports=opsets, ir_version=8)

    return made(nodes, constants), made(floats, weights) if floats else None


def in_few_bits(model):
    """A model with its products with known matrices as MatMulNBits: a symmetric range for each block, rounded to the nearest number."""
    model = onnx.ModelProto.FromString(model.SerializeToString())
    graph = model.graph
    known = {value.name: value for value in graph.initializer}
    for node in graph.node:
        if node.op_type != "MatMul" or node.input[1] not in known:
            continue
        matrix = numpy_helper.to_array(known[node.input[1]])
        inputs, outputs = matrix.shape
        blocks = matrix.T.reshape(outputs, inputs // BLOCK, BLOCK)
        scales = np.abs(blocks).max(axis=2, keepdims=True) / 7
        numbers = np.clip(np.rint(blocks / scales) + 8, 0, 15).astype(np.uint8)
        packed = numbers[..., 0::2] | numbers[..., 1::2] << 4
        graph.initializer.remove(known.pop(node.input[1]))
        names = [f"{node.input[1]}.{part}" for part in ("numbers", "scales")]
        parts = zip((packed, scales[..., 0]), names)
        graph.initializer.extend(numpy_helper.from_array(value, name) for value, name in parts)
        attributes = {"K": inputs, "N": outputs, "bits": BITS, "block_size": BLOCK}
        made = helper.make_node("MatMulNBits", [node.input[0], *names], node.output, node.name, domain="com.microsoft", **attributes)
        node.CopyFrom(made)
    if all(opset.domain != "com.microsoft" for opset in model.opset_import):
        model.opset_import.append(helper.make_opsetid("com.microsoft", 1))
    return model


def measure(rows, shape, threads, options, folder):
    """The medians in ms, by engine."""
    count = -(-TOTAL // bytes_of(*shape)) if rows == 1 else 1
    few, floats = model_of(rows, *shape, count)
    files = {name: folder / f"{name.replace(' ', '')}.onnx" for name in (OURS, FLOAT)}
    onnx.save_model(few, files[OURS])
    playing = {PEER: files[OURS], OURS: compiled(options.relayc, files[OURS], folder / "few.so")}
    if floats:
        onnx.save_model(floats, files[FLOAT])
        playing[FLOAT] = compiled(options.relayc, files[FLOAT], folder / "floats.so")
    inputs = {"x": np.random.default_rng(1).standard_normal((rows, shape[0]), np.float32)}
    expected = session(files[OURS], threads=1).run(["y"], inputs)
    np.savez(folder / "inputs.npz", **inputs)
    asked = {"inputs": str(folder / "inputs.npz"), "threads": threads, "precision": "f32"}
    engines = {}
    for name, file in playing.items():
        program = PEER if name == PEER else "ours"
        engines[name] = program, {"model": str(file), **asked}, {"y": expected[0]}
    return networks.medians(engines, options, folder), count


def bandwidth(options, threads):
    """The bytes in a second that the machine reads from memory, in 10^9."""
    command = [options.relayc, "bench", "--machine", "--json", "--threads", str(threads)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return json.loads(done.stdout)["gbytes"]


def page(rows):
    """The tables, in Markdown."""
    lines = ["# Weights of 4 bits", "", f"`./x bench weights`. {__doc__.replace(chr(10), ' ')}", ""]
    lines += [f"Machine: {report.processor_with_vectors()}, {report.cores()} processors.", ""]
    one = [row for row in rows if row["rows"] == 1]
    titles = ["inputs x outputs", "threads", "GB/s", "of the memory's", f"{PEER}, GB/s", f"time / {PEER}"]
    cells = []
    for row in one:
        rates = {name: row["bytes"] / time / 1e6 for name, time in row["medians"].items()}
        ratio = row["medians"][OURS] / row["medians"][PEER]
        numbers = [rates[OURS], rates[OURS] / row["gbytes"], rates[PEER], ratio]
        cells.append(["{} x {}".format(*row["shape"]), str(row["threads"]), *map(tables.number, numbers)])
    text = "## One row\n\n" + tables.table(titles, cells)
    titles = ["inputs x outputs", "threads", "ms", f"time / {FLOAT}", f"time / {PEER}"]
    cells = []
    for row in (row for row in rows if row["rows"] != 1):
        time = row["medians"][OURS]
        numbers = [time, time / row["medians"][FLOAT], time / row["medians"][PEER]]
        cells.append(["{} x {}".format(*row["shape"]), str(row["threads"]), *map(tables.number, numbers)])
    return "\n".join(lines) + "\n" + text + f"\n## {PROMPT} rows\n\n" + tables.table(titles, cells)


def bench_weights(options, say):
    """Measures all shapes; returns whether all went well."""
    found = []
    with tempfile.TemporaryDirectory(prefix="relay-bench-") as name:
        folder = pathlib.Path(name)
        for threads in options.threads:
            gbytes = bandwidth(options, threads)
            for shape in SHAPES[: 1 if options.quick else None]:
                for rows in (1, PROMPT):
                    medians, count = measure(rows, shape, threads, options, folder)
                    size = count * bytes_of(*shape)
                    found.append({"rows": rows, "shape": shape, "threads": threads, "gbytes": gbytes, "bytes": size, "medians": medians})
                    times = ", ".join(f"{name} {time:.3f} ms" for name, time in medians.items())
                    say(f"{rows} x {shape}, {tables.threads_of(threads)}: {times}")
    options.output.mkdir(parents=True, exist_ok=True)
    (options.output / "weights.md").write_text(page(found))
    (options.output / "weights.json").write_text(json.dumps(found, indent=1) + "\n")
    print(page(found))
    return True
