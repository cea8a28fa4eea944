"""Plots of results as SVG."""

import matplotlib
import matplotlib.pyplot as plt

from engines import ENGINES
from tables import threads_of

matplotlib.use("svg")
# Text stays text, and the same results make the same file.
plt.rcParams.update({"svg.fonttype": "none", "svg.hashsalt": "relay", "font.size": 9})
METADATA = {"Date": None, "Creator": None}
COLOURS = dict(zip(ENGINES, plt.rcParams["axes.prop_cycle"].by_key()["color"]))


def networks(results, path):
    """Bars of each peer's median relative to ours, by model; a panel by number of threads.

    Bars start at 1, where the peer is as fast as ours.
    """
    threads = sorted({result["threads"] for result in results})
    peers = [name for name in ENGINES if any(name in r["engines"] for r in results)]
    peers = [name for name in peers if name != "ours"]
    figure, panels = plt.subplots(
        len(threads), 1, figsize=(9, 3 * len(threads)), squeeze=False, layout="constrained"
    )
    for panel, count in zip(panels[:, 0], threads):
        chosen = [r for r in results if r["threads"] == count and "ours" in r["engines"]]
        width = 0.8 / max(len(peers), 1)
        for index, engine in enumerate(peers):
            bars = [
                (place + (index - (len(peers) - 1) / 2) * width, relative(result, engine) - 1)
                for place, result in enumerate(chosen)
                if engine in result["engines"]
            ]
            if bars:
                places, heights = zip(*bars)
                panel.bar(
                    places, heights, width, bottom=1, color=COLOURS[engine],
                    label=ENGINES[engine].title,
                )  # fmt: skip
        panel.axhline(1, color="black", linewidth=0.8)
        panel.set_xticks(range(len(chosen)), [result["model"] for result in chosen])
        panel.set_yscale("log", base=2)
        panel.yaxis.set_major_formatter(lambda value, _: f"{value:g}")
        panel.set_ylabel("time / ours")
        panel.set_title(f"{threads_of(count)}: what stands above 1 is slower than ours")
    legend(figure, panels[0, 0])
    figure.savefig(path, metadata=METADATA)
    plt.close(figure)


def relative(result, engine):
    """An engine's median, relative to ours."""
    return result["engines"][engine]["median_ms"] / result["engines"]["ours"]["median_ms"]


def legend(figure, panel):
    """What the colours mean, below all panels."""
    handles, labels = panel.get_legend_handles_labels()
    if handles:
        figure.legend(handles, labels, ncols=len(labels), loc="outside lower center")


def kernels(results, path):
    """Dots of the share of the FMA peak that each kernel reaches, ours and the peers'."""
    threads = sorted({result["threads"] for result in results})
    rows = max(sum(result["threads"] == count for result in results) for count in threads)
    figure, panels = plt.subplots(
        1, len(threads), figsize=(3 + 3.5 * len(threads), 0.16 * rows + 1.5),
        squeeze=False, sharey=True, layout="constrained",
    )  # fmt: skip
    for panel, count in zip(panels[0], threads):
        chosen = [result for result in results if result["threads"] == count]
        dots(panel, chosen, "kernel_ms", "ours, kernel alone", "black", "|")
        for engine in ENGINES:
            title = ENGINES[engine].title
            dots(panel, chosen, engine, title, COLOURS[engine], "o")
        panel.set_yticks(range(len(chosen)), [result["model"] for result in chosen], fontsize=6)
        panel.set_ylim(len(chosen) - 0.5, -0.5)
        panel.set_xlim(left=0)
        panel.set_xlabel("% of the FMA peak")
        panel.set_title(threads_of(count))
        panel.grid(linewidth=0.3)
    legend(figure, panels[0, 0])
    figure.savefig(path, metadata=METADATA)
    plt.close(figure)


def dots(panel, results, what, label, colour, marker):
    """One dot for each kernel: of an engine's median, or of another time."""
    found = []
    for row, result in enumerate(results):
        figures = result["engines"].get(what)
        milliseconds = figures["median_ms"] if figures else result.get(what)
        if milliseconds:
            gflops = result["flops"] / milliseconds / 1e6
            found.append((100 * gflops / result["fma_peak_gflops"], row))
    if found:
        panel.plot(*zip(*found), marker, color=colour, markersize=4, label=label)


def growth(points, path):
    """Time and memory of chains over their numbers of operators, with a line through each chain's points."""
    from growth import line, mebibytes, seconds

    figure, panels = plt.subplots(1, 2, figsize=(9, 4), layout="constrained")
    for panel, value, label in zip(panels, (seconds, mebibytes), ("processor time in s", "memory in MiB")):
        for kind in dict.fromkeys(point.kind for point in points):
            own = [point for point in points if point.kind == kind]
            counts = [point.operators for point in own]
            (dots,) = panel.plot(counts, [value(point) for point in own], "o", label=kind)
            start, slope = line(own, value)
            between = [counts[0] * (counts[-1] / counts[0]) ** (step / 60) for step in range(61)]
            panel.plot(between, [start + slope * count for count in between], color=dots.get_color(), linewidth=0.8)
        panel.set_xscale("log")
        if value is seconds:
            panel.set_yscale("log")
        else:
            panel.set_ylim(bottom=0)
        panel.set_xlabel("operators")
        panel.set_ylabel(label)
    legend(figure, panels[0])
    figure.savefig(path, metadata=METADATA)
    plt.close(figure)
