"""Small networks of classes of work beside the peers: a page for each class (cases.py lists them)."""

import pathlib
import shutil
import tempfile

import numpy as np
import onnx

import cases
import kernels
import models
import networks
import report
import rounds
import tables


def write_case(case, number, folder):
    """Writes the model of a case and its data; returns their files."""
    path = folder / f"case_{number}.onnx"
    onnx.save_model(case.model(), path)
    rng = np.random.default_rng(cases.SEED)
    inputs = {name: rng.standard_normal(shape, np.float32) for name, shape in case.inputs.items()}
    files = models.files(path, folder)
    models.write_data(files, inputs)
    return files


def chosen(options):
    """The classes to measure, each with its cases: one, or those whose names hold the text of --only."""
    text = options.only or ""
    if text in cases.CLASSES:
        return {text: cases.CLASSES[text]}
    found = {
        name: [case for case in members if text in name or text in case.name]
        for name, members in cases.CLASSES.items()
    }
    return {name: members for name, members in found.items() if members}


def prepared(members, options, say, folder):
    """The cases that compile, with files, libraries and operations; and whether all do."""
    found, good = [], True
    for number, case in enumerate(members):
        say(f"compiling {case.name}")
        try:
            files = write_case(case, number, folder)
            libraries = kernels.compile_all(options, files.model, folder)
            operations = networks.flops(options.relayc, files.model)
        except rounds.EngineError as error:
            say.result(f"{case.name}: {error}")
            good = False
            continue
        found.append((case, files, libraries, operations))
    return found, good


def measure(found, options, say, folder):
    """The results of the cases of a class, with each number of threads. Each case has the numbers of
    threads one after the other."""
    results, workers = [], networks.workers(options, folder)
    peaks = {threads: options.peak(threads) for threads in options.threads}
    try:
        for case, files, libraries, operations in found:
            for threads in options.threads:
                say.step += 1
                say(f"{tables.threads_of(threads)}: {case.name}")
                result = kernels.measure(
                    case.name, operations, files, libraries, workers, threads, options, folder
                )
                results.append(result | {"measured_peak_gflops": peaks[threads]})
                say.result(describe(results[-1]))
    finally:
        for worker in workers.values():
            worker.close()
    report.set_shares(results)
    return results


def describe(result):
    """A result in a line."""
    text = f"{result['model']}, {tables.threads_of(result['threads'])}: "
    if "ours" not in result["engines"]:
        return text + result["failures"]["ours"]
    medians = [
        f"{engine} {figures['median_ms']:.3f} ms" for engine, figures in result["engines"].items()
    ]
    return f"{text}{', '.join(medians)}, ratio {tables.number(result.get('ratio'))}"


def bench(options, make_say):
    """All classes, or those that are asked for; returns whether all went well."""
    classes = chosen(options)
    if not classes:
        raise rounds.EngineError(f"no class and no case has '{options.only}' in its name")
    say = make_say(sum(map(len, classes.values())) * len(options.threads))
    good, folder = True, pathlib.Path(tempfile.mkdtemp(prefix="relay-bench-"))
    try:
        for name, members in classes.items():
            found, compiled = prepared(members, options, say, folder)
            results = measure(found, options, say, folder)
            good &= compiled and all("ours" in result["engines"] for result in results)
            if results:
                save(name, options, results)
                print(f"{name}\n\n{report.latency_table(results)}\n{report.summary(results)}")
    finally:
        shutil.rmtree(folder)
    print(f"written to {options.output / 'classes'}")
    return good


def page(name, run, results):
    """The page of one class."""
    parts = [
        f"# Class: {name}\n",
        report.heading(run),
        report.summary(results),
        "Small networks from bench/cases.py; times of a run in ms: median (min, p95). A ratio below 1 means "
        "that ours is faster. Operations are those of the model, taps that meet padding included.\n",
        report.latency_table(results),
        report.not_measured(results),
        report.idle_note(results),
    ]
    return "\n".join(part for part in parts if part)


def save(name, options, results):
    """Writes the results of a class."""
    run = report.about(options, results) | {
        "turn_seconds": kernels.TURN,
        "means": report.means(results),
    }
    file = report.file_name(name, options)
    report.write(options.output / "classes", file, run, {file: page(name, run, results)})
