"""Compiles the programs of torch-mlir's end-to-end suite, and compares what they compute with PyTorch.

suite.py CHECKOUT [--only PART] [--lines FILE]: CHECKOUT is a clone of github.com/llvm/torch-mlir, whose Python sources are enough.

Each call of a program is exported by torch.export, saved, and compiled by relay_mlir without optimisation. A case runs in a process of its
own with a time limit. For each case there is a line: right, wrong, refused, or not exported, and why. It needs PyTorch and relay_mlir.
"""

import argparse
import collections
import importlib
import logging
import multiprocessing
import re
import sys
import tempfile
import time
import types
import warnings
from pathlib import Path

import numpy as np
import torch
from torch.export.graph_signature import ConstantArgument, OutputKind
from torch.utils import _pytree as pytree

# The greatest difference that is right, of the range of an output; those of narrow floats are rounded.
TOLERANCE = {torch.float16: 2e-3, torch.bfloat16: 2e-2}
# The time that a case may take, in seconds.
LIMIT = 60
KINDS = ("right", "wrong", "refused", "too slow", "not exported", "not run by PyTorch")


def cases(checkout):
    """The cases of the suite."""
    sys.path.insert(0, str(checkout / "projects/pt1/python"))
    # The framework asks for a package that runs its own processes, and for the compiled part of torch-mlir.
    sys.modules["multiprocess"] = multiprocessing
    for name in ("torch_mlir", "torch_mlir._version", "torch_mlir._torch_mlir_custom_op_example"):
        sys.modules.setdefault(name, types.ModuleType(name))
    sys.modules["torch_mlir._version"].torch_version_for_comparison = lambda: torch.__version__
    sys.modules["torch_mlir._version"].version = str
    folder = checkout / "projects/pt1/python/torch_mlir_e2e_test/test_suite"
    for file in sorted(folder.glob("*.py")):
        if file.stem == "__init__":
            continue
        try:
            importlib.import_module(f"torch_mlir_e2e_test.test_suite.{file.stem}")
        except Exception as error:  # noqa: BLE001: a module of theirs runs as it is imported
            print(f"{file.name} cannot be imported: {error}", file=sys.stderr)
    from torch_mlir_e2e_test.registry import GLOBAL_TEST_REGISTRY

    return sorted(GLOBAL_TEST_REGISTRY, key=lambda case: case.unique_name)


def call_of(case):
    """The module and the arguments of a case's first call of it, and what PyTorch returns."""
    from torch_mlir_e2e_test.framework import TestUtils, generate_golden_trace

    torch.manual_seed(0)
    item = generate_golden_trace(case)[0]
    torch.manual_seed(0)
    module = case.program_factory()
    TestUtils()
    return module, tuple(item.inputs), item.output


def exported(module, inputs):
    """The exported program: traced as Python runs, or as PyTorch's own tracer reads it where that fails."""
    try:
        return torch.export.export(module, inputs, strict=False)
    except Exception:  # noqa: BLE001: PyTorch's exporter fails in many ways
        return torch.export.export(module, inputs, strict=True)


def parts(value):
    """A tensor; of complex numbers, one of pairs of their parts."""
    is_complex = isinstance(value, torch.Tensor) and value.is_complex()
    return torch.view_as_real(value.resolve_conj()) if is_complex else value


def difference(found, expected):
    """What is wrong with an output, if anything."""
    expected = parts(expected)
    if list(found.shape) != list(expected.shape):
        return f"its shape is {list(found.shape)}, not {list(expected.shape)}"
    # What NumPy has no type for is a tensor of DLPack, or an array of the package ml_dtypes if that is there. Floats of 32 bits hold those.
    if not isinstance(found, np.ndarray):
        found = torch.from_dlpack(found)
    elif found.dtype.isbuiltin == 1:
        found = torch.from_numpy(np.array(found))
    else:
        found = torch.from_numpy(found.astype(np.float32)).to(getattr(torch, found.dtype.name))
    if found.dtype != expected.dtype:
        return f"its type is {found.dtype}, not {expected.dtype}"
    if not expected.dtype.is_floating_point:
        return None if torch.equal(found, expected) else "its elements differ"
    found, wanted = found.double(), expected.double()
    finite = wanted.isfinite()
    if not torch.equal(found[~finite].nan_to_num(7.0), wanted[~finite].nan_to_num(7.0)):
        return "it differs where PyTorch's is not finite"
    if not finite.any():
        return None
    span = wanted[finite].abs().max().item()
    worst = (found[finite] - wanted[finite]).abs().nan_to_num(float("inf")).max().item()
    return (
        None
        if worst <= TOLERANCE.get(expected.dtype, 1e-4) * max(span, 1e-6)
        else f"it differs by {worst:.1e} of {span:.1e}"
    )


def names_of(program):
    """The names of the results; one that is returned twice has a number behind it, numbers have their places, and nothing else has a name."""
    seen, names = collections.Counter(), []
    results = [spec.arg for spec in program.graph_signature.output_specs if spec.kind == OutputKind.USER_OUTPUT]
    for place, result in enumerate(results):
        name = result.name
        if isinstance(result, ConstantArgument):
            is_number = isinstance(result.value, (bool, int, float))
            name = None if not is_number else "output" if len(results) == 1 else f"output_{place}"
        if name is None:
            names.append(None)
            continue
        names.append(name if not seen[name] else f"{name}.{seen[name]}")
        seen[name] += 1
    return names


