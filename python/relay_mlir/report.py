"""Reports on models: contents, differences, times, and the pages of errors."""

from __future__ import annotations

import contextlib
import json
import os
import pathlib
import sys
import tempfile
from collections.abc import Mapping, Sequence
from typing import Any, Callable, Optional, Union

import numpy as np

from ._lazy import compiler
from ._words import in_python
from .compiler import Source, as_file, options, reworded, warn
from .errors import Error
from .model import Model

__all__ = ["Difference", "Measurement", "Summary", "bench", "diff", "explain", "inspect"]


class Report(dict):
    """A report by names, as `relayc` prints it with `--json`; docs/json.md lists the names. The names are attributes,
    too. As text, it is the output of the command.
    """

    def __init__(self, told: tuple[str, str], reword: Callable[[str], str]):
        text, json_text = told
        super().__init__(json.loads(json_text, object_pairs_hook=lambda pairs: _reworded_pairs(pairs, reword)))
        self._text = reword(text)

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except KeyError:
            raise AttributeError(f"there is no '{name}'; there are {', '.join(self)}") from None

    def __str__(self) -> str:
        return self._text


def _reworded_pairs(pairs: list, reword: Callable[[str], str]) -> dict:
    """An object of JSON, with its texts reworded."""

    def of(value):
        if isinstance(value, str):
            return reword(value)
        return [of(one) for one in value] if isinstance(value, list) else value

    return {name: of(value) for name, value in pairs}


class Summary(Report):
    """The contents of a model or a library: `relayc inspect` as a `dict`."""


class Difference(Report):
    """The tensors of a model beside those of a reference: `relayc diff` as a `dict`. It is true if a node differs;
    roundings that grow in a chaotic network are no node's."""

    def __bool__(self) -> bool:
        return self.first is not None


class Measurement(Report):
    """The times of a model: `relayc bench` as a `dict`."""


def inspect(
    model: Source,
    *,
    shapes: Optional[Mapping[str, Sequence[Union[int, str]]]] = None,
    dims: Optional[Mapping[str, Union[int, str]]] = None,
    **how: Any,
) -> Summary:
    """The contents of a model: inputs, outputs, operators, parameters, floating-point operations, every unsupported
    node, and every error that `compile` would report with the same options.

    The summary of a compiled model (`Model`, or the path of an .so) has its target, inputs, outputs, and the sizes of its
    parts.

    Raises `CompileError` if the file cannot be read.
    """
    lower = compiler()
    with as_file(model) as (path, reword), reworded(reword):
        if is_compiled(path):
            return Summary(lower.inspect_library(path), reword)
        return Summary(lower.inspect(path, options(shapes, dims, **how)), reword)


@contextlib.contextmanager
def _as_arrays(given: Any):
    """The path of an .npz file with arrays that are given by name. Other values stay what they are."""
    if not isinstance(given, Mapping):
        yield None if given is None else os.fspath(given)
        return
    with tempfile.TemporaryDirectory(prefix="relay-mlir-") as folder:
        path = pathlib.Path(folder) / "arrays.npz"
        np.savez(path, **given)
        yield os.fspath(path)


@contextlib.contextmanager
def _as_reference(given: Any):
    """A reference as the compiler reads it: a name or a path."""
    if isinstance(given, (str, os.PathLike, Mapping, type(None))):
        with _as_arrays(given) as reference:
            yield reference
    else:
        with as_file(given, "reference") as (path, _):
            yield os.fspath(path)


