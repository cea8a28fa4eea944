"""How long the passes take that apply rules of the compiler, and the same rules as MLIR's PDL.

Times are those that `--mlir-timing` gives for the passes, without reading, verifying and writing the module: medians of runs that take
turns. With `--against`, the build of another version takes turns, too. The networks are as imported. The chains repeat what
the rules of the second table match, 1000 times; they are rewritten by `relay-opt --rewrite`, and by stock `mlir-opt` with the
plugin that has the dialects, by `--test-pdl-bytecode-pass`.
"""

import json
import pathlib
import re
import statistics
import subprocess
import tempfile
import tomllib

import models
import report

ROOT = pathlib.Path(__file__).parents[1]

MODELS = ["resnet50", "bert_base"]
PASSES = ["simplify-inference", "canonicalize-ops", "simplify-expr"]
PIPELINE = f"builtin.module(infer-type,func.func({','.join(PASSES)}))"
LENGTH = 1000

# Each rule in both languages, with what it is applied to, as a text between one value and the next.
RULES = {
    "same_element": (
        "match cast(%x) with %x",
        """
        %t = pdl.type
        %x = pdl.operand : %t
        %o = pdl.operation "relay.cast"(%x : !pdl.value) -> (%t : !pdl.type)
        pdl.rewrite %o { pdl.replace %o with (%x : !pdl.value) }
        """,
        "%y{0} = relay.cast %x{0} {{dtype = f32}} : (tensor<4x6xf32>) -> tensor<4x6xf32>",
    ),
    "view_of_view": (
        "match %o = reshape(reshape(%x)) with reshape(%x) {%o}",
        """
        %t = pdl.type
        %u = pdl.type
        %shape = pdl.attribute
        %x = pdl.operand
        %i = pdl.operation "relay.reshape"(%x : !pdl.value) -> (%u : !pdl.type)
        %v = pdl.result 0 of %i
        %o = pdl.operation "relay.reshape"(%v : !pdl.value) {"newshape" = %shape} -> (%t : !pdl.type)
        pdl.rewrite %o {
          %n = pdl.operation "relay.reshape"(%x : !pdl.value) {"newshape" = %shape} -> (%t : !pdl.type)
          pdl.replace %o with %n
        }
        """,
        "%z{0} = relay.reshape %x{0} {{newshape = array<i64: 24>}} : (tensor<4x6xf32>) -> tensor<24xf32>\n"
        "%w{0} = relay.reshape %z{0} {{newshape = array<i64: 2, 12>}} : (tensor<24xf32>) -> tensor<2x12xf32>\n"
        "%v{0} = relay.abs %w{0} : (tensor<2x12xf32>) -> tensor<2x12xf32>\n"
        "%y{0} = relay.reshape %v{0} {{newshape = array<i64: 4, 6>}} : (tensor<2x12xf32>) -> tensor<4x6xf32>",
    ),
    "add_zero": (
        "match %x + 0 with %x",
        # One pattern for each order, and for each type that a zero may have.
        """
        %t = pdl.type
        %u = pdl.type
        %x = pdl.operand : %t
        %zero = pdl.attribute = dense<0.0> : tensor<f32>
        %c = pdl.operation "relay.constant" {"value" = %zero} -> (%u : !pdl.type)
        %v = pdl.result 0 of %c
        %o = pdl.operation "relay.add"(%x, %v : !pdl.value, !pdl.value) -> (%t : !pdl.type)
        pdl.rewrite %o { pdl.replace %o with (%x : !pdl.value) }
        """,
        "%y{0} = relay.add %x{0}, %zero : (tensor<4x6xf32>, tensor<f32>) -> tensor<4x6xf32>",
    ),
}


def chain(kind):
    """What a rule applies to, again and again, with an operator between that it leaves alone."""
    lines = ["func.func @main(%x0: tensor<4x6xf32>) -> tensor<4x6xf32> {", "%zero = relay.constant dense<0.0> : tensor<f32>"]
    for index in range(LENGTH):
        lines.append(RULES[kind][2].format(index))
        lines.append(f"%x{index + 1} = relay.tanh %y{index} : (tensor<4x6xf32>) -> tensor<4x6xf32>")
    return "\n".join([*lines, f"return %x{LENGTH} : tensor<4x6xf32>", "}"])


def timed(command):
    """The seconds of each pass of a command."""
    timing = ["--mlir-disable-threading", "--verify-each=false", "--mlir-timing", "--mlir-timing-display=list", "-o", "/dev/null"]
    done = subprocess.run([*map(str, command), *timing], check=True, capture_output=True, text=True)
    rows = re.findall(r"^\s*([\d.]+) \([^)]*\)\s+(.*)$", done.stderr, re.M)
    return {name.strip(): float(seconds) for seconds, name in rows}


def medians(commands, rounds):
    """The medians of the passes' seconds of each command; commands take turns."""
    found = {name: [] for name in commands}
    for _ in range(rounds):
        for name, command in commands.items():
            found[name].append(timed(command))
    return {name: {key: statistics.median(run[key] for run in runs) for key in runs[0]} for name, runs in found.items()}


