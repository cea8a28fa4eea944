"""Compiles models of many operators, or with operators of many inputs, in 4 GiB of memory and a minute of the processor, and
runs them.

Each is far beyond these limits if a part of the compiler looks at pairs of operators, or once more at what it has read
for each of its readers.
"""

import pathlib
import resource
import subprocess
import sys

import numpy as np

MEMORY = 4 << 30
SECONDS = 60
TYPE = "tensor<4xf32>"
INPUT = np.float32([1, -1, 0.5, 0])


def module(lines, result, ty=TYPE):
    """A function of one input."""
    parameter = f'%x0: {TYPE} {{relay.name = "x"}}'
    text = "\n".join([*lines, f"return {result} : {ty}"])
    return f'func.func @main({parameter}) -> ({ty} {{relay.name = "y"}}) {{\n{text}\n}}\n'


def squares(count):
    """Each operator reads the one before twice: written out, the last one has 2^count operands."""
    step = f"relay.multiply %x{{0}}, %x{{0}} : ({TYPE}, {TYPE}) -> {TYPE}"
    lines = [f"%x{at + 1} = {step.format(at)}" for at in range(count)]
    return module(lines, f"%x{count}"), INPUT ** np.float64(2.0**count)


def chain(count):
    """Operators one after the other."""
    step = f"relay.negative %x{{0}} : ({TYPE}) -> {TYPE}"
    other = f"relay.abs %x{{0}} : ({TYPE}) -> {TYPE}"
    lines = [f"%x{at + 1} = {(other if at % 2 else step).format(at)}" for at in range(count)]
    return module(lines, f"%x{count}"), np.abs(INPUT)


def concatenation(count):
    """One operator of many inputs, each of which is computed."""
    lines = [f"%k{at} = relay.constant dense<{at}.0> : {TYPE}" for at in range(count)]
    lines += [f"%p{at} = relay.add %x0, %k{at} : ({TYPE}, {TYPE}) -> {TYPE}" for at in range(count)]
    ty = f"tensor<{4 * count}xf32>"
    parts = ", ".join(f"%p{at}" for at in range(count))
    lines.append(f"%y = relay.concatenate {parts} {{axis = 0 : i64}} : ({', '.join([TYPE] * count)}) -> {ty}")
    return module(lines, "%y", ty), np.concatenate([INPUT + np.float32(at) for at in range(count)])


def run(*command):
    def limit():
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))

    result = subprocess.run(list(map(str, command)), capture_output=True, text=True, preexec_fn=limit, check=False)
    assert result.returncode == 0, f"{command}: {result.returncode}: {result.stderr[-2000:]}"


def main():
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    np.savez(folder / "in.npz", x=INPUT)
    for name, (text, expected) in {
        "squares": squares(30),
        "chain": chain(10_000),
        "concatenation": concatenation(1000),
    }.items():
        source, library = folder / f"{name}.mlir", folder / f"{name}.so"
        source.write_text(text)
        run("relayc", "compile", source, "-o", library, "--no-cache")
        run("relayc", "run", library, "--inputs", folder / "in.npz", "--outputs", folder / "out.npz")
        np.testing.assert_array_equal(np.load(folder / "out.npz")["y"], np.float32(expected), name)


main()
