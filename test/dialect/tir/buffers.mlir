// RUN: %roundtrip | FileCheck %s

// CHECK-LABEL: func.func @buffers
func.func @buffers() {
  // CHECK: %t = tir.alloc_buffer : memref<4xf32, #tir.scope<local>>
  %t = tir.alloc_buffer : memref<4xf32, #tir.scope<local>>
  // CHECK: %g = tir.alloc_buffer : memref<2x4xi8>
  %g = tir.alloc_buffer : memref<2x4xi8>
  // CHECK: tir.allocate_const {value = dense<1.000000e+00> : tensor<2xf32>} : memref<2xf32>
  %k = tir.allocate_const {value = dense<1.0> : tensor<2xf32>} : memref<2xf32>
  return
}