def networks(options, tools, folder, say):
    """The passes' times on the networks."""
    results = []
    for name in MODELS:
        say(f"{name}: building the model")
        module = folder / f"{name}.mlirbc"
        text = folder / f"{name}.mlir"
        model = models.find(name, options.folder).model
        translate = tools["ours"].with_name("relay-translate")
        subprocess.run([translate, "--import-onnx", model, "-o", text], check=True)
        subprocess.run([tools["ours"], text, "--emit-bytecode", "-o", module], check=True)
        text.unlink()
        say(f"{name}: {options.rounds} rounds")
        commands = {build: [tool, module, f"--pass-pipeline={PIPELINE}"] for build, tool in tools.items()}
        times = medians(commands, options.rounds)
        results += [{"model": name, "pass": one} | {build: 1e3 * found[one] for build, found in times.items()} for one in PASSES]
    return results


def languages(options, tools, folder, say):
    """The times of the same rules in our language and as PDL."""
    config = tomllib.loads((ROOT / ".cargo" / "config.toml").read_text())
    mlir_opt = pathlib.Path(config["env"]["MLIR_SYS_220_PREFIX"]) / "bin" / "mlir-opt"
    plugin = tools["ours"].with_name("librelay_mlir_plugin.so")
    results = []
    for name, (rule, pattern, _) in RULES.items():
        say(f"rule {name}")
        (folder / "rules.pat").write_text(f"rule {name} {{ {rule} }}\n")
        (folder / "chain.mlir").write_text(chain(name))
        # This pass takes the patterns and what they are applied to as two modules of one.
        pattern = f"module @patterns {{ pdl.pattern @{name} : benefit(1) {{ {pattern} }} }}"
        (folder / "pdl.mlir").write_text(f"{pattern}\nmodule @ir {{\n{chain(name)}\n}}\n")
        ours = [tools["ours"], folder / "chain.mlir", f"--rewrite={folder}/rules.pat"]
        pdl = [mlir_opt, folder / "pdl.mlir", f"--load-dialect-plugin={plugin}", "--test-pdl-bytecode-pass"]
        check(name, ours, pdl)
        found = medians({"ours": ours, "pdl": pdl}, options.rounds)
        (theirs,) = (seconds for key, seconds in found["pdl"].items() if "PDL" in key)
        results.append({"rule": name, "ours": 1e3 * found["ours"]["rewrite"], "pdl": 1e3 * theirs})
    return results


def check(name, *commands):
    """Both make the same operators."""
    texts = [subprocess.run([*map(str, command)], check=True, capture_output=True, text=True).stdout for command in commands]
    counts = [sorted(re.findall(r'\brelay\.[\w.]+', text.split("@ir")[-1])) for text in texts]
    # A zero that nobody reads is dropped by us, and left by that pass.
    counts = [[name for name in found if name != "relay.constant"] for found in counts]
    if counts[0] != counts[1] or len(counts[0]) < LENGTH:
        raise RuntimeError(f"rule {name}: the results differ")


def page(run):
    """The tables, in Markdown."""
    lines = ["# Rewriting by rules", "", f"`./x bench rewriting`. {' '.join(__doc__.split())}", "",
             f"{report.processor()}; other work took {100 * run['busy']:.0f}% of it when this began.", ""]  # fmt: skip
    against = all("against" in row for row in run["networks"])
    head = ["network", "pass", "ms", *(["ms, the other version", "ratio"] if against else [])]
    lines += ["| " + " | ".join(head) + " |", "| :-- | :-- |" + " --: |" * (len(head) - 2)]
    for row in run["networks"]:
        cells = [row["model"], f"`{row['pass']}`", f"{row['ours']:.2f}"]
        if against:
            cells += [f"{row['against']:.2f}", f"{row['ours'] / row['against']:.2f}"]
        lines.append("| " + " | ".join(cells) + " |")
    lines += ["", "| rule | matches | by the rule, ms | by PDL, ms | rule / PDL |", "| :-- | --: | --: | --: | --: |"]
    for row in run["languages"]:
        lines.append(f"| `{row['rule']}` | {LENGTH} | {row['ours']:.2f} | {row['pdl']:.2f} | {row['ours'] / row['pdl']:.2f} |")
    return "\n".join([*lines, "", *LIMITS, ""])


LIMITS = [
    "Ours includes reading and checking the file of rules, PDL's the compilation of its pattern. PDL's patterns know an operator's",
    "name, its operands, its attributes and its types, and whether two of those are the same. What else a rule says is a native",
    "function in PDL, which is C++ that a tool registers: a number of any type (`add_zero` here matches one type of zero, and",
    "operands in one order), either order of operands, alternatives, operators that may be missing, the classes of element types,",
    "arithmetic on shapes and attributes (`transpose_of_transpose`, `clip_of_clip`), and the type of what is made, which PDL takes",
    "from the match or asks the op for.",
]


def bench_rewriting(options, say):
    """Measures all; returns whether both languages gave the same."""
    tools = {"ours": options.relayc.with_name("relay-opt")}
    if options.against:
        tools["against"] = options.against.with_name("relay-opt")
    with tempfile.TemporaryDirectory(prefix="relay-bench-") as scratch:
        folder = pathlib.Path(scratch)
        run = {"busy": options.busy, "languages": languages(options, tools, folder, say)}
        run["networks"] = networks(options, tools, folder, say)
    options.output.mkdir(parents=True, exist_ok=True)
    (options.output / "rewriting.json").write_text(json.dumps(run, indent=1) + "\n")
    (options.output / "rewriting.md").write_text(page(run))
    print(page(run))
    return True
