"""Puts the package together in a folder, from its sources and what cargo built: for development and tests.

The folder holds links, so a rebuild needs no new one. Prints the folder, for PYTHONPATH.
"""

import argparse
import os
import pathlib

SOURCES = pathlib.Path(__file__).resolve().parent / "relay_mlir"
# The names of extension modules that work with every Python from 3.9 on.
MODULES = {"_runtime.abi3.so": "librelay_python.so", "_compiler.abi3.so": "librelay_python_compiler.so"}


def link(target, path):
    """Makes a link, at once or not at all: several tests may do so at a time."""
    if path.is_symlink() and os.readlink(path) == str(target):
        return
    fresh = path.with_name(f".{path.name}.{os.getpid()}")
    fresh.symlink_to(target)
    fresh.replace(path)


def stage(built):
    """The folder to import from, of what is in cargo's folder `built`."""
    package = built / "python" / "relay_mlir"
    for source in SOURCES.rglob("*"):
        if source.suffix in (".py", ".pyi", ".typed"):
            path = package / source.relative_to(SOURCES)
            path.parent.mkdir(parents=True, exist_ok=True)
            link(source, path)
    for name, library in MODULES.items():
        link(built.resolve() / library, package / name)
    return package.parent


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("built", type=pathlib.Path, help="cargo's folder, such as target/debug")
    print(stage(parser.parse_args().built))


if __name__ == "__main__":
    main()
