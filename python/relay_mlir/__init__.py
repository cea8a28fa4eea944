"""Compiles trained models to small, fast, self-contained libraries, and runs them.

    import relay_mlir

    model = relay_mlir.compile("model.onnx")    # for this machine
    y = model(x)                                # numpy's arrays, or whatever speaks DLPack
    model.save("model.so")                      # runs anywhere: relay_mlir.load("model.so")
    print(model.profile())                      # where its time goes

`relay_mlir.tune` searches for faster schedules, which `compile` finds. `relay_mlir.InferenceSession` is called as ONNX
Runtime's, `relay_mlir.backend` is an `onnx.backend`, and `relay_mlir.ir` lends the compiler's IR. Loading and running
need nothing but numpy; MLIR is loaded when something is compiled first.
"""

from ._runtime import Tensor, TensorInfo
from .compiler import Summary, compile, inspect
from .errors import (
    CompileError,
    CompileWarning,
    Error,
    InputError,
    IRError,
    LoadError,
    MissingLibraryError,
    RunError,
)
from .model import Model, load
from .profile import NodeTime, Profile
from .session import InferenceSession
from .tuner import Tuned, tune

__all__ = [
    "CompileError",
    "CompileWarning",
    "Error",
    "IRError",
    "InferenceSession",
    "InputError",
    "LoadError",
    "MissingLibraryError",
    "Model",
    "NodeTime",
    "Profile",
    "RunError",
    "Summary",
    "Tensor",
    "TensorInfo",
    "Tuned",
    "compile",
    "inspect",
    "load",
    "tune",
]
