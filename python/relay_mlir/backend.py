"""relay_mlir as an `onnx.backend`, for programs that drive such backends, such as onnx's own tests.

    import onnx
    import relay_mlir.backend as backend

    prepared = backend.prepare(onnx.load("model.onnx"))
    (y,) = prepared.run([x])

A sequence that a model takes or returns is a list of arrays, and an optional that holds nothing is None.

A compiled model has fixed shapes, and some inputs that determine shapes, such as the axes of a reduction, must be constants
in it. A model that leaves them open is compiled at its first run, for the given shapes and values, and again for others.
"""

from __future__ import annotations

import itertools
from typing import Any, Optional

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper
from onnx.backend.base import Backend as Base
from onnx.backend.base import BackendRep, Device, DeviceType, namedtupledict
from onnx.backend.test.runner import BackendIsNotSupposedToImplementIt

from .compiler import compile
from .errors import CompileError

__all__ = [
    "Backend",
    "NotSupported",
    "PreparedModel",
    "is_compatible",
    "prepare",
    "run_model",
    "run_node",
    "supports_device",
]

# The compiler evaluates tensors up to this number of elements during the import; a larger input determines no shapes.
MOST_ELEMENTS = 64
WHOLE = (TensorProto.INT64, TensorProto.INT32, TensorProto.BOOL)
FLOATS = (TensorProto.FLOAT, TensorProto.DOUBLE, TensorProto.FLOAT16, TensorProto.BFLOAT16)


class NotSupported(CompileError, BackendIsNotSupposedToImplementIt):
    """The compiler refuses the model; the text says why."""


def free_inputs(model: onnx.ModelProto) -> list:
    """The inputs without an initializer."""
    known = {tensor.name for tensor in model.graph.initializer}
    return [value for value in model.graph.input if value.name not in known]


def is_open(value: onnx.ValueInfoProto) -> bool:
    """Whether the model leaves an input's shape, or a dimension of it, open; of a sequence it leaves the length open."""
    if not value.type.HasField("tensor_type"):
        return True
    tensor = value.type.tensor_type
    return not tensor.HasField("shape") or any(not dim.HasField("dim_value") for dim in tensor.shape.dim)


def may_say_shapes(value: onnx.ValueInfoProto, types: tuple) -> bool:
    """Whether an input may determine shapes: a list or a number."""
    if not value.type.HasField("tensor_type"):
        return False
    tensor = value.type.tensor_type
    return tensor.elem_type in types and tensor.HasField("shape") and len(tensor.shape.dim) <= 1


def is_sequence(value: onnx.ValueInfoProto) -> bool:
    """Whether it is a sequence, or an optional that may hold one."""
    held = value.type.optional_type.elem_type if value.type.HasField("optional_type") else value.type
    return held.HasField("sequence_type")


def part_of(name: str, place: int) -> str:
    """What the compiler calls a tensor of a sequence."""
    return f"{name}.{place}"


def tensors_of(value: onnx.ValueInfoProto, given: Any) -> dict:
    """The arrays of an input by the names that the compiler gives to them."""
    if given is None:
        return {}
    if is_sequence(value) and isinstance(given, (list, tuple)):
        return {part_of(value.name, place): np.asarray(array) for place, array in enumerate(given)}
    if not isinstance(given, (np.ndarray, np.generic)):
        raise NotSupported(f"input '{value.name}' is a {type(given).__name__}, expected an array")
    return {value.name: np.asarray(given)}


def with_constants(model: onnx.ModelProto, values: dict) -> onnx.ModelProto:
    """The model with some inputs made constants."""
    frozen = onnx.ModelProto()
    frozen.CopyFrom(model)
    kept = [value for value in frozen.graph.input if value.name not in values]
    del frozen.graph.input[:]
    frozen.graph.input.extend(kept)
    frozen.graph.initializer.extend(numpy_helper.from_array(value, name) for name, value in values.items())
    return frozen


