"""Compiled models in this process, through the C interface of runtime/include/relay_runtime.h."""

import ctypes
import pathlib

import numpy as np

ABI_VERSION = 7

DTYPES = {
    "f32": np.float32,
    "f64": np.float64,
    "i8": np.int8,
    "i16": np.int16,
    "i32": np.int32,
    "i64": np.int64,
    "i1": np.bool_,
}


class TensorInfo(ctypes.Structure):
    """relay_tensor_info."""

    _fields_ = [
        ("name", ctypes.c_char_p),
        ("dtype", ctypes.c_char_p),
        ("rank", ctypes.c_uint32),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("dims", ctypes.POINTER(ctypes.c_char_p)),
    ]

    def port(self):
        """Name, numpy type and shape."""
        shape = tuple(self.shape[axis] for axis in range(self.rank))
        return self.name.decode(), DTYPES[self.dtype.decode()], shape


class Descriptor(ctypes.Structure):
    """relay_model_descriptor_t."""

    _fields_ = [
        ("abi_version", ctypes.c_uint32),
        ("name", ctypes.c_char_p),
        ("target", ctypes.c_char_p),
        ("precision", ctypes.c_char_p),
        ("features", ctypes.c_char_p),
        ("n_inputs", ctypes.c_uint32),
        ("inputs", ctypes.POINTER(TensorInfo)),
        ("n_outputs", ctypes.c_uint32),
        ("outputs", ctypes.POINTER(TensorInfo)),
        ("n_symbols", ctypes.c_uint32),
        ("symbols", ctypes.c_void_p),
        ("arena_bytes", ctypes.c_uint64),
        ("weights", ctypes.c_void_p),
        ("weights_bytes", ctypes.c_uint64),
        ("run_graph", ctypes.c_void_p),
        ("extents", ctypes.c_void_p),
        ("n_nodes", ctypes.c_uint32),
        ("node_names", ctypes.POINTER(ctypes.c_char_p)),
        ("node_ops", ctypes.POINTER(ctypes.c_char_p)),
        ("node_flops", ctypes.POINTER(ctypes.c_uint64)),
        ("n_conditions", ctypes.c_uint32),
        ("conditions", ctypes.c_void_p),
        ("donated", ctypes.POINTER(ctypes.c_uint32)),
        ("device", ctypes.c_void_p),
        ("device_name", ctypes.c_char_p),
        ("n_codes", ctypes.c_uint32),
        ("codes", ctypes.c_void_p),
    ]


class Library:
    """A compiled model: a file that `relayc compile MODEL -o FILE` wrote."""

    def __init__(self, path):
        self.path = pathlib.Path(path).resolve()
        self.library = ctypes.CDLL(str(self.path))
        self.descriptor = Descriptor.in_dll(self.library, "relay_model_descriptor")
        if self.descriptor.abi_version != ABI_VERSION:
            raise RuntimeError(
                f"{path}: interface version {self.descriptor.abi_version}, expected {ABI_VERSION}"
            )
        self.name = self.descriptor.name.decode()
        self.target = self.descriptor.target.decode()
        self.inputs = [self.descriptor.inputs[i].port() for i in range(self.descriptor.n_inputs)]
        self.outputs = [self.descriptor.outputs[i].port() for i in range(self.descriptor.n_outputs)]
        self.donated = self.donated_inputs()
        self.create = self.function("create", ctypes.c_void_p, ctypes.c_int32)
        self.run = self.function(
            "run",
            ctypes.c_int32,
            ctypes.c_void_p,
            ctypes.POINTER(ctypes.c_void_p),
            ctypes.POINTER(ctypes.c_void_p),
        )
        self.destroy = self.function("destroy", None, ctypes.c_void_p)
        self.last_error = self.function("last_error", ctypes.c_char_p)

    def function(self, name, result, *arguments):
        """An exported function of the model."""
        function = getattr(self.library, f"{self.name}_{name}")
        function.restype, function.argtypes = result, arguments
        return function

    def donated_inputs(self):
        """The number of the input that may lie in an output's memory, by the output's number."""
        given = self.descriptor.donated
        inputs = range(len(self.inputs)) if given else []
        return {given[number]: number for number in inputs if given[number] != NOT_DONATED}

    def error(self):
        """What went wrong last."""
        return RuntimeError(f"{self.path}: {(self.last_error() or b'unknown error').decode()}")


