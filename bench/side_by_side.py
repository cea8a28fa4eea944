"""Measures compiled models beside ONNX Runtime, in one process and in alternating rounds.

For each model and number of threads: compiles the model with relayc, checks that both engines
return the same, then alternates between them; each round lets the other engine's threads go to
sleep (--pause), runs once untimed, then --runs times. The engine that starts changes from round to
round. Prints median, least and 95th percentile of all timed runs in ms, and the ratio of the
medians: above 1, ours is faster.

Writes RESULTS/<model>-<threads>t.json and, from all such files there, RESULTS/README.md.
"""

import argparse
import datetime
import json
import os
import pathlib
import platform
import subprocess
import sys
import time

import numpy as np
import onnxruntime

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "test" / "oracle"))

import models
from library import Instance, Library
from run_ort import latencies, session, summary


class Peer:
    """ONNX Runtime with inputs and outputs bound to memory of ours."""

    def __init__(self, path, threads, inputs):
        self.session = session(path, threads)
        self.binding = self.session.io_binding()
        for name, array in inputs.items():
            self.binding.bind_cpu_input(name, array)
        for value in self.session.get_outputs():
            self.binding.bind_output(value.name, "cpu")

    def run(self):
        """Runs the model."""
        self.session.run_with_iobinding(self.binding)

    def results(self):
        """The outputs of the last run."""
        names = [value.name for value in self.session.get_outputs()]
        return dict(zip(names, self.binding.copy_outputs_to_cpu()))


def processor():
    """The name of this machine's processor."""
    try:
        lines = pathlib.Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.processor()
    names = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor()


def compile_model(relayc, path, target, folder):
    """Compiles a model; returns the library's file and the seconds it took."""
    output = folder / f"{path.stem}.so"
    command = [str(relayc), "compile", str(path), "-o", str(output)]
    if target:
        command += ["--target", target]
    start = time.perf_counter()
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(f"relayc could not compile {path}:\n{done.stderr.strip()}")
    return output, time.perf_counter() - start


def check(ours, peer, rtol, atol):
    """The greatest difference of the results; raises if they disagree."""
    ours.run()
    peer.run()
    worst = 0.0
    for name, expected in peer.results().items():
        actual = ours.results[name]
        np.testing.assert_allclose(actual, expected, rtol, atol, err_msg=f"output '{name}'")
        if expected.size and expected.dtype.kind == "f":
            worst = max(worst, float(np.abs(actual - expected).max()))
    return worst


def measure(engines, options):
    """Times in ms by engine: `rounds` times `runs` each, in alternating order."""
    times = {name: [] for name in engines}
    for index in range(options.rounds):
        order = list(engines) if index % 2 == 0 else list(reversed(engines))
        for name in order:
            time.sleep(options.pause)
            engines[name].run()
            times[name] += latencies(engines[name].run, options.runs)
    return times


def side_by_side(name, path, inputs, threads, options):
    """Measures one model with one number of threads; returns the result."""
    seconds = None
    library = options.library
    if library is None:
        library, seconds = compile_model(options.ours, path, options.target, options.folder)
    library = Library(library)
    ours = Instance(library, threads, inputs)
    try:
        peer = Peer(path, threads, inputs)
        difference = check(ours, peer, options.rtol, options.atol)
        times = measure({"ours": ours, "onnxruntime": peer}, options)
    finally:
        ours.close()
    found = {engine: summary(values) for engine, values in times.items()}
    return {
        "model": name,
        "threads": threads,
        **found,
        "ratio": found["onnxruntime"]["median_ms"] / found["ours"]["median_ms"],
        "max_abs_difference": difference,
        "rounds": options.rounds,
        "target": library.target,
        "library_bytes": library.path.stat().st_size,
        "compile_seconds": seconds,
        "processor": processor(),
        "cores": len(os.sched_getaffinity(0)),
        "onnxruntime_version": onnxruntime.__version__,
        "date": datetime.datetime.now(datetime.UTC).strftime("%Y-%m-%d"),
    }


