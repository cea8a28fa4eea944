"""Modules that tests write, compile and run."""

import subprocess

import numpy as np


def tensor(shape, element):
    """A tensor's type in MLIR."""
    return f"tensor<{'x'.join(map(str, [*shape, element]))}>"


def text(lines, results, operands):
    """A module whose function has these lines. Results and operands are their labels with their types."""
    named = lambda label, ty: f'{ty} {{relay.name = "{label}"}}'
    parameters = ", ".join(f"%{label}: {named(label, ty)}" for label, ty in operands)
    types = ", ".join(named(label, ty) for label, ty in results)
    values = ", ".join(f"%{label}" for label, _ in results)
    returned = f"  return {values} : {', '.join(ty for _, ty in results)}"
    return "\n".join([f"func.func @main({parameters}) -> ({types}) {{", *lines, returned, "}", ""])


def run(relayc, folder, label, module, inputs, *options):
    """What a module's results are, by their labels. Files of this label stay in the folder."""
    source, given, found = (folder / f"{label}.{end}" for end in ["mlir", "in.npz", "out.npz"])
    source.write_text(module)
    np.savez(given, **inputs)
    subprocess.run([relayc, "run", source, "--inputs", given, "--outputs", found, *options], check=True)
    return np.load(found)
