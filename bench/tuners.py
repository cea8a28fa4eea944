"""Kernels of ResNet-50 and BERT, tuned by relayc and by the tuners of TVM: Ansor and AutoTVM.

Each kernel is one operator on the layout that its tuner likes best: ours has channels in blocks of a vector, AutoTVM in blocks that it
chooses, Ansor has NHWC and a weight in the order that its schedule reads. `sketches` is relayc's search that knows no template, from
loops as the kernel is written, one after the other and without vectors; `templates` is the one that it has without being asked. Neither
uses Winograd's algorithm here, as TVM's do not. TVM's tuners are asked for ten of the kernels, with --tvm. All have the same number of
trials, one after the other on the same machine; seconds are of the whole search. Then the best of each are timed in turns, in processes
of their own. What a search of few trials finds is partly chance: with --searches, each tuner searches several times from scratch, and
the medians of the times and of the seconds count.

What is found stays in the folder of --folder, so that a run that was stopped goes on, and one with more trials begins where the last
one ended; seconds are of all of them together.
"""

import functools
import json
import statistics
import subprocess
import time

import numpy as np

import peers
import report
import rounds
import tables
from tuners_kernels import KERNELS, OTHERS

TURN = 0.2
SECONDS = 24 * 3600

OURS = {"sketches": "sketches", "templates": "evolution"}
THEIRS = {"Ansor": "ansor", "AutoTVM": "autotvm"}
# AutoTVM takes an hour for 1,000 trials of BERT's products (results/tuners.md). After each 64 trials, as many as it plans at a time, its
# seconds are written, so that a search that is stopped loses those of its last part only. Another tuner would start anew for each part.
PARTS = {"AutoTVM": 64}
METHODS = ["default", *OURS, *THEIRS]
RATIOS = [("sketches", "default"), ("sketches", "Ansor"), ("templates", "AutoTVM")]


def methods_of(kernel, options):
    """What is asked for a schedule of a kernel: TVM's tuners for some, where there is a TVM."""
    asked = options.tvm and kernel in KERNELS
    return METHODS if asked else ["default", *OURS]


def tensor(shape):
    """A tensor's type in MLIR."""
    return f"tensor<{'x'.join(map(str, shape))}xf32>"


def write_model(kernel, folder):
    """The kernel as a program of ours, and its inputs; returns their files."""
    shapes, result = kernel.shapes()
    operator, attributes = kernel.operator()
    names = [f"%input{place}" for place in range(len(shapes))]
    parameters = [f"{name}: {tensor(shape)}" for name, shape in zip(names, shapes)]
    model = folder / "kernel.mlir"
    model.write_text(
        f"func.func @main({', '.join(parameters)}) -> {tensor(result)} {{\n"
        f"  %result = relay.{operator} {', '.join(names)} {{{attributes}}}"
        f" : ({', '.join(map(tensor, shapes))}) -> {tensor(result)}\n"
        f"  return %result : {tensor(result)}\n}}\n"
    )
    rng = np.random.default_rng(0)
    inputs = folder / "inputs.npz"
    # Inputs of a program in MLIR have numbers for names.
    arrays = [rng.standard_normal(shape, np.float32) for shape in shapes]
    np.savez(inputs, **{f"input{place}": array for place, array in enumerate(arrays)})
    return model, inputs


class Ours:
    """relayc on one kernel."""

    def __init__(self, options, kernel, folder, threads, seed):
        self.options, self.folder, self.threads, self.seed = options, folder, threads, seed
        model, self.inputs = write_model(kernel, folder)
        self.models = {"default": model, "templates": model, "sketches": self.without_schedule(model)}

    def without_schedule(self, model):
        """The kernel as tensor expressions that nobody has written a schedule for."""
        plain = self.folder / "plain.mlir"
        self.run("relay-opt", "--fuse-ops", "--relay-to-te=schedule=none", model, "-o", plain)
        return plain

    def run(self, tool, *arguments):
        """Runs a tool of ours."""
        command = [self.options.relayc.with_name(tool), *map(str, arguments)]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode != 0:
            raise rounds.EngineError(f"{tool} {arguments[0]}: {done.stderr.strip()}")

    def tune(self, method, trials):
        """Tries schedules until there are records of so many; returns trials and failures."""
        records = self.folder / f"{method}.jsonl"
        missing = trials - len(trials_of(records))
        if missing > 0:
            self.run(
                "relayc", "tune", self.models[method], "--records", records, "--trials", missing, "--budget", f"{SECONDS}s",
                "--threads", self.threads, "--tuner", OURS[method], "--strategy", "round-robin", "--seed", self.seed,
            )  # fmt: skip
        tried = trials_of(records)[:trials]
        failed = sum("failed" in trial["outcome"] for trial in tried)
        return {"tried": len(tried), "failed": failed}

    def worker(self, method, trials, log):
        """A worker that has the kernel under the best of the first trials."""
        library = self.folder / f"{method}.so"
        records = ["--no-records"] if method == "default" else ["--records", self.first(method, trials)]
        self.run("relayc", "compile", self.models[method], "-o", library, *records)
        worker = rounds.Process("ours", log=log)
        worker.ask(
            "prepare", model=str(library), inputs=str(self.inputs), threads=self.threads,
            folder=str(self.folder), precision="f32",
        )  # fmt: skip
        return worker

    def first(self, method, trials):
        """A file of the records of the first trials, with what was chosen after them."""
        lines = (self.folder / f"{method}.jsonl").read_text().splitlines(keepends=True)
        places = [place for place, line in enumerate(lines) if json.loads(line)["kind"] == "trial"]
        file = self.folder / f"{method}.first.jsonl"
        file.write_text("".join(lines[: places[trials]] if trials < len(places) else lines))
        return file


