"""Searches for inputs that our programs do not survive, or compute something wrong from.

Each case follows from a seed, which is printed; --seed S --cases 1 makes it again. What is found is left in a folder
of its own with the files and what was wrong: write a small test of it under test/, then mend it.
"""

import argparse
import collections
import datetime
import pathlib
import shutil
import sys
import time

import numpy as np

import archives
import formats
import graphs
import libraries
import models
import quantized
import sizes
import texts
from programs import Programs

KINDS = {
    "graphs": (graphs, "random graphs of ONNX against ONNX Runtime: levels of optimisation, threads, bf16"),
    "sizes": (sizes, "random graphs of ONNX with open dimensions, at several sizes, against ONNX Runtime"),
    "models": (models, "ONNX files in which something is changed"),
    "formats": (formats, "models of PyTorch, Keras, TensorFlow, TensorFlow Lite, MXNet and GGUF in which something is changed"),
    "texts": (texts, "programs of our tests with changed words, through passes in any order"),
    "archives": (archives, "inputs (.npz) in which something is changed"),
    "libraries": (libraries, "compiled models that are cut short or changed"),
    "bytes": (quantized, "random quantised networks, on all levels of the processor, and on AArch64 under an emulator"),
}


def arguments():
    kinds = "\n".join(f"  {name:10} {what}" for name, (_, what) in KINDS.items())
    parser = argparse.ArgumentParser(
        prog="./x fuzz",
        description=f"{__doc__}\nkinds:\n{kinds}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    length = parser.add_mutually_exclusive_group()
    length.add_argument("--minutes", type=float, help="how long, shared by the kinds (default: 5)")
    length.add_argument("--cases", type=int, help="how many of each kind instead")
    parser.add_argument("--only", nargs="+", choices=KINDS, default=list(KINDS), metavar="KIND", help="these kinds only")
    today = int(datetime.date.today().strftime("%Y%m%d")) * 1_000_000
    parser.add_argument("--seed", type=int, default=today, help="of the first case; the next has the next number (default: of today)")
    parser.add_argument("--tools", type=pathlib.Path, default="target/debug", help="the folder of the programs (default: %(default)s)")
    parser.add_argument("--findings", type=pathlib.Path, default="target/fuzz", help="where findings go (default: %(default)s)")
    return parser.parse_args()


def run_case(kind, seed, programs, scratch, findings):
    """Runs one case; how it ended."""
    folder = scratch / f"{kind}-{seed}"
    folder.mkdir(parents=True)
    rng = np.random.default_rng([seed, list(KINDS).index(kind)])
    verdict, text = KINDS[kind][0].case(rng, folder, programs)
    if verdict == "wrong":
        kept = findings / folder.name
        shutil.rmtree(kept, ignore_errors=True)
        shutil.copytree(folder, kept)
        (kept / "what.txt").write_text(text.replace(str(folder), str(kept)))
        print(f"{kind} {seed}: {text.replace(str(folder), str(kept))}\n  kept in {kept}", flush=True)
    shutil.rmtree(folder)
    return verdict


def main():
    options = arguments()
    programs = Programs(options.tools)
    options.findings.mkdir(parents=True, exist_ok=True)
    scratch = options.findings / "scratch"
    shutil.rmtree(scratch, ignore_errors=True)
    seconds = 60 * (options.minutes or 5) / len(options.only)
    wrong = 0
    for kind in options.only:
        counts = collections.Counter()
        end = time.monotonic() + seconds
        seed = options.seed
        said = time.monotonic()
        while (seed - options.seed < options.cases) if options.cases else (time.monotonic() < end):
            counts[run_case(kind, seed, programs, scratch, options.findings)] += 1
            seed += 1
            if sys.stderr.isatty() and time.monotonic() - said > 1:
                said = time.monotonic()
                print(f"\r{kind}: {dict(counts)}", end="", file=sys.stderr, flush=True)
        summary = ", ".join(f"{count} {verdict}" for verdict, count in sorted(counts.items()))
        print(f"\r{kind}: {sum(counts.values())} cases from seed {options.seed}: {summary}", flush=True)
        wrong += counts["wrong"]
    shutil.rmtree(scratch, ignore_errors=True)
    print(f"{programs.runs} runs, {wrong} findings")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
