"""Compiles models."""

from __future__ import annotations

import contextlib
import os
import pathlib
import sys
import tempfile
import warnings
from collections.abc import Mapping, Sequence
from typing import Any, Optional, Union

from . import dynamo
from ._lazy import compiler
from ._words import in_python
from .errors import CompileWarning, Error
from .model import Model
from .params import Params, param_files

__all__ = ["compile"]

# A path, an onnx.ModelProto, its bytes, a torch.export.ExportedProgram, a torch.jit.ScriptModule, a relay_mlir.ir.Module, or a relay_mlir.Model.
Source = Any


@contextlib.contextmanager
def as_file(source: Source, name: str = "model"):
    """A path at which the compiler reads a model, and a function that rewords the compiler's messages for Python.

    name: the name of the file, if the model is none.
    """
    if isinstance(source, (str, os.PathLike)):
        yield pathlib.Path(source), in_python
        return
    with tempfile.TemporaryDirectory(prefix="relay-mlir-") as folder:
        path = pathlib.Path(folder) / name
        if hasattr(source, "SerializeToString"):
            path = path.with_suffix(".onnx")
            path.write_bytes(source.SerializeToString())
        elif dynamo.is_program(source):
            path = path.with_suffix(".pt2")
            dynamo.save(source, path)
        elif dynamo.is_script(source):
            path = path.with_suffix(".pt")
            source.save(str(path))
        elif hasattr(source, "to_bytecode"):
            path = path.with_suffix(".mlirbc")
            path.write_bytes(source.to_bytecode())
        elif isinstance(source, (bytes, bytearray, memoryview)):
            path = path.with_suffix(".onnx")
            path.write_bytes(source)
        elif isinstance(source, Model):
            path = path.with_name(f"{source.name}.so")
            source.save(path)
        else:
            kind = type(source).__name__
            raise TypeError(
                f"a model is a path, an onnx.ModelProto, its bytes, a program of torch.export or an ir.Module, not {kind}"
            )
        yield path, lambda text: in_python(str(text).replace(f"{folder}/", ""))


@contextlib.contextmanager
def reworded(reword):
    """Errors of the compiler in the block are raised with other words."""
    try:
        yield
    except Error as error:
        raise error.reworded(reword) from None
    except ValueError as error:
        raise ValueError(reword(str(error))) from None


def warn(notes: Sequence[str], reword) -> None:
    """Issues the compiler's notes as warnings of the code that called the caller."""
    for note in notes:
        warnings.warn(reword(note), CompileWarning, stacklevel=3)


def listed(given: Any) -> list:
    """The paths or texts of an option that may also be one of them."""
    return [os.fspath(one) for one in ([given] if isinstance(given, (str, os.PathLike)) else given)]


def dimension(given: Union[int, str]) -> str:
    """A dimension as the command's options write it: a size, or what keeps it open."""
    return given if isinstance(given, str) else str(int(given))


def element_name(ty: Any) -> str:
    """The name of an element type: a text, or a type of numpy or PyTorch."""
    return ty if isinstance(ty, str) else str(getattr(ty, "__name__", ty)).removeprefix("torch.")


def options(shapes=None, dims=None, **given):
    """All of the compiler's options, by name."""
    shapes = {name: [dimension(extent) for extent in shape] for name, shape in (shapes or {}).items()}
    dims = {name: dimension(size) for name, size in (dims or {}).items()}
    defaults = {
        "target": "native",
        "precision": "f32",
        "optimize": "speed",
        "opt_level": 3,
        "cache": True,
        "profile": False,
        "progress": False,
        "dump_ir": None,
        "verify_each": False,
        "insert_pass": [],
        "load_pass_plugin": [],
        "codegen": [],
        "placement": "first",
        "records": False,
        "data_root": None,
        "params": [],
        "signature": None,
        "fetch": [],
        "types": None,
        "values": None,
    }
    if unknown := set(given) - set(defaults):
        raise TypeError(f"there is no option {', '.join(sorted(unknown))}")
    how = {**defaults, **given, "shapes": shapes, "dims": dims}
    how["types"] = {name: element_name(ty) for name, ty in (how["types"] or {}).items()}
    how["values"] = {name: value_text(value) for name, value in (how["values"] or {}).items()}
    for name in ("data_root", "dump_ir"):
        if how[name] is not None:
            how[name] = os.fspath(how[name])
    for name in ("insert_pass", "load_pass_plugin", "codegen", "fetch"):
        how[name] = listed(how[name])
    how["placement"] = os.fspath(how["placement"])
    how["records"] = records_option(how["records"])
    return how


def value_text(value: Any) -> str:
    """A value of an input as the command's `--value` takes it: arrays and tensors as lists of their elements."""
    return str(value.tolist() if hasattr(value, "tolist") else list(value) if isinstance(value, tuple) else value)


def records_option(records: Union[str, os.PathLike, bool, None]) -> Union[str, bool]:
    """A file of records, or whether to read the usual file."""
    if records is None:
        return True
    return records if isinstance(records, bool) else os.fspath(records)


def identifier(name: str) -> str:
    """The name of a library's file whose functions have the prefix `name`."""
    return name if name.endswith(".so") else f"{name}.so"


