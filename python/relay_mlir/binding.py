"""Inputs and outputs that are bound to a model between runs, in the manner of ONNX Runtime."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import Any, Optional

import numpy as np

from .errors import InputError

__all__ = ["IOBinding", "OrtValue"]

# The devices whose memory the processor reads.
HOST = ("cpu",)


def check_device(device_type: str) -> None:
    """Raises `ValueError` for memory that is not the host's."""
    if device_type.lower() not in HOST:
        raise ValueError(
            f"the device is '{device_type}'; bind memory of the device 'cpu', or call `session.model` with tensors on the GPU that it runs on"
        )


class OrtValue:
    """A tensor in host memory, with the calls of an `onnxruntime.OrtValue`."""

    def __init__(self, array: Any):
        self._array = array

    @classmethod
    def ortvalue_from_numpy(cls, numpy_obj: np.ndarray, device_type: str = "cpu", device_id: int = 0) -> OrtValue:
        """A tensor in the memory of an array."""
        check_device(device_type)
        return cls(numpy_obj)

    def numpy(self) -> np.ndarray:
        """The array."""
        return self._array

    def shape(self) -> list:
        """The dimensions."""
        return list(self._array.shape)

    def device_name(self) -> str:
        """The device: the host."""
        return "cpu"

    def data_ptr(self) -> int:
        """The address of the first element."""
        return self._array.ctypes.data

    def is_tensor(self) -> bool:
        """Whether this is a tensor: always."""
        return True


def array_at(address: int, element_type: Any, shape: Sequence[int]) -> np.ndarray:
    """The array of a type and shape at an address, which the caller keeps valid."""
    if isinstance(element_type, int):
        from onnx.helper import tensor_dtype_to_np_dtype

        element_type = tensor_dtype_to_np_dtype(element_type)
    dtype = np.dtype(element_type)
    count = int(np.prod(shape, dtype=np.int64))
    if count == 0:
        return np.empty(shape, dtype)
    memory = (ctypes.c_char * (count * dtype.itemsize)).from_address(address)
    return np.frombuffer(memory, dtype).reshape(shape)


class IOBinding:
    """The inputs and outputs of `InferenceSession.run_with_iobinding`. `InferenceSession.io_binding` makes it."""

    def __init__(self, model: Any):
        self._model = model
        self._inputs: dict[str, Any] = {}
        # The outputs that are wanted, in the order of their binding; None for a new array in each run.
        self._outputs: dict[str, Any] = {}
        self._results: dict[str, Any] = {}

    def _check(self, kind: str, infos: Sequence, name: str) -> None:
        names = [info.name for info in infos]
        if name not in names:
            raise InputError(f"the model has no {kind} '{name}'; its {kind}s are {', '.join(names)}")

    def bind_cpu_input(self, name: str, arr_on_cpu: Any) -> None:
        """Binds an input to an array, or a tensor with `__dlpack__`."""
        self._check("input", self._model.inputs, name)
        self._inputs[name] = arr_on_cpu

    def bind_input(
        self, name: str, device_type: str, device_id: int, element_type: Any, shape: Sequence[int], buffer_ptr: int
    ) -> None:
        """Binds an input to memory at an address. The caller keeps it valid."""
        check_device(device_type)
        self.bind_cpu_input(name, array_at(buffer_ptr, element_type, shape))

    def bind_ortvalue_input(self, name: str, ortvalue: Any) -> None:
        """Binds an input to an `OrtValue` of this package or of ONNX Runtime."""
        check_device(ortvalue.device_name())
        self.bind_cpu_input(name, ortvalue.numpy())

    def bind_output(
        self,
        name: str,
        device_type: str = "cpu",
        device_id: int = 0,
        element_type: Any = None,
        shape: Optional[Sequence[int]] = None,
        buffer_ptr: Optional[int] = None,
    ) -> None:
        """Binds an output to memory at an address, which the caller keeps valid; without an address, to a new array in each
        run."""
        check_device(device_type)
        self._check("output", self._model.outputs, name)
        if buffer_ptr is None:
            self._outputs[name] = None
            return
        if element_type is None or shape is None:
            raise ValueError("`element_type` and `shape` are to be provided if pre-allocated memory is provided")
        self._outputs[name] = array_at(buffer_ptr, element_type, shape)

    def bind_ortvalue_output(self, name: str, ortvalue: OrtValue) -> None:
        """Binds an output to the memory of an `OrtValue` of this package."""
        if not isinstance(ortvalue, OrtValue):
            # The array of another library's value may be a copy.
            raise TypeError(f"an output is bound to an OrtValue of relay_mlir, not to {type(ortvalue).__name__}")
        self._check("output", self._model.outputs, name)
        self._outputs[name] = ortvalue.numpy()

    def run(self) -> None:
        """Runs the model once."""
        given = {name: value for name, value in self._outputs.items() if value is not None}
        results = self._model.run(self._inputs, given or None)
        self._results = {name: results[name] for name in self._outputs}

    def get_outputs(self) -> list:
        """The bound outputs of the last run, in the order of their binding."""
        return [OrtValue(value) for value in self._results.values()]

    def copy_outputs_to_cpu(self) -> list:
        """The bound outputs of the last run as arrays, in the order of their binding."""
        return [np.array(value) for value in self._results.values()]

    def synchronize_inputs(self) -> None:
        """Waits for copies to a device: there are none."""

    def synchronize_outputs(self) -> None:
        """Waits for copies from a device: there are none."""

    def clear_binding_inputs(self) -> None:
        """Forgets the bound inputs."""
        self._inputs.clear()

    def clear_binding_outputs(self) -> None:
        """Forgets the bound outputs and the last results."""
        self._outputs.clear()
        self._results.clear()
