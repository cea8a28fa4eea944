"""The `relayc` command: `python -m relay_mlir compile model.onnx`. The wheel installs it as `relayc`, too."""

from __future__ import annotations

import sys

from ._lazy import compiler
from .errors import MissingLibraryError


def main() -> int:
    """Runs `relayc` with the arguments of this process. Returns the exit code."""
    try:
        command = compiler().command
    except MissingLibraryError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    done = command(["relayc", *sys.argv[1:]], [sys.executable, "-m", "relay_mlir"])
    return 0 if done else 1


if __name__ == "__main__":
    sys.exit(main())
