"""Makes a module for each type that is only stored, runs it, and compares with ml_dtypes: every byte as a number, and numbers around all
of those as elements of the type."""

import pathlib
import subprocess
import sys

import ml_dtypes
import numpy as np

TYPES = {
    "f8E4M3FN": "float8_e4m3fn",
    "f8E4M3FNUZ": "float8_e4m3fnuz",
    "f8E5M2": "float8_e5m2",
    "f8E5M2FNUZ": "float8_e5m2fnuz",
    "f4E2M1FN": "float4_e2m1fn",
    "i4": "int4",
    "ui4": "uint4",
    "i2": "int2",
    "ui2": "uint2",
}
FLOATS, WHOLE = ["f16", "bf16", "f32", "f64"], ["i8", "i16", "i32", "i64", "ui8", "ui16", "ui32", "ui64"]
NUMPY = {name: np.dtype(f"float{name[1:]}") for name in FLOATS if name != "bf16"}
NUMPY |= {name: np.dtype(name.replace("i", "int")) for name in WHOLE}

# From and to each type, by way of one value; elements that move.
MODULE = """
func.func @main(%stored: tensor<256xT> {relay.name = "stored"}, %single: tensor<Nxf32> {relay.name = "single"},
                %double: tensor<Nxf64> {relay.name = "double"}, %whole: tensor<256xi64> {relay.name = "whole"})
    -> (RESULTS) {
  %constant = relay.constant dense<[1, 2, 0]> : tensor<3xi8>
  %three = relay.cast %constant {dtype = T} : (tensor<3xi8>) -> tensor<3xT>
  %rows = relay.reshape %stored {newshape = array<i64: 16, 16>} : (tensor<256xT>) -> tensor<16x16xT>
  %columns = relay.transpose %rows {axes = array<i64: 1, 0>} : (tensor<16x16xT>) -> tensor<16x16xT>
  %flat = relay.reshape %columns {newshape = array<i64: 256>} : (tensor<16x16xT>) -> tensor<256xT>
  %moved = relay.concatenate %flat, %three {axis = 0 : i64} : (tensor<256xT>, tensor<3xT>) -> tensor<259xT>
BODY
  return VALUES : TYPES
}
"""


def module(kind, count):
    """The module of a type, and its results' names."""
    lines, results = [], [("moved", f"tensor<259x{kind}>"), ("same", f"tensor<256x{kind}>")]
    lines.append(f"  %same = relay.copy %stored : (tensor<256x{kind}>) -> tensor<256x{kind}>")

    def cast(name, source, length, old, new):
        lines.append(
            f"  %{name} = relay.cast %{source} {{dtype = {new}}} : (tensor<{length}x{old}>) -> tensor<{length}x{new}>"
        )
        results.append((name, f"tensor<{length}x{new}>"))

    for other in FLOATS + WHOLE + ["i1"]:
        cast(f"to_{other}", "stored", 256, kind, other)
    cast("from_f32", "single", count, "f32", kind)
    cast("from_f64", "double", count, "f64", kind)
    cast("from_i64", "whole", 256, "i64", kind)
    for other in TYPES:
        if other != kind:
            cast(f"to_{other}", "stored", 256, kind, other)
    named = ", ".join(f'{ty} {{relay.name = "{name}"}}' for name, ty in results)
    text = MODULE.replace("BODY", "\n".join(lines)).replace("RESULTS", named).replace("xT>", f"x{kind}>")
    text = text.replace("dtype = T}", f"dtype = {kind}}}").replace("tensor<N", f"tensor<{count}")
    text = text.replace("VALUES", ", ".join(f"%{name}" for name, _ in results))
    return text.replace("TYPES", ", ".join(ty for _, ty in results))


