// Kernels are compiled once for all compilers of a user, and what comes out is the same either way.
// REQUIRES: time
// RUN: rm -rf %t && mkdir %t
// RUN: env RELAY_CACHE_DIR=%t/cache relayc compile %S/../../examples/tour/layer.mlir --no-cache -o %t/model.so
// RUN: not ls %t/cache
// RUN: mv %t/model.so %t/fresh.so
// RUN: env RELAY_CACHE_DIR=%t/cache RUST_LOG=relay_codegen=debug relayc compile %S/../../examples/tour/layer.mlir -o %t/model.so 2>&1 | FileCheck %s --check-prefix=COLD
// RUN: cmp %t/fresh.so %t/model.so
// RUN: env RELAY_CACHE_DIR=%t/cache RUST_LOG=relay_codegen=debug relayc compile %S/../../examples/tour/layer.mlir -o %t/model.so 2>&1 | FileCheck %s --check-prefix=WARM
// RUN: cmp %t/fresh.so %t/model.so

// Kernels of several loops, too, are the same each time.
// RUN: relayc compile %s --no-cache -o %t/loops.so && mv %t/loops.so %t/loops1.so
// RUN: relayc compile %s --no-cache -o %t/loops.so && mv %t/loops.so %t/loops2.so
// RUN: relayc compile %s --no-cache -o %t/loops.so && cmp %t/loops1.so %t/loops.so && cmp %t/loops2.so %t/loops.so

// Of another target, nothing is taken.
// RUN: env RELAY_CACHE_DIR=%t/cache RUST_LOG=relay_codegen=debug relayc compile %S/../../examples/tour/layer.mlir --target x86_64-unknown-linux-gnu -o %t/other.so 2>&1 | FileCheck %s --check-prefix=COLD

// A damaged entry is compiled again, and then whole.
// RUN: %python %S/Inputs/damage.py %t/cache
// RUN: env RELAY_CACHE_DIR=%t/cache RUST_LOG=relay_codegen=debug relayc compile %S/../../examples/tour/layer.mlir -o %t/model.so 2>&1 | FileCheck %s --check-prefix=DAMAGED
// RUN: cmp %t/fresh.so %t/model.so
// RUN: env RELAY_CACHE_DIR=%t/cache RUST_LOG=relay_codegen=debug relayc compile %S/../../examples/tour/layer.mlir -o %t/model.so 2>&1 | FileCheck %s --check-prefix=WARM

// A folder that cannot be written is no error.
// RUN: env RELAY_CACHE_DIR=/dev/null/cache relayc compile %S/../../examples/tour/layer.mlir -o %t/model.so 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: cmp %t/fresh.so %t/model.so

// COLD: kernels, 0 from the cache
// WARM: [[COUNT:[0-9]+]] kernels, [[COUNT]] from the cache
// DAMAGED: is damaged; compiling anew
// DAMAGED: kernels, 0 from the cache
// NONE: cannot keep kernels in /dev/null/cache
// NONE: wrote
func.func private @loops(%a: memref<64xf32>, %b: memref<64xf32>, %c: memref<64xf32>, %d: memref<64xf32>, %e: memref<64xf32>) attributes {tir.kernel = #tir.kernel<generated>} {
  tir.for %i = 0 to 64 parallel {
    %x = memref.load %a[%i] : memref<64xf32>
    %y = arith.addf %x, %x : f32
    memref.store %y, %b[%i] : memref<64xf32>
  }
  tir.for %i = 0 to 64 parallel {
    %x = memref.load %a[%i] : memref<64xf32>
    %y = arith.mulf %x, %x : f32
    memref.store %y, %c[%i] : memref<64xf32>
  }
  tir.for %i = 0 to 64 parallel {
    %x = memref.load %a[%i] : memref<64xf32>
    %y = arith.subf %x, %x : f32
    memref.store %y, %d[%i] : memref<64xf32>
  }
  tir.for %i = 0 to 64 parallel {
    %x = memref.load %a[%i] : memref<64xf32>
    %y = arith.maximumf %x, %x : f32
    memref.store %y, %e[%i] : memref<64xf32>
  }
  return
}
func.func @main(%a: memref<64xf32>, %b: memref<64xf32>, %c: memref<64xf32>, %d: memref<64xf32>, %e: memref<64xf32>) attributes {relay.num_inputs = 1 : i64} {
  call @loops(%a, %b, %c, %d, %e) : (memref<64xf32>, memref<64xf32>, memref<64xf32>, memref<64xf32>, memref<64xf32>) -> ()
  return
}
