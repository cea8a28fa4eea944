"""Networks of which oneDNN computes what its rules take (`--codegen=dnnl`), beside our own kernels.

Both are libraries that relayc compiled, each in a process of its own; they take turns. oneDNN has threads of its own, as many as
OMP_NUM_THREADS says; ours wait meanwhile. Results must agree with ONNX Runtime's to 1e-4 of their range.
"""

import json
import pathlib
import statistics
import subprocess
import sys
import tempfile

import numpy as np

import models
import networks
import report
import rounds
import tables

HERE = pathlib.Path(__file__).parent
MODELS = ["resnet50", "bert_base"]
TOLERANCE = 1e-4

# How each library is compiled.
FLAGS = {"ours": [], "dnnl": ["--codegen=dnnl"]}


def compile_all(options, model, folder):
    """The library of each, and how many kernels of it are whose."""
    libraries, kernels = {}, {}
    for name, flags in FLAGS.items():
        libraries[name] = folder / f"{model.stem}_{name}.so"
        compile_one = [options.relayc, "compile", model, "-q", *flags]
        subprocess.run([*compile_one, "-o", libraries[name]], check=True)
        text = subprocess.run([*compile_one, "--emit", "relay", "-o", "-"], check=True, capture_output=True, text=True).stdout
        main = text.split("func.func @main", 1)[1].split("\n  }", 1)[0]
        calls = [line for line in main.splitlines() if " call @" in line]
        kernels[name] = {"calls": len(calls), "external": sum(" call @dnnl_" in line for line in calls)}
    return libraries, kernels


def worker(name, threads, folder):
    """A process for a library."""
    command = ["env", f"OMP_NUM_THREADS={threads}", sys.executable, str(HERE / "worker.py"), "ours"]
    return rounds.Process(name, command, folder / f"{name}.log")


def measure(options, files, libraries, threads, folder):
    """The medians in ms, and the greatest error of each."""
    with np.load(files.outputs) as stored:
        expected = dict(stored)
    playing = {name: worker(name, threads, folder) for name in libraries}
    try:
        found = {}
        for name, player in playing.items():
            networks.prepare(player, libraries[name], files.inputs, threads, options, folder)
            found[name] = {"error": networks.check(player, expected, folder, "f32")}
            if found[name]["error"] > TOLERANCE:
                raise rounds.EngineError(f"{name}: off by {found[name]['error']:.2g} of the range")
        times, _ = rounds.interleave(playing, options.rounds, options.pause, options.turn)
        for name, taken in times.items():
            found[name]["median_ms"] = statistics.median(taken)
        return found
    finally:
        for player in playing.values():
            player.close()


def page(results, busy):
    """The table, in Markdown."""
    lines = [
        "# oneDNN's kernels and ours",
        "",
        f"`./x bench external`. {' '.join(__doc__.split())}",
        "",
        f"{report.processor()}; other work took {100 * busy:.0f}% of it when this began.",
        "",
        "| network | threads | calls of kernels, ours alone | with oneDNN: calls, oneDNN's of them | ours, ms | with oneDNN, ms "
        "| with oneDNN / ours | error, ours | error with oneDNN |",
        "| :-- | --: | --: | --: | --: | --: | --: | --: | --: |",
    ]
    for row in results:
        ours, theirs = row["ours"], row["dnnl"]
        kernels = row["kernels"]
        lines.append(
            f"| {row['model']} | {row['threads']} | {kernels['ours']['calls']} | {kernels['dnnl']['calls']}, {kernels['dnnl']['external']} "
            f"| {ours['median_ms']:.2f} | {theirs['median_ms']:.2f} | {theirs['median_ms'] / ours['median_ms']:.2f} "
            f"| {ours['error']:.1e} | {theirs['error']:.1e} |"
        )
    return "\n".join([*lines, ""])


def bench_external(options, say):
    """Measures all; returns whether all results were right."""
    results = []
    for name in MODELS:
        say(f"{name}: building the model")
        files = models.find(name, options.folder)
        with tempfile.TemporaryDirectory(prefix="relay-bench-") as scratch:
            folder = pathlib.Path(scratch)
            libraries, kernels = compile_all(options, files.model, folder)
            for threads in options.threads:
                say(f"{name}: {tables.threads_of(threads)}")
                found = measure(options, files, libraries, threads, folder)
                results.append({"model": name, "threads": threads, "kernels": kernels, **found})
    options.output.mkdir(parents=True, exist_ok=True)
    (options.output / "external.json").write_text(json.dumps(results, indent=1) + "\n")
    (options.output / "external.md").write_text(page(results, options.busy))
    print(page(results, options.busy))
    return True