class PreparedModel(BackendRep):
    """A model that takes arrays in the order of its inputs."""

    def __init__(self, model: onnx.ModelProto, options: dict):
        self._model, self._options = model, options
        self._inputs = free_inputs(model)
        self._outputs = namedtupledict("Outputs", [value.name for value in model.graph.output])
        # Compiled models, by their shapes and constants.
        self._compiled: dict = {}
        # The inputs that have to be constants; the first run finds them.
        self._frozen: Optional[list] = None
        if not any(is_open(value) for value in self._inputs):
            try:
                self._compile({}, {})
                self._frozen = []
            except CompileError as error:
                if not any(may_say_shapes(value, WHOLE + FLOATS) for value in self._inputs):
                    raise NotSupported(str(error)) from error

    def _compile(self, shapes: dict, values: dict):
        key = (tuple(sorted(shapes.items())), tuple((name, value.tobytes()) for name, value in sorted(values.items())))
        if key not in self._compiled:
            model = with_constants(self._model, values) if values else self._model
            self._compiled[key] = compile(model, shapes=shapes, progress=False, **self._options)
        return self._compiled[key]

    def _for(self, given: dict):
        """The model, compiled for these inputs."""
        is_small = {
            name: all(array.size <= MOST_ELEMENTS for array in tensors.values()) for name, tensors in given.items()
        }
        error = None
        # Fewer constants mean fewer compilations.
        for types in [(), WHOLE, WHOLE + FLOATS]:
            frozen = self._frozen
            if frozen is None:
                frozen = [
                    value.name for value in self._inputs if is_small[value.name] and may_say_shapes(value, types)
                ]
            shapes = {
                name: tuple(array.shape)
                for value in self._inputs
                if is_open(value) and value.name not in frozen
                for name, array in given[value.name].items()
            }
            try:
                compiled = self._compile(shapes, {name: given[name][name] for name in frozen})
            except CompileError as refused:
                error = refused
                if self._frozen is not None:
                    break
                continue
            self._frozen = frozen
            return compiled
        raise NotSupported(str(error)) from error

    def run(self, inputs: Any, **kwargs: Any) -> tuple:
        """The outputs, as a named tuple; inputs are a list in the model's order, or one array."""
        given = inputs if isinstance(inputs, (list, tuple)) else [inputs]
        named = {value.name: tensors_of(value, array) for value, array in zip(self._inputs, given)}
        missing = [value.name for value in self._inputs if value.name not in named]
        if missing:
            raise NotSupported(f"no values are given for {', '.join(missing)}")
        compiled = self._for(named)
        tensors = {name: array for tensors in named.values() for name, array in tensors.items()}
        results = compiled.run({info.name: tensors[info.name] for info in compiled.inputs})
        return self._outputs(*(self._result(value, results) for value in self._model.graph.output))

    def _result(self, value: onnx.ValueInfoProto, results: dict) -> Any:
        """An output: an array, or of a sequence the list of its arrays."""
        if not is_sequence(value):
            return results[value.name]
        names = itertools.takewhile(results.__contains__, (part_of(value.name, place) for place in itertools.count()))
        return [results[name] for name in names]


class Backend(Base):
    """The backend. The functions of this module are its methods."""

    @classmethod
    def is_compatible(cls, model: onnx.ModelProto, device: str = "CPU", **kwargs: Any) -> bool:
        """Whether `prepare` takes the model. A run may still refuse a model with open shapes."""
        try:
            cls.prepare(model, device, **kwargs)
        except NotSupported:
            return False
        return True

    @classmethod
    def prepare(cls, model: onnx.ModelProto, device: str = "CPU", **kwargs: Any) -> PreparedModel:
        """A model, ready to run. Keyword arguments are those of `relay_mlir.compile`.

        Raises `NotSupported` if the compiler refuses the model, or if the device is not the processor.
        """
        if not cls.supports_device(device):
            raise NotSupported(f"the device is '{device}', but models run on the processor; name the device 'CPU'")
        # The test runner passes its tolerances on.
        options = {name: value for name, value in kwargs.items() if name not in ("rtol", "atol")}
        return PreparedModel(model, options)

    @classmethod
    def run_model(cls, model: onnx.ModelProto, inputs: Any, device: str = "CPU", **kwargs: Any) -> tuple:
        """The outputs of a model that is prepared and run once."""
        return cls.prepare(model, device, **kwargs).run(inputs)

    @classmethod
    def run_node(cls, node: onnx.NodeProto, inputs: Any, device: str = "CPU", outputs_info=None, **kwargs: Any) -> tuple:
        """The outputs of one node; `outputs_info` has their types and shapes."""
        super().run_node(node, inputs, device=device, outputs_info=outputs_info, **kwargs)

        def info(name, dtype, shape):
            return helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(np.dtype(dtype)), shape)

        arrays = [np.asarray(value) for value in inputs]
        names = [name for name in node.input if name]
        graph = helper.make_graph(
            [node],
            "node",
            [info(name, array.dtype, array.shape) for name, array in zip(names, arrays)],
            [info(name, *known) for name, known in zip(node.output, outputs_info or [])]
            or [onnx.ValueInfoProto(name=name) for name in node.output if name],
        )
        version = kwargs.pop("opset_version", onnx.defs.onnx_opset_version())
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid(node.domain, version)])
        return cls.prepare(model, device, **kwargs).run(arrays)

    @classmethod
    def supports_device(cls, device: str) -> bool:
        """Whether models run on a device such as "CPU" or "CUDA:0": only the processor."""
        # onnx's Device knows no other names, and a number behind the colon.
        kind, _, number = device.partition(":")
        is_known = hasattr(DeviceType, kind) and (not number or number.isdigit())
        return is_known and Device(device).type == DeviceType.CPU


is_compatible = Backend.is_compatible
prepare = Backend.prepare
run_model = Backend.run_model
run_node = Backend.run_node
supports_device = Backend.supports_device
