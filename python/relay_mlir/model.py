"""Compiled models."""

from __future__ import annotations

import os
import shutil
import warnings
from collections.abc import Mapping
from typing import Any, Optional, Union

from . import _runtime
from .errors import CompileWarning, Error
from .profile import Profile, measure

__all__ = ["Model", "load"]


class Model(_runtime.Session):
    """A compiled model, with threads and memory of its own.

    Call it with arrays in the order of `inputs`, or by name: it returns an array, or a tuple of arrays
    where it has several outputs. `run` takes and returns dictionaries.

    An array of the right type that lies densely in memory is read where it is. Everything that speaks
    DLPack (tensors of PyTorch, arrays of JAX) is read where it is, too. Lists and numbers are converted.

    Calls from several Python threads on one model take turns. `instance` makes further models of the
    same library, which run at once: Python's global lock is released while a model runs.
    """

    def __init__(self, source: Union[str, os.PathLike, "Model"], threads: Optional[int] = None):
        # What `save` copies: whatever happens to the file's name meanwhile, this is what runs.
        self._file = source._file if isinstance(source, Model) else open(source, "rb")  # noqa: SIM115
        # The model and the options that it was compiled with here.
        self._made_of = source._made_of if isinstance(source, Model) else None

    def instance(self, threads: Optional[int] = None) -> Model:
        """Another model of the same library, with threads and memory of its own.

        `threads` is the number of its threads; None for as many as this process may use.
        """
        return type(self)(self, threads)

    def save(self, path: Union[str, os.PathLike]) -> None:
        """Writes the library to a file, which `load`, `relayc run` and C programs take.

        The functions of its C interface begin with `name`.
        """
        partial = f"{os.fspath(path)}.{os.getpid()}.partial"
        try:
            # By way of /proc, so that each copy has a position of its own.
            with open(f"/proc/self/fd/{self._file.fileno()}", "rb") as source, open(partial, "wb") as target:
                shutil.copyfileobj(source, target, 1 << 20)
            os.chmod(partial, 0o755)
            os.replace(partial, path)
        except BaseException:
            if os.path.exists(partial):
                os.unlink(partial)
            raise

    def profile(self, inputs: Optional[Mapping[str, Any]] = None, repeat: int = 30) -> Profile:
        """The time of each node of the model, longest first: medians over `repeat` runs.

        `inputs` are arrays by name; without them, random ones. A model that was compiled here is compiled once
        more, with a clock around each node; one that was loaded must have been compiled with `profile=True`.
        """
        timed = self
        if not self.node_times():
            if self._made_of is None:
                raise Error(
                    f"{self.name} has no clocks in it: compile it with profile=True, or compile the model here"
                )
            from .compiler import compile

            model, how = self._made_of
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", CompileWarning)
                timed = compile(model, **{**how, "profile": True}, threads=self.threads)
        return measure(timed, inputs, repeat)

    def __repr__(self) -> str:
        def ports(infos):
            return ", ".join(f"{info.name}: {info.dtype}{list(info.shape)}" for info in infos)

        return f"<relay_mlir.Model {self.name}: {ports(self.inputs)} -> {ports(self.outputs)}>"


def load(path: Union[str, os.PathLike], threads: Optional[int] = None) -> Model:
    """Loads a library that `compile` or `relayc compile` made.

    `threads` is the number of threads that a run uses; None for as many as this process may use.

    Raises `LoadError` if the file is no such library.
    """
    return Model(path, threads)
