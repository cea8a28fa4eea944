"""Modules that tests write, compile and run."""

import subprocess

import numpy as np


def tensor(shape, element):
    """A tensor's type in MLIR."""
    return f"tensor<{'x'.join(map(str, [*shape, element]))}>"


def text(lines, results, operands, returned=None):
    """A module whose function has these lines. Results and operands are their labels with their types. The function returns the values of
    these names, or those that the results' labels name."""
    named = lambda label, ty: f'{ty} {{relay.name = "{label}"}}'
    parameters = ", ".join(f"%{label}: {named(label, ty)}" for label, ty in operands)
    types = ", ".join(named(label, ty) for label, ty in results)
    values = ", ".join(returned or [f"%{label}" for label, _ in results])
    end = f"  return {values} : {', '.join(ty for _, ty in results)}"
    return "\n".join([f"func.func @main({parameters}) -> ({types}) {{", *lines, end, "}", ""])


def run(relayc, folder, label, module, inputs, *options):
    """What a module's results are, by their labels. Files of this label stay in the folder."""
    source, given, found = (folder / f"{label}.{end}" for end in ["mlir", "in.npz", "out.npz"])
    source.write_text(module)
    np.savez(given, **inputs)
    subprocess.run([relayc, "run", source, "--inputs", given, "--outputs", found, *options], check=True)
    return np.load(found)


def differences(relayc, folder, programs, module_of, said):
    """What differs in the results of programs, run with one and with two threads.

    A program is a name, facts, and its result as numpy has it. Those of one name are lines of one module: `module_of` makes it of the
    name and their facts, with its inputs, and calls the results r0, r1 and so on. `said` describes a program by its facts.
    """
    groups = {}
    for name, *facts, wanted in programs:
        groups.setdefault(name, []).append((facts, wanted))
    for name, group in groups.items():
        module, inputs = module_of(name, [facts for facts, _ in group])
        for threads in "12":
            got = run(relayc, folder, name, module, inputs, "--threads", threads)
            for number, (facts, wanted) in enumerate(group):
                if not np.array_equal(got[f"r{number}"], wanted):
                    yield f"{name}: {said(*facts)} with {threads} threads"
