"""Compiles trained models to small, fast, self-contained libraries, and runs them.

    import relay_mlir

    model = relay_mlir.compile("model.onnx")    # for this machine
    y = model(x)                                # arrays of numpy, or tensors with DLPack
    model.save("model.so")                      # for relay_mlir.load("model.so"), without the compiler
    print(model.profile())                      # the time of each node

`relay_mlir.tune` searches for faster schedules, and `compile` reads them. `relay_mlir.quantize` compiles a float model to
products of bytes. `relay_mlir.InferenceSession` has the calls of
ONNX Runtime, `relay_mlir.backend` is an `onnx.backend`, and `relay_mlir.ir` gives access to the compiler's IR.
`relay_mlir.relay`, `relay_mlir.te` and `relay_mlir.autotvm` are Relay, tensor expressions and tuners by the names of TVM.
Loading and running need only numpy. The first compilation loads MLIR.
"""

from ._runtime import Tensor, TensorInfo, __version__
from .binding import IOBinding, OrtValue
from .compiler import compile
from .errors import (
    CompileError,
    CompileWarning,
    Error,
    InputError,
    IRError,
    LoadError,
    MissingLibraryError,
    OpError,
    RunError,
)
from .model import Model, load
from .operators import load_operators, register_op
from .profile import NodeTime, Profile
from .quantizer import Quantized, quantize
from .report import Difference, Measurement, Summary, bench, diff, explain, inspect
from .session import InferenceSession, ModelMetadata, NodeArg, get_available_providers
from .session_options import ExecutionMode, GraphOptimizationLevel, SessionOptions
from .tuner import Tuned, tune

__all__ = [
    "CompileError",
    "CompileWarning",
    "Difference",
    "Error",
    "ExecutionMode",
    "GraphOptimizationLevel",
    "IOBinding",
    "IRError",
    "InferenceSession",
    "InputError",
    "LoadError",
    "Measurement",
    "MissingLibraryError",
    "Model",
    "ModelMetadata",
    "NodeArg",
    "NodeTime",
    "OpError",
    "OrtValue",
    "Profile",
    "Quantized",
    "RunError",
    "SessionOptions",
    "Summary",
    "Tensor",
    "TensorInfo",
    "Tuned",
    "__version__",
    "bench",
    "compile",
    "diff",
    "explain",
    "get_available_providers",
    "inspect",
    "load",
    "load_operators",
    "quantize",
    "register_op",
    "tune",
]