def table(results):
    """The results as a table in Markdown."""
    lines = [
        "| model | threads | ours, ms: median (min, p95) | ONNX Runtime, ms | ratio |",
        "|---|---|---|---|---|",
    ]
    for result in sorted(results, key=lambda result: (result["model"], result["threads"])):
        cells = []
        for engine in ("ours", "onnxruntime"):
            e = result[engine]
            cells.append(f"{e['median_ms']:.3f} ({e['min_ms']:.3f}, {e['p95_ms']:.3f})")
        lines.append(
            f"| {result['model']} | {result['threads']} | {cells[0]} | {cells[1]} "
            f"| {result['ratio']:.2f} |"
        )
    return "\n".join(lines) + "\n"


def write_results(folder, results):
    """Writes the new results, and the page of all there are."""
    folder.mkdir(parents=True, exist_ok=True)
    for result in results:
        path = folder / f"{result['model']}-{result['threads']}t.json"
        path.write_text(json.dumps(result, indent=1) + "\n")
    groups = {}
    for path in sorted(folder.glob("*.json")):
        result = json.loads(path.read_text())
        key = result["processor"], result["cores"], result["onnxruntime_version"], result["date"]
        groups.setdefault(key, []).append(result)
    page = "# Side by side\n\nLatency of one image; a ratio above 1 means that ours is faster. "
    page += "Written by `bench/side_by_side.py`.\n"
    for (cpu, cores, version, date), group in groups.items():
        page += f"\n## {cpu}, {cores} cores, ONNX Runtime {version}, {date}\n\n{table(group)}"
    (folder / "README.md").write_text(page)


def find_model(name, folder):
    """The name, file and inputs of a model: one of models.py, or any ONNX file."""
    path = models.build(name, folder) if name in models.MODELS else pathlib.Path(name)
    arrays = path.with_suffix(".inputs.npz")
    if arrays.exists():
        with np.load(arrays) as stored:
            return path.stem, path, dict(stored)
    rng = np.random.default_rng(0)
    inputs = {}
    for value in session(path, 1).get_inputs():
        if value.type != "tensor(float)" or not all(isinstance(n, int) for n in value.shape):
            raise RuntimeError(f"{path}: give the inputs in {arrays}; '{value.name}' is not plain")
        inputs[value.name] = rng.standard_normal(value.shape, np.float32)
    return path.stem, path, inputs


def arguments():
    """The command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add = parser.add_argument
    add("--ours", type=pathlib.Path, metavar="RELAYC", help="the relayc to compile with")
    add("--library", type=pathlib.Path, help="a compiled model, instead of --ours")
    add("--model", nargs="+", required=True, help=f"ONNX files, or of: {', '.join(models.MODELS)}")
    add("--threads", type=int, nargs="+", default=[1], help="default: 1")
    add("--rounds", type=int, default=10, help="default: %(default)s")
    add("--runs", type=int, default=10, help="timed runs in a round; default: %(default)s")
    add("--pause", type=float, default=0.1, help="seconds between engines; default: %(default)s")
    add("--target", help="passed on to relayc; default: this machine")
    add("--rtol", type=float, default=1e-3, help="default: %(default)s")
    add("--atol", type=float, default=1e-5, help="default: %(default)s")
    add("--folder", type=pathlib.Path, default=HERE.parent / "target" / "bench",
        help="where models and libraries go; default: %(default)s")  # fmt: skip
    add("--results", type=pathlib.Path, default=HERE / "results", help="default: %(default)s")
    options = parser.parse_args()
    if (options.ours is None) == (options.library is None):
        parser.error("give one of --ours and --library")
    if options.library and len(options.model) > 1:
        parser.error("--library goes with one model")
    return options


def main():
    options = arguments()
    options.folder.mkdir(parents=True, exist_ok=True)
    results, failures = [], 0
    for name in options.model:
        for threads in options.threads:
            try:
                model = find_model(name, options.folder)
                result = side_by_side(*model, threads, options)
            except (RuntimeError, AssertionError, OSError) as error:
                print(f"{name}, {threads} threads: {error}", file=sys.stderr)
                failures += 1
                continue
            results.append(result)
            write_results(options.results, [result])
    print(table(results), end="")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