def diff(
    model: Source,
    reference: Union[str, os.PathLike, Mapping[str, Any], Source, None] = None,
    inputs: Union[str, os.PathLike, Mapping[str, Any], None] = None,
    *,
    seed: int = 0,
    atol: Optional[float] = None,
    rtol: Optional[float] = None,
    bisect: bool = False,
    threads: Optional[int] = None,
    reproducer: Union[str, os.PathLike, None] = None,
    python: Union[str, os.PathLike] = sys.executable,
    records: Union[str, os.PathLike, bool, None] = None,
    **how: Any,
) -> Difference:
    """Compares the tensors of a model with a reference, and finds the first node that differs.

    model: as for `compile`.
    reference: "onnxruntime"; "f32", the model without `precision`; "opt0", the model without optimisations; a library or
        another model; the tensors themselves, as arrays by name or an .npz file. None for "onnxruntime", or "opt0" if
        the model is no ONNX model.
    inputs: arrays by name, or an .npz file; None for random arrays.
    seed: the seed of random inputs.
    atol, rtol: the tolerance of an element; None for 1e-4 and 1e-3, or 0.05 for bf16.
    bisect: whether to find the node in the unchanged build. Otherwise, all tensors are exposed, and no operators are fused.
    threads: as for `compile`.
    reproducer: a folder for the differing node alone; None for the model's name with .diff.
    python: a Python with onnxruntime; this one by default.
    records, how: as for `compile`.

    `first` of the result is the first node that differs, or None. It is None, too, if no node is wrong and differences are
    roundings that grow; then `chaos` says how far the reference itself moves if a value moves by one step. Raises `CompileError` if one of the two cannot run.
    """
    lower = compiler()
    how = options(how.pop("shapes", None), how.pop("dims", None), records=records, **how)
    with as_file(model) as (path, reword), _as_arrays(inputs) as given, _as_reference(reference) as named:
        comparing = {
            "reference": named,
            "inputs": given,
            "seed": seed,
            "atol": atol,
            "rtol": rtol,
            "bisect": bisect,
            "threads": threads or 0,
            "reproducer": pathlib.Path(f"{path.stem}.diff") if reproducer is None else os.fspath(reproducer),
            "python": os.fspath(python),
        }
        with reworded(reword):
            told, notes = lower.diff(path, comparing, how)
        warn(notes, reword)
        return Difference(told, reword)


def bench(
    model: Source,
    *,
    threads: Optional[int] = None,
    repeat: int = 30,
    nodes: int = 20,
    explain: bool = False,
    html: Union[str, os.PathLike, None] = None,
    **how: Any,
) -> Measurement:
    """Times a model as a whole and by node, on random inputs.

    model: as for `compile`, or a compiled model (`Model`, or the path of an .so), which has no times by node.
    threads: as for `compile`.
    repeat: the number of timed runs.
    nodes: the number of nodes in the text.
    explain: whether to measure the bound of each node: its operations, its bytes, its share of the roofline.
    html: a file for the report as a page. The page has the bounds, too.
    how: as for `compile`; records are read as there.

    Raises `CompileError` as `compile` does.
    """
    lower = compiler()
    measuring = {
        "threads": threads or 0,
        "repeat": repeat,
        "nodes": nodes,
        "explain": explain,
        "html": None if html is None else os.fspath(html),
    }
    with as_file(model) as (path, reword):
        if is_compiled(path) and how:
            raise TypeError(f"{path.name} is compiled already, and {', '.join(how)} says how to compile; name the model")
        shapes, dims, records = (how.pop(name, None) for name in ("shapes", "dims", "records"))
        with reworded(reword):
            told, notes = lower.bench(path, measuring, options(shapes, dims, records=records, **how))
        warn(notes, reword)
        return Measurement(told, reword)


def explain(error: Union[str, Error, None] = None) -> str:
    """The page of an error: its meaning, an example and the remedy. Without an error, the titles of all pages.

    error: an exception of this package, or its code, such as "R0104".

    Raises `ValueError` if there is no such code.
    """
    code = error.code if isinstance(error, Error) else error
    if code is None and error is not None:
        raise ValueError(f"the error has no code: {error}")
    with reworded(in_python):
        return compiler().explain(code)


def is_compiled(model: Any) -> bool:
    """Whether a model is compiled already."""
    return isinstance(model, Model) or (isinstance(model, (str, os.PathLike)) and os.fspath(model).endswith(".so"))
