"""How fast programs run by machine code, by the virtual machine and by the interpreter.

One is a TreeLSTM over random trees: small products, and as many calls, closures and data as a program has. The other is a
loop over a counter, of which the machine's own time is most. A program does its work as often as its input says; the time of
once is the difference of two runs by the difference of their numbers, so that reading and compiling do not count. Medians
of rounds in which all take turns.
"""

import json
import random
import re
import statistics
import subprocess
import time

import numpy as np

import report

WIDTH = 64
NODES = 50
TREES = 3
ROUNDS = 5
# How often the work is done, by executor: the shorter run, and the longer one.
TIMES = {"aot": (1, 1001), "vm": (1, 1001), "interpreter": (1, 101)}

TREE_LSTM = """#[version = "0.0.5"]
def @cell(%x: Tensor[(1, W), float32], %states: List[(Tensor[(1, W), float32], Tensor[(1, W), float32])],
          %wx: Tensor[(G, W), float32], %wh: Tensor[(G, W), float32]) -> (Tensor[(1, W), float32], Tensor[(1, W), float32]) {
  let %zero = zeros(shape=[1, W], dtype="float32");
  let %h = @foldl(fn (%sum: Tensor[(1, W), float32], %s: (Tensor[(1, W), float32], Tensor[(1, W), float32])) { %sum + %s.0 }, %zero, %states);
  let %of_x = split(nn.dense(%x, %wx), indices_or_sections=4, axis=1);
  let %of_h = split(nn.dense(%h, %wh), indices_or_sections=4, axis=1);
  let %kept = @foldl(fn (%sum: Tensor[(1, W), float32], %s: (Tensor[(1, W), float32], Tensor[(1, W), float32])) {
    let %of_branch = split(nn.dense(%s.0, %wh), indices_or_sections=4, axis=1);
    %sum + sigmoid(%of_x.1 + %of_branch.1) * %s.1
  }, %zero, %states);
  let %c = sigmoid(%of_x.0 + %of_h.0) * tanh(%of_x.2 + %of_h.2) + %kept;
  (sigmoid(%of_x.3 + %of_h.3) * tanh(%c), %c)
}
def @walk(%tree: Tree[Tensor[(1, W), float32]], %wx: Tensor[(G, W), float32], %wh: Tensor[(G, W), float32])
    -> (Tensor[(1, W), float32], Tensor[(1, W), float32]) {
  match (%tree) {
    Rose(%x, %branches) => {
      @cell(%x, @map(fn (%branch: Tree[Tensor[(1, W), float32]]) { @walk(%branch, %wx, %wh) }, %branches), %wx, %wh)
    },
  }
}
def @again(%n: int32, %tree: Tree[Tensor[(1, W), float32]], %wx: Tensor[(G, W), float32], %wh: Tensor[(G, W), float32],
           %last: Tensor[(1, W), float32]) -> Tensor[(1, W), float32] {
  if (equal(%n, 0)) { %last } else { @again(subtract(%n, 1), %tree, %wx, %wh, @walk(%tree, %wx, %wh).0) }
}
def @main(%n: int32, %x: Tensor[(1, W), float32], %wx: Tensor[(G, W), float32], %wh: Tensor[(G, W), float32]) {
  @again(%n, TREE, %wx, %wh, %x)
}
"""

LOOP = """#[version = "0.0.5"]
def @loop(%n: int32, %sum: int32) -> int32 {
  if (equal(%n, 0)) { %sum } else { @loop(subtract(%n, 1), add(%sum, 1)) }
}
def @main(%n: int32) { @loop(%n, 0) }
"""

# The loop's turns: enough to be seen beside the start of a process.
TURNS = (1000, 2_001_000)


def random_tree(seed):
    """A tree of NODES nodes, each below any of those before it, as text."""
    rng = random.Random(seed)
    below = {0: []}
    for node in range(1, NODES):
        below[rng.randrange(node)].append(node)
        below[node] = []

    def text(node):
        branches = "Nil"
        for branch in reversed(below[node]):
            branches = f"Cons({text(branch)}, {branches})"
        return f"Rose(%x, {branches})"

    return text(0)


def commands(options, folder, name, text):
    """The command that runs a program by each executor, before its inputs."""
    program = folder / f"{name}.relay"
    program.write_text(text)
    run = [options.relayc, "run", "-q", "--threads", "1"]
    found = {"interpreter": [options.relayc, "run", program, "-q", "--executor", "interpreter"]}
    for executor in ("aot", "vm"):
        library = folder / f"{name}.{executor}.so"
        subprocess.run([options.relayc, "compile", program, "--executor", executor, "-o", library, "-q"], check=True)
        found[executor] = [*run, library]
    return found


