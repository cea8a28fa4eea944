"""The cost model beside measured times: of each distinct kernel of the networks, and of its schedules.

`relayc candidates` cuts each fused function out, compiles some of its schedules and times them in turns. Its
file FOLDER/model/candidates-1t.json (the number of threads in its name) holds all times; what is kept is

- the rank correlation of predicted and measured times of the default schedules,
- the median error of the prediction,
- how far each default is from the best of its schedules that were measured.
"""

import json
import statistics
import subprocess

import models
import report
import rounds
import tables

# Shorter kernels are listed apart: what a call itself takes, and the clock's resolution, are a part of
# their times.
SHORT_NS = 5000

# A default is as good as the best if it takes no longer than so many times as long.
NEAR = 1.10


def ranks(values):
    """The rank of each value, from 0 on; equal ones share the mean of theirs."""
    order = sorted(range(len(values)), key=values.__getitem__)
    found = [0.0] * len(values)
    start = 0
    while start < len(order):
        end = start
        while end < len(order) and values[order[end]] == values[order[start]]:
            end += 1
        for place in order[start:end]:
            found[place] = (start + end - 1) / 2
        start = end
    return found


def spearman(first, second):
    """The rank correlation of two lists; `None` where one of them is constant."""
    try:
        return statistics.correlation(ranks(first), ranks(second))
    except statistics.StatisticsError:
        return None


def summarize(kernel):
    """What is kept of a kernel: times in ns, and how far its default is from the best."""
    rate = kernel["cycles_per_nanosecond"]
    default = kernel["candidates"][0]
    finals = {final["rank"]: final for final in kernel["finals"]}
    knobs = {timed["rank"]: timed["knobs"] for timed in kernel["candidates"]}
    best = min(finals.values(), key=lambda final: final["of_default"])
    timed = kernel["candidates"]
    return {
        "id": kernel["id"],
        "name": kernel["name"],
        "model": kernel["model"],
        "template": default["knobs"].split(" ")[0],
        "space": kernel["space"],
        "measured": len(timed),
        "default": default["knobs"],
        "best": knobs[best["rank"]],
        "best_rank": best["rank"],
        "measured_ns": finals[0]["nanoseconds"],
        "predicted_ns": default["cycles"] / rate,
        "of_best": 1 / best["of_default"],
        "spearman": spearman(
            [candidate["cycles"] for candidate in timed],
            [candidate["nanoseconds"] for candidate in timed],
        ),
        "failures": kernel["failures"],
    }


def error(kernel):
    """The error of a prediction, as a share of the measured time."""
    return abs(kernel["predicted_ns"] / kernel["measured_ns"] - 1)


def figures(kernels):
    """The figures of some kernels; `None` of none."""
    if not kernels:
        return None
    predicted = [kernel["predicted_ns"] for kernel in kernels]
    measured = [kernel["measured_ns"] for kernel in kernels]
    within = [found for kernel in kernels if (found := kernel["spearman"]) is not None]
    return {
        "kernels": len(kernels),
        "spearman": spearman(predicted, measured),
        "median_error": statistics.median(map(error, kernels)),
        "ratio": report.geometric_mean(p / m for p, m in zip(predicted, measured)),
        "near": sum(kernel["of_best"] <= NEAR for kernel in kernels) / len(kernels),
        "of_best": report.geometric_mean(kernel["of_best"] for kernel in kernels),
        "spearman_within": statistics.median(within) if within else None,
    }


def parts(kernels):
    """The kernels that count, and those that are too short for it."""
    long = [kernel for kernel in kernels if kernel["measured_ns"] >= SHORT_NS]
    short = [kernel for kernel in kernels if kernel["measured_ns"] < SHORT_NS]
    return long, short


def by_template(kernels):
    """A row for each template, and one for all."""
    names = sorted({kernel["template"] for kernel in kernels})
    groups = {name: [k for k in kernels if k["template"] == name] for name in names}
    head = ["template", "kernels", "Spearman", "median error, %", "predicted / measured"]
    head += ["default within 10%, %", "default / best", "Spearman of its schedules"]
    rows = []
    for name, members in [*groups.items(), ("all", kernels)]:
        found = figures(members)
        if found:
            rows.append([
                name, str(found["kernels"]), tables.number(found["spearman"]),
                tables.percent(found["median_error"]), tables.number(found["ratio"]),
                tables.percent(found["near"]), tables.number(found["of_best"], "{:.3f}"),
                tables.number(found["spearman_within"]),
            ])  # fmt: skip
    return tables.table(head, rows)