def trials_of(records):
    """The trials of a file of records."""
    if not records.exists():
        return []
    lines = (json.loads(line) for line in records.read_text().splitlines())
    return [line for line in lines if line["kind"] == "trial"]


class Theirs:
    """TVM on one kernel. A tuner's process lives as long as this, since it keeps what it has learned; its seed is drawn at random."""

    def __init__(self, options, kernel, folder, threads):
        self.options, self.kernel, self.folder, self.threads = options, kernel, folder, threads
        self.tuners = {}

    def close(self):
        """Ends the tuners' processes."""
        for tuner in self.tuners.values():
            tuner.close()

    def process(self, log):
        return rounds.Process("tvm", [self.options.tvm, str(peers.HERE / "tuners_tvm.py")], log)

    def request(self, method, trials):
        return {
            "method": THEIRS[method], "kernel": self.kernel.to_tvm(), "trials": trials,
            "threads": self.threads, "log": str(self.folder / f"{THEIRS[method]}.json"),
        }  # fmt: skip

    def tune(self, method, trials, log):
        """Tries schedules until its log has so many."""
        if method not in self.tuners:
            self.tuners[method] = self.process(log)
        return self.tuners[method].ask("tune", **self.request(method, trials))

    def worker(self, method, trials, log):
        """A worker that has the kernel under what was found."""
        process = self.process(log)
        process.ask("load", **self.request(method, trials))
        return process


