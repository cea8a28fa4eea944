"""Models with the calls of an `onnxruntime.InferenceSession`."""

from __future__ import annotations

import os
import pathlib
import warnings
from collections.abc import Mapping, Sequence
from typing import Any, Optional

from ._lazy import compiler
from .binding import IOBinding
from .compiler import as_file, compile, reworded
from .errors import Error, InputError
from .model import load
from .report import is_compiled
from .session_options import SessionOptions, compile_options

__all__ = ["InferenceSession", "ModelMetadata", "NodeArg", "get_available_providers"]

# ONNX Runtime's names of element types that are not numpy's.
NAMES = {"float16": "float16", "float32": "float", "float64": "double"}

# This compiler, and ONNX Runtime's name for execution on the processor. Both mean the same here.
PROVIDERS = ["RelayExecutionProvider", "CPUExecutionProvider"]


def get_available_providers() -> list:
    """The names that `providers` may have: this compiler, by its own name and by ONNX Runtime's name for the processor."""
    return list(PROVIDERS)


class NodeArg:
    """An input or output, as ONNX Runtime describes it."""

    def __init__(self, info):
        self.name = info.name
        self.shape = list(info.shape)
        self.type = f"tensor({NAMES.get(info.dtype, info.dtype)})"

    def __repr__(self) -> str:
        return f"NodeArg(name={self.name!r}, type={self.type!r}, shape={self.shape})"


class ModelMetadata:
    """The facts in an ONNX file beside the computation."""

    def __init__(self, facts: tuple):
        self.producer_name, self.graph_name, self.domain, self.description = facts[:4]
        self.graph_description, self.version, self.custom_metadata_map = facts[4:]


def providers_of(providers: Optional[Sequence], options: Optional[Sequence]) -> list:
    """The names of the available providers among those that are asked for, in their order.

    As in ONNX Runtime, an unknown provider is a warning. Options of a provider raise an error: there are none.
    """
    asked = [entry if isinstance(entry, (tuple, list)) else (entry, {}) for entry in providers or []]
    if options is not None:
        if len(options) != len(asked):
            raise ValueError("'providers' and 'provider_options' should be the same length if both are given")
        if any(own for _, own in asked):
            raise ValueError("options of a provider are given twice: in 'providers' and in 'provider_options'")
        asked = [(name, own) for (name, _), own in zip(asked, options)]
    found = []
    for name, own in asked:
        if name not in PROVIDERS:
            text = f"the provider '{name}' is not available, only {', '.join(PROVIDERS)}; the option target, such as 'nvidia/h100', says where a model runs"
            warnings.warn(text, UserWarning, stacklevel=3)
        elif own:
            raise ValueError(
                f"the provider '{name}' has no options, but {', '.join(map(str, own))} is given; leave it out"
            )
        elif name not in found:
            found.append(name)
    return found or PROVIDERS[:1]


class InferenceSession:
    """A model that is compiled when the session is made.

    path_or_bytes: a path, bytes or an `onnx.ModelProto`, or the path of a compiled model (.so).
    sess_options: a `SessionOptions`, or an `onnxruntime.SessionOptions`. The number of threads, the optimisation level and
        the sizes of free dimensions are used. ONNX Runtime's object does not show the sizes of free dimensions; use
        `SessionOptions` of this package for them.
    providers, provider_options: names as in `get_available_providers`. The option `target` says where the model runs, and no provider does.
    options: as for `relay_mlir.compile`. `shapes` and `dims` fix or bound open dimensions.

    Raises `ValueError` for an option that has no meaning here, and `CompileError` as `relay_mlir.compile` does.
    """

    def __init__(
        self,
        path_or_bytes: Any,
        sess_options: Any = None,
        providers: Optional[Sequence] = None,
        provider_options: Optional[Sequence[Mapping]] = None,
        **options: Any,
    ):
        self._providers = providers_of(providers, provider_options)
        self._sess_options = SessionOptions() if sess_options is None else sess_options
        compiled = is_compiled(path_or_bytes)
        for name, value in compile_options(self._sess_options, compiled).items():
            options.setdefault(name, value)
        self._metadata = None
        if compiled:
            self.model = load(path_or_bytes, **options)
            return
        self.model = compile(path_or_bytes, **options)
        is_path = isinstance(path_or_bytes, (str, os.PathLike))
        if not is_path or pathlib.Path(path_or_bytes).suffix == ".onnx":
            with as_file(path_or_bytes) as (path, reword), reworded(reword):
                if path.suffix == ".onnx":
                    self._metadata = ModelMetadata(compiler().onnx_metadata(path))

    def get_inputs(self) -> list:
        """The inputs, in order."""
        return [NodeArg(info) for info in self.model.inputs]

    def get_outputs(self) -> list:
        """The outputs, in order."""
        return [NodeArg(info) for info in self.model.outputs]

    def get_overridable_initializers(self) -> list:
        """The initializers that a run may replace: none, because the compiler folds them."""
        return []

    def get_providers(self) -> list:
        """The available providers among those that were asked for."""
        return list(self._providers)

    def get_provider_options(self) -> dict:
        """The options of each provider: none."""
        return {name: {} for name in self._providers}

    def get_session_options(self) -> Any:
        """The options that the session was made with."""
        return self._sess_options

    def get_modelmeta(self) -> ModelMetadata:
        """The producer, version, descriptions and further facts in the ONNX file. Raises `Error` for other models."""
        if self._metadata is None:
            raise Error(
                f"{self.model.name} was not made of an ONNX file here, and only that has metadata; load the .onnx file"
            )
        return self._metadata

    def run(
        self, output_names: Optional[Sequence[str]], input_feed: Mapping[str, Any], run_options: Any = None
    ) -> list:
        """The outputs of these names, in their order; all outputs if `output_names` is None. `run_options` has no effect."""
        results = self.model.run(input_feed)
        if not output_names:
            return list(results.values())
        for name in output_names:
            if name not in results:
                raise InputError(f"the model has no output '{name}'; its outputs are {', '.join(results)}")
        return [results[name] for name in output_names]

    def io_binding(self) -> IOBinding:
        """An object that holds inputs and outputs between runs, for `run_with_iobinding`."""
        return IOBinding(self.model)

    def run_with_iobinding(self, iobinding: IOBinding, run_options: Any = None) -> None:
        """Runs the model on bound inputs, and writes bound outputs. `run_options` has no effect."""
        iobinding.run()
