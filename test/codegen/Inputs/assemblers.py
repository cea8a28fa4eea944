"""Assembles functions for GPUs, and compares what their kernels take with a table.

    assemblers.py RELAYC FUNCTIONS TABLE [--write]

For NVIDIA's GPUs, NVIDIA's assembler (ptxas, of the package nvidia-cuda-nvcc-cu12) says how many registers a kernel has. For AMD's GPUs
LLVM says it in the assembly. Spilled registers are an error, and so is a stack, except that of a loop program, which has no schedule. --write
writes the table.
"""

import argparse
import concurrent.futures
import dataclasses
import difflib
import importlib.util
import pathlib
import re
import subprocess
import sys
import tempfile

CARDS = [
    "nvidia/v100",
    "nvidia/t4",
    "nvidia/a100",
    "nvidia/l4",
    "nvidia/h100",
    "nvidia/b200",
    "amd/mi250",
    "amd/mi300x",
    "amd/rx7900xtx",
]

TEMPLATES = pathlib.Path(__file__).parents[3] / "docs" / "generated" / "templates.md"

INTRODUCTION = """# Registers of GPU kernels

What assemblers say of the kernels of [some functions](../../test/codegen/Inputs/gpu_functions.mlir), which have every way of every
[template](../generated/templates.md). A test compares this page with the assemblers; after a change of schedules or kernels, write it anew:

```
target/oracle/bin/python test/codegen/Inputs/assemblers.py target/debug/relayc test/codegen/Inputs/gpu_functions.mlir docs/guide/gpu_registers.md --write
```

A kernel is FUNCTION_grid_NUMBER. No kernel spills registers. Only loop programs, which have no schedule, have a stack: arrays of a thread of 512
bytes at most. A launch says the bytes of shared memory.
"""


@dataclasses.dataclass
class Kernel:
    """What a kernel takes: registers of a thread (of AMD's GPUs also of a warp), bytes of a block, a thread's stack and spills."""

    threads: str = ""
    registers: str = ""
    shared: int = 0
    stack: int = 0
    spills: int = 0


def with_main(text):
    """The functions, and one that calls each of them."""
    pattern = r"func\.func private @(\w+)\((.*)\) -> (tensor<.*>) attributes"
    inputs, calls, results = [], [], []
    for name, arguments, result in re.findall(pattern, text):
        types = re.findall(r"%\w+: (tensor<[^>]*>)", arguments)
        values = [f"%{name}_{number}" for number in range(len(types))]
        inputs += map("{}: {}".format, values, types)
        calls.append(f"%{name} = call @{name}({', '.join(values)}) : ({', '.join(types)}) -> {result}")
        results.append((f"%{name}", result))
    values, types = (", ".join(column) for column in zip(*results))
    calls.append(f"return {values} : {types}")
    return text + f"\nfunc.func @main({', '.join(inputs)}) -> ({types}) {{\n" + "\n".join(calls) + "\n}\n"


def run_relayc(relayc, file, card, form, options=()):
    """The text of a module for a card in a form of relayc's, and the error if there is none."""
    command = [relayc, "compile", str(file), "--target", card, "--emit", form, *options]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    return result.stdout, result.stderr if result.returncode else None


def compiled(relayc, file, card, form):
    """The text of a module that compiles."""
    text, error = run_relayc(relayc, file, card, form)
    if error:
        sys.exit(f"{card}: {error}")
    return text


def launches(code):
    """The kernels of some code by name, with what their launches have."""
    pattern = r"^(?://|;) (\w+) has blocks of (.+) threads and (\d+) bytes of shared memory$"
    found = re.findall(pattern, code, re.MULTILINE)
    return {name: Kernel(threads=threads, shared=int(shared)) for name, threads, shared in found}


def assembler():
    """The path of ptxas."""
    spec = importlib.util.find_spec("nvidia.cuda_nvcc")
    folders = list(spec.submodule_search_locations) if spec else []
    if not folders:
        sys.exit("ptxas is missing: pip install -r test/oracle/requirements.txt")
    return pathlib.Path(folders[0]) / "bin" / "ptxas"


def assemble(code, kernels):
    """Notes what NVIDIA's assembler says of kernels. Returns its error, if it has one."""
    chip = re.search(r"^\.target (\w+)", code, re.MULTILINE)[1]
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "kernels.ptx"
        file.write_text(code)
        command = [assembler(), "-v", f"-arch={chip}", str(file), "-o", "/dev/null"]
        result = subprocess.run(command, capture_output=True, text=True, check=False)
    if result.returncode:
        return f"ptxas -arch={chip}: {result.stderr}"
    pattern = (
        r"Function properties for (\w+)\s+(\d+) bytes stack frame, (\d+) bytes spill stores, (\d+) bytes spill loads"
        r".*?Used (\d+) registers"
    )
    for name, stack, stores, loads, registers in re.findall(pattern, result.stderr, re.DOTALL):
        kernel = kernels[name]
        kernel.stack, kernel.spills, kernel.registers = int(stack), int(stores) + int(loads), registers
    return None


