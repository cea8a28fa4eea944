"""Runs every pass of ours, and the whole compiler, on modules of types that no pass computes with.

Each module must come out of relay-opt changed, unchanged or with errors, and each error must be one: a pass that does
not survive a type ends the process, and what it says then is printed. relayc makes a library that loads and runs, or
says what is wrong.
"""

import argparse
import concurrent.futures
import os
import pathlib
import re
import subprocess

# Those of a line are alike.
TYPES = """complex<f32> vector<4xf32> f8E3M4 f6E2M3FN
si8 i3 i0 ui8
index ui1 i65 f80
none !quant.uniform<i8:f32,0.5> tf32 memref<4xf32>
tuple<i8,f32> !relay.incomplete !llvm.ptr"""

# Each of these differs from one of the others in its width alone.
ALIKE = "f8E4M3 ui3 i128 f128"

# The reference page of passes, which lists them all.
PAGE = pathlib.Path(__file__).resolve().parents[3] / "docs" / "generated" / "passes.md"

# What only comes after other passes.
TOGETHER = [
    ["--fuse-ops", "--relay-to-te", "--lower-te", "--aot-lower-main", "--plan-memory"],
    ["--relay-to-te", "--erase-signs", "--lower-te", "--vectorize-loop", "--unroll-loop", "--lower-tir"],
]

# T is the type. Names and shapes differ from one to the next so that each reaches other code.
MODULES = {
    "passed through": """
func.func @main(%x: tensor<4xT>) -> tensor<4xT> {
  return %x : tensor<4xT>
}""",
    "a scalar": """
func.func @main(%x: T) -> T {
  return %x : T
}""",
    "beside": """
func.func @main(%x: tensor<4xf32>, %y: tensor<4xT>) -> (tensor<4xf32>, tensor<4xT>) {
  %0 = relay.nn.relu %x : (tensor<4xf32>) -> tensor<4xf32>
  return %0, %y : tensor<4xf32>, tensor<4xT>
}""",
    "not read": """
func.func @main(%x: tensor<4xf32>, %y: tensor<4xT>) -> tensor<4xf32> {
  %0 = relay.nn.relu %x : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}""",
    "operator": """
func.func @main(%x: tensor<2x8xT>, %w: tensor<3x8xT>) -> tensor<2x3xT> {
  %0 = relay.nn.dense %x, %w : (tensor<2x8xT>, tensor<3x8xT>) -> tensor<2x3xT>
  return %0 : tensor<2x3xT>
}""",
    "unary": """
func.func @main(%x: tensor<2x8xT>) -> tensor<2x8xT> {
  %0 = relay.abs %x : (tensor<2x8xT>) -> tensor<2x8xT>
  return %0 : tensor<2x8xT>
}""",
    "reshape": """
func.func @main(%x: tensor<2x8xT>) -> tensor<16xT> {
  %0 = relay.reshape %x {newshape = array<i64: 16>} : (tensor<2x8xT>) -> tensor<16xT>
  return %0 : tensor<16xT>
}""",
    "second operand": """
func.func @main(%x: tensor<2x8xf32>, %i: tensor<2xT>) -> tensor<2x8xf32> {
  %0 = relay.take %x, %i {axis = 0 : i64} : (tensor<2x8xf32>, tensor<2xT>) -> tensor<2x8xf32>
  return %0 : tensor<2x8xf32>
}""",
    "cast": """
func.func @main(%x: tensor<8xf32>) -> tensor<8xT> {
  %0 = relay.cast %x {dtype = T} : (tensor<8xf32>) -> tensor<8xT>
  return %0 : tensor<8xT>
}""",
    "filled": """
func.func @main() -> tensor<8xT> {
  %0 = relay.zeros {shape = array<i64: 8>, dtype = T} : () -> tensor<8xT>
  return %0 : tensor<8xT>
}""",
    "tuple": """
func.func @main(%x: tensor<8xT>) -> tensor<8xT> {
  %0 = relay.tuple %x, %x : tensor<8xT>, tensor<8xT>
  %1 = relay.tuple_get %0 {index = 1 : i64} : tuple<tensor<8xT>, tensor<8xT>>
  return %1 : tensor<8xT>
}""",
    "branches": """
func.func @main(%c: tensor<i1>, %x: tensor<8xT>) -> tensor<8xT> {
  %0 = relay.if %c -> (tensor<8xT>) {
    relay.yield %x : tensor<8xT>
  } else {
    relay.yield %x : tensor<8xT>
  }
  return %0 : tensor<8xT>
}""",
    "call": """
func.func private @f(%x: tensor<8xT>) -> tensor<8xT> attributes {relay.primitive} {
  return %x : tensor<8xT>
}
func.func @main(%x: tensor<8xT>) -> tensor<8xT> {
  %0 = call @f(%x) : (tensor<8xT>) -> tensor<8xT>
  return %0 : tensor<8xT>
}""",
    "expression": """
func.func @main(%a: tensor<8xT>) -> tensor<8xT> {
  %b = te.compute "b" (%i: 8) {
    %x = tensor.extract %a[%i] : tensor<8xT>
    te.yield %x : T
  } : tensor<8xT>
  return %b : tensor<8xT>
}""",
    "maximum": """
func.func @main(%a: tensor<8x8xT>) -> tensor<8xT> {
  %b = te.compute "b" (%i: 8) max (%k: 8) {
    %x = tensor.extract %a[%i, %k] : tensor<8x8xT>
    te.yield %x : T
  } : tensor<8xT>
  te.schedule {
    %s = te.stage %b : tensor<8xT>
    %i, %k = te.axes %s
    te.vectorize %i
    te.unroll %k
  }
  return %b : tensor<8xT>
}""",
    "inlined": """
func.func @main(%a: tensor<8xT>) -> tensor<8xf32> {
  %b = te.compute "b" (%i: 8) {
    %x = tensor.extract %a[%i] : tensor<8xT>
    te.yield %x : T
  } : tensor<8xT>
  %c = te.compute "c" (%i: 8) {
    %x = tensor.extract %b[%i] : tensor<8xT>
    %y = arith.constant 1.0 : f32
    te.yield %y : f32
  } : tensor<8xf32>
  return %c : tensor<8xf32>
}""",
    "loops": """
func.func @main(%a: memref<8xT>, %b: memref<8xT>) attributes {tir.kernel = #tir.kernel<generated>} {
  tir.for %i = 0 to 8 vectorized {
    %x = memref.load %a[%i] : memref<8xT>
    memref.store %x, %b[%i] : memref<8xT>
  }
  tir.for %i = 0 to 8 parallel {
    tir.for %j = 0 to 8 unrolled {
      %x = memref.load %a[%i] : memref<8xT>
      memref.store %x, %b[%j] : memref<8xT>
    }
  }
  return
}""",
    "buffers": """
func.func @main(%a: memref<8xT>, %b: memref<8xT>) attributes {relay.num_inputs = 1 : i64} {
  %c = tir.alloc_buffer : memref<8xT>
  %l = tir.alloc_buffer : memref<8xT, #tir.scope<local>>
  tir.for %i = 0 to 8 {
    %x = memref.load %a[%i] : memref<8xT>
    memref.store %x, %l[%i] : memref<8xT, #tir.scope<local>>
    %y = memref.load %l[%i] : memref<8xT, #tir.scope<local>>
    memref.store %y, %c[%i] : memref<8xT>
    %z = memref.load %c[%i] : memref<8xT>
    memref.store %z, %b[%i] : memref<8xT>
  }
  return
}""",
    "accumulated": """
func.func @main(%a: memref<8xT>, %b: memref<8xT>) attributes {tir.kernel = #tir.kernel<generated>} {
  %l = memref.alloca() : memref<2xT>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.for %i = %c0 to %c8 step %c1 {
    %x = memref.load %a[%i] : memref<8xT>
    memref.store %x, %l[%c0] : memref<2xT>
  }
  %y = memref.load %l[%c0] : memref<2xT>
  memref.store %y, %b[%c0] : memref<8xT>
  return
}""",
    "incomplete": """
func.func @main(%x: T) -> T {
  %0 = relay.nn.relu %x : (T) -> T
  return %0 : T
}""",
}


