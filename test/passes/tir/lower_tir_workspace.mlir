// RUN: relay-opt %s --lower-tir | FileCheck %s

// Global buffers inside a loop are parts of the thread's workspace, one call for all of them; those
// outside of all loops are for plan-memory.
// CHECK: func.func private @relay_rt_workspace(index) -> memref<1xi8>
// CHECK-LABEL: func.func private @kernel_parallel_0
// CHECK-DAG: %[[BYTES:.+]] = arith.constant 192 : index
// CHECK: %[[BASE:.+]] = call @relay_rt_workspace(%[[BYTES]])
// CHECK-DAG: memref.view %[[BASE]][%{{.+}}][] : memref<1xi8> to memref<17xf32>
// CHECK-DAG: memref.view %[[BASE]][%{{.+}}][] : memref<1xi8> to memref<4xf32>
// CHECK: scf.for
// CHECK-LABEL: func.func @kernel
// CHECK: tir.alloc_buffer "global" : memref<16xf32>
func.func @kernel(%a: memref<16xf32>) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %p = tir.alloc_buffer "global" : memref<16xf32>
  tir.for %c0 to %c16 "parallel" {
  ^bb0(%i: index):
    %t = tir.alloc_buffer "global" : memref<17xf32>
    %u = tir.alloc_buffer "global" : memref<4xf32>
    %v = memref.load %a[%i] : memref<16xf32>
    memref.store %v, %t[%c0] : memref<17xf32>
    memref.store %v, %u[%c0] : memref<4xf32>
    memref.store %v, %p[%i] : memref<16xf32>
  }
  return
}
