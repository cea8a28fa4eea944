"""Kernels one by one beside the peers: matrix products, and the convolutions of the networks.

Each is a model of one node. Engines that keep channels in blocks lay the input of a single
convolution out anew and the output back, which in a network happens once at its edges; the table has
the whole model for all engines, and of ours the kernel alone, too, by relayc's own profile.
"""

import dataclasses
import operator
import pathlib
import re
import shutil
import statistics
import subprocess
import tempfile

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper, shape_inference

import models
import networks
import report
import rounds
import tables
from engines import AGAINST, ENGINES

SEED = 0
# Kernels take milliseconds at most: short turns are long enough.
TURN = 0.1
# So many processes measure a kernel alone, each beside the FMA peak of that moment. All kernels take turns, so
# that a minute in which the machine does something else is one of several for each.
PROFILES = 7


@dataclasses.dataclass(frozen=True)
class Kernel:
    """A model of one node; `weight` is a constant, or a second input if `both`."""

    name: str
    op: str
    shape: tuple
    weight: tuple
    flops: int
    attributes: tuple = ()
    both: bool = False


def product(m, k, n, both=False, batch=()):
    """[batch, m, k] by [batch, k, n]."""
    lead = "x".join(map(str, batch))
    name = f"matmul {lead + ' ' if lead else ''}{m}x{k}x{n}{' (two inputs)' if both else ''}"
    flops = 2 * int(np.prod(batch, dtype=np.int64)) * m * k * n
    return Kernel(name, "MatMul", (*batch, m, k), (*batch, k, n), flops, both=both)


def products():
    """Squares, odd ones, skinny ones, and those of BERT-base and of a language model of 7 billion parameters with 128 tokens."""
    squares = [product(n, n, n) for n in (64, 128, 256, 512, 1024)]
    squares.append(product(1024, 1024, 1024, both=True))
    odd = [product(*sizes) for sizes in [(127, 255, 63), (333, 333, 333), (1000, 1000, 1000)]]
    skinny = [
        product(*sizes)
        for sizes in [
            (1, 1024, 1024), (1, 2048, 1000), (4, 1024, 1024), (16, 1024, 1024),
            (1024, 16, 1024), (1024, 1024, 16), (4096, 64, 64), (64, 4096, 64),
        ]
    ]  # fmt: skip
    bert = [product(128, *sizes) for sizes in [(768, 768), (768, 3072), (3072, 768)]]
    bert += [product(128, 64, 128, True, (12,)), product(128, 128, 64, True, (12,))]
    large = [product(128, *sizes) for sizes in [(4096, 4096), (4096, 11008), (11008, 4096)]]
    return squares + odd + skinny + bert + large


def convolutions(model):
    """The distinct convolutions of a model, in its order."""
    graph = shape_inference.infer_shapes(onnx.load(model)).graph
    shapes = {tensor.name: tuple(tensor.dims) for tensor in graph.initializer}
    for value in [*graph.input, *graph.value_info, *graph.output]:
        dims = value.type.tensor_type.shape.dim
        shapes.setdefault(value.name, tuple(dim.dim_value for dim in dims))
    found = {}
    for node in graph.node:
        if node.op_type == "Conv":
            kernel = convolution(node, shapes)
            found.setdefault(kernel.name, kernel)
    return list(found.values())


def convolution(node, shapes):
    """The kernel of a Conv node."""
    attributes = {entry.name: helper.get_attribute_value(entry) for entry in node.attribute}
    shape, weight, out = shapes[node.input[0]], shapes[node.input[1]], shapes[node.output[0]]
    parts = [f"conv {'x'.join(map(str, shape[1:]))} to {weight[0]}, {'x'.join(map(str, weight[2:]))}"]
    if set(attributes.get("strides", [1])) != {1}:
        parts.append(f"stride {attributes['strides'][0]}")
    if set(attributes.get("pads", [0])) != {0}:
        parts.append(f"pad {attributes['pads'][0]}")
    if set(attributes.get("dilations", [1])) != {1}:
        parts.append(f"dilation {attributes['dilations'][0]}")
    if attributes.get("group", 1) != 1:
        parts.append(f"groups {attributes['group']}")
    flops = 2 * int(np.prod(out)) * int(np.prod(weight[1:]))
    kept = tuple((key, freeze(value)) for key, value in sorted(attributes.items()))
    return Kernel(" ".join(parts), "Conv", shape, weight, flops, kept)