def bad(result, what):
    """What is wrong with how a tool ended."""
    if result.returncode not in (0, 1) or "internal error" in result.stderr or "panicked" in result.stderr:
        lines = [line for line in result.stderr.splitlines() if "internal error" in line or "panicked" in line]
        return f"{what}: exit code {result.returncode}: {' '.join(lines[:3]) or result.stderr[-300:]}"
    return None


def run(command, what):
    """Runs a tool; returns what is wrong with how it ended."""
    try:
        return bad(subprocess.run(command, capture_output=True, text=True, timeout=600, check=False), what)
    except subprocess.TimeoutExpired:
        return f"{what}: it does not end"


def compile_one(folder, name, text):
    """A library that loads and runs, or an error."""
    path = folder / (name.replace(" ", "_").translate(str.maketrans("<>!,:.", "______")) + ".mlir")
    path.write_text(text)
    library = path.with_suffix(".so")
    library.unlink(missing_ok=True)
    wrong = run(["relayc", "compile", path, "-o", library], f"relayc compile {path}")
    if wrong or not library.exists():
        return wrong
    result = subprocess.run(["relayc", "run", library], capture_output=True, text=True, timeout=600, check=False)
    return None if result.returncode == 0 else f"{path} compiles, and then: {result.stderr}"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--alike", action="store_true", help="types that differ from the usual ones in width alone")
    parser.add_argument("--each", type=int, default=1, metavar="N", help="each N-th type")
    arguments = parser.parse_args()
    passes = [[one] for one in re.findall(r"^\| \[`(--[a-z-]+)`\]", PAGE.read_text(), re.MULTILINE)] + TOGETHER
    arguments.folder.mkdir(parents=True, exist_ok=True)
    modules = {
        f"{name} {ty}": text.replace("T", ty)
        for ty in (ALIKE if arguments.alike else TYPES).split()[:: arguments.each]
        for name, text in MODULES.items()
    }
    whole = arguments.folder / "all.mlir"
    whole.write_text("\n// -----\n".join(modules.values()))
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        opt = ["relay-opt", "--split-input-file", whole, "-o", "/dev/null"]
        each = [pool.submit(run, [*opt, *one], f"relay-opt {' '.join(one)}") for one in passes]
        compiled = [pool.submit(compile_one, arguments.folder, *module) for module in modules.items()]
        failed = [job.result() for job in each + compiled]
    failed = [text for text in failed if text]
    print("\n".join(failed))
    print(f"{len(passes)} pipelines over {len(modules)} modules, {len(failed)} failed")
    raise SystemExit(1 if failed else 0)


main()
