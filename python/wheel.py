"""Builds the wheel relay-mlir: what maturin makes, the compiler, the linker, and the libraries that these need.

Takes what cargo has built in FOLDER, target/release by default. auditwheel copies LLVM's and MLIR's libraries into the
wheel, so that it needs no packages of the system but its C library. Prints the wheel's path and size.
"""

import argparse
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import zipfile

PYTHON = pathlib.Path(__file__).resolve().parent
COMPILER = "librelay_python_compiler.so"
# Debian 12's C library. auditwheel refuses a wheel that needs a newer one.
PLATFORM = "manylinux_2_36_x86_64"


def run(command, **options):
    result = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False, **options)
    if result.returncode != 0:
        raise SystemExit(f"{command[0]} failed:\n{result.stdout}{result.stderr}")
    return result.stdout


def build_plain(built, folder, tools):
    """The wheel with the half that loads and runs, by maturin; in the same folder of cargo's as everything else."""
    profile = "dev" if built.name == "debug" else built.name
    command = [tools / "maturin", "build", "--manifest-path", PYTHON / "Cargo.toml", "--profile", profile]
    command += ["--compatibility", "linux", "--interpreter", sys.executable, "--out", folder, "--strip"]
    command += ["--target-dir", built.parent]
    run(command)
    (wheel,) = folder.glob("*.whl")
    return wheel


def add_compiler(plain, wheel, built, llvm):
    """Writes a wheel anew, with the compiler and the linker."""
    folder = wheel.parent
    run([llvm / "bin/llvm-strip", "--strip-debug", built / COMPILER, "-o", folder / "_compiler.abi3.so"])
    shutil.copy(llvm / "bin/ld.lld", folder / "ld.lld")
    added = [folder / "_compiler.abi3.so", folder / "ld.lld"]
    with zipfile.ZipFile(plain) as source, zipfile.ZipFile(wheel, "w") as target:
        for entry in source.infolist():
            content = source.read(entry)
            if entry.filename.endswith(".dist-info/RECORD"):
                # auditwheel goes by this list, and fills in the digests.
                content += "".join(f"relay_mlir/{path.name},,\n" for path in added).encode()
            target.writestr(entry, content)
        for path in added:
            path.chmod(0o755)
            target.write(path, f"relay_mlir/{path.name}")


def repair(wheel, output, llvm, tools, level):
    """Copies the libraries that the wheel needs into it."""
    environment = {**os.environ, "LD_LIBRARY_PATH": str(llvm / "lib")}
    environment["PATH"] = f"{tools}{os.pathsep}{environment['PATH']}"
    command = [sys.executable, "-m", "auditwheel", "repair", "--plat", PLATFORM, "-z", level, "-w", output, wheel]
    run(command, env=environment)
    return max(output.glob("relay_mlir-*.whl"), key=lambda path: path.stat().st_mtime)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--built", type=pathlib.Path, default="target/release", metavar="FOLDER")
    parser.add_argument("--llvm", type=pathlib.Path, required=True, help="where LLVM and MLIR are installed")
    parser.add_argument("--output", type=pathlib.Path, default="target/wheels", metavar="FOLDER")
    parser.add_argument("--level", type=int, default=9, help="how hard to compress, from 0 to 9 (default: 9)")
    arguments = parser.parse_args()
    tools = pathlib.Path(sys.executable).parent
    built = arguments.built.resolve()
    arguments.output.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=arguments.output) as folder:
        folder = pathlib.Path(folder)
        plain = build_plain(built, folder / "plain", tools)
        wheel = folder / plain.name
        add_compiler(plain, wheel, built, arguments.llvm)
        wheel = repair(wheel, arguments.output.resolve(), arguments.llvm, tools, arguments.level)
    print(f"{wheel} {wheel.stat().st_size / 1e6:.0f} MB")


if __name__ == "__main__":
    main()
