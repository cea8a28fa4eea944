"""Results as Markdown and JSON."""

import datetime
import json
import math
import os
import pathlib
import platform

from engines import ENGINES
from tables import number, percent, table, threads_of, times

MIB = 2**20


def geometric_mean(values):
    """exp of the mean logarithm; `None` of nothing."""
    values = list(values)
    return math.exp(math.fsum(map(math.log, values)) / len(values)) if values else None


def means(results):
    """For each number of threads: the geometric mean of the ratios, and the greatest one."""
    found = {}
    for threads in sorted({result["threads"] for result in results}):
        ratios = {
            result["model"]: result["ratio"]
            for result in results
            if result["threads"] == threads and result.get("ratio")
        }
        if ratios:
            worst = max(ratios, key=ratios.get)
            found[str(threads)] = {
                "geometric_mean": geometric_mean(ratios.values()),
                "models": len(ratios),
                "worst": ratios[worst],
                "worst_model": worst,
            }
    return found


def means_against(results):
    """For each number of threads: the geometric mean of the ratios to the other build, the least and
    the greatest with their models."""
    found = {}
    for threads in sorted({result["threads"] for result in results}):
        ratios = {
            result["model"]: result["against_ratio"]
            for result in results
            if result["threads"] == threads and result.get("against_ratio")
        }
        if ratios:
            found[str(threads)] = {
                "geometric_mean": geometric_mean(ratios.values()),
                "models": len(ratios),
                "least": min((ratio, model) for model, ratio in ratios.items()),
                "greatest": max((ratio, model) for model, ratio in ratios.items()),
            }
    return found


def against_head(results):
    """The head of the column for the other build, if there is one in these results."""
    return ["new / old"] * any("against_ratio" in result for result in results)


def set_shares(results):
    """The share of the FMA peak of each result: of the greatest peak that was measured with so many
    threads, for it is disturbed as all measurements are, and always downwards."""
    peaks = {}
    for result in results:
        threads = result["threads"]
        peaks[threads] = max(peaks.get(threads, 0.0), result["measured_peak_gflops"])
    for result in results:
        result["fma_peak_gflops"] = peak = peaks[result["threads"]]
        result["share_of_peak"] = result["gflops"] / peak if result.get("gflops") else None


def engines_of(results):
    """The engines that were measured, in the order of the registry."""
    return [name for name in ENGINES if any(name in result["engines"] for result in results)]


def latency_table(results):
    """Who takes how long."""
    engines, other = engines_of(results), against_head(results)
    head = ["model", "threads", *(ENGINES[name].title for name in engines)]
    head += ["ours / best peer", *other, "GFLOP/s", "% of FMA peak"]
    rows = [
        [
            result["model"],
            str(result["threads"]),
            *(times(result["engines"].get(name)) for name in engines),
            number(result.get("ratio")),
            *(number(result.get("against_ratio")) for _ in other),
            number(result.get("gflops"), "{:.0f}"),
            percent(result.get("share_of_peak")),
        ]
        for result in results
    ]
    return table(head, rows)


def cost_table(results):
    """What compiling, loading and running cost, and how far results are from ONNX Runtime's."""
    engines = engines_of(results)
    peers = [name for name in engines if name != "ours"]
    head = ["model", "threads", "compile cold, s", "warm, s", "compile memory", "library"]
    head += ["load, ms", "run memory", *(f"{ENGINES[name].title} memory" for name in peers)]
    head += ["error", *(f"{ENGINES[name].title} error" for name in peers)]
    rows = []
    for result in results:
        compiled, figures = result["compile"], result["engines"]
        ours = figures.get("ours", {})
        mib = [figures.get(name, {}).get("peak_bytes") for name in ["ours", *peers]]
        errors = [figures.get(name, {}).get("relative_error") for name in ["ours", *peers]]
        load = ours.get("load_seconds")
        rows.append(
            [
                result["model"],
                str(result["threads"]),
                number(compiled["compile_cold_seconds"], "{:.1f}"),
                number(compiled["compile_warm_seconds"], "{:.1f}"),
                number(compiled["compile_cold_peak_bytes"] / MIB, "{:.0f}"),
                number(compiled["library_bytes"] / MIB, "{:.1f}"),
                number(load and load * 1e3, "{:.1f}"),
                *(number(size and size / MIB, "{:.0f}") for size in mib),
                *(number(error, "{:.1e}") for error in errors),
            ]
        )
    return table(head, rows)


