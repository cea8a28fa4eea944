// RUN: relay-opt %s --lower-thread-binding | FileCheck %s

// Blocks are shared among threads, the threads of a block run one after the other. Other loops stay.
// CHECK-LABEL: func.func @grid
func.func @grid(%a: memref<4x8x2xf32>) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant 0.0 : f32
  // CHECK: tir.for %c0 to %c4 "parallel" {
  tir.for %c0 to %c4 "thread_binding" attributes {thread = "blockIdx.x"} {
  ^bb0(%i: index):
    // CHECK: tir.for %c0 to %c8 "serial" {
    tir.for %c0 to %c8 "thread_binding" attributes {thread = "threadIdx.x"} {
    ^bb0(%j: index):
      // CHECK: tir.for %c0 to %c2 "vectorized" {
      tir.for %c0 to %c2 "vectorized" {
      ^bb0(%k: index):
        memref.store %zero, %a[%i, %j, %k] : memref<4x8x2xf32>
      }
    }
  }
  return
}
