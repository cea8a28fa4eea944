"""Compiles trained models to small, fast, self-contained libraries, and runs them.

    import relay_mlir

    model = relay_mlir.load("model.so")
    y = model(x)

Loading and running need nothing but numpy.
"""

from ._runtime import Tensor, TensorInfo
from .errors import CompileError, Error, InputError, LoadError, MissingLibraryError, RunError
from .model import Model, load

__all__ = [
    "CompileError",
    "Error",
    "InputError",
    "LoadError",
    "MissingLibraryError",
    "Model",
    "RunError",
    "Tensor",
    "TensorInfo",
    "load",
]