def failures(results):
    """What could not be measured, and why."""
    lines = []
    for result in results:
        for name, reason in result["failures"].items():
            text = " ".join(reason.split())
            text = text if len(text) < 300 else text[:300] + " ..."
            lines.append(f"- {result['model']}, {threads_of(result['threads'])}: {text}")
    return "\n".join(lines) + "\n" if lines else ""


def summary(results):
    """The geometric means, a line for each number of threads."""
    lines = [
        f"{threads_of(threads)}: geometric mean of ours / best peer "
        f"{mean['geometric_mean']:.3f} over {mean['models']} models, "
        f"the greatest {mean['worst']:.2f} ({mean['worst_model']})"
        for threads, mean in means(results).items()
    ]
    return "".join(f"- {line}\n" for line in lines) + against_summary(results)


def against_summary(results):
    """How the other build compares, a line for each number of threads; nothing if there is none."""
    lines = []
    for threads, mean in means_against(results).items():
        (least, best), (greatest, worst) = mean["least"], mean["greatest"]
        lines.append(
            f"- {threads_of(threads)}: geometric mean of new / old {mean['geometric_mean']:.3f} over "
            f"{mean['models']} models, from {least:.2f} ({best}) to {greatest:.2f} ({worst})\n"
        )
    lines += [f"- {line}" for line in compiled_against(results)]
    return "".join(lines)


def compiled_against(results):
    """How long each build took to compile all models, cold and warm."""
    found = {result["model"]: result for result in results if "compile_against" in result}
    if not found:
        return []
    sums = {
        f"{build} {kind}": math.fsum(r[key][f"compile_{kind}_seconds"] for r in found.values())
        for kind in ("cold", "warm")
        for build, key in (("new", "compile"), ("old", "compile_against"))
    }
    text = ", ".join(f"{what} {seconds:.1f} s" for what, seconds in sums.items())
    return [f"compiling all {len(found)} models: {text}\n"]


def page(run):
    """The whole page of a run over networks."""
    results = run["results"]
    parts = [
        "# Networks\n",
        heading(run),
        summary(results),
        "Times in ms: median (min, p95). A ratio below 1 means that ours is faster.\n",
        latency_table(results),
        f"![ratios]({run['plot']})\n" if run["plot"] else "",
        "Memory and sizes in MiB. Load is from the file to an instance that can run. The error is "
        "the greatest difference from ONNX Runtime with one thread, relative to the range of the "
        "output.\n",
        cost_table(results),
        not_measured(results),
        determinism(results),
        idle_note(results),
    ]
    return "\n".join(part for part in parts if part)


def started(run):
    """How often the engines were started, if it was more than once."""
    return f" in {run['starts']} starts" if run.get("starts", 1) > 1 else ""


def heading(run):
    """The machine, the engines and the peaks."""
    results = run["results"]
    versions = {
        ENGINES[name].title: figures["version"]
        for result in results
        for name, figures in result["engines"].items()
    }
    peaks = {}
    for result in results:
        peaks.setdefault(result["threads"], []).append(result["measured_peak_gflops"])
    lines = [
        f"{run['processor']}, {run['cores']} cores, {run['date']}; {run['precision']}, batch 1, "
        f"{run['rounds']} rounds{started(run)}. Written by `./x bench`; docs/guide/benchmarking.md says how it is "
        "measured.",
        f"Compiled by {run['relayc']}. Before the run, other work took "
        f"{100 * run['busy_share']:.0f}% of the machine.",
        "Engines: " + ", ".join(f"{title} {version}" for title, version in versions.items()) + ".",
        "FMA peak in GFLOP/s: "
        + ", ".join(
            f"{min(found):.0f} to {max(found):.0f} with {threads_of(threads)}"
            for threads, found in sorted(peaks.items())
        )
        + ".",
    ]
    return "\n\n".join(lines) + "\n"


