"""How compile time and memory grow with a model's length: chains of 10 to 10,000 operators.

Time is that of the processor, of all threads, which other work on the machine changes little; memory is the most that
was resident. Kernels that are alike are compiled once, as in any model, and nothing comes from the cache. The line is
the best one through the points by least squares of relative errors, so that short chains count as much as long ones.
"""

import dataclasses
import json
import math
import os
import subprocess

import numpy as np

import report

SIZES = [10, 100, 1000, 10000]

# Where ten times the operators take more than this many times as long, something grows faster than the model.
MOST = 14.0

IMAGE = "tensor<1x16x8x8xf32>"
WEIGHT = "tensor<16x16x3x3xf32>"


def elementwise(count):
    """Unary operators, which are fused as far as that goes."""
    operators = ["abs", "nn.relu", "exp", "sqrt", "tanh", "negative"]
    for index in range(count):
        yield f"relay.{operators[index % 6]} %x{index} : ({IMAGE}) -> {IMAGE}"


def convolutions(count):
    """Convolutions with one weight."""
    attributes = "padding = array<i64: 1, 1, 1, 1>, kernel_size = array<i64: 3, 3>, channels = 16 : i64"
    for index in range(count):
        yield f"relay.nn.conv2d %x{index}, %w {{{attributes}}} : ({IMAGE}, {WEIGHT}) -> {IMAGE}"


def moves(count):
    """Transposes and reshapes in turns, whose subscripts would be quotients of quotients."""
    turned = "tensor<8x8x16x1xf32>"
    for index in range(count):
        if index % 2:
            yield f"relay.reshape %x{index} {{newshape = array<i64: 1, 16, 8, 8>}} : ({turned}) -> {IMAGE}"
        else:
            yield f"relay.transpose %x{index} {{axes = array<i64: 2, 3, 1, 0>}} : ({IMAGE}) -> {turned}"


def residuals(count):
    """A softmax and three additions of what was there two operators before, and so on."""
    for index in range(count):
        if index % 4 == 0:
            yield f"relay.nn.softmax %x{index} {{axis = 3 : i64}} : ({IMAGE}) -> {IMAGE}"
        else:
            yield f"relay.add %x{index}, %x{max(0, index - 2)} : ({IMAGE}, {IMAGE}) -> {IMAGE}"


def squares(count):
    """Products of a tensor with itself: one tensor that is read twice."""
    for index in range(count):
        yield f"relay.multiply %x{index}, %x{index} : ({IMAGE}, {IMAGE}) -> {IMAGE}"


KINDS = {
    "elementwise": elementwise,
    "convolutions": convolutions,
    "transposes and reshapes": moves,
    "softmax and residuals": residuals,
    "squares": squares,
}


def module(kind, count):
    """A model of so many operators."""
    lines = [f"  %x{index + 1} = {op}" for index, op in enumerate(KINDS[kind](count))]
    head = f"func.func @main(%x0: {IMAGE}, %w: {WEIGHT}) -> {IMAGE} {{"
    return "\n".join([head, *lines, f"  return %x{count} : {IMAGE}", "}", ""])


@dataclasses.dataclass
class Point:
    """What a chain took."""

    kind: str
    operators: int
    seconds: float
    mebibytes: float


def measure(relayc, folder, kind, count):
    """Compiles a chain; returns what it took."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "chain.mlir"
    path.write_text(module(kind, count))
    command = [relayc, "compile", path, "-o", folder / "chain.so", "--no-cache", "-q"]
    process = subprocess.Popen(command, stderr=subprocess.PIPE)
    said = process.stderr.read().decode()
    _, status, usage = os.wait4(process.pid, 0)
    if status != 0:
        raise RuntimeError(f"{count} {kind}: {said.strip()[-500:]}")
    return Point(kind, count, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024)


def line(points, value):
    """Intercept and slope of the line with the least relative errors."""
    counts = np.array([point.operators for point in points], float)
    values = np.array([value(point) for point in points], float)
    system = np.stack([np.ones_like(counts), counts], 1) / values[:, None]
    (start, slope), *_ = np.linalg.lstsq(system, np.ones_like(values), rcond=None)
    return float(start), float(slope)


def tenfold(points, value):
    """How many times as much the longest chain takes as the one of a tenth of it, without what an empty one takes."""
    ordered = sorted(points, key=lambda point: point.operators)
    least = value(ordered[0])
    last, before = (max(value(point) - least, 1e-3) for point in (ordered[-1], ordered[-2]))
    return (last / before) ** (1 / math.log10(ordered[-1].operators / ordered[-2].operators))


def seconds(point):
    """The time of a point."""
    return point.seconds


def mebibytes(point):
    """The memory of a point."""
    return point.mebibytes


def page(points):
    """The table, in Markdown."""
    lines = [
        "# Growth of compile time and memory",
        "",
        f"`./x bench growth`. {__doc__.split(chr(10) * 2)[1].replace(chr(10), ' ')}",
        "",
        "![time and memory over the number of operators](growth.svg)",
        "",
        "| chain | operators | s | of the line | MiB | of the line |",
        "| --- | --: | --: | --: | --: | --: |",
    ]
    fits = ["", "| chain | time | ten times the operators | memory |", "| --- | --- | --: | --- |"]
    for kind in dict.fromkeys(point.kind for point in points):
        own = [point for point in points if point.kind == kind]
        time, memory = line(own, seconds), line(own, mebibytes)
        for point in own:
            expected = time[0] + time[1] * point.operators, memory[0] + memory[1] * point.operators
            lines.append(
                f"| {kind} | {point.operators} | {point.seconds:.2f} | {point.seconds / expected[0]:.2f} "
                f"| {point.mebibytes:.0f} | {point.mebibytes / expected[1]:.2f} |"
            )
        fits.append(
            f"| {kind} | {time[0]:.2f} s + {1e3 * time[1]:.3f} ms each | {tenfold(own, seconds):.1f} times "
            f"| {memory[0]:.0f} MiB + {1024 * memory[1]:.1f} KiB each |"
        )
    return "\n".join([*lines, *fits, ""])


def bench_growth(options, say):
    """Measures all chains; returns whether none grows faster than its length."""
    chosen = [kind for kind in KINDS if (options.only or "") in kind]
    points = []
    for count in SIZES[: 3 if options.quick else None]:
        for kind in chosen:
            points.append(measure(options.relayc, options.folder / "growth", kind, count))
            say(f"{count} {kind}: {points[-1].seconds:.2f} s, {points[-1].mebibytes:.0f} MiB")
    points.sort(key=lambda point: (chosen.index(point.kind), point.operators))
    options.output.mkdir(parents=True, exist_ok=True)
    report.plot("growth", points, options.output, "growth")
    (options.output / "growth.md").write_text(page(points))
    rows = [dataclasses.asdict(point) for point in points]
    (options.output / "growth.json").write_text(json.dumps(rows, indent=1) + "\n")
    print(page(points))
    growth = {kind: tenfold([p for p in points if p.kind == kind], seconds) for kind in chosen}
    return all(times <= MOST for times in growth.values())