def freeze(value):
    """An attribute that can be hashed."""
    return tuple(value) if isinstance(value, list) else value


def kernels_of(options):
    """What is to be measured: products, then the convolutions of each network. Each kernel with the
    networks that it is of."""
    found = {kernel.name: (kernel, []) for kernel in products()}
    for name in options.models:
        files = models.find(name, options.folder)
        for kernel in convolutions(files.model):
            found.setdefault(kernel.name, (kernel, []))[1].append(files.model.stem)
    return [entry for name, entry in found.items() if not options.only or options.only in name]


def write_model(kernel, folder):
    """Writes the model of a kernel and its data; returns their files."""
    rng = np.random.default_rng(SEED)
    fan_in = kernel.shape[-1] if kernel.op == "MatMul" else int(np.prod(kernel.weight[1:]))
    weight = rng.standard_normal(kernel.weight, np.float32) / np.float32(np.sqrt(fan_in))
    inputs = {"x": rng.standard_normal(kernel.shape, np.float32)}
    constants = []
    if kernel.both:
        inputs["w"] = weight
    else:
        constants.append(numpy_helper.from_array(weight, "w"))
    node = helper.make_node(kernel.op, ["x", "w"], ["y"], "kernel", **dict(kernel.attributes))
    ports = [
        helper.make_tensor_value_info(name, TensorProto.FLOAT, array.shape)
        for name, array in inputs.items()
    ]
    result = helper.make_tensor_value_info("y", TensorProto.FLOAT, None)
    graph = helper.make_graph([node], "kernel", ports, [result], constants)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    path = folder / (re.sub(r"\W+", "_", kernel.name).strip("_") + ".onnx")
    onnx.save_model(shape_inference.infer_shapes(model), path)
    files = models.files(path, folder)
    models.write_data(files, inputs)
    return files


def compile_all(options, model, folder):
    """Compiles a model with each build of ours; returns the libraries by engine."""
    libraries = {"ours": compile_kernel(options.relayc, options, model, folder)}
    if options.against:
        other = folder / AGAINST
        other.mkdir(exist_ok=True)
        libraries[AGAINST] = compile_kernel(options.against, options, model, other)
    return libraries


def compile_kernel(relayc, options, model, folder):
    """Compiles a model of ours; returns the library."""
    library = folder / f"{model.stem}.so"
    arguments = [relayc, "compile", model, "-o", library]
    if options.precision != "f32":
        arguments += ["--precision", options.precision]
    done = subprocess.run(arguments, capture_output=True, text=True)
    if done.returncode != 0:
        raise rounds.EngineError(f"relayc cannot compile {model}: {done.stderr.strip()}")
    return library


def kernel_ms(text):
    """The time of all nodes in relayc's table but those that only change layouts, which in a network
    stand at its edges."""
    total = 0.0
    for line in text.splitlines():
        row = re.match(r"\s*([\d.]+)\s+[\d.]+\s+[\d.]+\s.*\((\w+)\)", line)
        if row and not re.fullmatch(r"(fused|_layout_transform|_reshape|_\d+)+", row[2]):
            total += float(row[1])
    return total or None


def fma_peak(text):
    """The FMA peak that relayc has measured, in GFLOP/s."""
    return float(re.search(r"^FMA peak: ([\d.]+)", text, re.MULTILINE)[1])


def profile(options, model, threads):
    """The kernel alone, in ms, and the FMA peak that the same process has measured just before."""
    command = [options.relayc, "bench", model, "--explain", "--threads", str(threads)]
    if options.precision != "f32":
        command += ["--precision", options.precision]
    done = subprocess.run([*command, "--repeat", "50"], capture_output=True, text=True)
    if done.returncode != 0:
        raise rounds.EngineError(f"relayc cannot profile {model}: {done.stderr.strip()}")
    return kernel_ms(done.stdout), fma_peak(done.stdout)


