"""What is called after each batch of measured choices."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from typing import Union

from .record import encode

__all__ = ["log_to_file", "progress_bar"]


def log_to_file(file_out: Union[str, os.PathLike]) -> Callable:
    """Adds the records to a file."""

    def write(tuner: object, inputs: Sequence, results: Sequence) -> None:
        with open(file_out, "a", encoding="utf-8") as file:
            file.writelines(encode(*pair) + "\n" for pair in zip(inputs, results))

    return write


def progress_bar(total: int, prefix: str = "") -> Callable:
    """Says on stderr how many choices were tried, and how fast the best one is."""

    def show(tuner: object, inputs: Sequence, results: Sequence) -> None:
        best, end = tuner.best_flops / 1e9, "\r" if sys.stderr.isatty() else "\n"
        print(
            f"{prefix} {tuner.ttl_measured}/{total} tried, best {best:.2f} GFLOP/s",
            end=end,
            file=sys.stderr,
            flush=True,
        )

    return show
