"""Kernels of ResNet-50 and BERT, tuned by relayc and by the tuners of TVM: Ansor and AutoTVM.

Each kernel is one operator on the layout that its tuner likes best: ours and AutoTVM have channels in blocks of 16, Ansor has NHWC and
a weight in the order that its schedule reads. `sketches` is relayc's search that knows no template, from loops as the kernel is written,
one after the other and without vectors; `templates` is the one that it has without being asked. Neither uses Winograd's algorithm
here, as TVM's do not. All have the same number of trials, one after the other on
the same machine; seconds are of the whole search. Then the best of each are timed in turns, in processes of their own.

What is found stays in the folder of --folder, so that a run that was stopped goes on, and one with more trials begins where the last
one ended.
"""

import dataclasses
import json
import subprocess
import time

import numpy as np

import peers
import report
import rounds
import tables

BLOCK = 16
TURN = 0.2
SECONDS = 24 * 3600


@dataclasses.dataclass(frozen=True)
class Product:
    """[rows, depth] by a weight of [depth, columns]."""

    rows: int
    depth: int
    columns: int

    @property
    def name(self):
        return f"matmul {self.rows}x{self.depth}x{self.columns}"

    @property
    def flops(self):
        return 2 * self.rows * self.depth * self.columns

    def to_tvm(self):
        """What tuners_tvm.py calls it."""
        return {"op": "matmul", "sizes": [self.rows, self.depth, self.columns]}

    def shapes(self):
        """Of the data, the weight and the result, as ours has them."""
        weight = (self.columns // BLOCK, self.depth, BLOCK)
        return (self.rows, self.depth), weight, (self.rows, self.columns)

    def operator(self):
        """The operator and its attributes, as ours has them."""
        return "nn.contrib_dense_pack", f'weight_layout = "NC{BLOCK}n"'


@dataclasses.dataclass(frozen=True)
class Convolution:
    """One sample of `channels` planes of `size` x `size`."""

    channels: int
    size: int
    outputs: int
    kernel: int = 1
    stride: int = 1

    @property
    def padding(self):
        return self.kernel // 2

    @property
    def result_size(self):
        return (self.size + 2 * self.padding - self.kernel) // self.stride + 1

    @property
    def name(self):
        stride = f" stride {self.stride}" if self.stride > 1 else ""
        sizes = f"{self.channels} to {self.outputs}, {self.kernel}x{self.kernel}{stride}"
        return f"conv2d {sizes} at {self.size}x{self.size}"

    @property
    def flops(self):
        taps = self.channels * self.kernel**2
        return 2 * self.outputs * self.result_size**2 * taps

    def to_tvm(self):
        """What tuners_tvm.py calls it."""
        return {
            "op": "conv2d",
            "data": [self.channels, self.size, self.size],
            "weight": [self.outputs, self.channels, self.kernel, self.kernel],
            "stride": self.stride,
            "padding": self.padding,
        }

    def shapes(self):
        """Of the data, the weight and the result, as ours has them."""
        inputs, outputs = self.channels // BLOCK, self.outputs // BLOCK
        data = (1, inputs, self.size, self.size, BLOCK)
        weight = (outputs, inputs, self.kernel, self.kernel, BLOCK, BLOCK)
        return data, weight, (1, outputs, self.result_size, self.result_size, BLOCK)

    def operator(self):
        """The operator and its attributes, as ours has them."""
        ints = lambda number, count: f"array<i64: {', '.join([str(number)] * count)}>"
        attributes = (
            f'data_layout = "NCHW{BLOCK}c", kernel_layout = "OIHW{BLOCK}i{BLOCK}o", '
            f"strides = {ints(self.stride, 2)}, padding = {ints(self.padding, 4)}, dilation = {ints(1, 2)}"
        )
        return "nn.contrib_conv2d_NCHWc", attributes


# Those of ResNet-50 and BERT-base with 128 tokens that take most of their times.
KERNELS = [
    Convolution(64, 56, 64, 3),
    Convolution(64, 56, 256),
    Convolution(256, 56, 64),
    Convolution(128, 28, 128, 3),
    Convolution(256, 14, 256, 3),
    Convolution(1024, 14, 256),
    Convolution(512, 7, 512, 3),
    Product(128, 768, 768),
    Product(128, 768, 3072),
    Product(128, 3072, 768),
]

OURS = {"sketches": "sketches", "templates": "evolution"}
THEIRS = {"Ansor": "ansor", "AutoTVM": "autotvm"}
METHODS = ["default", *OURS, *THEIRS]


def tensor(shape):
    """A tensor's type in MLIR."""
    return f"tensor<{'x'.join(map(str, shape))}xf32>"


def write_model(kernel, folder):
    """The kernel as a program of ours, and its inputs; returns their files."""
    data, weight, result = kernel.shapes()
    operator, attributes = kernel.operator()
    model = folder / "kernel.mlir"
    model.write_text(
        f"func.func @main(%data: {tensor(data)}, %weight: {tensor(weight)}) -> {tensor(result)} {{\n"
        f"  %0 = relay.{operator} %data, %weight {{{attributes}}}"
        f" : ({tensor(data)}, {tensor(weight)}) -> {tensor(result)}\n"
        f"  return %0 : {tensor(result)}\n}}\n"
    )
    rng = np.random.default_rng(0)
    inputs = folder / "inputs.npz"
    # Inputs of a program in MLIR have numbers for names.
    arrays = [rng.standard_normal(shape, np.float32) for shape in (data, weight)]
    np.savez(inputs, **{f"input{place}": array for place, array in enumerate(arrays)})
    return model, inputs


class Ours:
    """relayc on one kernel."""

    def __init__(self, options, kernel, folder, threads):
        self.options, self.folder, self.threads = options, folder, threads
        model, self.inputs = write_model(kernel, folder)
        self.models = {"default": model, "templates": model, "sketches": self.without_schedule(model)}

    def without_schedule(self, model):
        """The kernel as tensor expressions that nobody has written a schedule for."""
        plain = self.folder / "plain.mlir"
        self.run("relay-opt", "--fuse-ops", "--relay-to-te=schedule=none", model, "-o", plain)
        return plain

    def relayc(self, *arguments):
        """Runs relayc, which reads no records but those that are named."""
        self.run("relayc", *arguments)

    def run(self, tool, *arguments):
        """Runs a tool of ours."""
        command = [self.options.relayc.with_name(tool), *map(str, arguments)]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode != 0:
            raise rounds.EngineError(f"{tool} {arguments[0]}: {done.stderr.strip()}")

    def tune(self, method, trials):
        """Tries schedules until there are records of so many; returns seconds, trials and failures."""
        records = self.folder / f"{method}.jsonl"
        start = time.perf_counter()
        missing = trials - len(trials_of(records))
        if missing > 0:
            self.relayc(
                "tune", self.models[method], "--output", records, "--trials", missing, "--budget", f"{SECONDS}s",
                "--threads", self.threads, "--tuner", OURS[method], "--strategy", "round-robin",
            )  # fmt: skip
        seconds = time.perf_counter() - start
        tried = trials_of(records)
        failed = sum("failed" in trial["outcome"] for trial in tried)
        return {"seconds": seconds, "tried": len(tried), "failed": failed}

    def worker(self, method, log):
        """A worker that has the kernel under what was found."""
        library = self.folder / f"{method}.so"
        records = [] if method == "default" else ["--records", self.folder / f"{method}.jsonl"]
        self.relayc("compile", self.models[method], "-o", library, *(records or ["--no-records"]))
        worker = rounds.Process("ours", log=log)
        worker.ask(
            "prepare", model=str(library), inputs=str(self.inputs), threads=self.threads,
            folder=str(self.folder), precision="f32",
        )  # fmt: skip
        return worker


def trials_of(records):
    """The trials of a file of records."""
    if not records.exists():
        return []
    lines = (json.loads(line) for line in records.read_text().splitlines())
    return [line for line in lines if line["kind"] == "trial"]


class Theirs:
    """TVM on one kernel."""

    def __init__(self, options, kernel, folder, threads):
        self.options, self.kernel, self.folder, self.threads = options, kernel, folder, threads

    def process(self, log):
        return rounds.Process("tvm", [self.options.tvm, str(peers.HERE / "tuners_tvm.py")], log)

    def request(self, method, trials):
        return {
            "method": THEIRS[method], "kernel": self.kernel.to_tvm(), "trials": trials,
            "threads": self.threads, "log": str(self.folder / f"{THEIRS[method]}.json"),
        }  # fmt: skip

    def tune(self, method, trials, log):
        """Tries schedules until its log has so many."""
        process = self.process(log)
        try:
            return process.ask("tune", **self.request(method, trials))
        finally:
            process.close()

    def worker(self, method, trials, log):
        """A worker that has the kernel under what was found."""
        process = self.process(log)
        process.ask("load", **self.request(method, trials))
        return process


def measure(options, kernel, trials, before, say):
    """One kernel with so many trials of each tuner; `before` is what was found with fewer."""
    threads = options.threads[-1]
    folder = options.folder / "tuners" / kernel.name.replace(" ", "_") / f"{threads}t"
    folder.mkdir(parents=True, exist_ok=True)
    ours, theirs = (side(options, kernel, folder, threads) for side in (Ours, Theirs))
    log = folder / "log.txt"
    found = {}
    for method in METHODS[1:]:
        say(f"{kernel.name}: {method}, {trials} trials")
        if method in OURS:
            facts = ours.tune(method, trials)
        else:
            facts = theirs.tune(method, trials, log)
        earlier = before.get(method, {}).get("seconds", 0.0)
        found[method] = facts | {"seconds": facts["seconds"] + earlier}
    workers = {}
    try:
        for method in METHODS:
            if method in THEIRS:
                workers[method] = theirs.worker(method, trials, log)
            else:
                workers[method] = ours.worker(method, log)
        times, _ = rounds.interleave(workers, options.rounds, options.pause, TURN)
    finally:
        for worker in workers.values():
            worker.close()
    for method, taken in times.items():
        found.setdefault(method, {}).update(rounds.summary(taken))
    return found


def mean(results, trials, over, under):
    """The geometric mean of the ratio of two tuners' times, and how many kernels the first one wins."""
    ratios = [
        found[str(trials)][over]["median_ms"] / found[str(trials)][under]["median_ms"]
        for found in results.values()
        if str(trials) in found
    ]
    return f"{report.geometric_mean(ratios):.2f}, {sum(ratio < 1 for ratio in ratios)} of {len(ratios)}"


def page(options, results):
    """The tables, in Markdown."""
    parts = ["# Tuners\n", f"`./x bench tuners`. {' '.join(__doc__.split())}\n"]
    parts.append(
        f"{report.processor()}, {tables.threads_of(options.threads[-1])}; TVM {options.tvm_version}; "
        f"other work took {100 * options.busy:.0f}% of it when this began. Times in ms: medians of runs in turns.\n"
    )
    for trials in options.trials:
        rows = [row(name, found[str(trials)]) for name, found in results.items() if str(trials) in found]
        if not rows:
            continue
        parts.append(f"## {trials} trials\n")
        head = ["kernel", *METHODS, "sketches / Ansor", "templates / AutoTVM"]
        head += [f"{method}: s, failed" for method in METHODS[1:]]
        parts.append(tables.table(head, rows))
        ansor = mean(results, trials, "sketches", "Ansor")
        autotvm = mean(results, trials, "templates", "AutoTVM")
        parts.append(
            "Geometric mean, and how many kernels are faster than the peer's: "
            f"sketches / Ansor {ansor}; templates / AutoTVM {autotvm}.\n"
        )
    return "\n".join(parts)


def row(name, found):
    """A kernel's row."""
    times = [found[method]["median_ms"] for method in METHODS]
    ratio = lambda over, under: f"{found[over]['median_ms'] / found[under]['median_ms']:.2f}"
    costs = [f"{found[it]['seconds']:.0f}, {found[it]['failed']}" for it in METHODS[1:]]
    return [
        name,
        *(f"{milliseconds:.3f}" for milliseconds in times),
        ratio("sketches", "Ansor"),
        ratio("templates", "AutoTVM"),
        *costs,
    ]


def bench_tuners(options, say):
    """All kernels, with each number of trials."""
    if not options.tvm:
        raise rounds.EngineError(
            "the tuners of TVM are in its versions with Relay, the last of which is 0.18, and PyPI has none of them: build one, and name "
            "the Python that imports it with --tvm PYTHON"
        )
    version = subprocess.run(
        [options.tvm, "-c", "import tvm; print(tvm.__version__)"], capture_output=True, text=True
    )
    if version.returncode != 0:
        raise rounds.EngineError(f"{options.tvm} cannot import tvm: {version.stderr.strip()}")
    options.tvm_version = version.stdout.strip().splitlines()[-1]
    options.output.mkdir(parents=True, exist_ok=True)
    file = options.output / "tuners.json"
    results = json.loads(file.read_text()) if options.resume and file.exists() else {}
    kernels = [kernel for kernel in KERNELS if not options.only or options.only in kernel.name]
    for trials in options.trials:
        for kernel in kernels:
            found = results.setdefault(kernel.name, {})
            if str(trials) not in found:
                fewer = [int(other) for other in found if int(other) < trials]
                before = found[str(max(fewer))] if fewer else {}
                found[str(trials)] = measure(options, kernel, trials, before, say)
            file.write_text(json.dumps(results, indent=1) + "\n")
            (options.output / "tuners.md").write_text(page(options, results))
    print(page(options, results))
    return True