def add_profiles(result, profiles):
    """Adds medians of what some processes have measured. The clock of a processor is not the same from one
    minute to the next one, so that a share is of the peak that was measured beside it."""
    peaks = [peak for _, peak in profiles]
    result["fma_peak_gflops"] = result["measured_peak_gflops"] = statistics.median(peaks)
    if all(milliseconds for milliseconds, _ in profiles):
        rates = [result["flops"] / milliseconds / 1e6 for milliseconds, _ in profiles]
        shares = list(map(operator.truediv, rates, peaks))
        result["kernel_ms"] = statistics.median(milliseconds for milliseconds, _ in profiles)
        result["gflops"] = statistics.median(rates)
        result["share_of_peak"] = statistics.median(shares)
        result["best_share_of_peak"] = max(rates) / max(peaks)


def measure(name, operations, files, libraries, workers, threads, options, folder):
    """A small model of so many operations with one number of threads; the libraries are by engine."""
    with np.load(files.outputs) as stored:
        expected = dict(stored)
    figures, failures, playing = {}, {}, {}
    for engine in workers:
        if workers[engine].ended():
            workers[engine] = networks.worker(engine, options, folder)
        worker = workers[engine]
        try:
            found = networks.prepare(
                worker, libraries.get(engine, files.model), files.inputs, threads, options, folder
            )
            error = networks.check(worker, expected, folder, options.precision)
            playing[engine] = worker
            figures[engine] = {"version": found["version"], "relative_error": error}
        except rounds.EngineError as reason:
            failures[engine] = str(reason)
    times, idle = rounds.interleave(playing, options.rounds, options.pause / 5, TURN)
    for engine in playing:
        figures[engine] |= rounds.summary(times[engine]) | {"idle_share": idle[engine]}
    return networks.result(name, threads, figures, failures, {}, operations, None)


def bench_threads(options, say, found, threads, results, folder):
    """All kernels with one number of threads, added to the results; returns what failed."""
    workers, failed, measured = networks.workers(options, folder), [], []
    try:
        for kernel, of in found:
            say.step += 1
            say(f"{tables.threads_of(threads)}: {kernel.name}")
            try:
                files = write_model(kernel, folder)
                libraries = compile_all(options, files.model, folder)
                result = measure(
                    kernel.name, kernel.flops, files, libraries, workers, threads, options, folder
                )
            except rounds.EngineError as error:
                say.result(f"{kernel.name}: {error}")
                failed.append(kernel.name)
                continue
            measured.append((result | {"networks": of}, files.model))
    finally:
        for worker in workers.values():
            worker.close()
    return failed + profile_in_turns(options, say, measured, threads, results)


def profile_in_turns(options, say, measured, threads, results):
    """Adds the times of kernels alone, and the kernels to the results; returns what failed."""
    profiles = [[] for _ in measured]
    failed = set()
    for turn in range(PROFILES):
        for (result, model), own in zip(measured, profiles, strict=True):
            say.step += 1
            say(f"{tables.threads_of(threads)}: {result['model']} alone, {turn + 1} of {PROFILES}")
            try:
                own.append(profile(options, model, threads))
            except rounds.EngineError as error:
                say.result(f"{result['model']}: {error}")
                failed.add(result["model"])
    for (result, _), own in zip(measured, profiles, strict=True):
        if result["model"] not in failed:
            add_profiles(result, own)
            results.append(result)
            say.result(describe(result))
    save(options, results)
    return sorted(failed)


def bench(options, make_say):
    """All kernels; returns whether all went well."""
    found = kernels_of(options)
    say, results, failed = make_say(len(found) * len(options.threads) * (1 + PROFILES)), [], []
    folder = pathlib.Path(tempfile.mkdtemp(prefix="relay-bench-"))
    try:
        for threads in options.threads:
            failed += bench_threads(options, say, found, threads, results, folder)
    finally:
        shutil.rmtree(folder)
    if not results:
        raise rounds.EngineError("no kernel was measured")
    print(table(results))
    for threads in options.threads:
        chosen = [result for result in results if result["threads"] == threads]
        print(f"{tables.threads_of(threads)}:\n{summary(chosen)}{report.against_summary(chosen)}")
    print(f"written to {options.output}")
    return not failed and all("ours" in result["engines"] for result in results)