class Clock:
    """The seconds that each method took until it had made so many trials, of earlier runs, too."""

    def __init__(self, folder):
        self.file = folder / "seconds.json"
        self.seconds = json.loads(self.file.read_text()) if self.file.exists() else {}

    def add(self, method, trials, work):
        """Does some work of a method; returns its result and all seconds of the method until then."""
        known = self.seconds.setdefault(method, {})
        start = time.perf_counter()
        result = work()
        if str(trials) not in known:
            known[str(trials)] = max(known.values(), default=0.0) + time.perf_counter() - start
            self.file.write_text(json.dumps(self.seconds) + "\n")
        return result, known[str(trials)]

    def parts(self, method, trials):
        """The numbers of trials before so many at which the seconds are written, but for those that are known."""
        known = max(map(int, self.seconds.get(method, {})), default=0)
        part = PARTS.get(method, trials)
        return range((known // part + 1) * part, trials, part)


class Bench:
    """A kernel, and the searches for it."""

    def __init__(self, options, kernel, say):
        self.options, self.methods = options, methods_of(kernel, options)
        threads = options.threads[-1]
        folder = options.folder / "tuners" / kernel.name.replace(" ", "_") / f"{threads}t"
        folders = [folder, *(folder / f"search{number}" for number in range(2, options.searches + 1))]
        self.searches = [Search(options, kernel, folder, seed, self.methods, say) for seed, folder in enumerate(folders)]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for search in self.searches:
            search.theirs.close()

    def measure(self, trials):
        """What each tuner finds in so many trials, and how long the best takes."""
        found = {"processor": report.processor_with_vectors(), "searches": len(self.searches)}
        if not set(THEIRS).isdisjoint(self.methods):
            found["TVM"] = self.options.tvm_version
        founds = [search.measure(trials) for search in self.searches]
        return found | {method: together([found[method] for found in founds]) for method in self.methods}


# Facts of several searches that add up; of the others, the median counts.
COUNTS = {"tried", "failed", "runs"}


def together(facts):
    """The facts of one method in several searches as one."""
    combine = lambda name: sum if name in COUNTS else statistics.median
    return {name: combine(name)([fact[name] for fact in facts]) for name in facts[0]}


class Search:
    """A kernel, and who tunes it, each from scratch."""

    def __init__(self, options, kernel, folder, seed, methods, say):
        self.options, self.methods, self.say = options, methods, say
        self.name = f"{kernel.name}{f', search {seed + 1}' if seed else ''}"
        threads = options.threads[-1]
        folder.mkdir(parents=True, exist_ok=True)
        self.ours = Ours(options, kernel, folder, threads, seed)
        self.theirs = Theirs(options, kernel, folder, threads)
        self.log, self.clock = folder / "log.txt", Clock(folder)

    def measure(self, trials):
        """What each tuner finds in so many trials, and how long the best takes."""
        found = {}
        for method in self.methods[1:]:
            self.say(f"{self.name}: {method}, {trials} trials")
            for part in [*self.clock.parts(method, trials), trials]:
                facts, seconds = self.clock.add(method, part, functools.partial(self.tune, method, part))
            found[method] = facts | {"seconds": seconds}
        for method, taken in self.times(trials).items():
            found.setdefault(method, {}).update(rounds.summary(taken))
        return found

    def tune(self, method, trials):
        """Trials and failures of one tuner."""
        return self.ours.tune(method, trials) if method in OURS else self.theirs.tune(method, trials, self.log)

    def times(self, trials):
        """The times of the best of each method, in turns."""
        workers = {}
        try:
            for method in self.methods:
                side = self.theirs if method in THEIRS else self.ours
                workers[method] = side.worker(method, trials, self.log)
            return rounds.interleave(workers, self.options.rounds, self.options.pause, TURN)[0]
        finally:
            for worker in workers.values():
                worker.close()


def ratio(found, over, under):
    """How many times as long as the second one's the first one's schedule takes; none if one of them was not asked."""
    if over in found and under in found:
        return found[over]["median_ms"] / found[under]["median_ms"]
    return None


def means(founds):
    """The geometric means of the ratios, and how many kernels the first one wins."""
    for over, under in RATIOS:
        ratios = [it for found in founds if (it := ratio(found, over, under))]
        if ratios:
            wins = f"{sum(it < 1 for it in ratios)} of {len(ratios)} faster"
            yield f"{over} / {under} {report.geometric_mean(ratios):.2f}, {wins}"


def page(options, results):
    """The tables, in Markdown."""
    parts = ["# Tuners\n", f"`./x bench tuners`. {' '.join(__doc__.split())}\n"]
    versions = {found["TVM"] for founds in results.values() for found in founds.values() if "TVM" in found}
    asked = f"TVM {', '.join(sorted(versions))}" if versions else "TVM was not asked"
    parts.append(
        f"{tables.threads_of(options.threads[-1])}; {asked}; other work took {100 * options.busy:.0f}% of the machine when the last run "
        f"began. Times in ms: medians of runs in turns. A row is of one machine; times of two rows compare where it is the same.\n"
    )
    for trials in sorted({int(trials) for found in results.values() for trials in found}):
        founds = {name: found[str(trials)] for name, found in results.items() if str(trials) in found}
        head = ["kernel", "processor", "searches", *METHODS, *(f"{over} / {under}" for over, under in RATIOS)]
        head += [f"{method}: s, failed" for method in METHODS[1:]]
        parts.append(f"## {trials} trials\n")
        parts.append(tables.table(head, [row(name, found) for name, found in founds.items()]))
        parts.append(f"Geometric means: {'; '.join(means(founds.values()))}.\n")
    return "\n".join(parts)


def row(name, found):
    """A kernel's row."""
    cell = lambda value, digits: "-" if value is None else f"{value:.{digits}f}"
    times = (found.get(method, {}).get("median_ms") for method in METHODS)
    ratios = (ratio(found, over, under) for over, under in RATIOS)
    cost = lambda facts: f"{facts['seconds']:.0f}, {facts['failed']}"
    costs = (cost(found[method]) if method in found else "-" for method in METHODS[1:])
    return [name, found["processor"], str(found.get("searches", 1)), *(cell(time, 3) for time in times), *(cell(it, 2) for it in ratios), *costs]


def is_measured(found, bench):
    """Whether all methods were measured in as many searches, on such a processor as this one."""
    is_here = found.get("processor") == report.processor_with_vectors()
    return is_here and found.get("searches", 1) >= len(bench.searches) and set(bench.methods) <= set(found)


def version_of(python):
    """The version of TVM that a Python imports."""
    command = [python, "-c", "import tvm; print(tvm.__version__)"]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        raise rounds.EngineError(f"{python} cannot import tvm: {done.stderr.strip()}")
    return done.stdout.strip().splitlines()[-1]


def bench_tuners(options, say):
    """Each number of trials of each kernel, so that a run that is stopped leaves kernels that are whole."""
    options.tvm_version = version_of(options.tvm) if options.tvm else None
    options.output.mkdir(parents=True, exist_ok=True)
    file = options.output / "tuners.json"
    results = json.loads(file.read_text()) if options.resume and file.exists() else {}
    kernels = [it for it in KERNELS + OTHERS if not options.only or options.only in it.name]
    for kernel in kernels:
        found = results.setdefault(kernel.name, {})
        with Bench(options, kernel, say) as bench:
            for trials in sorted(options.trials):
                if not is_measured(found.get(str(trials), {}), bench):
                    found[str(trials)] = bench.measure(trials)
                file.write_text(json.dumps(results, indent=1) + "\n")
                (options.output / "tuners.md").write_text(page(options, results))
    print(page(options, results))
    return True
