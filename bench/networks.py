"""Whole networks beside the peers."""

import contextlib
import importlib
import pathlib
import statistics
import subprocess
import tempfile

import numpy as np

import command
import models
import peers
import report
import rounds
import tables
from engines import AGAINST, ENGINES, PEERS

ROOT = pathlib.Path(__file__).parents[1]

# Beyond this error, relative to the range of the output, results are wrong: not rounded, wrong.
# Where data is rounded to bytes, one step in a layer makes steps in those behind it.
TOLERANCE = {"f32": 1e-3, "bf16": 1e-1, "int8": 1.5e-1}


def compile_all(options, model):
    """Compiles a model with each build of ours: libraries, and what compiling took, by engine."""
    found = {"ours": compile_ours(options.relayc, model, options.folder, options.precision)}
    if options.against:
        folder = options.folder / AGAINST
        folder.mkdir(exist_ok=True)
        found[AGAINST] = compile_ours(options.against, model, folder, options.precision)
    libraries = {engine: library for engine, (library, _) in found.items()}
    return libraries, {engine: facts for engine, (_, facts) in found.items()}


def compile_ours(relayc, model, folder, precision):
    """Compiles a model twice: without what a compiler may have kept of earlier runs, and with.

    The library is FOLDER/<model>.so.
    """
    library = folder / f"{model.stem}.so"
    arguments = [relayc, "compile", model, "-o", library]
    if precision == "bf16":
        arguments += ["--precision", precision]
    found = {}
    with tempfile.TemporaryDirectory() as cache:
        for kind in ("cold", "warm"):
            # The first, if it is set, goes before the second.
            folders = [f"{name}={cache}" for name in ("RELAY_CACHE_DIR", "XDG_CACHE_HOME")]
            done = command.measured(["env", *folders, *arguments])
            if done["returncode"] != 0:
                raise rounds.EngineError(f"relayc cannot compile {model}: {done['stderr'].strip()}")
            found[f"compile_{kind}_seconds"] = done["seconds"]
            found[f"compile_{kind}_peak_bytes"] = done["peak_bytes"]
    return library, found | {"library_bytes": library.stat().st_size}


def flops(relayc, model):
    """The floating-point operations of a run, counted on the operators as they are in the model."""
    done = subprocess.run([relayc, "inspect", model], capture_output=True, text=True, check=True)
    counts = [line for line in done.stdout.splitlines() if line.startswith("FLOPs: ")]
    return int(counts[0].split()[1]) if counts and counts[0].split()[1].isdigit() else None


def relative_error(actual, expected):
    """The greatest difference of the outputs, relative to the range of each."""
    worst = 0.0
    for name, right in expected.items():
        if actual[name].shape != right.shape:
            return float("inf")
        if right.size == 0:
            continue
        spread = float(right.max()) - float(right.min()) or 1.0
        difference = np.abs(actual[name].astype(np.float64) - right).max()
        # A comparison with NaN is false, so that max() would pass over it.
        worst = max(worst, float(difference) / spread if np.isfinite(difference) else float("inf"))
    return worst


def worker(engine, options, folder):
    """An engine's process, with nothing to run yet."""
    return rounds.Process(engine, peers.command(engine, options), folder / f"{engine}.log")


def workers(options, folder):
    """A worker for each engine."""
    ours = ["ours", AGAINST] if options.against else ["ours"]
    return {engine: worker(engine, options, folder) for engine in [*ours, *options.peers]}


def prepare(worker, model, inputs, threads, options, folder):
    """Gives a worker something to run; returns what it says of itself."""
    # A quantised model says itself what is in bytes.
    precision = "f32" if options.precision == "int8" else options.precision
    return worker.ask(
        "prepare", model=str(model), inputs=str(inputs), threads=threads,
        folder=str(folder), precision=precision,
    )  # fmt: skip


def check(worker, expected, folder, precision):
    """Runs it once; the error of its outputs, which must not be wrong."""
    worker.run(1)
    path = folder / f"{worker.engine}.outputs.npz"
    worker.ask("outputs", to=str(path))
    with np.load(path) as outputs:
        error = relative_error(dict(outputs), expected)
    if error > TOLERANCE[precision]:
        raise rounds.EngineError(f"{worker.engine}: wrong results, off by {error:.2g}")
    return error


def medians(engines, options, folder):
    """The medians in ms, by name. Of each engine, its program, what it is asked to prepare, and the outputs that it must have."""
    playing = {}
    try:
        for name, (program, request, expected) in engines.items():
            playing[name] = rounds.Process(program)
            playing[name].ask("prepare", folder=str(folder), **request)
            check(playing[name], expected, folder, request["precision"])
        times, _ = rounds.interleave(playing, options.rounds, options.pause, options.turn)
    finally:
        for worker in playing.values():
            worker.close()
    return {name: rounds.summary(taken)["median_ms"] for name, taken in times.items()}