def describe(result):
    """A result in a line."""
    text = f"{result['model']}, {tables.threads_of(result['threads'])}: "
    if "ours" not in result["engines"]:
        return text + result["failures"]["ours"]
    share = tables.percent(result.get("share_of_peak"))
    ratio = tables.number(result.get("ratio"))
    return text + f"{share}% of peak, whole model ours / best peer {ratio}"


def table(results):
    """The kernels as a table in Markdown."""
    engines = report.engines_of(results)
    other = report.against_head(results)
    head = ["kernel", "threads", *(ENGINES[name].title for name in engines), "ours / best peer"]
    head += other
    head += ["kernel alone, ms", "GFLOP/s", "% of FMA peak", "at best", "best peer, % of FMA peak"]
    rows = []
    for result in results:
        best = result["engines"].get(result["best_peer"])
        share = best and result["flops"] / best["median_ms"] / 1e6 / result["fma_peak_gflops"]
        rows.append(
            [
                result["model"],
                str(result["threads"]),
                *(tables.times(result["engines"].get(name)) for name in engines),
                tables.number(result.get("ratio")),
                *(tables.number(result.get("against_ratio")) for _ in other),
                tables.number(result.get("kernel_ms"), "{:.4f}"),
                tables.number(result.get("gflops"), "{:.0f}"),
                tables.percent(result.get("share_of_peak")),
                tables.percent(result.get("best_share_of_peak")),
                tables.percent(share),
            ]
        )
    return tables.table(head, rows)


def summary(results):
    """The least share of the peak, and the geometric mean, of the convolutions of each network, and of the
    products: by medians, and at best."""
    shares = {}
    for result in results:
        for group in result["networks"] or ["products"]:
            if result.get("share_of_peak"):
                shares.setdefault(group, []).append(result)
    return "".join(
        f"- {group}, {len(found)} kernels: {spread(found, 'share_of_peak')}; "
        f"at best {spread(found, 'best_share_of_peak')}\n"
        for group, found in shares.items()
    )


def spread(results, key):
    """The geometric mean and the least of some shares, as text."""
    mean = report.geometric_mean(result[key] for result in results)
    least = min(results, key=operator.itemgetter(key))
    return (
        f"geometric mean {tables.percent(mean)}% of the FMA peak, least "
        f"{tables.percent(least[key])}% ({least['model']})"
    )


def page(run, results):
    """The page of one number of threads."""
    parts = [
        f"# Kernels with {tables.threads_of(results[0]['threads'])}\n",
        report.heading(run | {"results": results}),
        "Each kernel is a model of one node; times of whole models in ms: median (min, p95). The "
        "kernel alone is ours without the transforms of layouts around it; its GFLOP/s count a "
        "direct convolution, whatever the kernel does, and its share is of the FMA peak that the same "
        f"process has measured beside it. Medians of {PROFILES} processes, each the median of 50 runs, in "
        "turns with those of all other kernels; at best, the greatest rate is compared with the greatest peak.\n",
        summary(results) + report.against_summary(results),
        table(results),
        f"![share of the FMA peak]({run['plot']})\n" if run["plot"] else "",
        report.not_measured(results),
        report.idle_note(results),
    ]
    return "\n".join(part for part in parts if part)


def save(options, results):
    """Writes the results so far: a page for each number of threads."""
    if not results:
        return
    run = report.about(options, results) | {"turn_seconds": TURN}
    name = report.file_name("kernels", options)
    run["plot"] = report.plot("kernels", results, options.output, name)
    by_threads = {}
    for result in results:
        by_threads.setdefault(result["threads"], []).append(result)
    pages = {f"{name}-{threads}t": page(run, found) for threads, found in by_threads.items()}
    report.write(options.output, name, run, pages)
