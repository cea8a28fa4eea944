"""Compiled models."""

from __future__ import annotations

import hashlib
import os
import pathlib
import shutil
import tempfile
import warnings
from collections.abc import Mapping
from typing import Any, Optional, Union

from . import _runtime
from .errors import CompileWarning, Error, LoadError
from .profile import Profile, measure

__all__ = ["Model", "load"]


class LibraryFile:
    """The file of a library, which stays readable after its name is gone."""

    def __init__(self, path: Union[str, os.PathLike]):
        self._descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)

    def __del__(self, close=os.close):
        # A path that cannot be opened leaves no descriptor.
        if hasattr(self, "_descriptor"):
            close(self._descriptor)

    def open(self):
        """The file from its start. Each of several threads has a position of its own."""
        return open(f"/proc/self/fd/{self._descriptor}", "rb")


class Model(_runtime.Session):
    """A compiled model, with threads and memory of its own.

    A call takes arrays in the order of `inputs`, or by name. It returns one output as an array, and several outputs as
    a tuple of arrays. `run` takes and returns dictionaries.

    A dense array of the right type is read in place, and so is a tensor with `__dlpack__` (PyTorch, JAX). Lists and
    numbers are converted.

    A model for a GPU takes tensors in host memory and tensors in the memory of its GPU. New outputs are tensors on the GPU if an
    input is there. `run(..., device=...)` says otherwise.

    Calls from several Python threads on one model take turns. `instance` makes another model of the same library for
    concurrent runs: a run releases Python's global lock.

    A pickled model is the library itself. As with every pickle, unpickle only what you trust.
    """

    def __init__(
        self, source: Union[str, os.PathLike, "Model"], threads: Optional[int] = None, *, may_wait: bool = False
    ):
        # `save` copies this file: it holds the code that runs, whatever the file's name holds meanwhile.
        self._file = source._file if isinstance(source, Model) else LibraryFile(source)
        # The model and the options that it was compiled with here.
        self._made_of = source._made_of if isinstance(source, Model) else None

    def instance(self, threads: Optional[int] = None) -> Model:
        """Another model of the same library, with threads and memory of its own.

        `threads` is the number of its threads; None for as many as this process may use.
        """
        return type(self)(self, threads)

    def save(self, path: Union[str, os.PathLike]) -> None:
        """Writes the library to a file for `load`, `relayc run` and C programs.

        `name` is the prefix of the functions in its C interface.
        """
        partial = f"{os.fspath(path)}.{os.getpid()}.partial"
        try:
            with self._file.open() as source, open(partial, "wb") as target:
                shutil.copyfileobj(source, target, 1 << 20)
            os.chmod(partial, 0o755)
            os.replace(partial, path)
        except BaseException:
            if os.path.exists(partial):
                os.unlink(partial)
            raise

    def profile(self, inputs: Optional[Mapping[str, Any]] = None, repeat: int = 30) -> Profile:
        """The time of each node of the model, longest first: medians over `repeat` runs.

        `inputs` are arrays by name; None for random arrays. A model that was compiled here is compiled once more, with
        a clock around each node. A model that was loaded must have been compiled with `profile=True`.
        """
        timed = self
        if not self.node_times():
            if self._made_of is None:
                raise Error(f"{self.name} has no clocks in it: compile it with profile=True, or compile the model here")
            from .compiler import compile

            model, how = self._made_of
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", CompileWarning)
                timed = compile(model, **{**how, "profile": True}, threads=self.threads)
        return measure(timed, inputs, repeat)

    def __reduce__(self):
        with self._file.open() as file:
            library = file.read()
        return _unpickle, (library, hashlib.sha256(library).hexdigest(), self.name, self.threads)

    def __repr__(self) -> str:
        def ports(infos):
            return ", ".join(f"{info.name}: {info.dtype}[{', '.join(map(str, info.shape))}]" for info in infos)

        return f"<relay_mlir.Model {self.name}: {ports(self.inputs)} -> {ports(self.outputs)}>"


def _unpickle(library: bytes, digest: str, name: str, threads: Optional[int]) -> Model:
    """The model of a pickle. The digest finds damage, of which the code itself would not tell."""
    if hashlib.sha256(library).hexdigest() != digest:
        raise LoadError(f"the pickle of the model {name} is damaged: its digest is another one; pickle the model again")
    with tempfile.TemporaryDirectory(prefix="relay-mlir-") as folder:
        path = pathlib.Path(folder) / "model.so"
        path.write_bytes(library)
        return Model(path, threads)


def load(path: Union[str, os.PathLike], threads: Optional[int] = None) -> Model:
    """Loads a library that `compile` or `relayc compile` made.

    `threads` is the number of threads that a run uses; None for as many as this process may use.

    Raises `LoadError` if the file is no such library.
    """
    return Model(path, threads)