# What stands for an extent that is not known.
OPEN = -1

# RELAY_NOT_DONATED: an input that lies in memory of its own.
NOT_DONATED = 2**32 - 1


class Instance:
    """A model with its threads and memory, and arrays for its inputs and outputs. A donated input's array is its output's, too.

    Open dimensions are those of the inputs. An output whose shape depends on data stays in the library's memory until `outputs`.
    """

    def __init__(self, library, threads, inputs):
        self.library = library
        self.arrays = [self.input(port, inputs) for port in library.inputs]
        self.model = library.create(threads)
        if not self.model:
            raise library.error()
        shapes = self.output_shapes()
        self.results = {port[0]: self.result(number, port[1], shapes[number]) for number, port in enumerate(library.outputs)}
        self.input_pointers = pointers(self.arrays)
        self.output_pointers = pointers(self.results.values())

    def result(self, number, dtype, shape):
        """The array for an output; `None` where its extents are not known yet."""
        if number in self.library.donated:
            return self.arrays[self.library.donated[number]]
        return None if OPEN in shape else np.empty(shape, dtype)

    def output_shapes(self):
        """The shapes of the outputs for the inputs' shapes; -1 is an extent that depends on data."""
        ports = [*self.library.inputs, *self.library.outputs]
        if not any(OPEN in shape for _, _, shape in ports):
            return [shape for _, _, shape in self.library.outputs]
        given = numbers([array.shape for array in self.arrays])
        found = numbers([shape for _, _, shape in self.library.outputs])
        prepare = self.library.function("prepare", ctypes.c_int32, *[ctypes.c_void_p] * 3)
        if prepare(self.model, given, found) != 0:
            raise self.library.error()
        ranks = [len(shape) for _, _, shape in self.library.outputs]
        return [tuple(shape[:rank]) for shape, rank in zip(found, ranks)]

    def input(self, port, inputs):
        """The array for an input, as the model wants it."""
        name, dtype, shape = port
        if name not in inputs:
            raise RuntimeError(f"{self.library.path}: input '{name}' is not given")
        array = np.asarray(inputs[name], order="C")
        if array.dtype != dtype or not fits(array.shape, shape):
            wanted = f"{np.dtype(dtype)}{list(shape)}"
            raise RuntimeError(
                f"{self.library.path}: input '{name}' is {array.dtype}{list(array.shape)}, "
                f"expected {wanted}"
            )
        return array

    def run(self):
        """Runs the model; the results are in `results`."""
        if self.library.run(self.model, self.input_pointers, self.output_pointers) != 0:
            raise self.library.error()

    def outputs(self):
        """The results of the last run."""
        return {
            name: self.computed(number) if result is None else result
            for number, (name, result) in enumerate(self.results.items())
        }

    def computed(self, number):
        """A copy of an output whose shape the last run has computed."""
        _, dtype, shape = self.library.outputs[number]
        extents = (ctypes.c_int64 * len(shape))()
        output = self.library.function("output", ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int32, ctypes.c_void_p)
        found = output(self.model, number, extents)
        count = int(np.prod(list(extents)))
        if not found or not count:
            return np.empty(list(extents), dtype)
        data = ctypes.string_at(found, count * np.dtype(dtype).itemsize)
        return np.frombuffer(data, dtype).reshape(list(extents))

    def close(self):
        """Frees the model."""
        if self.model:
            self.library.destroy(self.model)
            self.model = None


def fits(shape, wanted):
    """Whether a shape is one that a model takes."""
    return len(shape) == len(wanted) and all(b in (a, OPEN) for a, b in zip(shape, wanted))


def numbers(lists):
    """Lists of 64-bit numbers as a C array of pointers to them."""
    arrays = [(ctypes.c_int64 * max(1, len(found)))(*found) for found in lists]
    return (ctypes.POINTER(ctypes.c_int64) * len(arrays))(*arrays)


def pointers(arrays):
    """The addresses of some arrays as a C array; null for none."""
    addresses = [None if array is None else array.ctypes.data for array in arrays]
    return (ctypes.c_void_p * len(addresses))(*addresses)