def compile(
    model: Source,
    *,
    target: str = "native",
    precision: str = "f32",
    optimize: str = "speed",
    shapes: Optional[Mapping[str, Sequence[Union[int, str]]]] = None,
    dims: Optional[Mapping[str, Union[int, str]]] = None,
    types: Optional[Mapping[str, Any]] = None,
    values: Optional[Mapping[str, Any]] = None,
    opt_level: int = 3,
    threads: Optional[int] = None,
    name: Optional[str] = None,
    cache: bool = True,
    profile: bool = False,
    progress: Optional[bool] = None,
    dump_ir: Union[str, os.PathLike, None] = None,
    verify_each: bool = False,
    insert_pass: Union[str, Sequence[str]] = (),
    load_pass_plugin: Union[str, os.PathLike, Sequence[Union[str, os.PathLike]]] = (),
    codegen: Union[str, Sequence[str]] = (),
    placement: Union[str, os.PathLike] = "first",
    data_root: Union[str, os.PathLike, None] = None,
    params: Params = (),
    signature: Optional[str] = None,
    fetch: Union[str, Sequence[str]] = (),
    records: Union[str, os.PathLike, bool, None] = None,
    example_inputs: Optional[Sequence[Any]] = None,
) -> Model:
    """Compiles a model, and loads it.

    model: the path of an .onnx, .pt2, .pt, .keras, .h5, .json, .tflite, -symbol.json, .gguf, .pb, .pbtxt, .relay or .mlir file, or of a
        SavedModel's folder; an `onnx.ModelProto` or its bytes, a program of `torch.export`, a `torch.nn.Module`, one of `torch.jit`, an
        `ir.Module` or a `relay.IRModule`.
    target: "native", a level such as "x86-64-v3", several levels with commas between them, a triple and options, or a GPU: "nvidia/h100",
        "cuda -arch=sm_80", "amd/mi300x". On a machine without the GPU, the model can be saved, and a `CompileWarning` says so.
    precision: "f32" or "bf16": the float type of convolutions, matrix products and the operators after them.
    optimize: how to weigh a faster kernel against larger weights. "speed" takes the faster kernel, "size" does not, and
        "balanced" takes it if the weights save enough time.
    shapes: the shapes of inputs with open dimensions, by the input's name. A number fixes a dimension, a range bounds it: "1..64",
        or "16..512:16" for multiples of 16. "?" or a name keeps it open, as does saying nothing.
    dims: the same of dimensions in the inputs, by the name that the model gives to the dimension.
    types: the element types of inputs of a TorchScript file, which does not say them, by the input's name: "i64", "bool", or a type
        of numpy or PyTorch. They are f32 if nothing is said, or what the model was traced with.
    values: values of inputs, which become constants of the model, by the input's name: a number, a boolean, None, a text, or a list, an
        array or a tensor of numbers. An input of a TorchScript file that is no tensor and has no default needs one.
    opt_level: the optimisation level, from 0 (a kernel for each operator) to 3.
    threads: the number of threads of a run; None for as many as this process may use.
    name: the prefix of the functions in the library's C interface; None for the file's name.
    cache: whether to take kernels from the user's cache, and to keep them there.
    profile: whether the library times each node. `Model.profile` does not need it.
    progress: whether to show progress on stderr; None shows it on a terminal.
    dump_ir: a folder to write the IR into after each pass.
    verify_each: whether to verify the IR after each pass.
    insert_pass: passes beside the standard ones: "fuse-ops:my-pass{n=2}" runs after the first `fuse-ops`, and
        "my-pass{n=2}" runs first.
    load_pass_plugin: MLIR pass plugins, for `insert_pass`. They stay loaded.
    codegen: external code generators, such as "dnnl", or the path of a generator's library.
    placement: who computes an operator that generators take. The "first" of them, or the placement with the least total
        time, including this compiler. The times are "measured" here, or come from a file of costs in JSON.
    data_root: a folder. Files of weights beside the model may be links to files below it, as in a model hub's cache.
    params: tensors in place of those that the model holds, by their names in it: files, as for `relayc compile --params`, or arrays by
        name, such as `module.state_dict()`. An input of an array's name becomes a constant.
    signature: the signature of a model of TensorFlow or TensorFlow Lite; None for `serving_default`, or the only one.
    fetch: the outputs to compute of such a model: of its signature, or nodes of a frozen graph. Without it, all.
    records: the file of schedules that `tune` found. None or True reads the usual file if it exists, False reads none.
    example_inputs: tensors with which PyTorch traces a `torch.nn.Module`. It is traced in evaluation mode. Of a module of `torch.jit`,
        they say shapes and element types, and values of what is no tensor.

    Raises `CompileError` with the full report. Warnings are `CompileWarning`s.
    """
    if dynamo.is_script(model):
        shapes, types, values = dynamo.inputs_of(model, example_inputs, shapes, types, values)
    elif dynamo.is_module(model):
        model = dynamo.exported(model, example_inputs)
    elif example_inputs is not None:
        raise TypeError("example_inputs are for a torch.nn.Module")
    how = options(
        shapes,
        dims,
        target=target,
        precision=precision,
        optimize=optimize,
        opt_level=opt_level,
        cache=cache,
        profile=profile,
        progress=sys.stderr.isatty() if progress is None else progress,
        dump_ir=dump_ir,
        verify_each=verify_each,
        insert_pass=insert_pass,
        load_pass_plugin=load_pass_plugin,
        codegen=codegen,
        placement=placement,
        data_root=data_root,
        signature=signature,
        fetch=fetch,
        records=records,
        types=types,
        values=values,
    )
    lower = compiler()
    with contextlib.ExitStack() as held:
        path, reword = held.enter_context(as_file(model))
        how["params"] = held.enter_context(param_files(params))
        folder = held.enter_context(tempfile.TemporaryDirectory(prefix="relay-mlir-"))
        library = pathlib.Path(folder) / identifier(name or path.stem)
        with reworded(reword):
            notes = lower.compile(path, library, how)
        warn(notes, reword)
        # What is mapped stays when the folder goes.
        compiled = Model(library, threads, may_wait=True)
    if compiled.hindrance:
        warn([f"the model can be saved, but not run here: {compiled.hindrance}"], reword)
    compiled._made_of = (model, {**how, "params": params, "progress": False})
    return compiled
