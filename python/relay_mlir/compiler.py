"""Compiling models, and what they are."""

from __future__ import annotations

import contextlib
import json
import os
import pathlib
import sys
import tempfile
import warnings
from collections.abc import Mapping, Sequence
from typing import Any, Optional, Union

from ._lazy import compiler
from .errors import CompileWarning, Error
from .model import Model

__all__ = ["Summary", "compile", "inspect"]

Source = Any  # A path, an onnx.ModelProto, its bytes, or a relay_mlir.ir.Module.


@contextlib.contextmanager
def as_file(source: Source, name: str = "model"):
    """A path at which the compiler reads a model, and a function that takes the path out of a text. `name` is that of the
    file of a model that is none.
    """
    if isinstance(source, (str, os.PathLike)):
        yield pathlib.Path(source), str
        return
    if hasattr(source, "SerializeToString"):
        file, content = f"{name}.onnx", source.SerializeToString()
    elif hasattr(source, "to_bytecode"):
        file, content = f"{name}.mlirbc", source.to_bytecode()
    elif isinstance(source, (bytes, bytearray, memoryview)):
        file, content = f"{name}.onnx", source
    else:
        kind = type(source).__name__
        raise TypeError(f"a model is a path, an onnx.ModelProto, its bytes or an ir.Module, not {kind}")
    with tempfile.TemporaryDirectory(prefix="relay-mlir-") as folder:
        path = pathlib.Path(folder) / file
        path.write_bytes(content)
        yield path, lambda text: str(text).replace(f"{folder}/", "")


def options(shapes=None, **given):
    """All of the compiler's options, by name."""
    shapes = {name: [int(extent) for extent in shape] for name, shape in (shapes or {}).items()}
    defaults = {
        "target": "native",
        "precision": "f32",
        "opt_level": 3,
        "cache": True,
        "profile": False,
        "progress": False,
        "dump_ir": None,
        "verify_each": False,
        "codegen": [],
        "placement": "first",
        "records": False,
        "data_root": None,
    }
    if unknown := set(given) - set(defaults):
        raise TypeError(f"there is no option {', '.join(sorted(unknown))}")
    how = {**defaults, **given, "shapes": shapes}
    if how["data_root"] is not None:
        how["data_root"] = os.fspath(how["data_root"])
    return how


def records_option(records: Union[str, os.PathLike, bool, None]) -> Union[str, bool]:
    """A file of records, or whether to read the usual one."""
    if records is None:
        return True
    return records if isinstance(records, bool) else os.fspath(records)


def identifier(name: str) -> str:
    """A file's name that becomes `name` as the prefix of a library's functions."""
    return name if name.endswith(".so") else f"{name}.so"


def compile(
    model: Source,
    *,
    target: str = "native",
    precision: str = "f32",
    shapes: Optional[Mapping[str, Sequence[int]]] = None,
    opt_level: int = 3,
    threads: Optional[int] = None,
    name: Optional[str] = None,
    cache: bool = True,
    profile: bool = False,
    progress: Optional[bool] = None,
    dump_ir: Union[str, os.PathLike, None] = None,
    verify_each: bool = False,
    codegen: Sequence[str] = (),
    placement: Union[str, os.PathLike] = "first",
    data_root: Union[str, os.PathLike, None] = None,
    records: Union[str, os.PathLike, bool, None] = None,
) -> Model:
    """Compiles a model, and loads it.

    model: the path of an .onnx or .mlir file, an `onnx.ModelProto` or its bytes, or an `ir.Module`.
    target: "native", a level such as "x86-64-v3", or several of them with commas between; or a triple and options.
    precision: "f32", or "bf16" for what products read and what lies between kernels in half the bytes.
    shapes: shapes of inputs of which the model leaves dimensions open, by name; those that nothing says are 1.
    opt_level: how hard to optimise, from 0 (every operator on its own) to 3.
    threads: how many threads a run uses; None for as many as this process may use.
    name: what the functions of the library's C interface begin with; the file's name, or `model`.
    cache: whether kernels come from the user's cache, and are kept there.
    profile: whether the library times each node; `Model.profile` does so by itself.
    progress: whether to show progress on stderr; None for where it is a terminal.
    dump_ir: a folder to write the IR into after each pass.
    verify_each: whether to verify the IR after each pass.
    codegen: external code generators, such as "dnnl", or the path of one's library.
    placement: who computes what these take: the "first" of them that takes an operator; or whoever, this compiler included, makes
        the whole take the least time, as "measured" here, or by a file of costs in JSON.
    data_root: a folder; files of weights beside the model may be links to files below it, as in a model hub's cache.
    records: the file of the schedules that `tune` found; None or True for the usual one if it
        is there, False for none.

    Raises `CompileError`; its text is the compiler's whole report. Warnings are `CompileWarning`s.
    """
    how = options(
        shapes,
        target=target,
        precision=precision,
        opt_level=opt_level,
        cache=cache,
        profile=profile,
        progress=sys.stderr.isatty() if progress is None else progress,
        dump_ir=None if dump_ir is None else os.fspath(dump_ir),
        verify_each=verify_each,
        codegen=[codegen] if isinstance(codegen, str) else list(codegen),
        placement=os.fspath(placement),
        data_root=data_root,
        records=records_option(records),
    )
    lower = compiler()
    with as_file(model) as (path, shorten), tempfile.TemporaryDirectory(prefix="relay-mlir-") as folder:
        library = pathlib.Path(folder) / identifier(name or path.stem)
        try:
            notes = lower.compile(path, library, how)
        except Error as error:
            raise type(error)(shorten(error)) from None
        for note in notes:
            warnings.warn(shorten(note), CompileWarning, stacklevel=2)
        # What is mapped stays when the folder goes.
        compiled = Model(library, threads)
    compiled._made_of = (model, {**how, "progress": False})
    return compiled


class Summary(dict):
    """What is in a model or a library, by name: what `relayc inspect --json` prints, of which docs/json.md is the
    list. The names are attributes, too. Printed, it is what `relayc inspect` shows.
    """

    def __init__(self, text: str, json_text: str):
        super().__init__(json.loads(json_text))
        self._text = text

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except KeyError:
            raise AttributeError(f"there is no '{name}'; there are {', '.join(self)}") from None

    def __str__(self) -> str:
        return self._text


def inspect(
    model: Source, *, shapes: Optional[Mapping[str, Sequence[int]]] = None, **how: Any
) -> Summary:
    """What a model is: its inputs, outputs, operators, parameters and floating-point operations, every node that is
    not supported, and every error that compiling it with the same options would report. Of a compiled model (.so):
    its target, inputs, outputs, and the sizes of its parts.

    Raises `CompileError` if the file cannot be read.
    """
    lower = compiler()
    with as_file(model) as (path, shorten):
        try:
            if path.suffix == ".so":
                return Summary(*lower.inspect_library(path))
            text, json_text = lower.inspect(path, options(shapes, **how))
        except Error as error:
            raise type(error)(shorten(error)) from None
        return Summary(shorten(text), shorten(json_text))
