"""Installs a wheel into an environment of its own and runs five lines of Python there, against ONNX Runtime.

The five lines see neither a Rust toolchain nor, where this process may hide folders, the packages of LLVM and MLIR;
what they load of these comes from the wheel in any case.
"""

import argparse
import json
import os
import pathlib
import re
import shutil
import subprocess
import time
import zipfile

import numpy as np
import onnxruntime

ROOT = pathlib.Path(__file__).resolve().parents[2]
EXAMPLE = ROOT / "examples/digits"
FIVE_LINES = """
import numpy, relay_mlir
image = numpy.load("image.npz")["image"]
model = relay_mlir.compile("digits.onnx")
model.save("digits.so")
print(model(image).tolist())
"""
# The command beside Python, its version and the package's, and a library that it makes.
COMMAND = """
import json, pathlib, subprocess, sys, numpy, relay_mlir
relayc = pathlib.Path(sys.executable).parent / "relayc"
version = subprocess.run([relayc, "--version"], capture_output=True, text=True, check=True).stdout
assert version == f"relayc {relay_mlir.__version__}\\n", version
subprocess.run([relayc, "compile", "digits.onnx", "-o", "digits.so"], check=True)
print(relay_mlir.load("digits.so")(numpy.load("image.npz")["image"]).tolist())
"""
# What shows that nothing of the system's LLVM is in use, and that the other half needs none.
AND_MORE = """
import json, sys
maps = {line.split()[-1] for line in open("/proc/self/maps") if "libMLIR" in line or "libLLVM" in line}
print(json.dumps(sorted(maps)))
"""
# A fake ssh, whose machine is this one.
TUNE = """
import os, pathlib, relay_mlir
ssh = pathlib.Path("bin/ssh")
ssh.parent.mkdir()
ssh.write_text('#!/bin/sh\\nfor script; do :; done\\nexec sh -c "$script"\\n')
ssh.chmod(0o755)
os.environ["PATH"] = f"{ssh.parent.resolve()}:{os.environ['PATH']}"
print(relay_mlir.tune("digits.onnx", "records.jsonl", trials=8, threads=1, hosts="board").trials)
"""
RUN_ONLY = """
import numpy, relay_mlir
print(relay_mlir.load("digits.so")(numpy.load("image.npz")["image"]).tolist())
print(json.dumps([line.split()[-1] for line in open("/proc/self/maps") if "libLLVM" in line]))
"""


def hidden(llvm):
    """The words before a command that hide the folder of LLVM from it, where that is allowed."""
    words = ["unshare", "--mount", "sh", "-c", f'mount -t tmpfs none {llvm} && exec "$@"', "sh"]
    if shutil.which("unshare") and subprocess.run([*words, "true"], capture_output=True, check=False).returncode == 0:
        return words
    print("LLVM's folder cannot be hidden here")
    return []


def check_licenses(wheel):
    """The license's text is in the wheel and that of each library that came with it, and the metadata says where."""
    with zipfile.ZipFile(wheel) as archive:
        (metadata,) = [name for name in archive.namelist() if name.endswith(".dist-info/METADATA")]
        lines = archive.read(metadata).decode().splitlines()
        names = archive.namelist()
        assert {"License-Expression: Apache-2.0", "License-File: LICENSE"} <= set(lines), lines
        text = archive.read(metadata.replace("METADATA", "licenses/LICENSE"))
    assert "Description-Content-Type: text/markdown; charset=UTF-8; variant=GFM" in lines and "# relay-mlir" in lines, lines
    assert text == (ROOT / "LICENSE").read_bytes()
    # auditwheel puts a digest into a library's name.
    libraries = [re.sub(r"-[0-9a-f]{8}", "", name.split("/")[-1]) for name in names if re.search(r"\.libs/.", name)]
    assert len(libraries) > 5, names
    for library in [*libraries, "bin/ld.lld"]:
        found = subprocess.run(["dpkg", "-S", f"*/{library}"], capture_output=True, text=True, check=True).stdout
        files = {f"{line.split(':')[0]}/copyright" for line in found.splitlines()}
        there = [file for file in files if metadata.replace("METADATA", f"licenses/{file}") in names]
        assert any(f"License-File: {file}" in lines for file in there), (library, files)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("wheels", type=pathlib.Path, help="the folder of the wheel")
    parser.add_argument("scratch", type=pathlib.Path, help="a folder to work in")
    parser.add_argument("--llvm", type=pathlib.Path, required=True)
    arguments = parser.parse_args()
    scratch = arguments.scratch
    scratch.mkdir(parents=True, exist_ok=True)
    (wheel,) = arguments.wheels.glob("*.whl")
    check_licenses(wheel)
    for name in ("digits.onnx", "image.npz"):
        shutil.copy(EXAMPLE / name, scratch)

    clean = {"PATH": "/usr/bin:/bin", "HOME": str(scratch), "RELAY_CACHE_DIR": str(scratch / "cache")}
    network = {name: value for name, value in os.environ.items() if name.startswith(("PIP_", "SSL_"))}
    # pip's own cache, and whatever proxy the machine has, are the user's.
    network |= {name: os.environ[name] for name in ("HTTPS_PROXY", "https_proxy") if name in os.environ}
    network["PIP_CACHE_DIR"] = os.path.expanduser("~/.cache/pip")
    python = scratch / "venv/bin/python"
    start = time.monotonic()
    subprocess.run(["python3", "-m", "venv", scratch / "venv"], check=True)
    subprocess.run([python, "-m", "pip", "install", "--quiet", wheel], check=True, env=clean | network)

    def run(lines):
        command = [*hidden(arguments.llvm), str(python), "-c", lines]
        result = subprocess.run(command, cwd=scratch, env=clean, capture_output=True, text=True, check=False)
        if result.returncode != 0:
            raise SystemExit(result.stdout + result.stderr)
        return [json.loads(line) for line in result.stdout.splitlines()]

    probabilities, maps = run(FIVE_LINES + AND_MORE)
    print(f"installed, compiled and run in {time.monotonic() - start:.1f} s")
    session = onnxruntime.InferenceSession(EXAMPLE / "digits.onnx")
    expected = session.run(None, {"image": np.load(EXAMPLE / "image.npz")["image"]})[0]
    np.testing.assert_allclose(np.array(probabilities, np.float32), expected, rtol=1e-4, atol=1e-7)
    assert maps and all(path.startswith(str(scratch / "venv")) for path in maps), maps
    assert run(COMMAND) == [probabilities]
    tried = run(TUNE)
    assert tried == [8], tried
    again, loaded = run("import json\n" + RUN_ONLY)
    assert again == probabilities
    assert loaded == [], "loading and running loads no LLVM"
    print("the numbers are ONNX Runtime's")


if __name__ == "__main__":
    main()
