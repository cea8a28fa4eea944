// RUN: relay-opt %s --lower-tir | FileCheck %s

// Global buffers inside a loop, and local ones too large for a stack, are parts of the thread's
// workspace, one call for all of them; global ones outside of all loops are for plan-memory.
// CHECK: func.func private @relay_rt_workspace(index, index) -> memref<1xi8>
// CHECK-LABEL: func.func private @kernel_parallel_0
// CHECK-DAG: %[[BODY:.+]] = arith.constant 1 : index
// CHECK-DAG: %[[BYTES:.+]] = arith.constant 32960 : index
// CHECK: %[[BASE:.+]] = call @relay_rt_workspace(%[[BODY]], %[[BYTES]])
// CHECK-DAG: memref.alloca() {{.*}} : memref<8xf32>
// CHECK-DAG: memref.view %[[BASE]][%{{.+}}][] : memref<1xi8> to memref<8192xf32>
// CHECK-DAG: memref.view %[[BASE]][%{{.+}}][] : memref<1xi8> to memref<17xf32>
// CHECK-DAG: memref.view %[[BASE]][%{{.+}}][] : memref<1xi8> to memref<4xf32>
// CHECK: scf.for
// CHECK-LABEL: func.func @kernel
// CHECK: tir.alloc_buffer : memref<16xf32>
func.func @kernel(%a: memref<16xf32>) {
  %v0 = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %p = tir.alloc_buffer : memref<16xf32>
  tir.for %i = 0 to 16 parallel {
    %t = tir.alloc_buffer : memref<17xf32>
    %u = tir.alloc_buffer : memref<4xf32>
    %large = tir.alloc_buffer : memref<8192xf32, #tir.scope<local>>
    %small = tir.alloc_buffer : memref<8xf32, #tir.scope<local>>
    memref.store %v0, %large[%c0] : memref<8192xf32, #tir.scope<local>>
    memref.store %v0, %small[%c0] : memref<8xf32, #tir.scope<local>>
    %v = memref.load %a[%i] : memref<16xf32>
    memref.store %v, %t[%c0] : memref<17xf32>
    memref.store %v, %u[%c0] : memref<4xf32>
    memref.store %v, %p[%i] : memref<16xf32>
  }
  return
}
