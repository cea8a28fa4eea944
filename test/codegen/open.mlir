// A library with open dimensions: one run after another takes inputs of other shapes.
// RUN: rm -rf %t && mkdir %t
// RUN: relayc compile %s -o %t/open.so
// RUN: relayc inspect %t/open.so | FileCheck %s --check-prefix=INSPECT
// RUN: relayc inspect %t/open.so --json | FileCheck %s --check-prefix=JSON
// RUN: %python %S/Inputs/open.py %t/open.so %t
// Random inputs have the sizes that are named.
// RUN: relayc run %t/open.so --dim n=4 --dim m=3 | FileCheck %s --check-prefix=RUNS
// RUN: relayc bench %t/open.so --dim n=4 --dim m=3 | FileCheck %s --check-prefix=BENCH
// RUN: not relayc run %t/open.so --dim m=3 2>&1 | FileCheck %s --check-prefix=MISSING
// RUN: not relayc run %t/open.so --dim nn=3 2>&1 | FileCheck %s --check-prefix=OTHER
// RUN: not relayc run %t/open.so --dim n=66 --dim m=3 2>&1 | FileCheck %s --check-prefix=BOUNDS
// RUN: not relayc run %t/open.so --dim n=5 --dim m=3 2>&1 | FileCheck %s --check-prefix=BOUNDS
// RUN: not relayc run %t/open.so --dim n=4 --inputs %t/in.npz 2>&1 | FileCheck %s --check-prefix=BOTH
// Several levels of a processor have one function of extents.
// RUN: relayc compile %s --target x86-64-v3,x86-64-v4 -o %t/open.so
// RUN: %python %S/Inputs/open.py %t/open.so %t
// RUN: env RELAY_MAX_CPU_LEVEL=3 %python %S/Inputs/open.py %t/open.so %t
// RUN: not relayc compile %s --emit bare -o %t/bare 2>&1 | FileCheck %s --check-prefix=BARE

// INSPECT: inputs:
// INSPECT-NEXT: x: f32[n, m]
// INSPECT-NEXT: outputs:
// INSPECT-NEXT: y: f32[n, m]
// INSPECT-NEXT: open dimensions:
// INSPECT-NEXT: m: from 0 on
// INSPECT-NEXT: n: from 2 to 64, multiples of 2
// INSPECT: arena: by the open dimensions
// JSON: "shape": [
// JSON-NEXT: "n",
// JSON: "name": "m",
// JSON-NEXT: "least": 0,
// JSON-NEXT: "most": null,
// RUNS: tensor<4x3xf32>
// BENCH: median
// MISSING: error[R0208]: the library has the open dimension 'n', from 2 to 64, multiples of 2: say its size (--dim n=4), or give --inputs
// OTHER: error[R0208]: the library has no open dimension 'nn', which --dim says; did you mean 'n'?
// BOUNDS: error[R0403]: input 0, 'x', has the extent {{66|5}} in dimension 0; the model takes n from 2 to 64, multiples of 2
// BOTH: error[R0208]: --dim says sizes of random inputs, and those of --inputs have their own; leave one of the two out
// BARE: error[R0303]: {{.*}} a bare model has static memory, and this one has the open dimensions m, n: fix them (--shape)

module attributes {relay.symbols = {m = array<i64: 0, 9223372036854775807, 1, 8>, n = array<i64: 2, 64, 2, 4>}} {
  func.func private @double(%x: memref<f32>, %y: memref<f32>, %m: index, %n: index) attributes {tir.kernel = #tir.kernel<generated>} {
    %from = memref.reinterpret_cast %x to offset: [0], sizes: [%n, %m], strides: [%m, 1] : memref<f32> to memref<?x?xf32, strided<[?, 1]>>
    %to = memref.reinterpret_cast %y to offset: [0], sizes: [%n, %m], strides: [%m, 1] : memref<f32> to memref<?x?xf32, strided<[?, 1]>>
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %i = %c0 to %n step %c1 {
      scf.for %j = %c0 to %m step %c1 {
        %a = memref.load %from[%i, %j] : memref<?x?xf32, strided<[?, 1]>>
        %b = arith.addf %a, %a : f32
        memref.store %b, %to[%i, %j] : memref<?x?xf32, strided<[?, 1]>>
      }
    }
    return
  }
  func.func @main(%x: memref<f32> {relay.name = "x", relay.dims = ["n", "m"]}, %y: memref<f32> {relay.name = "y", relay.dims = ["n", "m"]}, %m: index, %n: index) attributes {relay.num_inputs = 1 : i64} {
    call @double(%x, %y, %m, %n) : (memref<f32>, memref<f32>, index, index) -> ()
    return
  }
}
