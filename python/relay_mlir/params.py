"""Weights beside a model: files, or arrays by name."""

from __future__ import annotations

import contextlib
import json
import os
import pathlib
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Union

import numpy as np

__all__ = ["Params", "param_files"]

# A file, several files, or arrays by name: of numpy or PyTorch.
Params = Union[str, os.PathLike, Sequence[Union[str, os.PathLike]], Mapping[str, Any]]

# What safetensors calls the element types.
_TYPES = {
    "bool": "BOOL",
    "uint8": "U8",
    "int8": "I8",
    "uint16": "U16",
    "int16": "I16",
    "uint32": "U32",
    "int32": "I32",
    "uint64": "U64",
    "int64": "I64",
    "float16": "F16",
    "bfloat16": "BF16",
    "float32": "F32",
    "float64": "F64",
}


@contextlib.contextmanager
def param_files(params: Params) -> Iterator[list]:
    """The paths at which the compiler reads weights. Arrays become a file, which is deleted at the end."""
    if not isinstance(params, Mapping):
        one = isinstance(params, (str, os.PathLike))
        yield [os.fspath(path) for path in ([params] if one else params)]
        return
    if not params:
        yield []
        return
    with tempfile.TemporaryDirectory(prefix="relay-mlir-") as folder:
        path = pathlib.Path(folder) / "weights.safetensors"
        _save(params, path)
        yield [str(path)]


def _save(params: Mapping[str, Any], path: pathlib.Path) -> None:
    arrays = {name: _array(name, array) for name, array in params.items()}
    header, end = {}, 0
    for name, (dtype, array) in arrays.items():
        header[name] = {"dtype": dtype, "shape": list(array.shape), "data_offsets": [end, end + array.nbytes]}
        end += array.nbytes
    text = json.dumps(header).encode()
    # Tensors begin at multiples of eight bytes.
    text += b" " * (-len(text) % 8)
    with open(path, "wb") as file:
        file.write(len(text).to_bytes(8, "little") + text)
        for _, array in arrays.values():
            file.write(array.tobytes())


def _array(name: str, given: Any) -> tuple:
    """What safetensors calls an array's element type, and the array."""
    if hasattr(given, "detach"):
        given = given.detach().cpu()
        if str(given.dtype) == "torch.bfloat16":
            import torch

            return "BF16", given.contiguous().view(torch.int16).numpy()
        given = given.numpy()
    array = np.asarray(given)
    if array.dtype.name not in _TYPES:
        raise TypeError(f"the weight '{name}' has elements of {array.dtype}, which is not supported")
    return _TYPES[array.dtype.name], array.astype(array.dtype.newbyteorder("<"), copy=False)
