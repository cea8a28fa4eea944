"""Runs models for another processor under an emulator: as a bare model with a program around it that has no C library, so that neither a
sysroot nor a runtime for the processor is needed."""

import json
import math
import pathlib
import shutil
import subprocess

import numpy as np

ROOT = pathlib.Path(__file__).parent.parent

# The target's triple, and the emulator of its processors.
TRIPLE, EMULATOR = "aarch64-unknown-linux-gnu", "qemu-aarch64"

# Processors with instructions for products of bytes, and without; the emulator has them all.
TARGETS = [TRIPLE, f"{TRIPLE} -mattr=+dotprod", f"{TRIPLE} -mattr=+i8mm"]

# Seconds that a step may take.
SECONDS = 120

# numpy's names of element types.
DTYPES = {"f32": "float32", "f64": "float64", "i1": "bool", **{f"{sign}i{bits}": f"{'u' * bool(sign)}int{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64)}}


# The compiler of the program around a model, as Debian names it, or as LLVM does.
CLANG = shutil.which("clang-22") or "clang"


def is_here():
    """Whether the emulator and the compiler are installed."""
    return shutil.which(EMULATOR) is not None and shutil.which(CLANG) is not None


def outputs(relayc, model, inputs, target, folder):
    """The outputs of a model for a target, by name."""
    name, place = "emulated", pathlib.Path(folder) / "emulated"
    command = [relayc, "compile", model, "--quiet", "--emit", "bare", "--target", target, "-o", place]
    run(command)
    facts = json.loads((place / f"{name}.json").read_text())
    size = lambda port: math.prod(port["shape"]) * dtype(port).itemsize
    ports = {"input": facts["inputs"], "output": facts["outputs"]}
    (place / "ports.h").write_text(header(name, {kind: [max(size(port), 1) for port in ports[kind]] for kind in ports}))
    sources = [ROOT / "runtime" / "tests" / "c" / "emulated.c", place / f"{name}.c", place / f"{name}.o", ROOT / "examples" / "bare_metal" / "memory.c"]
    flags = [f"--target={TRIPLE}", "-O1", "-ffreestanding", "-nostdlib", "-static", "-fuse-ld=lld", "-Wno-unused-command-line-argument"]
    run([CLANG, *flags, "-I", place, *sources, "-o", place / "program"])
    given = b"".join(np.ascontiguousarray(inputs[port["name"]], dtype(port)).tobytes() for port in facts["inputs"])
    found = run([EMULATOR, place / "program"], given)
    results = {}
    for port in facts["outputs"]:
        part, found = found[: size(port)], found[size(port) :]
        results[port["name"]] = np.frombuffer(part, dtype(port)).reshape(port["shape"])
    return results


def header(name, sizes):
    """What the program around the model includes: the sizes of tensors, and the call."""
    lists = [
        f"#define {kind.upper()}S(_) " + " ".join(f"_({index}, {size})" for index, size in enumerate(sizes[kind]))
        for kind in sizes
    ]
    arguments = ", ".join(f"(void *){kind}{index}" for kind in sizes for index in range(len(sizes[kind])))
    return "\n".join([f'#include "{name}.h"', *lists, f"#define RUN {name}_run({arguments})", ""])


def dtype(port):
    """The element type of a port as numpy has it."""
    return np.dtype(DTYPES[port["dtype"]])


def run(command, given=None):
    """Runs a command; what it prints."""
    try:
        done = subprocess.run(list(map(str, command)), input=given, capture_output=True, timeout=SECONDS)
    except subprocess.TimeoutExpired:
        raise RuntimeError(f"{command[0]} took more than {SECONDS} s") from None
    if done.returncode != 0:
        raise RuntimeError(f"{command[0]} ended with {done.returncode}: {done.stderr.decode(errors='replace').strip()[-2000:]}")
    return done.stdout
