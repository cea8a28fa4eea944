"""Networks with open dimensions: one library of each at several sizes, beside a library of each size, and the peers.

The peers get the model with open dimensions, and do by default what they do. The first ratio is the time of the open library / the time
of the one of known sizes; the second one is the time of the open library / the time of the faster peer.
"""

import dataclasses
import json
import pathlib
import subprocess
import tempfile

import numpy as np
import onnx

import networks
import report
import rounds
import tables
from engines import PEERS
from open_models import NETWORKS, SEED
from run_ort import session

OPEN, KNOWN = "open", "known"


@dataclasses.dataclass
class Figure:
    """The medians of a network at some sizes, in ms by engine."""

    network: str
    sizes: dict
    threads: int
    medians: dict
    failures: dict

    def ratio(self):
        """The time of the open library / the time of the one of known sizes; `None` where one failed."""
        both = OPEN in self.medians and KNOWN in self.medians
        return self.medians[OPEN] / self.medians[KNOWN] if both else None

    def against_peers(self):
        """The time of the open library / the time of the faster peer."""
        times = [time for engine, time in self.medians.items() if engine in PEERS]
        return self.medians[OPEN] / min(times) if times and OPEN in self.medians else None


def compiled(relayc, model, library, *options):
    """Compiles a model."""
    command = [relayc, "compile", model, "-o", library, *options]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        raise rounds.EngineError(f"relayc cannot compile {model.name}: {done.stderr.strip()}")
    return library


def files_of(network, sizes, model, folder):
    """Writes inputs and the outputs that ONNX Runtime computes of them."""
    inputs = network.inputs(sizes, np.random.default_rng(SEED))
    expected = session(model, threads=1)
    names = [output.name for output in expected.get_outputs()]
    np.savez(folder / "inputs.npz", **inputs)
    np.savez(folder / "outputs.npz", **dict(zip(names, expected.run(names, inputs))))
    return folder / "inputs.npz", folder / "outputs.npz"


def measure(network, sizes, threads, files, options, folder):
    """The figure of a network at some sizes; the files are those of engines by name."""
    inputs, outputs = files_of(network, sizes, files[None], folder)
    with np.load(outputs) as stored:
        expected = dict(stored)
    engines = {OPEN: "ours", KNOWN: "ours", **{peer: peer for peer in options.peers}}
    playing, failures, times = {}, {}, {}
    try:
        for name, engine in engines.items():
            worker = rounds.Process(engine)
            try:
                networks.prepare(worker, files.get(name, files[None]), inputs, threads, options, folder)
                networks.check(worker, expected, folder, options.precision)
                playing[name] = worker
            except rounds.EngineError as reason:
                failures[name] = str(reason)
                worker.close()
        times, _ = rounds.interleave(playing, options.rounds, options.pause, options.turn)
    finally:
        for worker in playing.values():
            worker.close()
    medians = {name: rounds.summary(taken)["median_ms"] for name, taken in times.items()}
    return Figure(network.name, sizes, threads, medians, failures)


def text_of(sizes):
    """Sizes as text."""
    return ", ".join(f"{name} {size}" for name, size in sizes.items())


def of_network(network, options, say):
    """The figures of a network."""
    with tempfile.TemporaryDirectory(prefix="relay-bench-") as name:
        folder = pathlib.Path(name)
        model = folder / f"{network.name}.onnx"
        onnx.save_model(network.build(), model)
        files = {None: model, OPEN: compiled(options.relayc, model, folder / "open.so")}
        for number, sizes in enumerate(network.sizes[: 1 if options.quick else None]):
            given = [option for name, size in sizes.items() for option in ("--dim", f"{name}={size}")]
            files[KNOWN] = compiled(options.relayc, model, folder / f"known_{number}.so", *given)
            for threads in options.threads:
                figure = measure(network, sizes, threads, files, options, folder)
                say(described(figure))
                yield figure


def described(figure):
    """A figure in a line."""
    medians = ", ".join(f"{name} {time:.3f} ms" for name, time in figure.medians.items())
    text = f"{figure.network}, {text_of(figure.sizes)}, {tables.threads_of(figure.threads)}: {medians}"
    text += f"; open / known {tables.number(figure.ratio())}, open / best peer {tables.number(figure.against_peers())}"
    return text + "".join(f"; {name}: {why}" for name, why in figure.failures.items())


def page(figures, options):
    """The table, in Markdown."""
    engines = [OPEN, KNOWN, *options.peers]
    titles = ["network", "sizes", "threads", *(f"{engine}, ms" for engine in engines), "open / known", "open / best peer"]
    lines = ["# Open dimensions", "", f"`./x bench open`. {__doc__.replace(chr(10), ' ')}", ""]
    lines += [f"Machine: {report.processor_with_vectors()}, {report.cores()} processors.", ""]
    lines += [f"| {' | '.join(titles)} |", "| --- | --- |" + " --: |" * (len(titles) - 2)]
    for figure in figures:
        times = [tables.number(figure.medians.get(engine), "{:.3f}") for engine in engines]
        ratios = [tables.number(figure.ratio()), tables.number(figure.against_peers())]
        cells = [figure.network, text_of(figure.sizes), str(figure.threads), *times, *ratios]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join([*lines, "", *means(figures), ""])


def means(figures):
    """The geometric means and the greatest ratios, a line for each number of threads."""
    for threads in dict.fromkeys(figure.threads for figure in figures):
        own = [figure for figure in figures if figure.threads == threads]
        ratios = [figure.ratio() for figure in own if figure.ratio()]
        peers = [figure.against_peers() for figure in own if figure.against_peers()]
        text = f"{tables.threads_of(threads)}: open / known {tables.number(report.geometric_mean(ratios))}"
        text += f", at most {tables.number(max(ratios, default=None))}"
        yield text + f"; open / best peer {tables.number(report.geometric_mean(peers))}."


def bench_open(options, say):
    """Measures all networks, or those whose names hold a text; returns whether all went well."""
    figures = []
    for network in NETWORKS:
        if (options.only or "") in network.name:
            figures += of_network(network, options, say)
    options.output.mkdir(parents=True, exist_ok=True)
    (options.output / "open.md").write_text(page(figures, options))
    rows = [dataclasses.asdict(figure) for figure in figures]
    (options.output / "open.json").write_text(json.dumps(rows, indent=1) + "\n")
    print(page(figures, options))
    return bool(figures) and all(OPEN in figure.medians and KNOWN in figure.medians for figure in figures)