def measure(files, libraries, threads, options, say):
    """One network with one number of threads: figures by engine, and what failed and why. The
    libraries are by engine, of those that do not read the model itself.

    Engines are started anew `options.starts` times and share the rounds among these: where a process's
    memory comes to lie changes its times, and is another each time.
    """
    with np.load(files.outputs) as stored:
        expected = dict(stored)
    figures, failures, times, idle = {}, {}, {}, {}
    counts = rounds.shares(options.rounds, options.starts)
    for start, count in enumerate(counts):
        def told(text, start=start):
            say(f"start {start + 1} of {len(counts)}, {text}" if len(counts) > 1 else text)

        last = start + 1 == len(counts)
        with players(options, failures) as (playing, folder):
            for engine in list(playing):
                told(f"{ENGINES[engine].title}: preparing")
                try:
                    file = libraries.get(engine, files.model)
                    inputs = files.inputs
                    found = prepare(playing[engine], file, inputs, threads, options, folder)
                    error = check(playing[engine], expected, folder, options.precision)
                    figures[engine] = described(found, error, figures.get(engine, {}))
                except rounds.EngineError as reason:
                    failures[engine] = str(reason)
                    playing.pop(engine).close()
            taken, waiting = rounds.interleave(
                playing, count, options.pause, options.turn,
                progress=lambda done, told=told, count=count: told(f"round {done} of {count}"),
            )  # fmt: skip
            for engine, player in playing.items():
                times.setdefault(engine, []).extend(taken[engine])
                idle.setdefault(engine, []).append(waiting[engine])
                peak = player.ask("memory")["peak_bytes"]
                figures[engine]["peak_bytes"] = max(peak, figures[engine].get("peak_bytes", 0))
            if last and "ours" in playing:
                told(f"{options.repeats} runs for equal results")
                digests = playing["ours"].ask("digests", runs=options.repeats)["digests"]
                figures["ours"] |= {"digests": digests, "repeats": options.repeats}
    for engine in list(figures):
        if engine in failures:
            del figures[engine]
            continue
        figures[engine] |= rounds.summary(times[engine])
        figures[engine]["idle_share"] = statistics.mean(idle[engine])
    return figures, failures


@contextlib.contextmanager
def players(options, failures):
    """A worker for each engine that has not failed yet, and a folder, for as long as they are needed."""
    with tempfile.TemporaryDirectory(prefix="relay-bench-") as name:
        folder = pathlib.Path(name)
        playing = workers(options, folder)
        try:
            for engine in failures:
                playing.pop(engine).close()
            yield playing, folder
        finally:
            for player in playing.values():
                player.close()


def described(found, error, before):
    """An engine's figures after one more start: what it says of itself, and its greatest error."""
    return before | {
        "version": found["version"],
        "prepare_seconds": found["seconds"],
        "relative_error": max(error, before.get("relative_error", 0.0)),
        **found["facts"],
    }


def network(name, options, say):
    """The results of one network, one for each number of threads."""
    say("building the model")
    files = models.find(name, options.folder)
    if options.precision == "int8":
        say("quantising the model")
        files = importlib.import_module("quantized").files_of(files, options.folder)
    say("compiling, twice")
    libraries, compiled = compile_all(options, files.model)
    operations = flops(options.relayc, files.model)
    for threads in options.threads:
        def told(text, threads=threads):
            say(f"{tables.threads_of(threads)}: {text}")

        peak = options.peak(threads)
        figures, failures = measure(files, libraries, threads, options, told)
        yield result(files.model.stem, threads, figures, failures, compiled, operations, peak)


def result(name, threads, figures, failures, compiled, operations, peak):
    """What is kept of a measurement."""
    medians = {engine: found["median_ms"] for engine, found in figures.items()}
    best = min((engine for engine in medians if engine in PEERS), key=medians.get, default=None)
    found = {
        "model": name,
        "threads": threads,
        "engines": figures,
        # Messages name files; where the checkout is, is nobody's business.
        "failures": {name: why.replace(str(ROOT), ".") for name, why in failures.items()},
        "flops": operations,
        "measured_peak_gflops": peak,
        "best_peer": best,
        "compile": compiled.get("ours"),
    }
    if AGAINST in compiled:
        found["compile_against"] = compiled[AGAINST]
    if "ours" in medians:
        found["ratio"] = medians["ours"] / medians[best] if best else None
        if AGAINST in medians:
            found["against_ratio"] = medians["ours"] / medians[AGAINST]
        if operations:
            found["gflops"] = operations / medians["ours"] / 1e6
    return found
