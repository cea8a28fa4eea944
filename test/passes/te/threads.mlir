// What the threads of a block share.
// RUN: relay-opt %s --lower-te --canonicalize --cse --split-input-file | FileCheck %s

// The buffer holds what all threads read, and each thread copies a part. It is zero beyond the tensor, so that a thread beyond the last
// row sums zeros, without a condition.
// CHECK-LABEL: func.func @copied
func.func @copied(%a: tensor<10x12xf32>) -> tensor<10xf32> {
  // CHECK: tir.for %[[BLOCK:.+]] = 0 to 3 thread_binding blockIdx.x
  // CHECK: tir.for %[[THREAD:.+]] = 0 to 4 thread_binding threadIdx.x
  // CHECK: tir.for %[[STEP:.+]] = 0 to 3 {
  // CHECK-NOT: scf.if
  // CHECK: %[[SHARED:.+]] = tir.alloc_buffer : memref<4x4xf32, #tir.scope<shared>>
  // CHECK-NEXT: tir.for %{{.+}} = 0 to 4 {
  // CHECK-NEXT: tir.for %{{.+}} = 0 to 4 thread_binding threadIdx.x {
  // CHECK: %[[COPIED:.+]] = scf.if %{{.+}} -> (f32) {
  // CHECK: } else {
  // CHECK-NEXT: scf.yield %cst
  // CHECK: memref.store %[[COPIED]], %[[SHARED]]
  // CHECK: tir.for
  // CHECK-NOT: scf.if
  // CHECK: memref.load %[[SHARED]][%[[THREAD]], %{{.+}}]
  // CHECK: scf.if
  %b = te.compute "b" (%i: 10) sum (%k: 12) {
    %x = tensor.extract %a[%i, %k] : tensor<10x12xf32>
    te.yield %x : f32
  } : tensor<10xf32>
  te.schedule {
    %s = te.stage %b : tensor<10xf32>
    %sums = te.cache_write %s in local
    %i = te.axes %s
    %block, %thread = te.split %i {factor = 4}
    te.bind %block blockIdx.x
    te.bind %thread threadIdx.x
    te.compute_at %sums, %s, %thread
    %si, %k = te.axes %sums
    %ko, %ki = te.split %k {factor = 4}
    te.reorder %ko, %ki, %si
    %copy = te.cache_read %a for %sums in shared : tensor<10x12xf32>
    te.compute_at %copy, %sums, %ko
    %ci, %ck = te.axes %copy
    %all = te.fuse %ci, %ck
    %step, %own = te.split %all {factor = 4}
    te.bind %own threadIdx.x
  }
  return %b : tensor<10xf32>
}

// -----

// A grid of one block with one thread is a grid.
// CHECK-LABEL: func.func @one
func.func @one(%a: tensor<1xf32>) -> tensor<1xf32> {
  // CHECK: tir.for %{{.+}} = 0 to 1 thread_binding blockIdx.x
  // CHECK: tir.for %{{.+}} = 0 to 1 thread_binding threadIdx.x
  // CHECK: memref.load %{{.+}}[%c0]
  %b = te.compute "b" (%i: 1) {
    %x = tensor.extract %a[%i] : tensor<1xf32>
    te.yield %x : f32
  } : tensor<1xf32>
  te.schedule {
    %s = te.stage %b : tensor<1xf32>
    %i = te.axes %s
    %block, %thread = te.split %i {factor = 4}
    te.bind %block blockIdx.x
    te.bind %thread threadIdx.x
  }
  return %b : tensor<1xf32>
}