def numbers(dtype):
    """Numbers of f32 at, between and beside all of a type's, and those that are none."""
    known = np.arange(16 if "float4" in dtype.name else 256, dtype=np.uint8).view(dtype).astype(np.float32)
    if dtype.name.startswith(("int", "uint")):
        # What a type does not hold is undefined.
        spread = np.linspace(-7.9, 7.9, 64) if dtype.name[0] == "i" else np.linspace(0, 15.9, 64)
        return np.concatenate([np.unique(known), spread]).astype(np.float32)
    known = np.unique(known[np.isfinite(known)])
    middle = (known[1:] + known[:-1]) / 2
    edges = np.concatenate([known, middle, [2 * known[-1], 1e-45, 1e-40, 1e30, np.inf, np.nan], 1.0625 * known])
    edges = np.concatenate([edges, -edges]).astype(np.float32)
    beside = [np.nextafter(edges, np.float32(np.inf)), np.nextafter(edges, np.float32(-np.inf))]
    return np.concatenate([edges, *beside]).astype(np.float32)


def same(found, wanted, name):
    """Compares numbers, and the signs of zeros."""
    assert found.shape == wanted.shape, (name, found.shape, wanted.shape)
    np.testing.assert_array_equal(found, wanted, err_msg=name)
    if found.dtype.kind == "f":
        zeros = found == 0
        np.testing.assert_array_equal(np.signbit(found[zeros]), np.signbit(wanted[zeros]), err_msg=name)


def in_file(array):
    """An array of a type that numpy lacks, as relayc writes it."""
    kinds = {"int4": np.int8, "int2": np.int8, "uint4": np.uint8, "uint2": np.uint8}
    return array.astype(kinds.get(array.dtype.name, np.float32))


def check(relayc, folder, kind, options):
    dtype = np.dtype(getattr(ml_dtypes, TYPES[kind]))
    single = numbers(dtype)
    # ml_dtypes reads the low bits of integers, but all of a float.
    stored = (np.arange(256, dtype=np.uint8) & (15 if kind == "f4E2M1FN" else 255)).view(dtype)
    whole = np.arange(256) - 128
    path = folder / f"{kind}.mlir"
    path.write_text(module(kind, len(single)))
    given = {"single": single, "double": single.astype(np.float64), "whole": whole}
    # As ml_dtypes writes it: bytes of no type.
    np.savez(folder / "in.npz", stored=stored, **given)
    command = [relayc, "run", str(path), "--inputs", str(folder / "in.npz"), "--outputs", str(folder / "out.npz")]
    subprocess.run(command + options, check=True)
    found = dict(np.load(folder / "out.npz"))
    wide = stored.astype(np.float32)
    same(found["same"], in_file(stored), "same")
    three = in_file(np.array([1, 2, 0], np.int8).astype(dtype))
    same(found["moved"], np.concatenate([in_file(stored).reshape(16, 16).T.ravel(), three]), "moved")
    is_float = dtype.name.startswith("float")
    for name in FLOATS:
        same(found[f"to_{name}"], wide.astype(NUMPY.get(name, np.float32)), name)
    for name in WHOLE:
        ty = NUMPY[name]
        fits = np.isfinite(wide) & (np.trunc(wide) >= np.iinfo(ty).min) & (wide <= np.iinfo(ty).max)
        same(found[f"to_{name}"][fits], wide[fits].astype(ty), name)
    same(found["to_i1"], wide != 0, "i1")
    rounded = in_file(single.astype(dtype))
    if kind == "f4E2M1FN":
        # No NaN; ml_dtypes makes a zero of it, of the other sign.
        is_nan = np.isnan(single)
        rounded[is_nan] = np.copysign(0, single[is_nan])
    same(found["from_f32"], rounded, "from f32")
    same(found["from_f64"], rounded, "from f64")
    same(found["from_i64"], in_file(whole.astype(np.float32 if is_float else np.int64).astype(dtype)), "from i64")
    for other, numpy_name in TYPES.items():
        if other == kind:
            continue
        ty = np.dtype(getattr(ml_dtypes, numpy_name))
        fits = np.isfinite(wide)
        if numpy_name.startswith(("int", "uint")) and is_float:
            fits &= np.abs(wide) < 2**31
            wanted = np.trunc(wide[fits]).astype(np.int64).astype(ty)
        else:
            wanted = wide[fits].astype(ty)
        same(found[f"to_{other}"][fits], in_file(wanted), f"{kind} to {other}")


relayc, folder, *options = sys.argv[1:]
folder = pathlib.Path(folder)
folder.mkdir(parents=True, exist_ok=True)
for kind in TYPES:
    check(relayc, folder, kind, options)
    print("checked", kind)
