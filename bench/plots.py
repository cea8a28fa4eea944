"""Plots of results as SVG."""

import matplotlib
import matplotlib.pyplot as plt

from engines import ENGINES
from report import threads_of

matplotlib.use("svg")
# Text stays text, and the same results make the same file.
plt.rcParams.update({"svg.fonttype": "none", "svg.hashsalt": "relay", "font.size": 9})
METADATA = {"Date": None, "Creator": None}


def networks(results, path):
    """Bars of each engine's median relative to ours, by model; a panel by number of threads."""
    threads = sorted({result["threads"] for result in results})
    engines = [name for name in ENGINES if any(name in result["engines"] for result in results)]
    figure, panels = plt.subplots(
        len(threads), 1, figsize=(9, 3 * len(threads)), squeeze=False, layout="constrained"
    )
    for panel, count in zip(panels[:, 0], threads):
        chosen = [r for r in results if r["threads"] == count and "ours" in r["engines"]]
        width = 0.8 / len(engines)
        for index, engine in enumerate(engines):
            bars = [
                (place + (index - (len(engines) - 1) / 2) * width, relative(result, engine))
                for place, result in enumerate(chosen)
                if engine in result["engines"]
            ]
            if bars:
                panel.bar(*zip(*bars), width, label=ENGINES[engine].title)
        panel.axhline(1, color="black", linewidth=0.6)
        panel.set_xticks(range(len(chosen)), [result["model"] for result in chosen])
        panel.set_yscale("log", base=2)
        panel.yaxis.set_major_formatter(lambda value, _: f"{value:g}")
        panel.set_ylabel("time / ours")
        panel.set_title(f"{threads_of(count)}: above 1 is slower than ours")
    panels[0, 0].legend(ncols=len(engines), loc="upper left")
    figure.savefig(path, metadata=METADATA)
    plt.close(figure)


def relative(result, engine):
    """An engine's median, relative to ours."""
    return result["engines"][engine]["median_ms"] / result["engines"]["ours"]["median_ms"]


def kernels(results, path):
    """Dots of the share of the FMA peak that each kernel reaches, ours and the peers'."""
    threads = sorted({result["threads"] for result in results})
    figure, panels = plt.subplots(
        1, len(threads), figsize=(5 * len(threads), 0.16 * len(results) / len(threads) + 1.5),
        squeeze=False, sharey=True, layout="constrained",
    )  # fmt: skip
    for panel, count in zip(panels[0], threads):
        chosen = [r for r in results if r["threads"] == count and r["fma_peak_gflops"]]
        for engine in ENGINES:
            dots = [
                (100 * r["flops"] / r["engines"][engine]["median_ms"] / 1e6 / r["fma_peak_gflops"], y)
                for y, r in enumerate(chosen)
                if engine in r["engines"]
            ]
            if dots:
                panel.plot(*zip(*dots), "o", markersize=3, label=ENGINES[engine].title)
        panel.set_yticks(range(len(chosen)), [result["model"] for result in chosen], fontsize=6)
        panel.invert_yaxis() if not panel.yaxis_inverted() else None
        panel.set_xlabel("% of the FMA peak")
        panel.set_title(threads_of(count))
        panel.grid(axis="x", linewidth=0.3)
    panels[0, 0].legend()
    figure.savefig(path, metadata=METADATA)
    plt.close(figure)