def once(command, folder, inputs, times):
    """The seconds of doing the work once, and what comes out."""
    seconds, outputs = [], folder / "outputs.npz"
    for number in times:
        given = folder / f"inputs{number}.npz"
        np.savez(given, n=np.int32(number), **inputs)
        start = time.perf_counter()
        subprocess.run([*command, "--inputs", given, "--outputs", outputs], check=True)
        seconds.append(time.perf_counter() - start)
    with np.load(outputs) as found:
        return (seconds[1] - seconds[0]) / (times[1] - times[0]), found["output0"]


def tree_lstm(options, folder, say):
    """A row for each tree: the seconds of a walk by each executor."""
    rng = np.random.default_rng(0)
    normal = lambda *shape: (rng.standard_normal(shape) / 8).astype(np.float32)
    inputs = {"x": normal(1, WIDTH), "wx": normal(4 * WIDTH, WIDTH), "wh": normal(4 * WIDTH, WIDTH)}
    rows = []
    for seed in range(TREES):
        text = TREE_LSTM.replace("TREE", random_tree(seed)).replace("W)", f"{WIDTH})").replace("W]", f"{WIDTH}]")
        text = text.replace("(G,", f"({4 * WIDTH},").replace(", W,", f", {WIDTH},")
        found = commands(options, folder, f"tree{seed}", text)
        taken = {executor: [] for executor in found}
        for _ in range(ROUNDS):
            given = {}
            for executor, command in found.items():
                seconds, given[executor] = once(command, folder, inputs, TIMES[executor])
                taken[executor].append(seconds)
            for executor, values in given.items():
                np.testing.assert_allclose(values, given["interpreter"], rtol=1e-5, atol=1e-6, err_msg=executor)
        rows.append({executor: statistics.median(all_of) for executor, all_of in taken.items()})
        say(f"tree {seed}: {rows[-1]}")
    return rows


def loop(options, folder, say):
    """The seconds of a turn by machine code and by the virtual machine, and the instructions of a turn."""
    found = commands(options, folder, "loop", LOOP)
    listing = [options.relayc, "compile", folder / "loop.relay", "--emit", "program", "-o", "-"]
    text = subprocess.run(listing, capture_output=True, text=True, check=True).stdout
    code = re.search(r"function \d+ @loop\(.*?\n(.*?)\n(?:function|kernel)", text, re.S)[1].splitlines()
    branch = next(line for line in code if " if " in line)
    ended, again = (int(number) for number in re.search(r"goto (\d+) else (\d+)", branch).groups())
    # A turn has what comes before the branch, and the branch that calls again.
    turn = code.index(branch) + 1 + (len(code) if ended < again else ended) - again
    taken = {executor: [] for executor in ("aot", "vm")}
    for _ in range(ROUNDS):
        for executor, seconds in taken.items():
            seconds.append(once(found[executor], folder, {}, TURNS)[0])
    medians = {executor: statistics.median(seconds) for executor, seconds in taken.items()}
    say(f"loop: {medians}, {turn} instructions")
    return {**medians, "instructions": turn}


def page(rows, turn):
    """The tables, in Markdown."""
    lines = [
        "# Programs",
        "",
        f"`./x bench programs`. {__doc__.split(chr(10) * 2)[1].replace(chr(10), ' ')}",
        "",
        f"{report.processor()}",
        "",
        f"## TreeLSTM of width {WIDTH} over random trees of {NODES} nodes, one thread",
        "",
        "| tree | machine code, ms | virtual machine, ms | interpreter, ms | interpreter / machine code |",
        "| --: | --: | --: | --: | --: |",
    ]
    for number, row in enumerate(rows):
        ratio = row["interpreter"] / row["aot"]
        times = " | ".join(f"{1e3 * row[executor]:.3f}" for executor in ("aot", "vm", "interpreter"))
        lines.append(f"| {number} | {times} | {ratio:.1f} |")
    own = 1e9 * (turn["vm"] - turn["aot"]) / turn["instructions"]
    lines += [
        "",
        "## A loop over a counter",
        "",
        f"A turn is {turn['instructions']} instructions, three of them kernels on one number: "
        f"{1e9 * turn['aot']:.0f} ns by machine code, {1e9 * turn['vm']:.0f} ns by the virtual machine, "
        f"which takes {own:.1f} ns more for each instruction.",
        "",
    ]
    return "\n".join(lines)


def bench_programs(options, say):
    """Measures all; returns whether machine code is at least five times as fast as the interpreter."""
    folder = options.folder / "programs"
    folder.mkdir(parents=True, exist_ok=True)
    rows, turn = tree_lstm(options, folder, say), loop(options, folder, say)
    options.output.mkdir(parents=True, exist_ok=True)
    (options.output / "programs.json").write_text(json.dumps({"trees": rows, "loop": turn}, indent=1) + "\n")
    (options.output / "programs.md").write_text(page(rows, turn))
    print(page(rows, turn))
    return all(row["interpreter"] >= 5 * row["aot"] for row in rows)