def not_measured(results):
    """The failures with their title; nothing if there are none."""
    text = failures(results)
    return "Not measured:\n\n" + text if text else ""


def determinism(results):
    """Whether ours gave the same bits in all runs, with any number of threads."""
    digests, repeats = {}, 0
    for result in results:
        ours = result["engines"].get("ours", {})
        digests.setdefault(result["model"], set()).update(ours.get("digests", []))
        repeats = max(repeats, ours.get("repeats", 0))
    several = [model for model, found in digests.items() if len(found) > 1]
    text = f"not for {', '.join(several)}" if several else "for all models"
    threads = " and ".join(str(n) for n in sorted({result["threads"] for result in results}))
    return f"Bit-identical over {repeats} runs each with {threads} threads: {text}.\n"


def idle_note(results):
    """Which engines took processor time while it was another's turn."""
    shares = {}
    for result in results:
        for name, figures in result["engines"].items():
            shares[name] = max(shares.get(name, 0.0), figures["idle_share"])
    text = ", ".join(f"{ENGINES[name].title} {100 * share:.1f}%" for name, share in shares.items())
    return f"Of a processor while another engine had its turn, at most: {text}.\n"


# The vectors of processors as the kernel of Linux names them, the widest first, and what they are called.
VECTORS = {"amx_tile": "AMX", "avx512f": "AVX-512", "avx2": "AVX2", "asimd": "NEON"}


def processor_fact(*names):
    """The first thing that Linux says of this machine's processor under one of some names; nothing if it says none."""
    try:
        lines = pathlib.Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return ""
    facts = (line.partition(":") for line in lines)
    return next((value.strip() for name, _, value in facts if name.strip() in names), "")


def processor():
    """The name of this machine's processor."""
    return processor_fact("model name") or platform.processor()


def processor_with_vectors():
    """The name of this machine's processor and its widest vectors: processors of one name differ in them."""
    widest = widest_vectors()
    return f"{processor()} with {widest}" if widest else processor()


def widest_vectors():
    """The name of this machine's widest vectors, if it is known."""
    flags = processor_fact("flags", "Features").split()
    return next((title for flag, title in VECTORS.items() if flag in flags), None)


def cores():
    """How many processors this process may use."""
    return len(os.sched_getaffinity(0))


def about(options, results):
    """What is known of a run as a whole."""
    return {
        "date": datetime.datetime.now(datetime.UTC).strftime("%Y-%m-%d"),
        "processor": processor(),
        "cores": cores(),
        "busy_share": options.busy,
        "relayc": shown(options.relayc),
        "against": shown(options.against) if options.against else None,
        "precision": options.precision,
        "rounds": options.rounds,
        "starts": options.starts,
        "turn_seconds": options.turn,
        "pause_seconds": options.pause,
        "results": results,
    }


def shown(path):
    """A file from the root of the checkout, or its name if it is elsewhere."""
    root = pathlib.Path(__file__).parents[1]
    return str(path.relative_to(root)) if path.is_relative_to(root) else path.name


def file_name(what, options):
    """The name of the results: what was measured, and the precision if it is not the usual one."""
    return what if options.precision == "f32" else f"{what}-{options.precision}"


def plot(what, results, folder, name):
    """Draws FOLDER/NAME.svg; returns its name, `None` where there is no matplotlib."""
    try:
        import plots
    except ImportError:
        return None  # It is one of the peers' requirements, not of the tests.
    folder.mkdir(parents=True, exist_ok=True)
    getattr(plots, what)(results, folder / f"{name}.svg")
    return f"{name}.svg"


def write(folder, name, run, pages):
    """Writes FOLDER/NAME.json, and pages by name."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{name}.json").write_text(json.dumps(run, indent=1) + "\n")
    for page_name, text in pages.items():
        (folder / f"{page_name}.md").write_text(text)
