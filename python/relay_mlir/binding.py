"""Inputs and outputs that are bound to a model between runs, in the manner of ONNX Runtime."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import Any, Optional

import numpy as np

from ._runtime import Tensor
from .errors import InputError

__all__ = ["IOBinding", "OrtValue"]

# The device whose memory the processor reads.
HOST = "cpu"

# The names of DLPack's devices.
DEVICES = {1: HOST, 2: "cuda", 10: "rocm"}


def check_host(device_type: str) -> None:
    """Raises `ValueError` for an address that is not in host memory."""
    if device_type.lower() != HOST:
        raise ValueError(
            f"the address is in memory of the device '{device_type}'; bind an address in memory of the device 'cpu', an OrtValue, or a "
            "tensor with __dlpack__ (bind_cpu_input)"
        )


class OrtValue:
    """A tensor in host memory, or in that of a GPU, with the calls of an `onnxruntime.OrtValue`."""

    def __init__(self, tensor: Any):
        # An array of numpy, or a `relay_mlir.Tensor`.
        self._tensor = tensor

    @classmethod
    def ortvalue_from_numpy(cls, numpy_obj: np.ndarray, device_type: str = "cpu", device_id: int = 0) -> OrtValue:
        """A tensor in the memory of an array, or its copy on the GPU that models run on: `cuda` or `rocm`."""
        if device_type.lower() == HOST:
            return cls(numpy_obj)
        tensor = Tensor.from_numpy(numpy_obj, device_type.lower())
        number = tensor.__dlpack_device__()[1]
        if device_id != number:
            raise ValueError(f"the device is '{device_type}:{device_id}'; models run on '{device_type}:{number}'")
        return cls(tensor)

    def numpy(self) -> np.ndarray:
        """The array; a copy of a tensor on a GPU."""
        return self._tensor.numpy() if isinstance(self._tensor, Tensor) else self._tensor

    def shape(self) -> list:
        """The dimensions."""
        return list(self._tensor.shape)

    def device_name(self) -> str:
        """The device: `cpu`, `cuda` or `rocm`."""
        if not isinstance(self._tensor, Tensor):
            return HOST
        return DEVICES[self._tensor.__dlpack_device__()[0]]

    def data_ptr(self) -> int:
        """The address of the first element. Raises `ValueError` for a tensor that another library takes by DLPack."""
        if isinstance(self._tensor, Tensor):
            raise ValueError(
                "the tensor has no fixed address; take it with __dlpack__, such as torch.from_dlpack(value)"
            )
        return self._tensor.ctypes.data

    def is_tensor(self) -> bool:
        """Whether this is a tensor: always."""
        return True

    def __dlpack__(self, **options: Any) -> Any:
        return self._tensor.__dlpack__(**options)

    def __dlpack_device__(self) -> tuple:
        return self._tensor.__dlpack_device__()


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
        # Those of new tensors on the model's device.
        self._there: set[str] = set()
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
        """Binds an input to host memory at an address. The caller keeps it valid."""
        check_host(device_type)
        self.bind_cpu_input(name, array_at(buffer_ptr, element_type, shape))

    def bind_ortvalue_input(self, name: str, ortvalue: Any) -> None:
        """Binds an input to an `OrtValue` of this package, or to one of ONNX Runtime in host memory."""
        if isinstance(ortvalue, OrtValue):
            self.bind_cpu_input(name, ortvalue._tensor)
            return
        check_host(ortvalue.device_name())
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
        """Binds an output to host memory at an address, which the caller keeps valid; without an address, to a new array in each
        run, or to a new tensor on the device that the model runs on."""
        self._check("output", self._model.outputs, name)
        self._there.discard(name)
        if buffer_ptr is None:
            self._outputs[name] = None
            if device_type.lower() == self._model.device != HOST:
                self._there.add(name)
                return
            if device_type.lower() != HOST:
                raise ValueError(
                    f"the device is '{device_type}'; the model's outputs may be on 'cpu' or '{self._model.device}'"
                )
            return
        check_host(device_type)
        if element_type is None or shape is None:
            raise ValueError("`element_type` and `shape` are to be provided if pre-allocated memory is provided")
        self._outputs[name] = array_at(buffer_ptr, element_type, shape)

    def bind_ortvalue_output(self, name: str, ortvalue: OrtValue) -> None:
        """Binds an output to the memory of an `OrtValue` of this package."""
        if not isinstance(ortvalue, OrtValue):
            # The array of another library's value may be a copy.
            raise TypeError(f"an output is bound to an OrtValue of relay_mlir, not to {type(ortvalue).__name__}")
        if ortvalue.device_name() != HOST:
            raise ValueError(
                f"the OrtValue is on the device '{ortvalue.device_name()}'; bind the output to the device, by bind_output"
            )
        self._check("output", self._model.outputs, name)
        self._there.discard(name)
        self._outputs[name] = ortvalue.numpy()

    def run(self) -> None:
        """Runs the model once."""
        given = {name: value for name, value in self._outputs.items() if value is not None}
        device = self._model.device if self._there else HOST
        results = self._model.run(self._inputs, given or None, device=device)
        self._results = {name: self._placed(name, results[name]) for name in self._outputs}

    def _placed(self, name: str, result: Any) -> Any:
        """An output where it is bound to. In a run whose new outputs are on a device, those for the host are copied."""
        return result.numpy() if self._there and name not in self._there and isinstance(result, Tensor) else result

    def get_outputs(self) -> list:
        """The bound outputs of the last run, in the order of their binding."""
        return [OrtValue(value) for value in self._results.values()]

    def copy_outputs_to_cpu(self) -> list:
        """The bound outputs of the last run as arrays, in the order of their binding."""
        return [value.numpy() if isinstance(value, Tensor) else np.array(value) for value in self._results.values()]

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
        self._there.clear()
        self._results.clear()