def rows_of(kernels):
    """A row for each kernel."""
    head = ["network", "kernel", "default", "µs", "predicted", "schedules", "best", "default / best"]
    rows = [
        [
            kernel["model"], kernel["name"], kernel["default"],
            tables.number(kernel["measured_ns"] / 1e3, "{:.1f}"),
            tables.number(kernel["predicted_ns"] / 1e3, "{:.1f}"),
            f"{kernel['measured']} of {kernel['space']}", kernel["best"],
            tables.number(kernel["of_best"]),
        ]
        for kernel in kernels
    ]  # fmt: skip
    return tables.table(head, rows)


def headline(kernels):
    """The three figures in a sentence each."""
    found = figures(parts(kernels)[0])
    if not found:
        return "No kernel takes long enough to be measured.\n"
    return (
        f"Over {found['kernels']} kernels: Spearman correlation {tables.number(found['spearman'], '{:.3f}')}, "
        f"median error {tables.percent(found['median_error'])}%, default within 10% of the best "
        f"of {tables.percent(found['near'])}% of them.\n"
    )


def page(run):
    """The page."""
    long, short = parts(run["results"])
    far = sorted((k for k in long if k["of_best"] > NEAR), key=lambda k: -k["of_best"])
    wrong = sorted(long, key=error, reverse=True)[:20]
    shortest = SHORT_NS / 1e3
    text = [
        "# The cost model beside measured times\n",
        f"{run['date']}, {run['processor']}, {tables.threads_of(run['threads'])}; "
        f"other work took {100 * run['busy_share']:.0f}% of the processors before. Each distinct kernel of "
        f"{', '.join(run['models'])}; up to {run['candidates']} schedules of each, in turns.\n",
        headline(run["results"]),
        by_template(long),
        "*predicted / measured* and *default / best* are geometric means; *Spearman of its schedules* is the "
        "median over kernels of the correlation over the schedules of one.\n",
        f"## Defaults that are more than {100 * (NEAR - 1):.0f}% slower than the best\n",
        rows_of(far) if far else "None.\n",
        "## The greatest errors\n",
        rows_of(wrong),
    ]
    if short:
        text += [
            f"## Kernels that take less than {shortest:.0f} µs\n",
            "They are in no figure above: the call of a kernel, some 0.1 µs, and the clock are a part of their times.\n",
            by_template(short),
        ]
    return "\n".join(text)


def measure(options, say, file):
    """Lets `relayc candidates` measure all networks into one file; returns whether all schedules were right."""
    good = True
    for step, name in enumerate(options.models):
        say.step = step + 1
        say(f"{name}: building the model")
        model = models.find(name, options.folder).model
        command = [options.relayc, "candidates", model, "--output", file]
        command += ["--count", options.candidates, "--threads", options.threads[0]]
        command += ["--precision", options.precision]
        process = subprocess.Popen(
            [str(word) for word in command], stderr=subprocess.PIPE, text=True
        )
        for line in process.stderr:
            say.result(f"{name} {line.rstrip()}")
        good &= process.wait() == 0
    return good


def refit(options, file):
    """Prints the numbers that fit the last run; returns whether there was one."""
    if not file.exists():
        raise rounds.EngineError(f"nothing was measured yet: there is no {report.shown(file)}")
    command = [options.relayc, "refit", file, "--precision", options.precision]
    return subprocess.run([str(word) for word in command]).returncode == 0


def bench(options, make_say):
    """Measures, or goes on measuring; writes the results. Returns whether all went well."""
    if len(options.threads) != 1:
        raise rounds.EngineError("the cost model is measured with one number of threads")
    name = report.file_name("candidates", options)
    file = options.folder / "model" / f"{name}-{options.threads[0]}t.json"
    file.parent.mkdir(parents=True, exist_ok=True)
    if options.refit:
        return refit(options, file)
    if not options.resume:
        file.unlink(missing_ok=True)
    good = measure(options, make_say(len(options.models)), file)
    kernels = json.loads(file.read_text())["kernels"] if file.exists() else []
    chosen = [summarize(kernel) for kernel in kernels]
    run = report.about(options, chosen) | {
        "models": sorted({kernel["model"] for kernel in chosen}),
        "threads": options.threads[0],
        "candidates": options.candidates,
        "figures": figures(parts(chosen)[0]),
    }
    report.write(options.output, report.file_name("model", options), run, {
        report.file_name("model", options): page(run)
    })  # fmt: skip
    print(headline(chosen))
    print(by_template(parts(chosen)[0]))
    print(f"written to {options.output}; all times are in {report.shown(file)}")
    return good and bool(chosen)
