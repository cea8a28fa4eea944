// RUN: %roundtrip | FileCheck %s

// CHECK-LABEL: func.func @loop
// CHECK-SAME: (%[[A:.+]]: memref<16xf32>)
func.func @loop(%a: memref<16xf32>) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  // CHECK: tir.for %{{.+}} to %{{.+}} "parallel" {
  // CHECK-NEXT: ^bb0(%[[I:.+]]: index):
  tir.for %c0 to %c16 "parallel" {
  ^bb0(%i: index):
    // CHECK: tir.alloc_buffer "local" : memref<4xf32>
    %t = tir.alloc_buffer "local" : memref<4xf32>
    %v = memref.load %a[%i] : memref<16xf32>
    memref.store %v, %t[%c0] : memref<4xf32>
    // CHECK: tir.allocate_const {value = dense<1.000000e+00> : tensor<2xf32>} : memref<2xf32>
    %k = tir.allocate_const {value = dense<1.0> : tensor<2xf32>} : memref<2xf32>
  }
  return
}
