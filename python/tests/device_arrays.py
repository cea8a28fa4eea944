"""Arrays in the memory of an emulated GPU, for tests: the driver is called as a library of arrays on GPUs calls it."""

import ctypes
import os

import numpy as np

CPU, CUDA, CUDA_HOST, ROCM = 1, 2, 3, 10

# DLPack's codes of numpy's kinds of types.
CODES = {"b": 6, "i": 0, "u": 1, "f": 2}


class DLTensor(ctypes.Structure):
    """`DLTensor` of `dlpack.h`, with the structs in it as their fields."""

    _fields_ = [
        ("data", ctypes.c_void_p),
        ("device_type", ctypes.c_int32),
        ("device_id", ctypes.c_int32),
        ("ndim", ctypes.c_int32),
        ("code", ctypes.c_uint8),
        ("bits", ctypes.c_uint8),
        ("lanes", ctypes.c_uint16),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("byte_offset", ctypes.c_uint64),
    ]


class DLManagedTensor(ctypes.Structure):
    """`DLManagedTensor` of `dlpack.h`."""


DELETER = ctypes.CFUNCTYPE(None, ctypes.POINTER(DLManagedTensor))
DLManagedTensor._fields_ = [("tensor", DLTensor), ("context", ctypes.c_void_p), ("deleter", DELETER)]

NEW_CAPSULE = ctypes.pythonapi.PyCapsule_New
NEW_CAPSULE.restype, NEW_CAPSULE.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
POINTER_OF = ctypes.pythonapi.PyCapsule_GetPointer
POINTER_OF.restype, POINTER_OF.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
RENAME = ctypes.pythonapi.PyCapsule_SetName
RENAME.argtypes = [ctypes.py_object, ctypes.c_char_p]

# Names of capsules, which keep only their addresses.
FRESH, USED = ctypes.c_char_p(b"dltensor"), ctypes.c_char_p(b"used_dltensor")


class Driver:
    """The functions of CUDA's driver, in the context of this thread."""

    def __init__(self):
        self.library = ctypes.CDLL(os.environ["RELAY_CUDA_DRIVER"])
        context = ctypes.c_void_p()
        self.call("cuInit", 0)
        self.call("cuDevicePrimaryCtxRetain", ctypes.byref(context), 0)
        self.call("cuCtxPushCurrent_v2", context)

    def call(self, name, *arguments):
        """Calls a function, which must succeed."""
        status = getattr(self.library, name)(*arguments)
        assert status == 0, f"{name}: {status}"

    def take(self, size):
        """The address of so many new bytes."""
        address = ctypes.c_uint64()
        self.call("cuMemAlloc_v2", ctypes.byref(address), ctypes.c_size_t(size))
        return address.value

    def write(self, address, array):
        """Copies an array to an address."""
        self.call(
            "cuMemcpyHtoDAsync_v2",
            ctypes.c_uint64(address),
            ctypes.c_void_p(array.ctypes.data),
            ctypes.c_size_t(array.nbytes),
            None,
        )

    def read(self, address, like):
        """A copy of the memory at an address in an array like this one."""
        found = np.empty_like(like)
        self.call(
            "cuMemcpyDtoHAsync_v2",
            ctypes.c_void_p(found.ctypes.data),
            ctypes.c_uint64(address),
            ctypes.c_size_t(found.nbytes),
            None,
        )
        return found

    def taken(self):
        """The bytes of the device that are taken."""
        free, total = ctypes.c_size_t(), ctypes.c_size_t()
        self.call("cuMemGetInfo_v2", ctypes.byref(free), ctypes.byref(total))
        return total.value - free.value


class DeviceArray:
    """An array on the device, which hands itself over by DLPack as PyTorch's tensors do: its elements are written when a consumer says which
    stream has to wait for them. `place` is the device that it says it is on."""

    def __init__(self, driver, array, place=(CUDA, 0), strides=None):
        self.driver, self.array, self.place, self.strides = driver, np.array(array, order="C"), place, strides
        self.address = driver.take(max(self.array.nbytes, 1))
        self.streams, self.lent = [], 0
        self._kept = []

    def __dlpack_device__(self):
        return self.place

    def __dlpack__(self, *, stream=None):
        self.streams.append(stream)
        if len(self.streams) == 1 and self.array.nbytes:
            self.driver.write(self.address, self.array)
        self.lent += 1
        dtype, rank = self.array.dtype, self.array.ndim
        shape = (ctypes.c_int64 * rank)(*self.array.shape)
        strides = (ctypes.c_int64 * rank)(*self.strides) if self.strides else None
        tensor = DLTensor(self.address, *self.place, rank, CODES[dtype.kind], 8 * dtype.itemsize, 1, shape, strides, 0)
        managed = DLManagedTensor(tensor, None, DELETER(self._given_back))
        self._kept.append((managed, shape, strides))
        return NEW_CAPSULE(ctypes.addressof(managed), FRESH, None)

    def _given_back(self, _):
        self.lent -= 1

    def now(self):
        """What the memory holds."""
        return self.driver.read(self.address, self.array)


def taken_from(driver, tensor, like, **options):
    """The elements of a tensor that hands itself over; it is given back. `like` is an array of its type and shape."""
    capsule = tensor.__dlpack__(**options)
    managed = ctypes.cast(POINTER_OF(capsule, FRESH), ctypes.POINTER(DLManagedTensor))
    RENAME(capsule, USED)
    view = managed.contents.tensor
    assert list(view.shape[: view.ndim]) == list(like.shape)
    assert (view.code, view.bits) == (CODES[like.dtype.kind], 8 * like.dtype.itemsize)
    assert (view.device_type, view.device_id) == tensor.__dlpack_device__()
    found = driver.read(view.data, like)
    managed.contents.deleter(managed)
    return found
