"""What the peers need on this machine, installed when they are asked for."""

import pathlib
import subprocess
import sys

from engines import AGAINST, ENGINES, RELAY

HERE = pathlib.Path(__file__).parent
TARGET = HERE.parent / "target" / "peers"
TRACT = TARGET / "tract" / "release" / "relay-bench-tract"


def install(names):
    """Installs what is missing for the engines of these names."""
    for name in names:
        requirements = ENGINES[name].requirements
        if requirements:
            install_requirements(HERE / requirements)
        if name == "tract":
            build_tract()


def install_requirements(file):
    """Installs a file of requirements into the environment that this runs in."""
    stamp = TARGET / f".{file.name}"
    if stamp.exists() and stamp.read_text() == file.read_text():
        return
    print(f"installing {file.name}", file=sys.stderr, flush=True)
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*pip, "-r", file], check=True)
    stamp.write_text(file.read_text())


def build_tract():
    """Builds bench/tract, a workspace of its own."""
    print("building bench/tract", file=sys.stderr, flush=True)
    manifest = HERE / "tract" / "Cargo.toml"
    cargo = ["cargo", "build", "--release", "--locked", "--quiet", "--manifest-path", manifest]
    subprocess.run([*cargo, "--target-dir", TRACT.parents[1]], check=True)


def command(engine, options):
    """The program that is the engine's worker; `None` for worker.py."""
    if engine == "tract":
        return [str(TRACT)]
    if engine == RELAY:
        return [options.tvm, str(HERE / "worker.py"), engine]
    if engine == AGAINST:
        return [sys.executable, str(worker_of(options.against)), "ours"]
    return None


def worker_of(relayc):
    """What runs the libraries of a relayc: worker.py of the checkout that it was built in, since the
    interface of compiled models may have changed between the two; without a checkout, that here."""
    places = [folder / "bench" / "worker.py" for folder in relayc.parents]
    return next((place for place in places if place.exists()), HERE / "worker.py")
