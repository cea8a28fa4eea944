"""Builds the wheel relay-mlir: what maturin makes, the compiler, the runner, the linker, and the libraries that these need.

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
RUNNER = "relay-runner"
# Debian 12's C library. auditwheel refuses a wheel that needs a newer one.
PLATFORM = "manylinux_2_36_x86_64"
# Packages whose libraries auditwheel leaves to the system.
SYSTEM = {"libc6", "libgcc-s1", "libstdc++6", "zlib1g"}

# The line in METADATA that maturin writes for the project's own license.
LICENSE_FILE = b"License-File: LICENSE\n"


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


def package_of(path):
    """Debian's package that a file is of. What lies in /lib is known there, not in /usr/lib."""
    real = os.path.realpath(path)
    for name in (real, real.removeprefix("/usr")):
        found = subprocess.run(["dpkg", "-S", name], capture_output=True, text=True, check=False)
        if found.returncode == 0:
            return found.stdout.split(":")[0]
    raise SystemExit(f"{real} is of no package of Debian, so that its license is not known")


def licenses(programs, llvm):
    """The texts of the licenses of what comes from other projects: of the linker and of the libraries of some programs, by
    the names that they get."""
    environment = {**os.environ, "LD_LIBRARY_PATH": str(llvm / "lib")}
    loaded = [line.split() for program in programs for line in run(["ldd", program], env=environment).splitlines()]
    libraries = {words[2] for words in loaded if "=>" in words}
    packages = {package_of(path) for path in [llvm / "bin/ld.lld", *libraries]} - SYSTEM
    names = [f"{package}/copyright" for package in sorted(packages)]
    return {name: pathlib.Path("/usr/share/doc", name).read_bytes() for name in names}


def add_compiler(plain, wheel, built, llvm):
    """Writes a wheel anew, with the compiler, the runner for other machines and the linker, and the licenses of what these bring."""
    folder = wheel.parent
    for source, name in [(COMPILER, "_compiler.abi3.so"), (RUNNER, RUNNER)]:
        run([llvm / "bin/llvm-strip", "--strip-debug", built / source, "-o", folder / name])
    shutil.copy(llvm / "bin/ld.lld", folder / "ld.lld")
    added = [folder / name for name in ("_compiler.abi3.so", RUNNER, "ld.lld")]
    texts = licenses(added, llvm)
    with zipfile.ZipFile(plain) as source, zipfile.ZipFile(wheel, "w") as target:
        for entry in source.infolist():
            content = source.read(entry)
            info, _, file = entry.filename.rpartition("/")
            if file == "METADATA" and info.endswith(".dist-info"):
                files = "".join(f"License-File: {name}\n" for name in texts).encode()
                content = content.replace(LICENSE_FILE, LICENSE_FILE + files)
            if file == "RECORD":
                # auditwheel goes by this list, and fills in the digests.
                names = [f"relay_mlir/{path.name}" for path in added]
                names += [f"{info}/licenses/{name}" for name in texts]
                content += "".join(f"{name},,\n" for name in names).encode()
                for name, text in texts.items():
                    target.writestr(f"{info}/licenses/{name}", text)
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
