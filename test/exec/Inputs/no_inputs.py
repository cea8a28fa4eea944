"""Runs a model without inputs through its C interface."""

import ctypes
import pathlib
import sys

import numpy as np

path = pathlib.Path(sys.argv[1])
name = "".join(letter if letter.isalnum() else "_" for letter in path.stem)
library = ctypes.CDLL(path)
create, run = library[f"{name}_create"], library[f"{name}_run"]
create.argtypes, create.restype = [ctypes.c_int32], ctypes.c_void_p
run.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p]

model = create(1)
assert model
out = np.zeros(3, np.float32)
outputs = (ctypes.c_void_p * 1)(out.ctypes.data)
assert run(model, None, outputs) == 0
np.testing.assert_array_equal(out, [1, 0, 3])
assert run(model, None, None) != 0
