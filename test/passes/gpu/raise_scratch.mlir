// RUN: relay-opt %s --pass-pipeline='builtin.module(func.func(raise-scratch))' --split-input-file --verify-diagnostics | FileCheck %s

// The buffer of a whole kernel is global, with its views; that of a step stays.
// CHECK-LABEL: func.func @kernel
// CHECK: tir.alloc_buffer : memref<4xf32>
// CHECK: memref.reinterpret_cast
// CHECK-SAME: memref<4xf32> to memref<2x2xf32>
// CHECK: tir.for
// CHECK: tir.alloc_buffer : memref<1xf32, #tir.scope<local>>
func.func @kernel(%a: memref<4xf32>) attributes {tir.kernel = #tir.kernel<generated>} {
  %all = tir.alloc_buffer : memref<4xf32, #tir.scope<local>>
  %square = memref.reinterpret_cast %all to offset: [0], sizes: [2, 2], strides: [2, 1]
    : memref<4xf32, #tir.scope<local>> to memref<2x2xf32, #tir.scope<local>>
  %c0 = arith.constant 0 : index
  tir.for %i = 0 to 2 {
    %one = tir.alloc_buffer : memref<1xf32, #tir.scope<local>>
    %x = memref.load %square[%i, %c0] : memref<2x2xf32, #tir.scope<local>>
    memref.store %x, %one[%c0] : memref<1xf32, #tir.scope<local>>
  }
  return
}

// CHECK-LABEL: func.func @graph
// CHECK: #tir.scope<local>
func.func @graph() {
  %own = tir.alloc_buffer : memref<4xf32, #tir.scope<local>>
  return
}

// -----

func.func @open(%a: memref<4xf32>, %n: index) attributes {tir.kernel = #tir.kernel<generated>, tir.symbols = ["", "n"]} {
  tir.for %i = 0 to 2 {
    // expected-error@+1 {{is memory of a thread, whose size is known at run time only}}
    %own = tir.alloc_buffer {dims = ["n"]} : memref<?xf32, #tir.scope<local>>
  }
  return
}
