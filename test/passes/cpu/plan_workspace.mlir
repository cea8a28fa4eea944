// RUN: relay-opt %s --plan-workspace | FileCheck %s

// Global buffers inside a loop, and local ones too large for a stack, are parts of the thread's
// workspace, one call for all of them; global ones outside of all loops are for plan-memory.
// CHECK: func.func private @relay_rt_workspace(index, index) -> memref<1xi8>
// CHECK-LABEL: func.func @kernel
// CHECK-DAG: %[[KERNEL:.+]] = arith.constant 0 : index
// CHECK-DAG: %[[BYTES:.+]] = arith.constant 32960 : index
// CHECK: %[[BASE:.+]] = call @relay_rt_workspace(%[[KERNEL]], %[[BYTES]])
// CHECK-DAG: %[[LARGE:.+]] = memref.view %[[BASE]][%{{.+}}][] : memref<1xi8> to memref<8192xf32>
// CHECK-DAG: memref.memory_space_cast %[[LARGE]] : memref<8192xf32> to memref<8192xf32, #tir.scope<local>>
// CHECK-DAG: memref.view %[[BASE]][%{{.+}}][] : memref<1xi8> to memref<17xf32>
// CHECK-DAG: memref.view %[[BASE]][%{{.+}}][] : memref<1xi8> to memref<4xf32>
// CHECK: tir.alloc_buffer : memref<16xf32>
// CHECK: tir.for
// CHECK: tir.alloc_buffer : memref<8xf32, #tir.scope<local>>
func.func @kernel(%a: memref<16xf32>) {
  %v0 = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %p = tir.alloc_buffer : memref<16xf32>
  tir.for %i = 0 to 16 {
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

// The body of a parallel loop runs while the kernel's workspace is in use, and has another one.
// CHECK-LABEL: func.func private @body
// CHECK: %[[BODY:.+]] = arith.constant 1 : index
// CHECK: call @relay_rt_workspace(%[[BODY]],
// CHECK-NOT: tir.alloc_buffer
func.func private @body(%begin: index, %end: index, %a: memref<16xf32>) attributes {tir.parallel_body} {
  %t = tir.alloc_buffer : memref<17xf32>
  tir.for %i = %begin to %end {
    %v = memref.load %a[%i] : memref<16xf32>
    memref.store %v, %t[%i] : memref<17xf32>
  }
  return
}

// What fits on a stack needs no workspace.
// CHECK-LABEL: func.func @small
// CHECK-NOT: call
func.func @small() {
  %c0 = arith.constant 0 : index
  %v0 = arith.constant 0.0 : f32
  %t = tir.alloc_buffer : memref<4096xf32, #tir.scope<local>>
  memref.store %v0, %t[%c0] : memref<4096xf32, #tir.scope<local>>
  return
}

// Nothing stands before the first of several.
// CHECK-LABEL: func.func @first
// CHECK: call @relay_rt_workspace
// CHECK-COUNT-2: memref.view
// CHECK-NOT: tir.alloc_buffer
func.func @first(%a: f32, %at: index) {
  %s = tir.alloc_buffer : memref<8192xf32, #tir.scope<local>>
  %t = tir.alloc_buffer : memref<8192xf32, #tir.scope<local>>
  memref.store %a, %s[%at] : memref<8192xf32, #tir.scope<local>>
  memref.store %a, %t[%at] : memref<8192xf32, #tir.scope<local>>
  return
}
