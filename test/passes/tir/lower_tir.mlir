// RUN: relay-opt %s --lower-tir | FileCheck %s

// A loop of any kind becomes one of scf, a local buffer a part of the function's stack frame.
// CHECK-LABEL: func.func @kernel
// CHECK-SAME: (%[[A:.+]]: memref<16xf32>, %[[N:.+]]: index)
// CHECK: %[[T:.+]] = memref.alloca() {alignment = 64 : i64} : memref<1xf32, #tir.scope<local>>
// CHECK: scf.for %[[I:.+]] = %c2{{.*}} to %[[N]] step %c1
// CHECK: scf.for
// CHECK: %[[V:.+]] = memref.load %[[A]][%[[I]]]
// CHECK: memref.store %[[V]], %[[T]]
func.func @kernel(%a: memref<16xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  tir.for %i = 2 to %n {
    tir.for %j = 0 to 4 parallel {
      %t = tir.alloc_buffer : memref<1xf32, #tir.scope<local>>
      %v = memref.load %a[%i] : memref<16xf32>
      memref.store %v, %t[%c0] : memref<1xf32, #tir.scope<local>>
    }
  }
  return
}

// Buffers between kernels are for plan-memory.
// CHECK-LABEL: func.func @global
// CHECK: tir.alloc_buffer
// CHECK-NOT: memref.alloca
func.func @global(%v: f32) {
  %c0 = arith.constant 0 : index
  %t = tir.alloc_buffer : memref<1xf32>
  memref.store %v, %t[%c0] : memref<1xf32>
  return
}
