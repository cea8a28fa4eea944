"""Models in the manner of ONNX Runtime: what calls an `onnxruntime.InferenceSession` calls this."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any, Optional

from .compiler import compile
from .errors import InputError
from .model import load

__all__ = ["InferenceSession", "NodeArg"]

# ONNX Runtime's names of element types that are not numpy's.
NAMES = {"float16": "float16", "float32": "float", "float64": "double"}


class NodeArg:
    """An input or output, as ONNX Runtime describes it."""

    def __init__(self, info):
        self.name = info.name
        self.shape = list(info.shape)
        self.type = f"tensor({NAMES.get(info.dtype, info.dtype)})"

    def __repr__(self) -> str:
        return f"NodeArg(name={self.name!r}, type={self.type!r}, shape={self.shape})"


class InferenceSession:
    """A model that is compiled when the session is made.

    The model is a path, bytes or an `onnx.ModelProto`, or the path of a library that was compiled before (.so).
    `sess_options` may be an `onnxruntime.SessionOptions`: its `intra_op_num_threads` is taken. Further keyword
    arguments are those of `relay_mlir.compile`. Shapes are fixed when the model is compiled: `shapes` says those that
    the model leaves open.
    """

    def __init__(self, path_or_bytes: Any, sess_options: Any = None, providers: Optional[Sequence] = None, **options):
        if sess_options is not None:
            options.setdefault("threads", sess_options.intra_op_num_threads or None)
        self._providers = list(providers or ["RelayExecutionProvider"])
        if isinstance(path_or_bytes, (str, os.PathLike)) and os.fspath(path_or_bytes).endswith(".so"):
            self.model = load(path_or_bytes, **options)
        else:
            self.model = compile(path_or_bytes, **options)

    def get_inputs(self) -> list:
        """The inputs, in order."""
        return [NodeArg(info) for info in self.model.inputs]

    def get_outputs(self) -> list:
        """The outputs, in order."""
        return [NodeArg(info) for info in self.model.outputs]

    def get_providers(self) -> list:
        """What was asked for; models run on the processor whatever it is."""
        return self._providers

    def run(self, output_names: Optional[Sequence[str]], input_feed: Mapping[str, Any], run_options: Any = None) -> list:
        """The outputs of these names, in their order; all of them if None is given."""
        results = self.model.run(input_feed)
        if output_names is None:
            return list(results.values())
        for name in output_names:
            if name not in results:
                raise InputError(f"the model has no output '{name}'; its outputs are {', '.join(results)}")
        return [results[name] for name in output_names]
