"""Writes arrays as TVM's relay.save_param_dict does, and checks what a library computes with them. Usage: tvm_params.py OUT [OUTPUTS]."""

import struct
import sys
from pathlib import Path

import numpy as np

RANDOM = np.random.default_rng(3)
KINDS = {"i": 0, "u": 1, "f": 2}


def save_param_dict(arrays):
    """The bytes, by `SaveParams` in TVM's src/runtime/file_utils.cc."""
    made = struct.pack("<QQQ", 0xF7E58D4F05049CB7, 0, len(arrays))
    for name in arrays:
        made += struct.pack("<Q", len(name)) + name.encode()
    made += struct.pack("<Q", len(arrays))
    for value in arrays.values():
        made += struct.pack("<QQiii", 0xDD5E40F096B4A13F, 0, 1, 0, value.ndim)
        made += struct.pack("<BBH", KINDS[value.dtype.kind], value.dtype.itemsize * 8, 1)
        made += struct.pack(f"<{value.ndim}qq", *value.shape, value.nbytes) + value.tobytes()
    return made


def main():
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    x, w, v = (RANDOM.uniform(-1, 1, shape).astype("f4") for shape in [(2, 8), (16, 8), (4, 16)])
    b = RANDOM.uniform(-1, 1, 16).astype("f4")
    n = np.array(3, "i4")
    if len(sys.argv) == 2:
        np.savez(folder / "inputs.npz", x=x)
        (folder / "all.params").write_bytes(save_param_dict({"w": w, "v": v, "b": b, "n": n}))
        (folder / "some.params").write_bytes(save_param_dict({"w": w, "b": b}))
        (folder / "other.params").write_bytes(save_param_dict({"w": w.T.copy()}))
        (folder / "unknown.params").write_bytes(save_param_dict({"u": w}))
        (folder / "cut.params").write_bytes(save_param_dict({"w": w})[:-1])
        return
    right = np.maximum(x @ w.T + b, 0) @ v.T * np.float32(n)
    found = list(np.load(sys.argv[2]).values())
    print("agrees" if len(found) == 1 and np.allclose(found[0], right, atol=1e-5) else f"differs: {found}, not {right}")


if __name__ == "__main__":
    main()
