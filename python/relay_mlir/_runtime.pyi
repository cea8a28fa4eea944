"""Loads compiled models and runs them; `relay_mlir.Model` is what users see of it."""

import os
from collections.abc import Mapping
from typing import Any, Optional, Union

__version__: str

class TensorInfo:
    """An input or output of a model."""

    @property
    def name(self) -> str: ...
    @property
    def dtype(self) -> str: ...
    @property
    def shape(self) -> tuple[Union[int, str], ...]: ...
    @property
    def donated(self) -> Optional[str]: ...

class Tensor:
    """An output in memory of the runtime, which any library takes by DLPack, once."""

    @property
    def dtype(self) -> str: ...
    @property
    def shape(self) -> tuple[int, ...]: ...
    def __dlpack__(
        self,
        *,
        stream: Any = None,
        max_version: Any = None,
        dl_device: Optional[tuple[int, int]] = None,
        copy: Optional[bool] = None,
    ) -> Any: ...
    def __dlpack_device__(self) -> tuple[int, int]: ...

class Session:
    """A compiled model with threads and memory of its own."""

    def __new__(cls, source: Union[str, os.PathLike, Session], threads: Optional[int] = None) -> Session: ...
    @property
    def name(self) -> str: ...
    @property
    def target(self) -> str: ...
    @property
    def precision(self) -> str: ...
    @property
    def threads(self) -> Optional[int]: ...
    @property
    def weights_bytes(self) -> int: ...
    @property
    def arena_bytes(self) -> int: ...
    @property
    def inputs(self) -> list[TensorInfo]: ...
    @property
    def outputs(self) -> list[TensorInfo]: ...
    def __call__(self, *inputs: Any, **named: Any) -> Any: ...
    def run(
        self,
        inputs: Mapping[str, Any],
        outputs: Optional[Mapping[str, Any]] = None,
        *,
        dlpack: bool = False,
        donate: bool = False,
    ) -> dict[str, Any]: ...
    def node_times(self) -> list[tuple[str, str, int, int, int]]: ...
