"""Options of a session, in the manner of ONNX Runtime."""

from __future__ import annotations

import enum
from typing import Any

__all__ = ["ExecutionMode", "GraphOptimizationLevel", "SessionOptions"]


class GraphOptimizationLevel(enum.IntEnum):
    """ONNX Runtime's optimisation levels. They become `opt_level` 0, 1, 2, 3 and 3."""

    ORT_DISABLE_ALL = 0
    ORT_ENABLE_BASIC = 1
    ORT_ENABLE_EXTENDED = 2
    ORT_ENABLE_LAYOUT = 3
    ORT_ENABLE_ALL = 99


class ExecutionMode(enum.IntEnum):
    """ONNX Runtime's order of nodes. It has no effect: threads share each node."""

    ORT_SEQUENTIAL = 0
    ORT_PARALLEL = 1


class SessionOptions:
    """Options of an `InferenceSession`, by ONNX Runtime's names.

    `intra_op_num_threads`, `graph_optimization_level` and the sizes of free dimensions are used. Options that change
    neither results nor files have no effect: `inter_op_num_threads`, `execution_mode`, memory and log options. A value that
    cannot be honoured is refused by the method, or when the session is made.
    """

    def __init__(self):
        self.intra_op_num_threads = 0
        self.graph_optimization_level = GraphOptimizationLevel.ORT_ENABLE_ALL
        self.inter_op_num_threads = 0
        self.execution_mode = ExecutionMode.ORT_SEQUENTIAL
        self.enable_cpu_mem_arena = True
        self.enable_mem_pattern = True
        self.enable_mem_reuse = True
        self.log_severity_level = -1
        self.log_verbosity_level = 0
        self.logid = ""
        self.use_deterministic_compute = False
        self.enable_profiling = False
        self.optimized_model_filepath = ""
        self._dims: dict[str, int] = {}

    def __setattr__(self, name: str, value: Any) -> None:
        # After the constructor, a new name is a misspelt one.
        if "_dims" in vars(self) and not hasattr(self, name):
            known = ", ".join(sorted(known for known in vars(self) if not known.startswith("_")))
            raise AttributeError(f"there is no session option '{name}'; there are {known}")
        super().__setattr__(name, value)

    def add_free_dimension_override_by_name(self, dim_name: str, dim_value: int) -> None:
        """Sets the size of all dimensions with this name in the inputs."""
        self._dims[dim_name] = int(dim_value)

    def add_free_dimension_override_by_denotation(self, dim_denotation: str, dim_value: int) -> None:
        """Raises `ValueError`: the compiler does not read denotations."""
        raise ValueError(
            f"the denotation '{dim_denotation}' cannot be given a size; name the dimension with "
            "add_free_dimension_override_by_name, or give shapes"
        )

    def add_session_config_entry(self, config_key: str, config_value: str) -> None:
        """Raises `ValueError`: the entries configure ONNX Runtime itself."""
        raise ValueError(f"the entry '{config_key}' configures ONNX Runtime itself and has no meaning here; leave it out")

    def register_custom_ops_library(self, library_path: str) -> None:
        """Raises `ValueError`: the compiler does not call operators of libraries."""
        raise ValueError(
            f"the compiler cannot call the operators of {library_path}; write a code generator for them and name it by codegen"
        )


def compile_options(options: Any, is_compiled: bool) -> dict:
    """The arguments of `compile`, or of `load`, that session options stand for. Raises `ValueError` for options that
    cannot be honoured. `options` may be an `onnxruntime.SessionOptions`.
    """
    if getattr(options, "enable_profiling", False):
        raise ValueError("enable_profiling writes no file here; call session.model.profile() for the time of each node")
    if getattr(options, "optimized_model_filepath", ""):
        raise ValueError(
            "optimized_model_filepath names a file for an ONNX model, which the compiler does not make; call "
            "session.model.save() for the library"
        )
    found: dict = {"threads": options.intra_op_num_threads or None}
    level = min(int(options.graph_optimization_level), 3)
    dims = getattr(options, "_dims", {})
    if not is_compiled:
        return {**found, "opt_level": level, "dims": dims}
    if dims:
        raise ValueError(f"the model is compiled already, and {', '.join(dims)} sets its dimensions; give the ONNX model")
    return found