def read_metadata(code, kernels):
    """Notes what LLVM says of AMD's kernels: their vector and scalar registers."""
    metadata = code.split("\namdhsa.kernels:", 1)[-1].split("\namdhsa.", 1)[0]
    for part in re.split(r"\n  - ", metadata)[1:]:
        fields = dict(re.findall(r"^ *\.(\w+): +(\S+)", part, re.MULTILINE))
        kernel = kernels[fields["name"]]
        kernel.registers = f"{fields['vgpr_count']}, {fields['sgpr_count']} scalar"
        kernel.stack = int(fields["private_segment_fixed_size"])
        kernel.spills = int(fields["vgpr_spill_count"]) + int(fields["sgpr_spill_count"])


def note_all(card, code, kernels):
    """Notes what the card's assembler says of kernels. Returns its error, if it has one."""
    return (assemble if card.startswith("nvidia/") else read_metadata)(code, kernels)


def measure(relayc, file, card):
    """The schedules of the functions for a card, and the kernels."""
    te = compiled(relayc, file, card, "te")
    knobs = dict(re.findall(r"func\.func private @(\w+)\(.*te\.knobs = \"([^\"]*)\"", te))
    code = compiled(relayc, file, card, "gpu")
    kernels = launches(code)
    if error := note_all(card, code, kernels):
        sys.exit(error)
    return knobs, kernels


def function_of(kernel):
    """The function that a kernel is of."""
    return re.sub(r"_grid_\d+$", "", kernel)


def faults(card, knobs, kernels):
    """What no kernel may have."""
    for name, kernel in kernels.items():
        if not kernel.registers:
            yield f"{card}: the assembler says nothing of {name}"
        if kernel.spills:
            yield f"{card}: {name} spills {kernel.spills} registers or bytes"
        if kernel.stack and knobs.get(function_of(name)):
            yield f"{card}: {name} has a stack of {kernel.stack} bytes"


def ways():
    """Those of the templates for GPUs: the template and the names of its knobs."""
    template = None
    for line in TEMPLATES.read_text().splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if line.startswith("|") and len(cells) >= 5:
            named = re.match(r"\[(.+?)\]", cells[0])
            template = named[1] if named else template
            if template and template.startswith("gpu/"):
                yield template, tuple(re.findall(r"`(\w+)", cells[2]))


def missing_ways(all_knobs):
    """The ways that no function has."""
    found = set()
    for knobs in all_knobs:
        for text in filter(None, knobs.split("; ")):
            template, *choices = text.split()
            found.add((template, tuple(choice.split("=")[0] for choice in choices)))
    return [way for way in ways() if way not in found]


def table(card, knobs, kernels):
    """A card's part of the page."""
    lines = [
        f"\n## {card}\n",
        "| kernel | schedule | threads | registers | shared bytes | stack |",
        "|---|---|---|---|---|---|",
    ]
    for name, kernel in kernels.items():
        schedule = knobs.get(function_of(name)) or "none"
        cells = [f"`{name}`", schedule, kernel.threads, kernel.registers, kernel.shared, kernel.stack]
        lines.append("| " + " | ".join(map(str, cells)) + " |")
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("relayc")
    parser.add_argument("functions", type=pathlib.Path)
    parser.add_argument("table", type=pathlib.Path)
    parser.add_argument("--write", action="store_true")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(2) as pool:
        file = pathlib.Path(folder) / "functions.mlir"
        file.write_text(with_main(arguments.functions.read_text()))
        measured = list(pool.map(lambda card: measure(arguments.relayc, file, card), CARDS))
    wrong = [fault for card, found in zip(CARDS, measured) for fault in faults(card, *found)]
    wrong += [f"no function has {way}" for way in missing_ways(way for knobs, _ in measured for way in knobs.values())]
    page = INTRODUCTION + "".join(table(card, *found) for card, found in zip(CARDS, measured))
    if arguments.write:
        arguments.table.write_text(page)
    elif page != arguments.table.read_text():
        before = arguments.table.read_text().splitlines()
        wrong += difflib.unified_diff(
            before, page.splitlines(), str(arguments.table), "the assemblers", lineterm="", n=0
        )
    if wrong:
        sys.exit("\n".join(wrong))
    print(f"{sum(len(kernels) for _, kernels in measured)} kernels for {len(CARDS)} cards")


if __name__ == "__main__":
    main()
