"""Quantises float models."""

from __future__ import annotations

import contextlib
import dataclasses
import os
import pathlib
import tempfile
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Optional, Union

import numpy as np

from ._lazy import compiler
from .compiler import Source, as_file, options, reworded, warn
from .model import Model
from .report import Report

__all__ = ["Quantized", "quantize"]


class Quantization(Report):
    """What became of each layer, and the accuracy: `relayc quantize` as a `dict`."""


@dataclasses.dataclass(frozen=True)
class Quantized:
    """A quantised model."""

    model: Optional[Model]  # None if `output` is a file of Relay or MLIR
    report: Quantization  # what became of each layer, and the accuracy, as docs/json.md describes it

    def __str__(self) -> str:
        return str(self.report)


@contextlib.contextmanager
def _as_data(given: Union[str, os.PathLike, Mapping[str, Any], None], folder: str):
    """Samples as the compiler reads them: a path."""
    if given is None:
        yield None
        return
    if isinstance(given, (str, os.PathLike)):
        yield os.fspath(given)
        return
    path = pathlib.Path(folder) / "samples.npz"
    np.savez(path, **{name: np.asarray(array) for name, array in given.items()})
    yield os.fspath(path)


def _share(given: Union[str, float, None]) -> Optional[float]:
    """A drop such as 0.01 or "1%"."""
    if given is None or not isinstance(given, str):
        return given
    return float(given[:-1]) / 100 if given.endswith("%") else float(given)


def _scored(metric: Union[str, Callable[[dict], float], None]):
    """A metric that takes the path of an archive, of one that takes arrays by name."""
    if metric is None or isinstance(metric, str):
        return metric

    def score(path):
        with np.load(path) as outputs:
            return float(metric(dict(outputs)))

    return score


def quantize(
    model: Source,
    data: Union[str, os.PathLike, Mapping[str, Any], None] = None,
    output: Union[str, os.PathLike, None] = None,
    *,
    weights: Optional[str] = None,
    rounding: str = "search",
    method: str = "percentile",
    per_channel: bool = True,
    symmetric: bool = False,
    power_of_two: bool = False,
    bias_correction: Optional[bool] = None,
    keep: Union[str, Sequence[str]] = (),
    keep_first: bool = False,
    keep_last: bool = False,
    samples: Optional[int] = None,
    accuracy_drop: Union[str, float, None] = None,
    evaluations: Optional[int] = None,
    journal: Union[str, os.PathLike, None] = None,
    metric: Union[str, Callable[[dict], float], None] = None,
    report: Union[str, os.PathLike, None] = None,
    threads: Optional[int] = None,
    records: Union[str, os.PathLike, bool, None] = None,
    **how: Any,
) -> Quantized:
    """Quantises a float model and compiles it: its convolutions and matrix products multiply bytes, or its weights have a few bits.

    model: as for `compile`.
    data: samples of the inputs, which scales are chosen by: arrays by the inputs' names with a sample in each row, an .npz
        file of them, or a folder of such files. A few hundred samples are enough.
        With `weights` there need not be any; the accuracy is measured on them.
    weights: rounds the weights of matrix products alone, while data stay floats: "int2", "int4" or "int8", or "int4:128" with the
        numbers that share a scale. What follows then has no meaning but for `rounding`, `keep`, `samples`, `metric` and `report`.
    rounding: to which number of its block's grid a weight is rounded: "nearest"; "search" for the nearest one of the grid with the least
        squared error; "gptq" for the one that makes the error of the product small, which takes data.
    output: the file to write: a library, or the quantised model as .mlir, .mlirbc or .relay; None for none.
    method: how the numbers that bytes cover are chosen: "minmax", "percentile", "percentile:99.9", "kl" or "mse".
    per_channel: whether a weight has a scale for each output.
    symmetric: whether data are signed bytes with a zero point of 0.
    power_of_two: whether scales are powers of two.
    bias_correction: whether the mean error of a layer's result, on the data, is subtracted from its bias. None for True if weights
        have one scale in all, otherwise False.
    keep: layers that stay float: nodes by name, or operators such as "dense", with the wildcards * and ?.
    keep_first, keep_last: whether the first or the last layer stays float.
    samples: the most samples to use; None for all.
    accuracy_drop: the part of the float model's accuracy that may be lost, as "1%" or 0.01. Layers are given back to float
        until it is kept. None gives none back.
    evaluations: the most choices of layers that are measured for accuracy_drop; None for as many as there are layers.
    journal: a file to which each layer's and each choice's accuracy is written as soon as it is measured. A call that was stopped goes
        on by it. It does not know functions: give each metric a file of its own.
    metric: the accuracy: a function of the outputs for all samples, as arrays by name, to a number: the greater, the better.
        "argmax" is the share of samples with the same greatest output, "error" is 1 less the relative error. None for one of
        these two.
    report: a file for the report as a page, or as JSON if it ends in .json.
    threads: as for `compile`.
    records, how: as for `compile`.

    The report has the accuracy, and each layer's error alone, if there is a metric, an accuracy_drop or a report.
    Raises `CompileError` as `compile` does.
    """
    lower = compiler()
    how = options(how.pop("shapes", None), how.pop("dims", None), records=records, **how)
    with as_file(model) as (path, reword), tempfile.TemporaryDirectory(prefix="relay-mlir-") as folder:
        written = pathlib.Path(folder) / f"{path.stem}.so" if output is None else pathlib.Path(output)
        with _as_data(data, folder) as samples_path, reworded(reword):
            quantizing = {
                "data": samples_path,
                "weights": weights,
                "rounding": rounding,
                "samples": samples,
                "method": method,
                "per_channel": per_channel,
                "symmetric": symmetric,
                "power_of_two": power_of_two,
                "bias_correction": not per_channel if bias_correction is None else bias_correction,
                "keep": [keep] if isinstance(keep, str) else list(keep),
                "keep_first": keep_first,
                "keep_last": keep_last,
                "accuracy_drop": _share(accuracy_drop),
                "evaluations": evaluations,
                "journal": None if journal is None else os.fspath(journal),
                "metric": _scored(metric),
                "report": None if report is None else os.fspath(report),
                "analyze": metric is not None,
                "threads": threads or 0,
            }
            told, notes = lower.quantize(path, written, quantizing, how)
        warn(notes, reword)
        # What is mapped stays when the folder goes.
        compiled = None if written.suffix in (".mlir", ".mlirbc", ".relay", ".rly") else Model(written, threads)
        return Quantized(compiled, Quantization(told, reword))