def check(case):
    """What becomes of a case: a kind and a detail."""
    import relay_mlir

    try:
        module, inputs, golden = call_of(case)
    except Exception as error:  # noqa: BLE001: a case may fail in any way
        return "not run by PyTorch", line(error)
    try:
        program = exported(module, inputs)
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "case.pt2"
            torch.export.save(program, path)
            try:
                model = relay_mlir.compile(path, opt_level=0, threads=1)
            except Exception as error:  # noqa: BLE001: the suite goes on, and lists what it was
                return "refused", line(error).replace(str(path), "")
    except Exception as error:  # noqa: BLE001: PyTorch's exporter fails in many ways
        return "not exported", line(error)
    given = dict(zip(program.graph_signature.user_inputs, pytree.tree_leaves(inputs), strict=False))
    ports = {port.name for port in model.inputs}
    given = {name: parts(value) for name, value in given.items() if name in ports}
    for name, buffer in program.graph_signature.inputs_to_buffers.items():
        given |= {port: program.state_dict[buffer] for port in ports & {name, buffer}}
    try:
        found = model.run(given)
    except Exception as error:  # noqa: BLE001: the suite goes on, and lists what it was
        return "wrong", f"the run fails: {line(error)}"
    for name, expected in zip(names_of(program), pytree.tree_leaves(golden), strict=True):
        if name is None:
            continue
        if not isinstance(expected, torch.Tensor):
            kind = torch.float64 if isinstance(expected, float) else None
            expected = torch.tensor(expected, dtype=kind)
        if name not in found:
            return "wrong", f"there is no output {name}"
        if wrong := difference(found[name], expected.detach()):
            return "wrong", wrong
    return "right", ""


def line(error):
    """What an error says, in one line."""
    return f"{type(error).__name__}: {' '.join(str(error).split())}"[:400]


def send(case, end):
    """Checks a case, and sends what becomes of it."""
    torch.set_num_threads(1)
    end.send(check(case))


def apart(case):
    """Checks a case in a process of its own."""
    context = multiprocessing.get_context("fork")
    own, other = context.Pipe(duplex=False)
    process = context.Process(target=send, args=(case, other))
    process.start()
    other.close()
    try:
        if not own.poll(LIMIT):
            process.kill()
            return "too slow", f"more than {LIMIT} s"
        return own.recv()
    except EOFError:
        process.join()
        return "wrong", f"the process ended with {process.exitcode}"
    finally:
        process.join()


def table(found):
    """How many cases there are of each kind, and the reasons of those that are not right."""
    counts = collections.Counter(kind for kind, _ in found.values())
    taken = sum(counts[kind] for kind in KINDS[:4])
    text = "| " + " | ".join(KINDS) + " |\n" + "|---" * len(KINDS) + "|\n| "
    text += " | ".join(str(counts[kind]) for kind in KINDS) + " |\n"
    text += f"\n{counts['right']} of the {taken} programs that torch.export takes are right: {counts['right'] / max(taken, 1):.1%}.\n"
    reasons = collections.Counter(reason(detail) for kind, detail in found.values() if kind == "refused")
    text += "\n| refused | cases |\n|---|---|\n"
    text += "".join(f"| {why} | {count} |\n" for why, count in reasons.most_common())
    text += "\n| wrong | what |\n|---|---|\n"
    text += "".join(f"| {name} | {why} |\n" for name, (kind, why) in found.items() if kind in ("wrong", "too slow"))
    return text


def reason(detail):
    """The operator and the reason of a refusal, without the names of nodes."""
    operators = re.findall(r"\b((?:aten|higher_order|prims|torchao|torchvision)\.\w+)", detail)
    why = detail.split("): ")[-1] if "): " in detail else detail.split(": ")[-1]
    return f"{operators[0] if operators else ''}: {why[:120]}"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("checkout", type=Path)
    parser.add_argument("--only", help="a regular expression of names of cases")
    parser.add_argument("--lines", type=Path, help="a file of lines, which is added to; cases that it has are left out")
    parser.add_argument("--part", help="a share of the cases: 0/2 and 1/2 are all")
    parser.add_argument("--range", help="places in the list by name: 944:1871 is the second half")
    parser.add_argument("--table", type=Path, help="write the table of all lines to this file")
    arguments = parser.parse_args()
    warnings.filterwarnings("ignore")
    torch._logging.set_logs(all=logging.CRITICAL)
    found = {}
    if arguments.lines and arguments.lines.exists():
        rows = [row.split(" | ") for row in arguments.lines.read_text().splitlines()]
        found = {row[0]: (row[1], " | ".join(row[2:])) for row in rows if len(row) >= 3}
    from relay_mlir._lazy import compiler

    # Each case is a copy of this process: what is loaded here is loaded once.
    compiler()
    chosen = [case for case in cases(arguments.checkout) if re.search(arguments.only or "", case.unique_name)]
    if arguments.part:
        first, step = map(int, arguments.part.split("/"))
        chosen = chosen[first::step]
    if arguments.range:
        chosen = chosen[slice(*(int(place) if place else None for place in arguments.range.split(":")))]
    start = time.monotonic()
    for case in chosen:
        if case.unique_name in found and not arguments.only:
            continue
        kind, detail = found[case.unique_name] = apart(case)
        text = f"{case.unique_name} | {kind} | {detail}"
        print(text, flush=True)
        if arguments.lines:
            with arguments.lines.open("a") as file:
                print(text, file=file)
    print(f"{time.monotonic() - start:.0f} s", file=sys.stderr)
    if arguments.table:
        arguments.table.write_text(table(dict(sorted(found.items()))))


if __name__ == "__main__":
    main()
