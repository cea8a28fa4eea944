// RUN: relay-opt %s --lower-thread-binding | FileCheck %s

// Blocks are shared among threads, the threads of a block run one after the other. Other loops stay.
// CHECK-LABEL: func.func @grid
func.func @grid(%a: memref<4x8x2xf32>) {
  %zero = arith.constant 0.0 : f32
  // CHECK: tir.for %{{.+}} = 0 to 4 parallel {
  tir.for %i = 0 to 4 thread_binding blockIdx.x {
    // CHECK: tir.for %{{.+}} = 0 to 8 {
    tir.for %j = 0 to 8 thread_binding threadIdx.x {
      // CHECK: tir.for %{{.+}} = 0 to 2 vectorized {
      tir.for %k = 0 to 2 vectorized {
        memref.store %zero, %a[%i, %j, %k] : memref<4x8x2xf32>
      }
    }
  }
  return
}
